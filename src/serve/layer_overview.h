// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known of a layer's lanes without their events, put together from the overviews of its chunks: which
// lanes there are, in which chunks their events lie, what they add up to, and how they look from afar. Made
// by add() for each chunk, then finish(); after that const methods are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "report/overview.h"
#include "serve/pieces.h"

namespace sextant::serve {

/// Process, and thread and NVTX domain, or device, context and stream.
struct LaneKey {
  uint64_t process = 0, first = 0, second = 0, third = 0;
  bool operator==(const LaneKey&) const = default;
};
struct LaneKeyHash {
  size_t operator()(const LaneKey& key) const {
    uint64_t h = key.process;
    for (const uint64_t part : {key.first, key.second, key.third}) h = (h ^ part) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
  }
};

/// The events of a lane in one chunk.
struct Part {
  uint32_t chunk;
  uint32_t events;
  int64_t first_ns, last_ns;  // first start, last end
  int64_t shortest_ns, longest_ns;

  /// Whether events may touch the span.
  bool touches(int64_t from_ns, int64_t to_ns) const { return first_ns < to_ns && last_ns >= from_ns; }
};

/// All events of a name in a lane.
struct NameSum {
  uint64_t events = 0;
  int64_t total_ns = 0;
  uint64_t first_event = 0;
  int64_t first_ns = INT64_MAX;
  int64_t outer_ns = 0;  // time in which it was the first to cover the lane
};

struct Lane {
  LaneKey key;
  uint64_t events = 0;
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
};

/// What is known of a track's events together.
struct TrackSums {
  struct Top {
    uint32_t name;
    int64_t ns;
  };
  int64_t busy_ns = 0;
  uint32_t rows = 0;
  std::vector<Top> top;  // most time first
};

class LayerOverview {
 public:
  static constexpr size_t kMostNameSums = 1 << 20;

  /// `most_pieces`: of all lanes together; beyond that neighbours are merged.
  explicit LayerOverview(size_t most_pieces) : most_pieces_(most_pieces) {}

  /// How the overview of a chunk is to be read.
  struct Meaning {
    uint32_t chunk;
    uint32_t block;  // events of one block of a lane share rows, those of the next are shown below
    std::function<int64_t(uint64_t raw)> to_ns;
    std::function<uint32_t(uint64_t name)> name;
    std::function<uint64_t(uint32_t row)> event;  // the number of the event in this row of the chunk
  };
  void add(const report::Overview& overview, const Meaning& meaning);
  void finish();
  /// As if nothing had been added.
  void clear() { *this = LayerOverview(most_pieces_); }

  const std::vector<Lane>& lanes() const { return lanes_; }
  std::optional<uint32_t> find(const LaneKey& key) const;
  uint64_t events() const { return events_; }
  const std::vector<Part>& parts(size_t lane) const { return details_[lane].parts; }  // by first_ns
  const Pieces& pieces(size_t lane) const { return details_[lane].pieces; }
  const TrackSums& sums(size_t lane) const { return details_[lane].sums; }
  const std::unordered_map<uint32_t, NameSum>& names(size_t lane) const { return details_[lane].names; }
  /// The first row of a block.
  uint32_t first_row(size_t lane, uint32_t block) const;
  /// False: there were more names than are kept.
  bool all_names() const { return name_sums_ < kMostNameSums; }
  /// Chunks of which some names have no sums.
  const std::vector<uint32_t>& without_names() const { return without_names_; }

 private:
  struct Details {
    std::vector<Part> parts;
    std::vector<Pieces> blocks;
    Pieces pieces;  // all blocks, after finish()
    std::vector<uint32_t> first_rows;
    int64_t covered_ns = 0;
    TrackSums sums;
    std::unordered_map<uint32_t, NameSum> names;
  };
  void add_lane(const report::LaneOverview& lane, const Meaning& meaning, bool all_names, Details* details);
  void settle(Details* details) const;
  void thin();

  size_t most_pieces_;
  size_t pieces_ = 0, name_sums_ = 0;
  uint64_t events_ = 0;
  std::vector<Lane> lanes_;
  std::vector<Details> details_;
  std::unordered_map<LaneKey, uint32_t, LaneKeyHash> lane_of_;
  std::vector<uint32_t> without_names_;
};

}  // namespace sextant::serve
