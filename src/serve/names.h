// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names by number: the strings of a report, and behind them those of events that have none in it ("[CUDA
// memset]"). All of them are there when the object has been made; const methods are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/query.h"

namespace sextant::serve {

class Names {
 public:
  explicit Names(const query::Source& source);

  size_t count() const { return strings_ + added_.size(); }
  /// Any bytes.
  std::string_view text(uint64_t id) const {
    if (id < strings_) return reader_->string(id);
    return id - strings_ < added_.size() ? std::string_view(added_[id - strings_]) : std::string_view();
  }
  /// Of strings of the report that do not exist: 0.
  uint32_t of_string(uint64_t id) const { return id < strings_ ? static_cast<uint32_t>(id) : 0; }

  uint32_t of_memcpy(uint64_t kind) const;
  uint32_t of_memset() const { return fixed(kMemset); }
  uint32_t of_sync(uint64_t type) const;
  uint32_t of_graph() const { return fixed(kGraph); }
  uint32_t of_page_fault() const { return fixed(kPageFault); }
  uint32_t of_sample() const { return fixed(kSample); }
  uint32_t of_opencl_command(uint64_t number) const;
  /// Of a thread that is scheduled; one that is not known: "thread".
  uint32_t of_thread(uint64_t process, uint64_t tid) const;
  /// What a thread did while it was not on a CPU, by event::sched_event's thread_state; kRunning: it was.
  static constexpr uint64_t kRunning = UINT64_MAX, kNotTold = 0;
  uint32_t of_state(uint64_t state) const;

 private:
  enum Fixed : uint32_t {
    kMemset,
    kGraph,
    kPageFault,
    kSample,
    kUnknownCopy,
    kUnknownSync,
    kUnknownThread,
    kFixedCount
  };
  static constexpr uint32_t kCopyKinds = 14, kSyncKinds = 5, kStates = 11;
  static constexpr uint32_t kFirstState = kFixedCount + kCopyKinds + kSyncKinds;  // 0: running
  void add_threads(const query::Source& source);
  uint32_t fixed(Fixed which) const { return static_cast<uint32_t>(strings_) + which; }

  const report::Reader* reader_;
  size_t strings_;
  std::vector<std::string> added_;  // Fixed, then kinds of copies, of synchronisations, states, threads
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> threads_;  // process and tid
  uint32_t first_opencl_ = 0;  // of the kinds of commands, then an unknown one
};

}  // namespace sextant::serve
