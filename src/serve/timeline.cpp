// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/timeline.h"

#include <algorithm>

#include "serve/nesting.h"
#include "serve/track_names.h"
#include "text/log.h"

namespace sextant::serve {

namespace {

constexpr size_t kTopNames = 4;

/// What is summed up of one track while its events pass by start.
struct Passing {
  Nesting nesting;
  std::vector<Event> open;  // not yet ended at the last start
  int64_t covered_to_ns = INT64_MIN;
  std::unordered_map<uint32_t, int64_t> outermost;  // time by the name that covers it first
};

void pass(Passing* passing, TrackSums* sums, const Event& event) {
  constexpr size_t kMostNames = 1 << 16;
  const int64_t from = std::max(event.start_ns, passing->covered_to_ns);
  if (event.end_ns <= from) return;
  sums->busy_ns += event.end_ns - from;
  passing->covered_to_ns = event.end_ns;
  const auto at = passing->outermost.find(event.name);
  if (at != passing->outermost.end())
    at->second += event.end_ns - from;
  else if (passing->outermost.size() < kMostNames)
    passing->outermost.emplace(event.name, event.end_ns - from);
}

void keep_open(std::vector<Event>* open, const Event& event, int64_t bound_ns) {
  std::erase_if(*open, [&](const Event& e) { return e.end_ns <= event.start_ns; });
  if (event.end_ns > bound_ns) open->push_back(event);
}

std::vector<TrackSums::Top> top_of(const std::unordered_map<uint32_t, int64_t>& times) {
  std::vector<TrackSums::Top> all;
  for (const auto& [name, ns] : times) all.push_back({name, ns});
  const size_t kept = std::min(all.size(), kTopNames);
  std::partial_sort(
      all.begin(), all.begin() + static_cast<ptrdiff_t>(kept), all.end(),
      [](const auto& a, const auto& b) { return a.ns != b.ns ? a.ns > b.ns : a.name < b.name; });
  all.resize(kept);
  return all;
}

/// Calls work(0) to work(count - 1), a few at a time.
void in_parallel(size_t count, const std::function<void(size_t)>& work) {
  constexpr size_t kMostThreads = 4;
  std::atomic<size_t> next{0};
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  const size_t threads = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
  std::vector<std::jthread> others;
  for (size_t t = 1; t < std::min(threads, count); ++t) others.emplace_back(run);
  run();
}

/// Lanes with few events in a layer of several slices, as long as there are not too many.
std::vector<bool> few_lanes(const Layer& layer) {
  std::vector<bool> few(layer.lanes().size());
  uint64_t kept = 0;
  for (size_t lane = 0; lane < few.size() && layer.slices() > 1; ++lane) {
    const uint64_t events = layer.lanes()[lane].events;
    if (events > Timeline::kFewInLane || kept + events > Timeline::kMostFew) continue;
    few[lane] = true;
    kept += events;
  }
  return few;
}

}  // namespace

Timeline::Timeline(const query::Source& source, SliceCache& cache)
    : source_(source), cache_(cache), names_(source.reader()) {}

Timeline::~Timeline() {
  stop_ = true;
  if (background_.joinable()) background_.join();
  for (const auto& layer : layers_) cache_.forget(layer.get());
}

Result<std::unique_ptr<Timeline>> Timeline::make(const query::Source& source, SliceCache& cache) {
  std::unique_ptr<Timeline> timeline(new Timeline(source, cache));
  SEXTANT_TRY(timeline->find_layers());
  SEXTANT_ASSIGN(const TrackNames labels, TrackNames::load(source));
  SEXTANT_ASSIGN(timeline->curves_, load_curves(source));
  timeline->make_tracks(labels);
  uint64_t events = 0;
  for (const auto& state : timeline->layers_) events += state->layer.events();
  if (events <= kFewEvents)
    timeline->settle();
  else
    timeline->background_ = std::thread([raw = timeline.get()] { raw->settle(); });
  return timeline;
}

Status Timeline::find_layers() {
  length_ns_ = std::max<int64_t>(source_.duration_ns(), 1);
  const auto kinds = layer_kinds();
  std::vector<std::optional<Result<Layer>>> found(kinds.size());
  in_parallel(kinds.size(),
              [&](size_t kind) { found[kind].emplace(Layer::survey(source_, names_, kinds[kind], stop_)); });
  for (auto& result : found) {
    SEXTANT_ASSIGN(Layer layer, std::move(*result));
    if (layer.events() == 0) continue;
    for (const Lane& lane : layer.lanes()) length_ns_ = std::max(length_ns_, lane.last_ns);
    layers_.push_back(std::make_unique<LayerState>(std::move(layer)));
  }
  for (const auto& state : layers_) state->most_buckets = kMostBuckets / layers_.size();
  return {};
}

void Timeline::settle() {
  in_parallel(layers_.size(), [&](size_t layer) {
    if (stop_) return;
    if (const auto done = built(layer); !done && !stop_)
      text::warn("{}: {} cannot be summed up: {}", source_.reader().path(),
                 layers_[layer]->layer.kind().label, done.error().message);
  });
}

bool Timeline::settled() const {
  return std::all_of(layers_.begin(), layers_.end(), [](const auto& state) { return state->ready.load(); });
}

Result<const Timeline::Built*> Timeline::built(size_t layer) const {
  const LayerState& state = *layers_[layer];
  const std::lock_guard lock(state.mutex);
  if (!state.built) {
    state.built.emplace(sum_up(state));
    state.ready = true;
  }
  if (!*state.built) return tl::unexpected<Error>(state.built->error());
  return &**state.built;
}

Result<Timeline::Built> Timeline::sum_up(const LayerState& state) const {
  const Layer& layer = state.layer;
  const size_t lanes = layer.lanes().size();
  Built out{Pyramid(length_ns_, lanes, state.most_buckets), std::vector<TrackSums>(lanes), {}, {}, {}, {}};
  out.names.resize(lanes);
  out.few.resize(lanes);
  std::vector<bool> keep = few_lanes(layer);
  std::vector<Passing> passing(lanes);
  size_t names = 0;
  for (size_t i = 0; i < layer.slices(); ++i) {
    if (stop_) return fail(ErrorCode::kUnsupported, "the server is closing the report");
    const int64_t from = layer.bound(i), to = layer.bound(i + 1);
    std::vector<LaneEvent>& open = out.open.emplace_back();
    std::vector<uint32_t>& counts = out.counts.emplace_back(lanes);
    for (size_t lane = 0; lane < lanes; ++lane)
      for (const Event& event : passing[lane].open)
        if (event.end_ns > from) open.push_back({static_cast<uint32_t>(lane), event});
    SEXTANT_ASSIGN(Slice slice, layer.read(i));
    for (size_t lane = 0; lane < lanes; ++lane) {
      Passing& p = passing[lane];
      counts[lane] = slice.begins[lane + 1] - slice.begins[lane];
      for (uint32_t e = slice.begins[lane]; e < slice.begins[lane + 1]; ++e) {
        Event& event = slice.events[e];
        event.row = p.nesting.place(event);
        out.pyramid.add(lane, event);
        pass(&p, &out.sums[lane], event);
        keep_open(&p.open, event, to);
        if (keep[lane]) out.few[lane].push_back(event);
        auto at = out.names[lane].find(event.name);
        if (at == out.names[lane].end()) {
          if (names >= kMostNameSums) {
            out.all_names = false;
            continue;
          }
          at = out.names[lane].try_emplace(event.name).first, ++names;
        }
        NameSum& sum = at->second;
        ++sum.events, sum.total_ns += event.end_ns - event.start_ns;
        if (event.start_ns < sum.first_ns) sum.first_ns = event.start_ns, sum.first_event = event.id;
      }
    }
    cache_.add({&state, i}, std::make_shared<const Slice>(std::move(slice)));
  }
  out.pyramid.finish();
  for (size_t lane = 0; lane < lanes; ++lane) {
    out.sums[lane].rows = static_cast<uint32_t>(passing[lane].nesting.rows());
    out.sums[lane].top = top_of(passing[lane].outermost);
  }
  return out;
}

Result<std::shared_ptr<const Slice>> Timeline::slice(size_t layer, const Built& built, size_t i) const {
  const LayerState& state = *layers_[layer];
  if (auto kept = cache_.find({&state, i})) return kept;
  const std::lock_guard lock(state.mutex);  // the same slice is read once, not by everybody who waits for it
  if (auto kept = cache_.find({&state, i})) return kept;
  SEXTANT_ASSIGN(Slice slice, state.layer.read(i));
  std::vector<Nesting> nesting(state.layer.lanes().size());
  for (const LaneEvent& open : built.open[i]) nesting[open.lane].put(open.event);
  for (size_t lane = 0; lane < nesting.size(); ++lane)
    for (uint32_t e = slice.begins[lane]; e < slice.begins[lane + 1]; ++e)
      slice.events[e].row = nesting[lane].place(slice.events[e]);
  auto shared = std::make_shared<const Slice>(std::move(slice));
  cache_.add({&state, i}, shared);
  return shared;
}

const TrackSums* Timeline::sums_if_there(const Track& track) const {
  const LayerState& state = *layers_[track.layer];
  if (!state.ready || !*state.built) return nullptr;
  return &(*state.built)->sums[track.lane];
}

Result<const TrackSums*> Timeline::sums(const Track& track) const {
  SEXTANT_ASSIGN(const Built* all, built(track.layer));
  return &all->sums[track.lane];
}

Result<const Pyramid*> Timeline::pyramid(const Track& track) const {
  SEXTANT_ASSIGN(const Built* all, built(track.layer));
  return &all->pyramid;
}

Result<bool> Timeline::name_sums(const Track& track,
                                 const std::function<void(uint32_t, const NameSum&)>& use) const {
  SEXTANT_ASSIGN(const Built* all, built(track.layer));
  for (const auto& [name, sum] : all->names[track.lane]) use(name, sum);
  return all->all_names;
}

uint64_t Timeline::nearby(const Track& track, int64_t from_ns, int64_t to_ns) const {
  const auto all = built(track.layer);
  const Layer& layer = layer_of(track);
  if (!all) return 0;
  uint64_t events = 0;
  for (size_t i = layer.slice_at(from_ns), last = layer.slice_at(to_ns); i <= last; ++i)
    events += (*all)->counts[i][track.lane];
  return events;
}

bool Timeline::cheap(const Track& track, int64_t from_ns, int64_t to_ns) const {
  const auto all = built(track.layer);
  const Layer& layer = layer_of(track);
  if (!all || !(*all)->few[track.lane].empty()) return true;
  size_t slices = 0;
  for (size_t i = layer.slice_at(from_ns), last = layer.slice_at(to_ns); i <= last; ++i)
    slices += (*all)->counts[i][track.lane] > 0 ? 1 : 0;
  return slices <= kFewSlices;
}

Result<uint64_t> Timeline::count(const Track& track, int64_t from_ns, int64_t to_ns) const {
  SEXTANT_ASSIGN(const Built* all, built(track.layer));
  const Layer& layer = layer_of(track);
  const Lane& lane = lane_of(track);
  const size_t first = layer.slice_at(from_ns), last = layer.slice_at(to_ns);
  uint64_t count = 0;
  for (const LaneEvent& open : all->open[first])
    if (open.lane == track.lane && open.event.touches(from_ns, to_ns)) ++count;
  for (size_t i = first; i <= last && layer.bound(i) < to_ns; ++i) {
    const uint32_t begin = all->counts[i][track.lane];
    const bool from_start = layer.bound(i) >= from_ns || (i == 0 && lane.first_ns >= from_ns);
    const bool to_end = layer.bound(i + 1) <= to_ns || (i + 1 == layer.slices() && lane.last_ns < to_ns);
    if (begin == 0 || (from_start && to_end)) {
      count += begin;
      continue;
    }
    SEXTANT_ASSIGN(const auto events, slice(track.layer, *all, i));
    for (const Event& event : events->of(track.lane)) count += event.touches(from_ns, to_ns) ? 1 : 0;
  }
  return count;
}

Status Timeline::visit(const Track& track, int64_t from_ns, int64_t to_ns,
                       const std::function<bool(const Event&)>& use) const {
  SEXTANT_ASSIGN(const Built* all, built(track.layer));
  const Layer& layer = layer_of(track);
  for (const Event& event : all->few[track.lane]) {
    if (event.start_ns >= to_ns) return {};
    if (event.touches(from_ns, to_ns) && !use(event)) return {};
  }
  if (!all->few[track.lane].empty()) return {};
  const size_t first = layer.slice_at(from_ns), last = layer.slice_at(to_ns);
  for (const LaneEvent& open : all->open[first])
    if (open.lane == track.lane && open.event.touches(from_ns, to_ns) && !use(open.event)) return {};
  for (size_t i = first; i <= last && layer.bound(i) < to_ns; ++i) {
    if (all->counts[i][track.lane] == 0) continue;
    SEXTANT_ASSIGN(const auto events, slice(track.layer, *all, i));
    for (const Event& event : events->of(track.lane)) {
      if (event.start_ns >= to_ns) return {};
      if (event.touches(from_ns, to_ns) && !use(event)) return {};
    }
  }
  return {};
}

std::optional<size_t> Timeline::find_track(std::string_view kind, const LaneKey& key) const {
  for (size_t i = 0; i < tracks_.size(); ++i)
    if (tracks_[i].layer != Track::kNone && tracks_[i].kind == kind && lane_of(tracks_[i]).key == key)
      return i;
  return std::nullopt;
}

}  // namespace sextant::serve
