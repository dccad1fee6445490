// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What ran on a CPU, and what a thread was doing, from events that put threads on CPUs and take them off.
// These are looked at part by part, each a span of time with some 64 K of them, so that memory does not grow
// with the report. An event that begins and ends in one part is found out again from that part alone; those
// that reach from one part into another are given once, by survey(). Const methods are thread-safe.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "serve/derived_event.h"
#include "serve/names.h"

namespace sextant::serve {

class Scheduling {
 public:
  /// kCpus: the lane is the logical CPU, an event a thread on it, named after it; its number is that of the
  /// row that put it on. kThreads: the lane is process and thread, an event running, or why not, until the
  /// next scheduling event; its number is that of the row that begins it.
  enum class Of { kCpus, kThreads };

  static constexpr size_t kMostCrossing = 1'000'000;  // events that reach beyond their part, 56 bytes each

  /// Both must outlive it.
  Scheduling(const query::Source& source, const Names& names, Of of);

  /// False: the rows are in no order of time, so that every part would be in very many chunks.
  bool possible() const { return possible_; }
  size_t parts() const { return possible_ ? parts_.size() : 0; }

  /// The events of a part that do not reach beyond it, in any order.
  Result<std::vector<DerivedEvent>> read(size_t part) const;

  /// Calls use(part, events) for all parts, in order; returns the events that reach beyond theirs.
  /// kUnsupported: these are too many.
  Result<std::vector<DerivedEvent>> survey(
      const std::function<void(size_t part, const std::vector<DerivedEvent>& events)>& use) const;

 private:
  struct Switch {
    uint64_t process, tid, cpu, state, row;
    uint64_t at;  // raw
    bool in, has_thread;
  };
  struct Chunk {
    const report::ChunkRef* ref;
    uint64_t first_row;
    uint64_t from, to;  // raw, both included
  };
  struct Part {
    uint64_t from, to;  // raw, both included
    std::vector<uint32_t> chunks;
  };
  using Switches = std::map<std::array<uint64_t, 2>, Switch>;  // the last one, by lane

  Result<std::vector<Switch>> load(const Part& part) const;
  Status load_chunk(const Chunk& chunk, const Part& part, std::vector<Switch>* out) const;
  std::vector<DerivedEvent> pair(const std::vector<Switch>& switches, Switches* open,
                                 std::vector<DerivedEvent>* crossing) const;
  DerivedEvent event_of(const Switch& begin, int64_t end_ns, bool unfinished) const;

  const query::Source& source_;
  const Names& names_;
  const Of of_;
  std::vector<Chunk> chunks_;
  std::vector<Part> parts_;
  bool possible_ = true;
};

}  // namespace sextant::serve
