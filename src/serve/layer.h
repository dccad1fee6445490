// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A layer: the events of one kind (NVTX, kernels ...) of a report, from one or a few tables, divided into
// lanes (a thread's, a stream's) that become tracks. A survey finds the lanes and cuts the time into slices
// of at most some 256 K events, so that any place can be read in bounded time and memory. Const methods are
// thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "serve/event.h"
#include "serve/names.h"

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

struct Lane {
  LaneKey key;
  uint64_t events = 0;
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
};

/// Events of one lane each.
struct LaneEvent {
  uint32_t lane;
  Event event;
};

/// The events that begin in a slice of time: those of lane n are events[begins[n]] to events[begins[n + 1]].
struct Slice {
  std::vector<Event> events;
  std::vector<uint32_t> begins;

  std::span<const Event> of(size_t lane) const {
    return std::span(events).subspan(begins[lane], begins[lane + 1] - begins[lane]);
  }
  size_t bytes() const { return events.capacity() * sizeof(Event) + begins.capacity() * sizeof(uint32_t); }
};

enum class NameRule : uint8_t { kString, kMemcpy, kMemset, kSync, kGraph, kFault, kSample, kImportedNvtx };

/// Where the events of a table are: numbers of columns.
struct RowTable {
  static constexpr uint16_t kNone = 0xFFFF;
  uint16_t table, start, duration, process, first, second, third, name;
  uint16_t nulls;  // kNone: no value can be missing
  NameRule rule;
};

struct LayerKind {
  std::string_view name;  // as the API has it
  std::string_view label;
  bool of_device;
  std::span<const RowTable> tables;
};
/// In the order in which tracks are shown.
std::span<const LayerKind> layer_kinds();

class Layer {
 public:
  static constexpr uint64_t kSliceEvents = 256 << 10;

  /// `source` and `names` must outlive the layer. `go_on`: asked now and then; false ends it (kUnsupported).
  static Result<Layer> survey(const query::Source& source, const Names& names, const LayerKind& kind,
                              const std::atomic<bool>& stop);

  const LayerKind& kind() const { return *kind_; }
  const std::vector<Lane>& lanes() const { return lanes_; }
  uint64_t events() const { return events_; }

  size_t slices() const { return bounds_.size() - 1; }
  /// Slice i holds what begins in [bound(i), bound(i + 1)).
  int64_t bound(size_t i) const { return bounds_[i]; }
  size_t slice_at(int64_t ns) const;

  /// Of the events that are not one row of a table: the one with this number, or nullptr.
  const Event* find_joined(uint64_t id) const;

  /// Events of each lane in their order, all in row 0.
  Result<Slice> read(size_t slice) const;

 private:
  struct Chunk {
    const report::ChunkRef* ref;
    uint64_t first_row;
    int64_t min_ns, max_ns;
    const RowTable* table;
  };
  using Use = std::function<void(const LaneKey&, const Event&)>;

  void list_chunks();
  Status take_joined();
  Status read_chunk(const Chunk& chunk, bool with_names, const Use& use) const;
  uint32_t name_of(const RowTable& table, uint64_t value, uint64_t other, uint64_t nulls) const;
  uint32_t lane_of(const LaneKey& key);
  void cut(const std::vector<uint32_t>& slots, int64_t first_ns, int64_t slot_ns);

  const query::Source* source_ = nullptr;
  const Names* names_ = nullptr;
  const LayerKind* kind_ = nullptr;
  std::vector<Chunk> chunks_;
  std::vector<Lane> lanes_;
  std::unordered_map<LaneKey, uint32_t, LaneKeyHash> lane_of_;
  std::vector<LaneEvent> joined_;  // events that are not rows of one table, or have no end there; by start
  std::vector<int64_t> bounds_{INT64_MIN, INT64_MAX};
  uint64_t events_ = 0;
};

}  // namespace sextant::serve
