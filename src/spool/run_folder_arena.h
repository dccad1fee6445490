// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Arena: the collector's side of one arena file (docs/formats/spool.md §4): makes it ahead of need, hands
// segments over, takes drained ones back. Every byte of the file, whoever allocated it, is in the run's
// budget_used, and is taken off by release(). Owns descriptor and mapping. Not thread-safe; the agent works
// on the same memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/mapping.h"
#include "base/result.h"
#include "spool/format.h"
#include "spool/reader.h"
#include "spool/run_folder.h"

namespace sextant::spool {

class Arena {
 public:
  /// Makes free-`number` with its first pool of segments. kIo: no space; kDenied: the budget does not allow
  /// it.
  static Result<Arena> make(RunFolder& folder, uint32_t number);

  /// Maps an arena that an agent made or that a run left behind. kCorrupt: not an arena.
  static Result<Arena> open(RunFolder& folder, const std::string& file_name);

  const ArenaReader& reader() const { return reader_; }
  ArenaHeader& header() { return *reinterpret_cast<ArenaHeader*>(mapping_.data()); }
  SegmentDescriptor& descriptor(uint32_t index);

  /// Asks for the file's size again: agents let it grow.
  void refresh();
  uint64_t file_bytes() const { return reader_.bytes(); }

  /// Segments on offer, by class. `counts` has kSegmentClasses entries.
  void count_offers(uint32_t* counts) const;

  /// Allocates a zeroed segment of a class and offers it. False: budget, space, descriptors or offers are
  /// used up.
  bool add_segment(uint32_t segment_class);

  /// Zeroes a closed and consumed segment and offers it again.
  void recycle(const Segment& segment);

  /// Likewise, but nobody will want it: it is not zeroed, and not offered.
  void retire(const Segment& segment);

  /// Unmaps, unlinks `file_name` and gives the budget back.
  void release(const std::string& file_name);

 private:
  explicit Arena(RunFolder& folder) : folder_(&folder) {}
  Status map();
  bool offer(uint32_t index);

  RunFolder* folder_;
  base::Fd fd_;
  base::Mapping mapping_;
  ArenaReader reader_;
};

}  // namespace sextant::spool
