// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How the rows of a chunk are events, by its table's columns: the same rule as that of report::OverviewMaker.
#pragma once

#include <array>

#include "event/schema.h"
#include "event/track_tables.h"
#include "report/overview_maker.h"

namespace sextant::serve {

class EventRows {
 public:
  enum class Kind : uint8_t { kNone, kClosed, kUnfinished };

  /// The columns must outlive it.
  EventRows(const event::TrackTable& table, const report::EventColumns& columns)
      : table_(table), columns_(columns) {}

  size_t size() const { return columns_.start.size(); }
  Kind kind(size_t row) const {
    const bool typed = !columns_.type.empty();
    if (typed && !event::is_track_event(columns_.type[row])) return Kind::kNone;
    if (is_mark(row) || columns_.nulls.empty()) return Kind::kClosed;
    return event::is_null(columns_.nulls[row], table_.duration) ? Kind::kUnfinished : Kind::kClosed;
  }
  std::array<uint64_t, 4> lane(size_t row) const {
    return {at(columns_.lane[0], row), at(columns_.lane[1], row), at(columns_.lane[2], row),
            at(columns_.lane[3], row)};
  }
  uint64_t start(size_t row) const { return columns_.start[row]; }
  /// Not before the start, whatever the columns say.
  uint64_t end(size_t row) const {
    const uint64_t start = columns_.start[row], length = is_mark(row) ? 0 : at(columns_.duration, row);
    return start + length < start ? start : start + length;
  }
  uint64_t name(size_t row) const {
    const bool registered =
        !columns_.registered.empty() && !event::is_null(at(columns_.nulls, row), table_.registered);
    return registered ? columns_.registered[row] : at(columns_.name, row);
  }
  uint16_t level(size_t row) const {
    return static_cast<uint16_t>(std::min<uint64_t>(at(columns_.level, row), report::kMostNestedRows - 1));
  }

 private:
  static uint64_t at(std::span<const uint64_t> column, size_t row) {
    return column.empty() ? uint64_t{0} : column[row];
  }
  bool is_mark(size_t row) const {
    return table_.duration == event::kNoColumn ||
           (!columns_.type.empty() && columns_.type[row] == event::kMarkType);
  }

  const event::TrackTable& table_;
  const report::EventColumns& columns_;
};

}  // namespace sextant::serve
