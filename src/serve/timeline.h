// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Timeline: the tracks of one report, and their events anywhere, without keeping the events: their picture
// from afar (at most kMostPieces of 32 bytes and a third more), chunks read again when they are needed and
// kept in a SliceCache. Thread-safe.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "serve/curves.h"
#include "serve/derived.h"
#include "serve/layer.h"
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

/// A lane on its way into the tree of tracks.
struct LanePlace {
  size_t layer, lane;
  LaneKey key;
};

class Timeline {
 public:
  static constexpr size_t kMostPieces = 3 << 20;
  static constexpr size_t kFewChunks = 8;  // that are read for an answer which could do with less

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
  /// Sentences about what is not shown.
  const std::vector<std::string>& notes() const { return notes_; }
  /// The range behind a projected event.
  std::optional<ProjectedFrom> projected_from(uint64_t event) const { return projected_.find(event); }

  const TrackSums& sums(const Track& track) const { return layer_of(track).overview().sums(track.lane); }
  const Pieces& pieces(const Track& track) const { return layer_of(track).overview().pieces(track.lane); }
  /// Calls use(name, sum) for the names of a track; false: not all names have sums.
  bool name_sums(const Track& track, const std::function<void(uint32_t, const NameSum&)>& use) const;
  /// How many events of the track are in the chunks that the span touches.
  uint64_t nearby(const Track& track, int64_t from_ns, int64_t to_ns) const;
  /// Whether visit() of that span has to read at most a few chunks.
  bool cheap(const Track& track, int64_t from_ns, int64_t to_ns) const;
  /// How many events of the track touch the span; cheaper than to visit them.
  Result<uint64_t> count(const Track& track, int64_t from_ns, int64_t to_ns) const;
  /// Calls use(event) for the track's events that touch the span, by start; it returns false to end it.
  Status visit(const Track& track, int64_t from_ns, int64_t to_ns,
               const std::function<bool(const Event&)>& use) const;
  /// Of these, in any order, those that begin in the spans of their rows. Less is read, and nothing kept.
  Status visit_spans(const Track& track, int64_t from_ns, int64_t to_ns, RowSpans* spans,
                     const std::function<void(const Event&)>& use) const;
  /// The same part by part in the order of `before`, without those for which wanted(part) is false.
  Status visit_parts(const Track& track, int64_t from_ns, int64_t to_ns,
                     const std::function<bool(const Part&, const Part&)>& before,
                     const std::function<bool(const Part&)>& wanted,
                     const std::function<void(const Event&)>& use) const;
  /// The event before (direction < 0) or behind another one of its track that has the same name. Looked for
  /// in some chunks, not in all.
  Result<std::optional<uint64_t>> neighbour(const Track& track, const Event& event, int direction) const;

  /// The track that holds an event of this layer's kind and lane.
  std::optional<size_t> find_track(std::string_view kind, const LaneKey& key) const;

 private:
  struct LayerState {
    Layer layer;
    std::vector<size_t> tracks;                  // by lane
    mutable std::array<std::mutex, 16> mutexes;  // held while a chunk is read, by its number
    mutable std::once_flag names_once;
    mutable std::vector<std::unordered_map<uint32_t, NameSum>> more_names;  // by lane
    mutable bool all_names = true;
    explicit LayerState(Layer l) : layer(std::move(l)) {}
  };

  explicit Timeline(const query::Source& source, SliceCache& cache);
  Status find_layers();
  void make_tracks(const class TrackNames& labels);
  size_t add_group(std::optional<size_t> parent, std::string_view kind, std::string name);
  void add_curves(const TrackNames& labels);
  void add_cpus();
  void add_devices(const TrackNames& labels);
  void add_context(size_t parent, const TrackNames& labels, uint64_t process,
                   const std::vector<LanePlace>& places);
  using Threads =
      std::map<std::tuple<int, uint64_t>, std::vector<LanePlace>>;  // the main thread first, thread 0 last
  std::optional<uint64_t> rank_of(uint64_t process) const;
  void add_processes(const TrackNames& labels);
  void add_process(std::optional<size_t> group, const TrackNames& labels, uint64_t number,
                   const Threads& threads);
  std::vector<const Part*> parts(const Track& track, int64_t from_ns, int64_t to_ns) const;
  Result<std::shared_ptr<const Slice>> slice(size_t layer, uint32_t chunk, const query::Window& span,
                                             const Part* part) const;
  Result<std::shared_ptr<const Slice>> slice(const Track& track, const Part& part, int64_t from_ns,
                                             int64_t to_ns) const;
  void complete_names(size_t layer) const;

  const query::Source& source_;
  SliceCache& cache_;
  Names names_;
  int64_t length_ns_ = 0;
  std::vector<std::unique_ptr<LayerState>> layers_;
  std::vector<Track> tracks_;
  std::vector<Curve> curves_;
  std::vector<std::string> notes_;
  ProjectedRanges projected_;
};

}  // namespace sextant::serve
