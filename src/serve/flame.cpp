// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/flame.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "event/schema_system.h"
#include "query/device_api.h"
#include "query/launches.h"
#include "query/thread_ranges.h"
#include "serve/call_stacks.h"
#include "serve/derived.h"

namespace sextant::serve {

namespace {

constexpr uint64_t kMostSamples = 4'000'000;

int64_t within(const Event& event, const query::Window& span) {
  return std::min(event.end_ns, span.to_ns) - std::max(event.start_ns, span.from_ns);
}

/// Own time by path, of events that nest.
class Nested {
 public:
  Nested(Flame* flame, const query::Window& span) : flame_(flame), span_(span) {}

  void add(const Event& event) {
    while (!open_.empty() && open_.back().end_ns <= event.start_ns) close();
    if (open_.size() >= Flame::kMostDepth) return;
    const int64_t ns = within(event, span_);
    if (!open_.empty()) open_.back().own_ns -= std::min(ns, open_.back().own_ns);
    open_.push_back({event.name, event.end_ns, ns});
  }
  void finish() {
    while (!open_.empty()) close();
  }

 private:
  struct Open {
    uint32_t name;
    int64_t end_ns, own_ns;
  };
  void close() {
    std::vector<uint32_t> path;
    for (const Open& open : open_) path.push_back(open.name);
    flame_->add(path, open_.back().own_ns);
    open_.pop_back();
  }

  Flame* flame_;
  query::Window span_;
  std::vector<Open> open_;
};

/// How often each chain was sampled: by what the samples' rows say.
Result<std::unordered_map<uint64_t, int64_t>> chains_of(const query::Source& source,
                                                        std::vector<uint64_t> rows) {
  std::sort(rows.begin(), rows.end());
  std::unordered_map<uint64_t, int64_t> chains;
  constexpr uint16_t kColumns[] = {event::cpu_sample::kSample};
  SEXTANT_TRY(source.scan_table(event::kCpuSample, kColumns, 1, [&](size_t, query::TableBatch& b) {
    auto at = std::lower_bound(rows.begin(), rows.end(), b.first_row);
    for (; at != rows.end() && *at < b.first_row + b.rows; ++at) ++chains[b.columns[0][*at - b.first_row]];
  }));
  return chains;
}

/// Events of work by their number, with the tables they are from.
struct Works {
  std::unordered_map<uint64_t, Event> events;
  std::map<uint16_t, bool> tables;
};

Result<Works> works_of(const Timeline& timeline, const std::vector<size_t>& tracks,
                       const query::Window& span) {
  Works works;
  for (const size_t t : tracks) {
    const Track& track = timeline.tracks()[t];
    if (track.layer == Track::kNone || timeline.layer_of(track).kind().below != Below::kStream) continue;
    if (track.kind == "sync" || track.kind == "opencl_sync" || track.kind == "faults") continue;
    SEXTANT_TRY(timeline.visit(track, span.from_ns, span.to_ns, [&](const Event& event) {
      works.events.emplace(event.id, event);
      works.tables[table_of(event.id)] = true;
      return works.events.size() <= kMostProjected;
    }));
    if (works.events.size() > kMostProjected)
      return fail(ErrorCode::kUnsupported,
                  fmt::format("more than {} operations; choose less time or one device", kMostProjected));
  }
  return works;
}

/// The calls that launched them: spans with the events, and those without a call.
struct Launched {
  std::vector<query::ThreadSpan> calls;
  std::vector<Event> work;
};

Status find_launches(const query::Source& source, query::DeviceApi api, Works* works, Launched* out) {
  using namespace event::cuda_kernel;  // the same numbers in all tables of work
  const auto tables = query::device_tables(api).work;
  if (std::none_of(tables.begin(), tables.end(), [&](uint16_t t) { return works->tables.count(t) > 0; }))
    return {};
  SEXTANT_ASSIGN(const query::Launches launches, query::Launches::load(source, query::Rows::kAll, api));
  constexpr uint16_t kColumns[] = {kProcess, kCorrelation, kNulls};
  for (const uint16_t table : tables)
    SEXTANT_TRY(source.scan_table(table, kColumns, 1, [&](size_t, query::TableBatch& b) {
      for (size_t i = 0; i < b.rows; ++i) {
        const auto at = works->events.find(event_id(table, b.first_row + i));
        if (at == works->events.end() || query::no_correlation(api, b.columns[2][i], b.columns[1][i]))
          continue;
        const uint32_t call = launches.find(b.columns[0][i], b.columns[1][i]);
        if (call == query::Launches::kNone) continue;
        out->calls.push_back(
            {launches.start_ns[call], launches.end_ns[call], launches.tid[call], launches.process[call]});
        out->work.push_back(at->second);
        works->events.erase(at);
      }
    }));
  return {};
}

}  // namespace

void Flame::add(const std::vector<uint32_t>& path, int64_t weight) {
  if (weight <= 0) return;
  const auto at = weights.find(path);
  if (at != weights.end())
    at->second += weight;
  else if (weights.size() < kMostPaths)
    weights.emplace(path, weight);
  else
    complete = false;
}

std::vector<size_t> tracks_below(const Timeline& timeline, size_t track) {
  std::vector<bool> below(timeline.tracks().size());
  std::vector<size_t> out;
  for (size_t t = track; t < below.size(); ++t) {  // parents come before children
    const auto& parent = timeline.tracks()[t].parent;
    below[t] = t == track || (parent && below[*parent]);
    if (below[t]) out.push_back(t);
  }
  return out;
}

Result<Flame> flame_of_events(const Timeline& timeline, const Track& track, const query::Window& span) {
  Flame flame;
  Nested nested(&flame, span);
  SEXTANT_TRY(timeline.visit(track, span.from_ns, span.to_ns, [&](const Event& event) {
    nested.add(event);
    return true;
  }));
  nested.finish();
  return flame;
}

Result<Flame> flame_of_samples(const Timeline& timeline, const std::vector<size_t>& tracks,
                               const query::Window& span) {
  Flame flame;
  flame.samples = true;
  std::vector<uint64_t> rows;
  for (const size_t t : tracks) {
    const Track& track = timeline.tracks()[t];
    if (track.kind != "samples" || track.layer == Track::kNone) continue;
    SEXTANT_TRY(timeline.visit(track, span.from_ns, span.to_ns, [&](const Event& event) {
      rows.push_back(row_of(event.id));
      return rows.size() <= kMostSamples;
    }));
  }
  if (rows.size() > kMostSamples)
    return fail(ErrorCode::kUnsupported,
                fmt::format("more than {} samples; choose less time or one thread", kMostSamples));
  const Names& names = timeline.names();
  SEXTANT_ASSIGN(auto chains, chains_of(timeline.source(), std::move(rows)));
  SEXTANT_TRY(scan_stacks(
      timeline.source(), ChainSource::kSample, [&](uint64_t chain) { return chains.count(chain) > 0; },
      [&](uint64_t chain, const std::vector<Frame>& frames) {
        std::vector<uint32_t> path;
        for (auto frame = frames.rbegin(); frame != frames.rend() && path.size() < Flame::kMostDepth; ++frame)
          path.push_back(names.of_string(frame->function));
        flame.add(path, chains[chain]);
        chains.erase(chain);
      }));
  for (const auto& [chain, count] : chains) flame.add({names.of_sample()}, count);  // without a stack
  return flame;
}

Result<Flame> flame_of_devices(const Timeline& timeline, const std::vector<size_t>& tracks,
                               const query::Window& span) {
  Flame flame;
  const query::Source& source = timeline.source();
  SEXTANT_ASSIGN(Works works, works_of(timeline, tracks, span));
  if (works.events.empty()) return flame;
  if (!can_project(source))
    return fail(ErrorCode::kUnsupported,
                fmt::format("calls, work and ranges of this report are more than {}", kMostProjected));
  Launched launched;
  for (const query::DeviceApi api : query::kDeviceApis)
    SEXTANT_TRY(find_launches(source, api, &works, &launched));
  SEXTANT_ASSIGN(const auto ranges, query::load_thread_ranges(source, true, true, query::Rows::kAll));
  query::find_enclosing(ranges, launched.calls, [&](size_t at, std::span<const uint32_t> around) {
    std::vector<uint32_t> path;
    for (const uint32_t range : around) {
      if (path.size() + 1 >= Flame::kMostDepth) break;
      path.push_back(timeline.names().of_string(ranges[range].name));
    }
    path.push_back(launched.work[at].name);
    flame.add(path, within(launched.work[at], span));
  });
  for (const auto& [id, event] : works.events) flame.add({event.name}, within(event, span));
  return flame;
}

}  // namespace sextant::serve
