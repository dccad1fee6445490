// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "event/schema.h"
#include "query/sums.h"
#include "serve/track_names.h"

namespace sextant::serve {

namespace {

/// Calls work(0) to work(count - 1), a few at a time. What one of them throws (no memory) is thrown here.
void in_parallel(size_t count, const std::function<void(size_t)>& work) {
  constexpr size_t kMostThreads = 4;
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto run = [&] {
    try {
      for (size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
    }
  };
  const size_t threads = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
  {
    std::vector<std::jthread> others;
    for (size_t t = 1; t < std::min(threads, count); ++t) others.emplace_back(run);
    run();
  }
  if (thrown) std::rethrow_exception(thrown);
}

/// What to keep of a chunk for the sake of a span: where that is little, with as much again on both sides,
/// since whoever looks there will look beside it and closer.
query::Window around(const Part& part, const query::Window& span) {
  constexpr int64_t kLittle = 6, kLeast = 16;  // parts of the chunk
  const int64_t whole = query::difference(part.last_ns, part.first_ns),
                asked = query::difference(span.to_ns, span.from_ns);
  if (asked >= whole / kLittle) return {};
  const int64_t beside = std::max(asked, whole / kLeast);
  return {query::difference(span.from_ns, beside), query::sum(span.to_ns, beside)};
}

}  // namespace

Timeline::Timeline(const query::Source& source, SliceCache& cache)
    : source_(source), cache_(cache), names_(source), projected_(source) {}

Timeline::~Timeline() {
  for (const auto& layer : layers_) cache_.forget(layer.get());
}

Result<std::unique_ptr<Timeline>> Timeline::make(const query::Source& source, SliceCache& cache) {
  std::unique_ptr<Timeline> timeline(new Timeline(source, cache));
  SEXTANT_TRY(timeline->find_layers());
  SEXTANT_ASSIGN(const TrackNames labels, TrackNames::load(source));
  SEXTANT_ASSIGN(timeline->curves_, load_curves(source));
  timeline->make_tracks(labels);
  for (auto& layer : timeline->layers_) layer->tracks.resize(layer->layer.lanes().size(), Track::kNone);
  for (size_t t = 0; t < timeline->tracks_.size(); ++t)
    if (const Track& track = timeline->tracks_[t]; track.layer != Track::kNone)
      timeline->layers_[track.layer]->tracks[track.lane] = t;
  return timeline;
}

Status Timeline::find_layers() {
  length_ns_ = std::max<int64_t>(source_.duration_ns(), 1);
  notes_ = derived_notes(source_);
  const auto kinds = layer_kinds();
  const auto rows_of = [&](const LayerKind& kind) {
    uint64_t rows = 0;
    for (const RowTable& table : kind.tables) rows += source_.rows(table.table);
    if (kind.scheduling) rows += source_.rows(event::kSchedEvent);
    return static_cast<double>(rows);
  };
  double rows = 1;
  for (const LayerKind& kind : kinds) rows += rows_of(kind);
  std::vector<std::optional<Result<Layer>>> found(kinds.size());
  in_parallel(kinds.size(), [&](size_t kind) {
    constexpr size_t kEach = kMostPieces / 64;  // whoever has few rows gets that, others their share
    const auto share = static_cast<size_t>(rows_of(kinds[kind]) / rows * kMostPieces * 3 / 4);
    found[kind].emplace(Layer::survey(source_, names_, kinds[kind], kEach + share));
  });
  for (auto& result : found) {
    SEXTANT_ASSIGN(Layer layer, std::move(*result));
    if (!layer.left_out().empty())
      notes_.push_back(
          fmt::format("The rows \"{}\" are not shown: {}.", layer.kind().label, layer.left_out()));
    if (layer.events() == 0) continue;
    for (const Lane& lane : layer.lanes()) length_ns_ = std::max(length_ns_, lane.last_ns);
    layers_.push_back(std::make_unique<LayerState>(std::move(layer)));
  }
  return {};
}

/// At least the events that touch the span. `part`: of the chunk, of which then no more may be read than what
/// is around the span.
Result<std::shared_ptr<const Slice>> Timeline::slice(size_t layer, uint32_t chunk, const query::Window& span,
                                                     const Part* part) const {
  const LayerState& state = *layers_[layer];
  if (const Slice* kept = state.layer.kept(chunk))
    return std::shared_ptr<const Slice>(std::shared_ptr<void>(), kept);
  const SliceCache::Key key{&state, chunk};
  if (auto cached = cache_.find(key, span)) return cached;
  // the same chunk is read once, not by everybody who waits for it
  const std::lock_guard lock(state.mutexes[chunk % state.mutexes.size()]);
  if (auto cached = cache_.find(key, span)) return cached;
  // Who looks at another place of a chunk than before gets all of it.
  const bool all = part == nullptr || cache_.holds(key);
  SEXTANT_ASSIGN(Slice read, state.layer.read(chunk, all ? query::Window() : around(*part, span)));
  auto shared = std::make_shared<const Slice>(std::move(read));
  cache_.add(key, shared);
  return shared;
}

Result<std::shared_ptr<const Slice>> Timeline::slice(const Track& track, const Part& part, int64_t from_ns,
                                                     int64_t to_ns) const {
  return slice(track.layer, part.chunk, {from_ns, to_ns}, &part);
}

Status Timeline::visit_spans(const Track& track, int64_t from_ns, int64_t to_ns, RowSpans* spans,
                             const std::function<void(const Event&)>& use) const {
  const LayerState& state = *layers_[track.layer];
  const auto take = [&](const Event& event) {
    if (event.touches(from_ns, to_ns)) use(event);
  };
  for (const Part* part : parts(track, from_ns, to_ns)) {
    if (cache_.find({&state, part->chunk}, {from_ns, to_ns}) == nullptr) {
      SEXTANT_ASSIGN(const bool selected, state.layer.select(part->chunk, track.lane, spans, take));
      if (selected) continue;
    }
    SEXTANT_ASSIGN(const auto events, slice(track, *part, from_ns, to_ns));
    for (const Event& event : events->of(track.lane))
      if (spans->holds(event.row, event.start_ns)) take(event);
  }
  return {};
}

std::vector<const Part*> Timeline::parts(const Track& track, int64_t from_ns, int64_t to_ns) const {
  std::vector<const Part*> out;
  for (const Part& part : layer_of(track).overview().parts(track.lane))
    if (part.touches(from_ns, to_ns)) out.push_back(&part);
  return out;
}

uint64_t Timeline::nearby(const Track& track, int64_t from_ns, int64_t to_ns) const {
  uint64_t events = 0;
  for (const Part* part : parts(track, from_ns, to_ns)) events += part->events;
  return events;
}

bool Timeline::cheap(const Track& track, int64_t from_ns, int64_t to_ns) const {
  return parts(track, from_ns, to_ns).size() <= kFewChunks;
}

Result<uint64_t> Timeline::count(const Track& track, int64_t from_ns, int64_t to_ns) const {
  uint64_t count = 0;
  for (const Part* part : parts(track, from_ns, to_ns)) {
    if (part->first_ns >= from_ns && part->last_ns < to_ns) {
      count += part->events;
      continue;
    }
    SEXTANT_ASSIGN(const auto events, slice(track, *part, from_ns, to_ns));
    for (const Event& event : events->of(track.lane)) count += event.touches(from_ns, to_ns) ? 1 : 0;
  }
  return count;
}

Status Timeline::visit_parts(const Track& track, int64_t from_ns, int64_t to_ns,
                             const std::function<bool(const Part&, const Part&)>& before,
                             const std::function<bool(const Part&)>& wanted,
                             const std::function<void(const Event&)>& use) const {
  std::vector<const Part*> all = parts(track, from_ns, to_ns);
  std::stable_sort(all.begin(), all.end(), [&](const Part* a, const Part* b) { return before(*a, *b); });
  constexpr size_t kTogether = 8;  // are read at once
  for (size_t next = 0; next < all.size();) {
    std::vector<const Part*> some;
    for (; next < all.size() && some.size() < kTogether; ++next)
      if (wanted(*all[next])) some.push_back(all[next]);
    std::vector<std::optional<Result<std::shared_ptr<const Slice>>>> slices(some.size());
    in_parallel(some.size(), [&](size_t i) { slices[i].emplace(slice(track, *some[i], from_ns, to_ns)); });
    for (size_t i = 0; i < some.size(); ++i) {
      if (!*slices[i]) return tl::unexpected<Error>(slices[i]->error());
      if (!wanted(*some[i])) continue;
      for (const Event& event : (**slices[i])->of(track.lane))
        if (event.touches(from_ns, to_ns)) use(event);
    }
  }
  return {};
}

/// Of each part the next event that touches the span; parts are read when their first event may be due.
Status Timeline::visit(const Track& track, int64_t from_ns, int64_t to_ns,
                       const std::function<bool(const Event&)>& use) const {
  struct Cursor {
    std::shared_ptr<const Slice> slice;
    std::span<const Event> rest;
    bool operator<(const Cursor& other) const { return other.rest.front() < rest.front(); }  // for a heap
  };
  const std::vector<const Part*> all = parts(track, from_ns, to_ns);
  std::vector<Cursor> open;
  const auto push = [&](Cursor cursor) {
    while (!cursor.rest.empty() && !cursor.rest.front().touches(from_ns, to_ns))
      cursor.rest = cursor.rest.subspan(1);
    if (cursor.rest.empty()) return;
    open.push_back(std::move(cursor));
    std::push_heap(open.begin(), open.end());
  };
  for (size_t next = 0; next < all.size() || !open.empty();) {
    if (next < all.size() && (open.empty() || all[next]->first_ns <= open.front().rest.front().start_ns)) {
      SEXTANT_ASSIGN(auto events, slice(track, *all[next++], from_ns, to_ns));
      const auto of_lane = events->of(track.lane);
      push({std::move(events), of_lane});
      continue;
    }
    std::pop_heap(open.begin(), open.end());
    Cursor cursor = std::move(open.back());
    open.pop_back();
    // as long as no other part is due
    const int64_t until = std::min(next < all.size() ? all[next]->first_ns : INT64_MAX,
                                   open.empty() ? INT64_MAX : open.front().rest.front().start_ns);
    do {
      const Event& event = cursor.rest.front();
      if (event.touches(from_ns, to_ns) && !use(event)) return {};
      cursor.rest = cursor.rest.subspan(1);
    } while (!cursor.rest.empty() && cursor.rest.front().start_ns < until);
    push(std::move(cursor));
  }
  return {};
}

Result<std::optional<uint64_t>> Timeline::neighbour(const Track& track, const Event& event,
                                                    int direction) const {
  std::optional<Event> found;
  const auto take = [&](const Event& other) {
    if (other.name != event.name || other.id == event.id) return;
    if (direction < 0 ? !(other < event) : !(event < other)) return;
    if (!found || (direction < 0 ? *found < other : other < *found)) found = other;
  };
  std::vector<const Part*> all = direction < 0 ? parts(track, INT64_MIN, query::sum(event.start_ns, 1))
                                               : parts(track, event.start_ns, INT64_MAX);
  std::sort(all.begin(), all.end(), [&](const Part* a, const Part* b) {
    return direction < 0 ? a->last_ns > b->last_ns : a->first_ns < b->first_ns;
  });
  for (size_t i = 0; i < std::min(all.size(), kFewChunks); ++i) {
    if (found && direction > 0 && all[i]->first_ns > found->start_ns) break;
    if (found && direction < 0 && all[i]->last_ns < found->start_ns) break;
    SEXTANT_ASSIGN(const auto events, slice(track, *all[i], INT64_MIN, INT64_MAX));
    for (const Event& other : events->of(track.lane)) take(other);
  }
  if (!found) return std::optional<uint64_t>();
  return std::optional<uint64_t>(found->id);
}

/// Sums of names in chunks that have too many for an overview: their rows are read, as long as that is not
/// too much.
void Timeline::complete_names(size_t layer) const {
  constexpr size_t kMostNames = 1 << 20, kMostChunks = 64;
  const LayerState& state = *layers_[layer];
  const std::vector<uint32_t>& chunks = state.layer.overview().without_names();
  state.all_names = state.layer.overview().all_names();
  state.more_names.resize(state.layer.lanes().size());
  size_t names = 0;
  const auto add = [&](uint32_t lane, const Event& event) {
    const auto [at, is_new] = state.more_names[lane].try_emplace(event.name);
    names += is_new ? 1 : 0;
    NameSum& sum = at->second;
    ++sum.events;
    sum.total_ns = query::sum(sum.total_ns, query::difference(event.end_ns, event.start_ns));
    if (event.start_ns < sum.first_ns) sum.first_ns = event.start_ns, sum.first_event = event.id;
  };
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (i == kMostChunks || names >= kMostNames) {
      state.all_names = false;
      return;
    }
    const auto events = slice(layer, chunks[i], {}, nullptr);
    if (!events) continue;
    for (const uint32_t lane : (*events)->lanes)
      for (const Event& event : (*events)->of(lane)) add(lane, event);
  }
}

bool Timeline::name_sums(const Track& track, const std::function<void(uint32_t, const NameSum&)>& use) const {
  const LayerState& state = *layers_[track.layer];
  std::call_once(state.names_once, [&] { complete_names(track.layer); });
  for (const auto& [name, sum] : state.layer.overview().names(track.lane))
    if (sum.events > 0) use(name, sum);
  for (const auto& [name, sum] : state.more_names[track.lane]) use(name, sum);
  return state.all_names;
}

std::optional<size_t> Timeline::find_track(std::string_view kind, const LaneKey& key) const {
  for (const auto& state : layers_) {
    if (state->layer.kind().name != kind) continue;
    const auto lane = state->layer.overview().find(key);
    if (lane && state->tracks[*lane] != Track::kNone) return state->tracks[*lane];
  }
  return std::nullopt;
}

}  // namespace sextant::serve
