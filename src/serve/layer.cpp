// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/layer.h"

#include <algorithm>

#include "event/schema_nvtx.h"
#include "report/nesting.h"
#include "report/overview_maker.h"
#include "serve/event_rows.h"

namespace sextant::serve {

namespace {

/// Nanoseconds become raw stamps of events in memory, in the same order.
constexpr uint64_t kBias = uint64_t{1} << 63;

uint64_t biased(int64_t ns) {
  return static_cast<uint64_t>(ns) ^ kBias;
}
int64_t unbiased(uint64_t raw) {
  return static_cast<int64_t>(raw ^ kBias);
}

/// As overviews have it.
event::TrackTable columns_of(const RowTable& t) {
  event::TrackTable out{t.table, t.start, t.duration, {t.process, t.first, t.second, t.third}, t.name};
  out.nulls = t.nulls;
  const event::TrackTable* known = event::track_table(t.table);
  if (known != nullptr && known->start == t.start && known->duration == t.duration &&
      known->lane == out.lane && (known->name == t.name || t.rule == NameRule::kImportedNvtx))
    return *known;
  return out;
}

/// Whether an overview was made by the columns that are shown.
bool fits(const event::TrackTable& made, const event::TrackTable& shown) {
  return made.start == shown.start && made.duration == shown.duration && made.lane == shown.lane &&
         made.name == shown.name && made.registered == shown.registered && made.type == shown.type;
}

}  // namespace

/// The columns of a chunk that its events are made of. Reused by a thread from
/// chunk to chunk.
struct Layer::Decoded {
  event::TrackTable table;
  std::vector<uint16_t> ids;
  std::vector<std::vector<uint64_t>> values;
  report::EventColumns columns;
};

struct Layer::RawEvent {
  uint64_t start, end;
  uint32_t row, lane, name;
  uint16_t level;

  bool operator<(const RawEvent& other) const {
    if (start != other.start) return start < other.start;
    if (end != other.end) return end > other.end;
    return row < other.row;
  }
};

namespace {

/// Sorts events of which those of one level lie in order mostly.
template <typename RawEvent>
void sort_by_level(std::span<RawEvent> events) {
  if (std::is_sorted(events.begin(), events.end())) return;
  size_t levels = 0;
  for (const RawEvent& e : events) levels = std::max<size_t>(levels, e.level + size_t{1});
  std::vector<size_t> ends(levels + 1);
  for (const RawEvent& e : events) ++ends[e.level + size_t{1}];
  for (size_t l = 0; l < levels; ++l) ends[l + 1] += ends[l];
  ends.pop_back();
  thread_local std::vector<RawEvent> sorted;
  sorted.resize(events.size());
  for (const RawEvent& e : events) sorted[ends[e.level]++] = e;
  size_t begin = 0;
  for (const size_t end : ends) {
    const auto from = sorted.begin() + static_cast<ptrdiff_t>(begin),
               to = sorted.begin() + static_cast<ptrdiff_t>(end);
    if (!std::is_sorted(from, to)) std::sort(from, to);
    begin = end;
  }
  std::copy(sorted.begin(), sorted.end(), events.begin());
  for (size_t l = 1; l < ends.size(); ++l)
    std::inplace_merge(events.begin(), events.begin() + static_cast<ptrdiff_t>(ends[l - 1]),
                       events.begin() + static_cast<ptrdiff_t>(ends[l]));
}

}  // namespace

std::span<const Event> Slice::of(size_t lane) const {
  const auto at = std::lower_bound(lanes.begin(), lanes.end(), lane);
  if (at == lanes.end() || *at != lane) return {};
  const auto n = static_cast<size_t>(at - lanes.begin());
  return std::span(events).subspan(begins[n], begins[n + 1] - begins[n]);
}

uint32_t Layer::name_of(const RowTable& table, uint64_t value) const {
  switch (table.rule) {
    case NameRule::kString:
    case NameRule::kImportedNvtx:
      return names_->of_string(value);
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
    case NameRule::kOpenclCommand:
      return names_->of_opencl_command(value);
  }
  return 0;
}

/// Work in a stream is in the same rows, whatever table it comes from; of a
/// thread's tables each has its own.
void Layer::list_chunks() {
  uint32_t block = 0;
  for (const RowTable& table : kind_->tables) {
    uint64_t row = 0;
    for (const report::ChunkRef& chunk : source_->reader().chunks()) {
      const report::ChunkHeader& h = chunk.header;
      if (h.kind != static_cast<uint16_t>(report::ChunkKind::kData) || h.table != table.table) continue;
      chunks_.push_back({&chunk, row, &table, kind_->of_device() ? 0 : block, true, {}});
      row += h.rows;
    }
    ++block;
  }
}

/// False: the chunk is damaged.
Result<bool> Layer::decode(const Chunk& chunk, Decoded* out) const {
  const event::TrackTable t = out->table = columns_of(*chunk.table);
  out->ids.clear();
  const auto ask = [&](uint16_t id) -> size_t {
    if (id == event::kNoColumn) return SIZE_MAX;
    const auto at = std::find(out->ids.begin(), out->ids.end(), id);
    if (at != out->ids.end()) return static_cast<size_t>(at - out->ids.begin());
    out->ids.push_back(id);
    return out->ids.size() - 1;
  };
  const size_t start = ask(t.start), duration = ask(t.duration),
               lane[] = {ask(t.lane[0]), ask(t.lane[1]), ask(t.lane[2]), ask(t.lane[3])}, name = ask(t.name),
               level = ask(t.level), nulls = ask(t.nulls), registered = ask(t.registered), type = ask(t.type);
  if (out->values.size() < out->ids.size()) out->values.resize(out->ids.size());
  if (const Status read =
          source_->reader().read_columns(*chunk.ref, out->ids, std::span(out->values).first(out->ids.size()));
      !read) {
    SEXTANT_TRY(source_->skip(*chunk.ref, read.error()));
    return false;
  }
  const auto column = [&](size_t at) -> std::span<const uint64_t> {
    if (at == SIZE_MAX) return {};
    return out->values[at];
  };
  out->columns = {column(start),
                  column(duration),
                  {column(lane[0]), column(lane[1]), column(lane[2]), column(lane[3])},
                  column(name),
                  column(level),
                  column(nulls),
                  column(registered),
                  column(type)};
  if (!report::has_levels(out->columns.level)) out->columns.level = {};
  return true;
}

void Layer::take_overview(const report::Overview& overview, uint32_t number) {
  Chunk& chunk = chunks_[number];
  chunk.by_times = overview.columns.level == event::kNoColumn;
  overview_.add(overview,
                {.chunk = number,
                 .block = chunk.block,
                 .to_ns = [this](uint64_t raw) { return source_->time_map().to_ns(raw); },
                 .name = [&](uint64_t name) { return name_of(*chunk.table, name); },
                 .event = [&](uint32_t row) { return event_id(chunk.table->table, chunk.first_row + row); }});
  for (const report::LaneOverview& lane : overview.lanes)
    for (const auto& [row, until] : lane.open)
      if (const auto at = overview_.find({lane.key[0], lane.key[1], lane.key[2], lane.key[3]}))
        chunk.open.push_back({*at, row, until});
  std::stable_sort(chunk.open.begin(), chunk.open.end(),
                   [](const OpenRow& a, const OpenRow& b) { return a.lane < b.lane; });
}

/// As the report has them; of chunks without one it is made from the rows.
Status Layer::take_overviews(std::vector<const Chunk*>* with_unfinished) {
  std::optional<report::OverviewMaker> maker;  // small chunks of any number of lanes
  const RowTable* last = nullptr;
  Decoded decoded;
  for (uint32_t i = 0; i < chunks_.size(); ++i) {
    const Chunk& chunk = chunks_[i];
    const event::TrackTable columns = columns_of(*chunk.table);
    if (chunk.table != last) maker.emplace(columns, SIZE_MAX), last = chunk.table;
    std::optional<report::Overview> overview;
    if (const report::ChunkRef* stored = source_->reader().overview_of(*chunk.ref)) {
      Result<report::Overview> read = source_->reader().read_overview(*stored);
      if (!read && read.error().code == ErrorCode::kIo) return tl::unexpected<Error>(read.error());
      if (read && fits(read->columns, columns)) overview = std::move(*read), maker->follow(*overview);
    }
    if (!overview) {
      SEXTANT_ASSIGN(const bool whole, decode(chunk, &decoded));
      if (!whole) continue;
      maker->make(decoded.columns, &overview.emplace());
    }
    if (overview->unfinished > 0) with_unfinished->push_back(&chunk);
    take_overview(*overview, i);
  }
  return {};
}

/// Ranges that were joined, and those that were never closed, of the
/// recording's own NVTX.
Status Layer::take_joined() {
  query::NvtxScan what;
  what.closed_push_pop = false;
  what.with_imported = false;
  uint64_t ordinal = 0;
  return source_->scan_nvtx(what, [&](const query::NvtxBatch& batch) {
    const bool start_end = batch.kind == query::NvtxBatch::Kind::kStartEnd;
    for (size_t i = 0; i < batch.rows; ++i)
      joined_.push_back({{batch.process[i], batch.tid[i], batch.domain[i], 0},
                         {batch.start_ns[i], batch.end_ns[i],
                          event_id(start_end ? event::kNvtxStart : event::kNvtxOpen, ordinal++),
                          names_->of_string(batch.name[i]), 0, batch.unfinished}});
  });
}

/// Rows that were never closed end with their process, or where they tell.
Status Layer::take_unfinished(const std::vector<const Chunk*>& chunks) {
  const auto& all = source_->processes();
  Decoded decoded;
  for (const Chunk* chunk : chunks) {
    SEXTANT_ASSIGN(const bool whole, decode(*chunk, &decoded));
    const EventRows rows(decoded.table, decoded.columns);
    for (size_t i = 0; whole && i < rows.size(); ++i) {
      if (rows.kind(i) != EventRows::Kind::kUnfinished) continue;
      const auto lane = rows.lane(i);
      const auto process =
          std::find_if(all.begin(), all.end(), [&](const query::Process& p) { return p.number == lane[0]; });
      Event event{
          source_->time_map().to_ns(rows.start(i)), 0, event_id(chunk->table->table, chunk->first_row + i),
          name_of(*chunk->table, rows.name(i)),     0, true};
      if (rows.end(i) != rows.start(i))
        event.end_ns = source_->time_map().to_ns(rows.end(i));
      else
        event.end_ns = process == all.end() ? source_->duration_ns() : process->end_ns;
      event.end_ns = std::max(event.start_ns, event.end_ns);
      joined_.push_back({{lane[0], lane[1], lane[2], lane[3]}, event});
    }
  }
  return {};
}

Status Layer::take_scheduling() {
  scheduling_.emplace(*source_, *names_, *kind_->scheduling);
  auto crossing = scheduling_->survey(
      [this](size_t part, const std::vector<DerivedEvent>& events) { add_derived(events, part, 0); });
  if (!scheduling_->possible()) left_out_ = "scheduling events are in no order of time";
  if (!crossing && crossing.error().code != ErrorCode::kUnsupported) return tl::unexpected(crossing.error());
  if (crossing) {
    joined_ = std::move(*crossing);
  } else {
    left_out_ = crossing.error().message;
    scheduling_.reset();
    overview_.clear();
  }
  return {};
}

Result<Layer> Layer::survey(const query::Source& source, const Names& names, const LayerKind& kind,
                            size_t most_pieces) {
  Layer layer(most_pieces);
  layer.source_ = &source, layer.names_ = &names, layer.kind_ = &kind;
  layer.list_chunks();
  if (kind.scheduling) {
    SEXTANT_TRY(layer.take_scheduling());
  } else if (kind.derive != nullptr) {
    SEXTANT_ASSIGN(layer.joined_, kind.derive(source, names));
  } else if (kind.tables.front().table == event::kNvtxRange) {
    SEXTANT_TRY(layer.take_joined());
  }
  std::vector<const Chunk*> with_unfinished;
  SEXTANT_TRY(layer.take_overviews(&with_unfinished));
  SEXTANT_TRY(layer.take_unfinished(with_unfinished));
  layer.keep_joined();
  return layer;
}

/// By lane and block: when the last of what was closed ends.
Layer::Ends Layer::last_ends() const {
  Ends ends;
  for (uint32_t lane = 0; lane < lanes().size(); ++lane)
    for (const Part& part : overview_.parts(lane)) {
      if (part.chunk >= chunks_.size()) continue;
      int64_t& end = ends.try_emplace({lane, chunks_[part.chunk].block}, INT64_MIN).first->second;
      end = std::max(end, part.last_ns);
    }
  return ends;
}

/// What was never closed is in the rows of what was: a push/pop range always; a row of a table where nothing
/// of its lane goes on after it has begun, as the rows of chunks were settled without it. All others have
/// their own.
uint32_t Layer::block_of(const DerivedEvent& of, const Ends& closed) const {
  const auto own = static_cast<uint32_t>(kind_->of_device() ? 0 : kind_->tables.size());
  const uint16_t table = table_of(of.event.id);
  if (table == event::kNvtxOpen) return 0;
  uint32_t block = 0;
  while (block < own && kind_->tables[block].table != table) ++block;
  const auto lane = overview_.find(of.lane);
  if (block == own || !lane) return block;
  const auto end = closed.find({*lane, block});
  return end == closed.end() || end->second <= of.event.start_ns ? block : own;
}

void Layer::keep_joined() {
  std::map<uint32_t, std::vector<DerivedEvent>> blocks;
  {
    const Ends closed = joined_.empty() ? Ends() : last_ends();
    for (const DerivedEvent& of : joined_) blocks[block_of(of, closed)].push_back(of);
  }
  joined_ = {};
  size_t chunk = readable();
  for (const auto& [block, events] : blocks) add_derived(events, chunk++, block);
  overview_.finish();
  for (const auto& [block, events] : blocks) kept_.push_back(slice_of(events, block));
  for (const Slice& slice : kept_)
    for (const Event& event : slice.events) kept_by_id_.push_back(&event);
  std::sort(kept_by_id_.begin(), kept_by_id_.end(),
            [](const Event* a, const Event* b) { return a->id < b->id; });
}

void Layer::add_derived(const std::vector<DerivedEvent>& events, size_t chunk, uint32_t block) {
  constexpr event::TrackTable kColumns{0, 0, 1, {2, 3, 4, 5}, 6};
  std::vector<uint64_t> start, length, name, lane[4];
  for (const auto& [key, event] : events) {
    start.push_back(biased(event.start_ns)), name.push_back(event.name);
    length.push_back(biased(event.end_ns) - start.back());
    lane[0].push_back(key.process), lane[1].push_back(key.first);
    lane[2].push_back(key.second), lane[3].push_back(key.third);
  }
  if (events.empty()) return;
  report::OverviewMaker maker(kColumns, SIZE_MAX);
  report::Overview overview;
  maker.make({start, length, {lane[0], lane[1], lane[2], lane[3]}, name, {}, {}, {}, {}}, &overview);
  overview_.add(overview, {.chunk = static_cast<uint32_t>(chunk),
                           .block = block,
                           .to_ns = unbiased,
                           .name = [](uint64_t n) { return static_cast<uint32_t>(n); },
                           .event = [&](uint32_t row) { return events[row].event.id; }});
}

/// The rows that the events got in the overview.
Slice Layer::slice_of(const std::vector<DerivedEvent>& events, uint32_t block) const {
  std::vector<LaneEvent> sorted;
  for (const auto& [key, event] : events) sorted.push_back({*overview_.find(key), event});
  std::stable_sort(sorted.begin(), sorted.end(), [](const LaneEvent& a, const LaneEvent& b) {
    if (a.lane != b.lane) return a.lane < b.lane;
    if (a.event.start_ns != b.event.start_ns) return a.event.start_ns < b.event.start_ns;
    return a.event.end_ns > b.event.end_ns;
  });
  Slice out;
  report::Nesting nesting;
  for (LaneEvent& of : sorted) {
    if (out.lanes.empty() || out.lanes.back() != of.lane) {
      out.lanes.push_back(of.lane), out.begins.push_back(static_cast<uint32_t>(out.events.size()));
      nesting = {};
    }
    const uint32_t row = nesting.place(biased(of.event.start_ns), biased(of.event.end_ns));
    of.event.row = static_cast<uint16_t>(overview_.first_row(of.lane, block) + row);
    out.events.push_back(of.event);
  }
  out.begins.push_back(static_cast<uint32_t>(out.events.size()));
  return out;
}

const Event* Layer::find_joined(uint64_t id) const {
  const auto at = std::lower_bound(kept_by_id_.begin(), kept_by_id_.end(), id,
                                   [](const Event* event, uint64_t wanted) { return event->id < wanted; });
  return at != kept_by_id_.end() && (*at)->id == id ? *at : nullptr;
}

const Slice* Layer::kept(uint32_t chunk) const {
  return chunk < readable() ? nullptr : &kept_[chunk - readable()];
}

/// Events by lane and start, with their rows within the block.
void Layer::sort(const Chunk& chunk, std::vector<RawEvent>* events) const {
  std::vector<uint32_t> ends;  // of each lane
  bool mixed = false;
  for (const RawEvent& e : *events) {
    if (ends.size() < e.lane + size_t{2}) ends.resize(e.lane + size_t{2});
    ++ends[e.lane + size_t{1}];
    mixed = mixed || e.lane != events->front().lane;
  }
  for (size_t lane = 1; lane < ends.size(); ++lane) ends[lane] += ends[lane - 1];
  if (mixed) {
    thread_local std::vector<RawEvent> by_lane;
    by_lane.resize(events->size());
    std::vector<uint32_t> next = ends;
    for (const RawEvent& e : *events) by_lane[next[e.lane]++] = e;
    std::copy(by_lane.begin(), by_lane.end(), events->begin());
  }
  auto open = chunk.open.begin();
  for (size_t lane = 0; lane + 1 < ends.size(); ++lane) {
    const auto of_lane = std::span(*events).subspan(ends[lane], ends[lane + 1] - ends[lane]);
    if (of_lane.empty()) continue;
    if (!chunk.by_times) {
      sort_by_level(of_lane);
      continue;
    }
    if (!std::is_sorted(of_lane.begin(), of_lane.end())) std::sort(of_lane.begin(), of_lane.end());
    report::Nesting nesting;
    while (open != chunk.open.end() && open->lane < lane) ++open;
    for (; open != chunk.open.end() && open->lane == lane; ++open) nesting.put(open->row, open->until);
    for (RawEvent& e : of_lane) e.level = nesting.place(e.start, e.end);
  }
}

void Layer::collect(const Chunk& chunk, const Decoded& decoded, std::vector<RawEvent>* out) const {
  const EventRows rows(decoded.table, decoded.columns);
  out->clear();
  std::array<uint64_t, 4> last_key{};
  uint32_t lane = UINT32_MAX;
  uint64_t last_name = 0;
  uint32_t name = name_of(*chunk.table, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows.kind(i) != EventRows::Kind::kClosed) continue;
    const auto key = rows.lane(i);
    if (lane == UINT32_MAX || key != last_key) {
      const auto found = overview_.find({key[0], key[1], key[2], key[3]});
      if (!found) continue;
      last_key = key, lane = *found;
    }
    const uint64_t named = rows.name(i);
    if (named != last_name) last_name = named, name = name_of(*chunk.table, named);
    out->push_back({rows.start(i), rows.end(i), static_cast<uint32_t>(i), lane, name, rows.level(i)});
  }
}

Result<bool> Layer::select(uint32_t number, size_t lane, RowSpans* spans,
                           const std::function<void(const Event&)>& use) const {
  if (number >= chunks_.size() || chunks_[number].by_times) return false;
  const Chunk& chunk = chunks_[number];
  thread_local Decoded decoded;
  thread_local std::vector<int64_t> starts;
  SEXTANT_ASSIGN(const bool whole, decode(chunk, &decoded));
  if (!whole) return true;
  const EventRows rows(decoded.table, decoded.columns);
  const LaneKey& key = lanes()[lane].key;
  const std::array<uint64_t, 4> wanted = {key.process, key.first, key.second, key.third};
  const uint32_t first_row = overview_.first_row(lane, chunk.block);
  const query::TimeMap& time = source_->time_map();
  starts.resize(rows.size());
  time.to_ns(decoded.columns.start, starts);
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t row = first_row + rows.level(i);
    if (!spans->holds(row, starts[i]) || rows.kind(i) != EventRows::Kind::kClosed || rows.lane(i) != wanted)
      continue;
    use({starts[i], std::max(starts[i], time.to_ns(rows.end(i))),
         event_id(chunk.table->table, chunk.first_row + i), name_of(*chunk.table, rows.name(i)),
         static_cast<uint16_t>(row), false});
  }
  return true;
}

Slice Layer::slice_of(const Chunk& chunk, std::span<const RawEvent> events, const query::Window& span) const {
  thread_local std::vector<uint64_t> stamps;
  thread_local std::vector<int64_t> starts, ends;
  stamps.resize(events.size()), starts.resize(events.size()), ends.resize(events.size());
  for (size_t i = 0; i < events.size(); ++i) stamps[i] = events[i].start;
  source_->time_map().to_ns(stamps, starts);
  for (size_t i = 0; i < events.size(); ++i) stamps[i] = events[i].end;
  source_->time_map().to_ns(stamps, ends);
  Slice out{.of_span = span};
  if (span.everything()) out.events.reserve(events.size());
  uint32_t first_row = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    const RawEvent& e = events[i];
    Event event{starts[i],
                std::max(starts[i], ends[i]),
                event_id(chunk.table->table, chunk.first_row + e.row),
                e.name,
                0,
                false};
    if (!event.touches(span.from_ns, span.to_ns)) continue;
    if (out.lanes.empty() || out.lanes.back() != e.lane) {
      out.lanes.push_back(e.lane), out.begins.push_back(static_cast<uint32_t>(out.events.size()));
      first_row = overview_.first_row(e.lane, chunk.block);
    }
    event.row = static_cast<uint16_t>(first_row + e.level);
    out.events.push_back(event);
  }
  out.begins.push_back(static_cast<uint32_t>(out.events.size()));
  return out;
}

Result<Slice> Layer::read(uint32_t number, const query::Window& span) const {
  if (scheduling_) {
    SEXTANT_ASSIGN(const std::vector<DerivedEvent> events, scheduling_->read(number));
    return slice_of(events, 0);
  }
  const Chunk& chunk = chunks_[number];
  thread_local Decoded decoded;
  thread_local std::vector<RawEvent> raw;
  SEXTANT_ASSIGN(const bool whole, decode(chunk, &decoded));
  if (!whole) return Slice{};
  collect(chunk, decoded, &raw);
  sort(chunk, &raw);
  return slice_of(chunk, raw, span);
}

}  // namespace sextant::serve
