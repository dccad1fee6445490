// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Timeline: the tracks of one report, and their events anywhere, without keeping the events: sums in pyramids
// (at most kMostBuckets of 16 bytes and a third more), slices of time read again when they are needed and
// kept in a SliceCache. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "serve/curves.h"
#include "serve/layer.h"
#include "serve/pyramid.h"
#include "serve/slice_cache.h"

namespace sextant::serve {

struct Track {
  static constexpr size_t kNone = SIZE_MAX;
  std::optional<size_t> parent;
  std::string_view kind;
  std::string name;                    // any bytes
  size_t layer = kNone, lane = kNone;  // of a track with events
  size_t curve = kNone;                // of one with values
  std::optional<uint64_t> process;     // whose track it is
  std::optional<uint64_t> tid;
};

/// What is known of a track after all its events were seen once.
struct TrackSums {
  struct Top {
    uint32_t name;
    int64_t ns;
  };
  int64_t busy_ns = 0;
  uint32_t rows = 0;
  std::vector<Top> top;  // most time first
};

/// All events of a name in a track.
struct NameSum {
  uint64_t events = 0;
  int64_t total_ns = 0;
  uint64_t first_event = 0;
  int64_t first_ns = INT64_MAX;
};

class Timeline {
 public:
  static constexpr size_t kMostBuckets = 3 << 20;
  static constexpr uint64_t kFewEvents = 3'000'000;  // summed up while the first request waits
  static constexpr size_t kMostNameSums = 1 << 20;
  static constexpr uint64_t kFewInLane = 32 << 10, kMostFew = 1 << 19;  // kept: 32 bytes each
  static constexpr size_t kFewSlices = 8;

  /// `source` and `cache` must outlive it.
  static Result<std::unique_ptr<Timeline>> make(const query::Source& source, SliceCache& cache);
  ~Timeline();

  const query::Source& source() const { return source_; }
  const Names& names() const { return names_; }
  const std::vector<Track>& tracks() const { return tracks_; }  // in display order, parents first
  const Layer& layer_of(const Track& track) const { return layers_[track.layer]->layer; }
  const Lane& lane_of(const Track& track) const { return layer_of(track).lanes()[track.lane]; }
  const std::vector<Curve>& curves() const { return curves_; }
  int64_t length_ns() const { return length_ns_; }

  /// Whether all tracks are summed up; otherwise it goes on in the background.
  bool settled() const;
  /// nullptr: not yet.
  const TrackSums* sums_if_there(const Track& track) const;

  // These sum the track's layer up first where that was not done.
  Result<const TrackSums*> sums(const Track& track) const;
  Result<const Pyramid*> pyramid(const Track& track) const;
  /// Calls use(name, sum) for the names of a track; false: not all names were kept.
  Result<bool> name_sums(const Track& track, const std::function<void(uint32_t, const NameSum&)>& use) const;
  /// How many events of the track begin in the slices that the span touches.
  uint64_t nearby(const Track& track, int64_t from_ns, int64_t to_ns) const;
  /// Whether visit() of that span has to read at most a few slices.
  bool cheap(const Track& track, int64_t from_ns, int64_t to_ns) const;
  /// How many events of the track touch the span; cheaper than to visit them.
  Result<uint64_t> count(const Track& track, int64_t from_ns, int64_t to_ns) const;
  /// Calls use(event) for the track's events that touch the span, by start; it returns false to end it.
  Status visit(const Track& track, int64_t from_ns, int64_t to_ns,
               const std::function<bool(const Event&)>& use) const;

  /// The track that holds an event of this layer's kind and lane.
  std::optional<size_t> find_track(std::string_view kind, const LaneKey& key) const;

 private:
  struct Built {
    Pyramid pyramid;
    std::vector<TrackSums> sums;                               // by lane
    std::vector<std::vector<LaneEvent>> open;                  // by slice: events that began before, by lane
    std::vector<std::unordered_map<uint32_t, NameSum>> names;  // by lane
    std::vector<std::vector<uint32_t>> counts;                 // by slice, of each lane
    std::vector<std::vector<Event>> few;  // by lane: all events, of those that have few in a layer of many
    bool all_names = true;
  };
  struct LayerState {
    Layer layer;
    size_t most_buckets = 0;
    mutable std::mutex mutex;  // held while it is built
    mutable std::optional<Result<Built>> built;
    mutable std::atomic<bool> ready{false};
    explicit LayerState(Layer l) : layer(std::move(l)) {}
  };

  explicit Timeline(const query::Source& source, SliceCache& cache);
  Status find_layers();
  void make_tracks(const class TrackNames& labels);
  size_t add_group(std::optional<size_t> parent, std::string_view kind, std::string name);
  void add_curves(const TrackNames& labels);
  void add_devices(const TrackNames& labels);
  void add_processes(const TrackNames& labels);
  void settle();
  Result<Built> sum_up(const LayerState& state) const;
  Result<const Built*> built(size_t layer) const;
  Result<std::shared_ptr<const Slice>> slice(size_t layer, const Built& built, size_t i) const;

  const query::Source& source_;
  SliceCache& cache_;
  Names names_;
  int64_t length_ns_ = 0;
  std::vector<std::unique_ptr<LayerState>> layers_;
  std::vector<Track> tracks_;
  std::vector<Curve> curves_;
  std::atomic<bool> stop_{false};
  std::thread background_;
};

}  // namespace sextant::serve
