// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A layer: the events of one kind (NVTX, kernels ...) of a report, from one or a few tables, divided into
// lanes (a thread's, a stream's) that become tracks. A survey takes what is known of them from the overviews
// of the report's chunks, and reads those chunks that have none; later events are read chunk by chunk, some
// 64 K at a time. Const methods are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "serve/derived_event.h"
#include "serve/layer_overview.h"
#include "serve/names.h"
#include "serve/row_spans.h"
#include "serve/scheduling.h"

namespace sextant::serve {

/// Events of a chunk: those of lane lanes[n] are events[begins[n]] to events[begins[n + 1]], in their order.
struct Slice {
  query::Window of_span;  // it has all that touch this
  std::vector<Event> events;
  std::vector<uint32_t> lanes, begins;  // lanes: ascending

  std::span<const Event> of(size_t lane) const;
  bool covers(const query::Window& span) const {
    return of_span.from_ns <= span.from_ns && span.to_ns <= of_span.to_ns;
  }
  size_t bytes() const {
    return events.capacity() * sizeof(Event) + (lanes.capacity() + begins.capacity()) * sizeof(uint32_t);
  }
};

/// Events of one lane each.
struct LaneEvent {
  uint32_t lane;
  Event event;
};

/// Finds all of them out, in any order; what is too much for memory is left out as a whole (derived.h says
/// so).
using Derive = Result<std::vector<DerivedEvent>> (*)(const query::Source& source, const Names& names);

enum class NameRule : uint8_t {
  kString,
  kMemcpy,
  kMemset,
  kSync,
  kGraph,
  kFault,
  kSample,
  kImportedNvtx,
  kOpenclCommand
};

/// Where the events of a table are: numbers of columns.
struct RowTable {
  static constexpr uint16_t kNone = 0xFFFF;
  uint16_t table, start, duration, process, first, second, third, name;
  uint16_t nulls;  // kNone: no value can be missing
  NameRule rule;
};

/// Below what a lane is shown.
enum class Below : uint8_t { kStream, kContext, kThread, kMachine };

struct LayerKind {
  std::string_view name;  // as the API has it
  std::string_view label;
  Below below;
  std::span<const RowTable> tables;  // empty where events are derived
  Derive derive = nullptr;
  std::optional<Scheduling::Of> scheduling = std::nullopt;  // or from scheduling events

  bool of_device() const { return below == Below::kStream || below == Below::kContext; }
};
/// In the order in which tracks are shown.
std::span<const LayerKind> layer_kinds();

class Layer {
 public:
  /// `source` and `names` must outlive the layer. `most_pieces`: of its picture (LayerOverview).
  static Result<Layer> survey(const query::Source& source, const Names& names, const LayerKind& kind,
                              size_t most_pieces);

  const LayerKind& kind() const { return *kind_; }
  const LayerOverview& overview() const { return overview_; }
  const std::vector<Lane>& lanes() const { return overview_.lanes(); }
  uint64_t events() const { return overview_.events(); }

  /// Why the layer has no events though there could be some; "" where nothing was left out.
  const std::string& left_out() const { return left_out_; }
  /// Of the events that are not one row of a table: the one with this number, or nullptr.
  const Event* find_joined(uint64_t id) const;

  /// The events of a chunk (Part::chunk) that is kept in memory; nullptr: it has to be read.
  const Slice* kept(uint32_t chunk) const;
  /// Those that touch the span, or all.
  Result<Slice> read(uint32_t chunk, const query::Window& span) const;
  /// Calls use(event) for the events of a lane in a chunk that begin in the spans, in any order: a fourth of
  /// what read() costs where they are few. False: they cannot be told without reading all.
  Result<bool> select(uint32_t chunk, size_t lane, RowSpans* spans,
                      const std::function<void(const Event&)>& use) const;

 private:
  struct OpenRow {  // of a lane: an event of an earlier chunk takes a row
    uint32_t lane;
    uint16_t row;
    uint64_t until;
  };
  struct Chunk {
    const report::ChunkRef* ref;
    uint64_t first_row;
    const RowTable* table;
    uint32_t block;
    bool by_times = true;       // rows follow from times
    std::vector<OpenRow> open;  // by lane
  };
  struct Decoded;
  struct RawEvent;

  explicit Layer(size_t most_pieces) : overview_(most_pieces) {}
  void list_chunks();
  Status take_overviews(std::vector<const Chunk*>* with_unfinished);
  void take_overview(const report::Overview& overview, uint32_t chunk);
  Status take_joined();
  Status take_scheduling();
  Status take_unfinished(const std::vector<const Chunk*>& chunks);
  using Ends = std::map<std::pair<uint32_t, uint32_t>, int64_t>;
  Ends last_ends() const;
  uint32_t block_of(const DerivedEvent& of, const Ends& closed) const;
  void keep_joined();
  size_t readable() const { return scheduling_ ? scheduling_->parts() : chunks_.size(); }
  void add_derived(const std::vector<DerivedEvent>& events, size_t chunk, uint32_t block);
  Slice slice_of(const std::vector<DerivedEvent>& events, uint32_t block) const;
  void collect(const Chunk& chunk, const Decoded& decoded, std::vector<RawEvent>* out) const;
  Slice slice_of(const Chunk& chunk, std::span<const RawEvent> events, const query::Window& span) const;
  void sort(const Chunk& chunk, std::vector<RawEvent>* events) const;
  Result<bool> decode(const Chunk& chunk, Decoded* out) const;
  uint32_t name_of(const RowTable& table, uint64_t value) const;

  const query::Source* source_ = nullptr;
  const Names* names_ = nullptr;
  const LayerKind* kind_ = nullptr;
  std::vector<Chunk> chunks_;
  std::optional<Scheduling> scheduling_;  // its parts take the place of chunks
  std::vector<Slice> kept_;               // numbered behind what is read
  std::vector<DerivedEvent> joined_;      // events that are not rows of one table, or have no end there
  std::vector<const Event*> kept_by_id_;  // in kept_
  std::string left_out_;
  LayerOverview overview_;
};

}  // namespace sextant::serve
