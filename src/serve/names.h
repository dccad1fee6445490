// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names by number: the strings of a report, and behind them those of events that have none in it ("[CUDA
// memset]"). All of them are there when the object has been made; const methods are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/reader.h"

namespace sextant::serve {

class Names {
 public:
  explicit Names(const report::Reader& reader);

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

 private:
  enum Fixed : uint32_t { kMemset, kGraph, kPageFault, kSample, kUnknownCopy, kUnknownSync, kFixedCount };
  static constexpr uint32_t kCopyKinds = 14, kSyncKinds = 5;
  uint32_t fixed(Fixed which) const { return static_cast<uint32_t>(strings_) + which; }

  const report::Reader* reader_;
  size_t strings_;
  std::vector<std::string> added_;  // Fixed, then kinds of copies, then of synchronisations
};

}  // namespace sextant::serve
