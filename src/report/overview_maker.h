// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OverviewMaker makes the overviews of a table's chunks, one after the other as their rows come. Between
// chunks it keeps what of each lane is still running, at most kMostKept lanes. Some 30 ns a row. Not
// thread-safe.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "report/nesting.h"
#include "report/overview.h"

namespace sextant::report {

/// The columns of a chunk; an empty one is 0 in every row. All others have the same length.
struct EventColumns {
  std::span<const uint64_t> start, duration;
  std::array<std::span<const uint64_t>, 4> lane;
  std::span<const uint64_t> name, level, nulls, registered, type;
};

/// Whether the events have levels: where all have 0, rows follow from the times.
inline bool has_levels(std::span<const uint64_t> level) {
  return std::any_of(level.begin(), level.end(), [](uint64_t l) { return l != 0; });
}

struct LaneKeyHash {
  size_t operator()(const std::array<uint64_t, 4>& key) const {
    uint64_t h = 0;
    for (const uint64_t part : key) h = (h ^ part) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
  }
};

class OverviewMaker {
 public:
  static constexpr size_t kMostLanes = 4096;
  static constexpr size_t kMostKept = 1 << 16;

  /// `most_lanes`: of a chunk.
  explicit OverviewMaker(const event::TrackTable& table, size_t most_lanes = kMostLanes)
      : table_(table), most_lanes_(most_lanes) {}

  /// Of the next chunk; of a small one (kOverviewRows) with a run for each event. False: it has too many
  /// lanes for an overview.
  bool make(const EventColumns& columns, Overview* out);
  /// The next chunk has an overview already.
  void follow(const Overview& overview);

 private:
  struct Kept {  // of a lane, from chunk to chunk
    Nesting nesting;
    uint64_t covered_to = 0;
  };
  struct Row {  // an event of the chunk
    uint64_t start, end;
    uint32_t row, lane, name, level;
  };
  struct NameSlot {
    uint64_t name;
    uint32_t lane, number, epoch;
  };

  bool take_rows(const EventColumns& columns, Overview* out);
  void grow_names(const Overview& overview);
  uint32_t number_of(uint32_t lane, uint64_t name, Overview* out);
  void by_lane(size_t lanes);
  void add_lane(std::span<Row> rows, LaneOverview* lane);
  void add_runs(std::span<const Row> rows, std::vector<EventRun>* runs);
  void by_level(std::span<Row> rows, size_t levels);
  void leave_out_names(Overview* out) const;

  const event::TrackTable table_;
  const size_t most_lanes_;
  uint32_t run_events_ = kRunEvents;
  bool by_times_ = true;  // the chunk's rows have no levels
  std::unordered_map<std::array<uint64_t, 4>, Kept, LaneKeyHash> kept_;
  std::vector<Row> rows_, sorted_;
  std::vector<size_t> ends_;
  std::unordered_map<std::array<uint64_t, 4>, uint32_t, LaneKeyHash> lanes_;
  std::vector<NameSlot> names_;
  uint32_t epoch_ = 0;
  size_t names_used_ = 0;
  std::vector<uint64_t> times_;    // of a run, by name
  std::vector<uint32_t> touched_;  // names in it
};

}  // namespace sextant::report
