// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OverviewMaker makes the overviews of a table's chunks, one after the other as their rows come. Between
// chunks it keeps what of each lane is still running, at most kMostKept lanes. Not thread-safe.
#pragma once

#include <unordered_map>

#include "report/nesting.h"
#include "report/overview.h"

namespace sextant::report {

/// The columns of a chunk. `start` has all rows; so have the others, but one that is empty is 0 in every row,
/// and one of a single value has this in every row.
struct EventColumns {
  std::span<const uint64_t> start, duration;
  std::array<std::span<const uint64_t>, 4> lane;
  std::span<const uint64_t> name, level, nulls, registered, type;
};

/// Whether the events have levels: where all have 0, rows follow from the times.
bool has_levels(std::span<const uint64_t> level);

struct LaneKeyHash {
  size_t operator()(const std::array<uint64_t, 4>& key) const {
    uint64_t h = 0;
    for (const uint64_t part : key) h = (h ^ part) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
  }
};

class OverviewMaker {
 public:
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
  struct Event {
    uint64_t start, length;
    uint32_t name;  // which of the lane's
    uint32_t level;
  };
  struct When {  // in the order of the picture: of equal starts the longest first
    uint64_t start, length;
    bool operator<(const When& o) const { return start != o.start ? start < o.start : length > o.length; }
  };
  struct NameSlot {
    uint64_t name;
    uint32_t number, epoch;
  };
  struct OpenRun {
    uint64_t start = 0, end = 0, busy = 0;
    uint32_t count = 0;
    uint32_t mixed = 0;  // not 0: its events have more than one name
    std::array<uint64_t, kRunEvents> lengths;
    std::array<uint32_t, kRunEvents> names;
  };

  bool one_lane(const EventColumns& columns, Overview* out) const;
  uint32_t lane_of(const std::array<uint64_t, 4>& key, Overview* out);
  bool find_lanes(const EventColumns& columns, Overview* out);
  EventColumns by_lane(const EventColumns& columns);
  NameSlot* slot_of(uint64_t name);
  void forget_names();
  uint32_t number_of(uint64_t name, uint64_t start, uint32_t row, std::vector<NameTotal>* names);
  template <typename Take>
  bool read_events(EventColumns columns, size_t begin, size_t end, LaneOverview* lane, Take take);
  static uint32_t place(const Event& event, Kept* kept, LaneOverview* lane);
  void add(const Event& event, uint32_t level, LaneOverview* lane);
  void close_run(OpenRun* run, uint32_t level, LaneOverview* lane);
  void add_lane(const EventColumns& columns, size_t begin, size_t end, LaneOverview* lane);
  static void leave_out_names(Overview* out);

  const event::TrackTable table_;
  const size_t most_lanes_;
  uint32_t run_events_ = kRunEvents;
  bool by_times_ = true;  // the chunk's rows have no levels
  std::unordered_map<std::array<uint64_t, 4>, Kept, LaneKeyHash> kept_;
  std::unordered_map<std::array<uint64_t, 4>, uint32_t, LaneKeyHash> lanes_;
  std::array<uint32_t, 256> recent_{};           // lanes, by hash of their keys; perhaps of an earlier chunk
  std::vector<uint32_t> places_;                 // of the chunk's rows among all events, sorted by lane
  std::vector<uint32_t> rows_;                   // the other way round
  std::vector<size_t> ends_;                     // of the lanes, in rows_
  std::array<std::vector<uint64_t>, 7> sorted_;  // columns in that order
  std::vector<NameSlot> names_;                  // of one lane
  uint32_t epoch_ = 0;
  std::vector<OpenRun> open_;    // by level
  std::vector<Event> events_;    // of a lane that is not in order
  std::vector<uint64_t> times_;  // of a run, by name; zero between runs
};

}  // namespace sextant::report
