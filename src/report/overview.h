// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Overview of a data chunk (§6.2): what its events look like in runs of up to kRunEvents of them, lane by
// lane and row by row, and what they add up to, so that the picture of a long recording needs no rows. Times
// are raw stamps. Plain data; encode and decode are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "event/track_tables.h"

namespace sextant::report {

inline constexpr uint32_t kRunEvents = 64;
inline constexpr size_t kOverviewRows = 4096;  // smaller chunks have no overview: they are read as fast
inline constexpr size_t kMostLanes = 4096;     // chunks with more have none
inline constexpr uint8_t kRunFull = 255;

/// Events of one lane and row that follow each other.
struct EventRun {
  uint64_t start = 0, end = 0;  // from the first start to the last end
  uint32_t events = 0;
  uint32_t name = 0;  // the one with most time in it: which of the lane's `names`
  uint8_t busy = 0;   // share of the time in which an event ran, of kRunFull; at least 1
};

/// All events of one name in a lane.
struct NameTotal {
  uint64_t name = 0;    // as the column has it
  uint64_t events = 0;  // 0: only runs name it; its sums were left out
  uint64_t total = 0;   // of the durations
  uint64_t outer = 0;   // time in which it was the first to cover the lane
  uint64_t first = 0;   // start of the first event
  uint32_t row = 0;     // its place among the rows of the chunk
};

struct LaneOverview {
  std::array<uint64_t, 4> key{};
  uint64_t events = 0;
  uint64_t first = 0, last = 0;  // first start, last end
  uint64_t shortest = 0, longest = 0;
  uint64_t covered = 0;  // time with an event of this lane, that no earlier chunk's event covers
  std::vector<std::vector<EventRun>> rows;  // runs by start
  std::vector<NameTotal> names;
  std::vector<std::pair<uint16_t, uint64_t>>
      open;  // rows that earlier events take beyond `first`, until when
};

struct Overview {
  event::TrackTable columns{};
  uint64_t unfinished = 0;  // events without an end, which are not in it
  bool all_names = true;    // false: some of the names have no sums
  std::vector<LaneOverview> lanes;
};

void encode_overview(const Overview& overview, int zstd_level, std::vector<uint8_t>* out);

/// `rows`: of its data chunk; there are no more names and runs than events, and no more events than that.
/// Errors: kCorrupt.
Result<Overview> decode_overview(std::span<const uint8_t> body, uint16_t table, uint32_t rows);

}  // namespace sextant::report
