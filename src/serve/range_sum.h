// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a track did in a span of time: from its events where they are few, else from buckets.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "serve/timeline.h"

namespace sextant::serve {

struct RangeSum {
  struct Name {
    uint32_t name;
    // in which one of its events ran: one within another of the name counts once; from buckets: at most
    // busy_ns
    int64_t ns = 0;
    uint64_t events = 0;
  };
  int64_t busy_ns = 0;
  uint64_t events = 0;    // that touch the span; from buckets: that begin in it
  std::vector<Name> top;  // by time within the span; at most 8
  bool exact = true;
};

Result<RangeSum> range_sum(const Timeline& timeline, const Track& track, const query::Window& span);

}  // namespace sextant::serve
