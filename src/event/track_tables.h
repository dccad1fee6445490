// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tables have rows that are events of a track (a thread's, a stream's), and by which columns: what
// overviews of chunks (docs/formats/report.md §6.2) are made of. Static, any thread.
#pragma once

#include <array>
#include <cstdint>

#include "event/schema.h"

namespace sextant::event {

inline constexpr uint16_t kNoColumn = 0xFFFF;

/// Numbers of columns; kNoColumn: the table has none.
struct TrackTable {
  uint16_t table;
  uint16_t start, duration;
  std::array<uint16_t, 4> lane;  // process; then thread and domain, or device, context and stream
  uint16_t name;
  uint16_t level = kNoColumn;       // how deep an event is nested; without it that follows from the times
  uint16_t nulls = kNoColumn;       // rows without duration in a table that has one were never closed
  uint16_t registered = kNoColumn;  // a name that goes before `name` where there is one
  uint16_t type = kNoColumn;  // of nvtx_event: other rows than push/pop, start/end and marks are no events
};

/// nullptr: rows of this table are no events.
const TrackTable* track_table(uint16_t table);

/// Whether a row of a table with a column `type` is an event.
constexpr bool is_track_event(uint64_t type) {
  return type == 59 || type == 60 || type == 34;  // push/pop, start/end, mark as nsys numbers them
}
inline constexpr uint64_t kMarkType = 34;

}  // namespace sextant::event
