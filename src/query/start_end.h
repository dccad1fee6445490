// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of query/: the ends of start/end ranges, to be found by (process, range id).
#pragma once

#include <vector>

#include "query/source.h"

namespace sextant::query {

class RangeEnds {
 public:
  struct End {
    uint64_t process;
    uint64_t range_id;
    uint64_t raw;
    uint64_t tid;
  };

  /// Reads all of event::kNvtxEnd. Memory: about 50 bytes an end.
  static Result<RangeEnds> load(Source::State& state);

  /// nullptr: never closed. Of several ends of a range the first one counts.
  const End* find(uint64_t process, uint64_t range_id) const;

 private:
  void insert(const End& end);

  std::vector<End> slots_;  // open addressing, a power of two; tid == kEmpty: free
  size_t mask_ = 0;
};

}  // namespace sextant::query
