// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// An event as the timeline draws it, and its number.
#pragma once

#include <cstdint>

namespace sextant::serve {

struct Event {
  int64_t start_ns, end_ns;  // end >= start; of an unfinished one the end of its process
  uint64_t id;
  uint32_t name;
  uint16_t row;  // how deep it is nested in its track
  bool unfinished;

  bool touches(int64_t from_ns, int64_t to_ns) const {
    return start_ns < to_ns && (end_ns > from_ns || (end_ns == start_ns && start_ns >= from_ns));
  }
  bool operator<(const Event& other) const {
    if (start_ns != other.start_ns) return start_ns < other.start_ns;
    if (end_ns != other.end_ns) return end_ns > other.end_ns;  // what contains the other one comes first
    return id < other.id;
  }
};

/// Numbers of events fit into 53 bits: the table, and the row among all rows of it that are stored. Ranges
/// that are joined or never closed have the table of their beginning, and are counted in the order of a scan.
inline constexpr int kRowBits = 40;
constexpr uint64_t event_id(uint16_t table, uint64_t row) {
  return static_cast<uint64_t>(table) << kRowBits | (row & ((uint64_t{1} << kRowBits) - 1));
}
constexpr uint16_t table_of(uint64_t event) {
  return static_cast<uint16_t>(event >> kRowBits);
}
constexpr uint64_t row_of(uint64_t event) {
  return event & ((uint64_t{1} << kRowBits) - 1);
}

}  // namespace sextant::serve
