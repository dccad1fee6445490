// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/layer.h"

#include <algorithm>

#include "event/schema_nvtx.h"

namespace sextant::serve {

namespace {

constexpr size_t kSlots = 4096;                                // of the survey: slices are cut at their ends
constexpr uint64_t kPushPop = 59, kStartEnd = 60, kMark = 34;  // nvtx_event's types

/// The columns of a chunk that an event is made of.
struct Columns {
  std::vector<uint16_t> ids;
  std::vector<std::vector<uint64_t>> values;

  size_t add(uint16_t id) {
    if (id == RowTable::kNone) return SIZE_MAX;
    const auto at = std::find(ids.begin(), ids.end(), id);
    if (at != ids.end()) return static_cast<size_t>(at - ids.begin());
    ids.push_back(id);
    return ids.size() - 1;
  }
  uint64_t at(size_t column, size_t row) const { return column == SIZE_MAX ? 0 : values[column][row]; }
};

}  // namespace

uint32_t Layer::name_of(const RowTable& table, uint64_t value, uint64_t other, uint64_t nulls) const {
  switch (table.rule) {
    case NameRule::kString:
      return names_->of_string(value);
    case NameRule::kImportedNvtx:
      return names_->of_string(event::is_null(nulls, event::nvtx_event::kTextRegistered) ? value : other);
    case NameRule::kMemcpy:
      return names_->of_memcpy(value);
    case NameRule::kMemset:
      return names_->of_memset();
    case NameRule::kSync:
      return names_->of_sync(value);
    case NameRule::kGraph:
      return names_->of_graph();
    case NameRule::kFault:
      return names_->of_page_fault();
    case NameRule::kSample:
      return names_->of_sample();
  }
  return 0;
}

void Layer::list_chunks() {
  for (const RowTable& table : kind_->tables) {
    uint64_t row = 0;
    for (const report::ChunkRef& chunk : source_->reader().chunks()) {
      const report::ChunkHeader& h = chunk.header;
      if (h.kind != static_cast<uint16_t>(report::ChunkKind::kData) || h.table != table.table) continue;
      const bool timed = h.clock != 0;
      chunks_.push_back({&chunk, row, timed ? source_->time_map().to_ns(h.time_min) : 0,
                         timed ? source_->time_map().to_ns(h.time_max) : 0, &table});
      row += h.rows;
    }
  }
}

Status Layer::read_chunk(const Chunk& chunk, bool with_names, const Use& use) const {
  const RowTable& table = *chunk.table;
  Columns c;
  const size_t start = c.add(table.start), duration = c.add(table.duration), process = c.add(table.process),
               first = c.add(table.first), second = c.add(table.second), third = c.add(table.third),
               nulls = c.add(table.nulls);
  const bool imported = table.rule == NameRule::kImportedNvtx;
  const size_t name = with_names ? c.add(table.name) : SIZE_MAX;
  const size_t other = with_names && imported ? c.add(event::nvtx_event::kTextRegistered) : SIZE_MAX;
  const size_t type = imported ? c.add(event::nvtx_event::kType) : SIZE_MAX;
  c.values.resize(c.ids.size());
  if (const Status read = source_->reader().read_columns(*chunk.ref, c.ids, c.values); !read)
    return read.error().code == ErrorCode::kIo ? read
                                               : Status();  // damage: told by the reader's verification
  const query::TimeMap& map = source_->time_map();
  const size_t rows = c.values[start].size();
  for (size_t i = 0; i < rows; ++i) {
    const uint64_t missing = c.at(nulls, i), kind = imported ? c.at(type, i) : kPushPop;
    if (kind != kPushPop && kind != kStartEnd && kind != kMark) continue;
    const uint64_t raw = c.values[start][i];
    Event event{map.to_ns(raw), 0, event_id(table.table, chunk.first_row + i), 0, 0, false};
    event.end_ns = event.start_ns;
    event.unfinished = kind != kMark && duration != SIZE_MAX && table.nulls != RowTable::kNone &&
                       event::is_null(missing, table.duration);
    if (duration != SIZE_MAX && !event.unfinished)
      event.end_ns = std::max(event.start_ns, map.to_ns(raw + c.values[duration][i]));
    if (with_names) event.name = name_of(table, c.at(name, i), c.at(other, i), missing);
    use({c.at(process, i), c.at(first, i), c.at(second, i), c.at(third, i)}, event);
  }
  return {};
}

uint32_t Layer::lane_of(const LaneKey& key) {
  const auto [at, is_new] = lane_of_.try_emplace(key, static_cast<uint32_t>(lanes_.size()));
  if (is_new) lanes_.push_back({key});
  return at->second;
}

/// Ranges that were joined, and those that were never closed, of the recording's own NVTX.
Status Layer::take_joined() {
  query::NvtxScan what;
  what.closed_push_pop = false;
  what.with_imported = false;
  uint64_t ordinal = 0;
  return source_->scan_nvtx(what, [&](const query::NvtxBatch& batch) {
    const bool start_end = batch.kind == query::NvtxBatch::Kind::kStartEnd;
    for (size_t i = 0; i < batch.rows; ++i)
      joined_.push_back({lane_of({batch.process[i], batch.tid[i], batch.domain[i], 0}),
                         {batch.start_ns[i], batch.end_ns[i],
                          event_id(start_end ? event::kNvtxStart : event::kNvtxOpen, ordinal++),
                          names_->of_string(batch.name[i]), 0, batch.unfinished}});
  });
}

Result<Layer> Layer::survey(const query::Source& source, const Names& names, const LayerKind& kind,
                            const std::atomic<bool>& stop) {
  Layer layer;
  layer.source_ = &source, layer.names_ = &names, layer.kind_ = &kind;
  layer.list_chunks();
  if (kind.tables.front().table == event::kNvtxRange) SEXTANT_TRY(layer.take_joined());
  int64_t first = 0, last = 1;
  for (const Chunk& chunk : layer.chunks_)
    first = std::min(first, chunk.min_ns), last = std::max(last, chunk.max_ns);
  const int64_t slot_ns = (last - first) / static_cast<int64_t>(kSlots) + 1;
  std::vector<uint32_t> slots(kSlots);
  const auto count = [&](uint32_t lane, const Event& event) {
    Lane& of = layer.lanes_[lane];
    ++of.events, ++layer.events_;
    of.first_ns = std::min(of.first_ns, event.start_ns), of.last_ns = std::max(of.last_ns, event.end_ns);
    ++slots[static_cast<size_t>(std::clamp<int64_t>((event.start_ns - first) / slot_ns, 0, kSlots - 1))];
  };
  for (const LaneEvent& joined : layer.joined_) count(joined.lane, joined.event);
  LaneKey last_key;
  uint32_t last_lane = UINT32_MAX;
  std::vector<std::pair<const Chunk*, bool>> with_unfinished;
  for (const Chunk& chunk : layer.chunks_) {
    if (stop) return fail(ErrorCode::kUnsupported, "stopped");
    bool unfinished = false;
    SEXTANT_TRY(layer.read_chunk(chunk, false, [&](const LaneKey& key, const Event& event) {
      if (last_lane == UINT32_MAX || !(key == last_key)) last_key = key, last_lane = layer.lane_of(key);
      unfinished = unfinished || event.unfinished;
      if (!event.unfinished) count(last_lane, event);
    }));
    if (unfinished) with_unfinished.emplace_back(&chunk, true);
  }
  for (const auto& [chunk, is_there] : with_unfinished)
    SEXTANT_TRY(layer.read_chunk(*chunk, true, [&](const LaneKey& key, Event event) {
      if (!event.unfinished) return;
      const auto& all = source.processes();
      const auto process = std::find_if(all.begin(), all.end(),
                                        [&](const query::Process& p) { return p.number == key.process; });
      event.end_ns = std::max(event.start_ns, process == all.end() ? source.duration_ns() : process->end_ns);
      layer.joined_.push_back({layer.lane_of(key), event});
      count(layer.joined_.back().lane, event);
    }));
  std::sort(layer.joined_.begin(), layer.joined_.end(),
            [](const LaneEvent& a, const LaneEvent& b) { return a.event.start_ns < b.event.start_ns; });
  layer.cut(slots, first, slot_ns);
  return layer;
}

void Layer::cut(const std::vector<uint32_t>& slots, int64_t first_ns, int64_t slot_ns) {
  bounds_.clear();
  bounds_.push_back(INT64_MIN);
  uint64_t in_slice = 0;
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    if (in_slice > 0 && in_slice + slots[slot] > kSliceEvents) {
      bounds_.push_back(first_ns + static_cast<int64_t>(slot) * slot_ns);
      in_slice = 0;
    }
    in_slice += slots[slot];
  }
  bounds_.push_back(INT64_MAX);
}

size_t Layer::slice_at(int64_t ns) const {
  const auto behind = std::upper_bound(bounds_.begin() + 1, bounds_.end() - 1, ns);
  return static_cast<size_t>(behind - bounds_.begin()) - 1;
}

const Event* Layer::find_joined(uint64_t id) const {
  for (const LaneEvent& joined : joined_)
    if (joined.event.id == id) return &joined.event;
  return nullptr;
}

Result<Slice> Layer::read(size_t slice) const {
  const int64_t from = bounds_[slice], to = bounds_[slice + 1];
  std::vector<LaneEvent> found;
  const auto take = [&](uint32_t lane, const Event& event) {
    if (event.start_ns >= from && event.start_ns < to) found.push_back({lane, event});
  };
  LaneKey last_key;
  uint32_t last_lane = UINT32_MAX;
  for (const Chunk& chunk : chunks_) {
    if (chunk.min_ns >= to || chunk.max_ns < from) continue;
    SEXTANT_TRY(read_chunk(chunk, true, [&](const LaneKey& key, const Event& event) {
      if (event.unfinished) return;
      if (last_lane == UINT32_MAX || !(key == last_key)) {
        const auto at = lane_of_.find(key);
        if (at == lane_of_.end()) return;
        last_key = key, last_lane = at->second;
      }
      take(last_lane, event);
    }));
  }
  for (const LaneEvent& joined : joined_) take(joined.lane, joined.event);
  Slice out;
  out.begins.assign(lanes_.size() + 1, 0);
  for (const LaneEvent& event : found) ++out.begins[event.lane + 1];
  for (size_t lane = 0; lane < lanes_.size(); ++lane) out.begins[lane + 1] += out.begins[lane];
  std::vector<uint32_t> next(out.begins.begin(), out.begins.end() - 1);
  out.events.resize(found.size());
  for (const LaneEvent& event : found) out.events[next[event.lane]++] = event.event;
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    const auto begin = out.events.begin() + out.begins[lane], end = out.events.begin() + out.begins[lane + 1];
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
  }
  return out;
}

}  // namespace sextant::serve
