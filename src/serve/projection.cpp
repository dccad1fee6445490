// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX ranges on devices: from the first to the last work launched within each.
#include <algorithm>
#include <map>

#include "event/schema_nvtx.h"
#include "query/device_api.h"
#include "query/launches.h"
#include "query/thread_ranges.h"
#include "serve/derived.h"

namespace sextant::serve {

namespace {

constexpr int kLaneBits = 12;
constexpr uint64_t kMostLanes = uint64_t{1} << kLaneBits;

/// What contains another one comes first.
Result<std::vector<query::ThreadRange>> load_ranges(const query::Source& source) {
  SEXTANT_ASSIGN(std::vector<query::ThreadRange> ranges,
                 query::load_thread_ranges(source, true, true, query::Rows::kAll));
  std::stable_sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  return ranges;
}

struct Work {
  std::vector<query::ThreadSpan> calls;  // that launched it
  std::vector<std::pair<int64_t, int64_t>> spans;
  std::vector<uint32_t> lane_of;  // of each
  std::vector<LaneKey> lanes;
};

Result<Work> load_work(const query::Source& source, query::DeviceApi api) {
  Work work;
  using namespace event::cuda_kernel;  // the same numbers in all tables of work
  SEXTANT_ASSIGN(const query::Launches launches, query::Launches::load(source, query::Rows::kAll, api));
  std::unordered_map<LaneKey, uint32_t, LaneKeyHash> lanes;
  constexpr uint16_t kColumns[] = {kStart, kDuration, kProcess, kCorrelation, kDevice, kContext, kNulls};
  for (const uint16_t table : query::device_tables(api).work)
    SEXTANT_TRY(source.scan_table(table, kColumns, 1, [&](size_t, query::TableBatch& b) {
      const auto& c = b.columns;
      for (size_t i = 0; i < b.rows; ++i) {
        if (query::no_correlation(api, c[6][i], c[3][i])) continue;
        const uint32_t call = launches.find(c[2][i], c[3][i]);
        if (call == query::Launches::kNone) continue;
        const LaneKey key{c[2][i], c[4][i], c[5][i], 0};
        const auto [lane, is_new] = lanes.try_emplace(key, static_cast<uint32_t>(work.lanes.size()));
        if (is_new) work.lanes.push_back(key);
        if (lane->second >= kMostLanes) continue;
        work.calls.push_back(
            {launches.start_ns[call], launches.end_ns[call], launches.tid[call], launches.process[call]});
        work.spans.emplace_back(static_cast<int64_t>(c[0][i]), static_cast<int64_t>(c[0][i] + c[1][i]));
        work.lane_of.push_back(lane->second);
      }
    }));
  return work;
}

constexpr uint16_t kRangeTables[] = {event::kNvtxRange, event::kNvtxStart, event::kNvtxEvent};

struct Counts {
  uint64_t ranges = 0, work = 0, calls = 0;
};
Counts counts_of(const query::Source& source) {
  Counts counts;
  for (const uint16_t table : kRangeTables) counts.ranges += source.rows(table);
  for (const query::DeviceApi api : query::kDeviceApis) {
    counts.calls += source.rows(query::device_tables(api).calls);
    for (const uint16_t table : query::device_tables(api).work) counts.work += source.rows(table);
  }
  return counts;
}

bool has_both(const query::Source& source) {
  const Counts counts = counts_of(source);
  return counts.ranges > 0 && counts.work > 0;
}

bool has_work(const query::Source& source, query::DeviceApi api) {
  const auto& work = query::device_tables(api).work;
  return std::any_of(work.begin(), work.end(), [&](uint16_t table) { return source.rows(table) > 0; });
}

Result<std::vector<DerivedEvent>> project(const query::Source& source, const Names& names,
                                          query::DeviceApi api) {
  std::vector<DerivedEvent> out;
  if (!has_both(source) || !has_work(source, api) || !can_project(source)) return out;
  SEXTANT_ASSIGN(const std::vector<query::ThreadRange> ranges, load_ranges(source));
  SEXTANT_ASSIGN(const Work work, load_work(source, api));
  std::unordered_map<uint64_t, Event> projected;  // by range and lane
  query::find_enclosing(ranges, work.calls, [&](size_t at, std::span<const uint32_t> around) {
    const auto& [start, end] = work.spans[at];
    for (const uint32_t range : around) {
      const uint64_t number = uint64_t{range} << kLaneBits | work.lane_of[at];
      const auto event = projected
                             .try_emplace(number, Event{start, end, event_id(kProjectedTable, number),
                                                        names.of_string(ranges[range].name), 0, false})
                             .first;
      event->second.start_ns = std::min(event->second.start_ns, start);
      event->second.end_ns = std::max(event->second.end_ns, end);
    }
  });
  out.reserve(projected.size());
  for (const auto& [number, event] : projected) out.push_back({work.lanes[number & (kMostLanes - 1)], event});
  return out;
}

}  // namespace

bool can_project(const query::Source& source) {
  const Counts counts = counts_of(source);
  return counts.ranges + counts.work + counts.calls <= kMostProjected;
}

Result<std::vector<DerivedEvent>> derive_projection(const query::Source& source, const Names& names) {
  return project(source, names, query::DeviceApi::kCuda);
}

Result<std::vector<DerivedEvent>> derive_opencl_projection(const query::Source& source, const Names& names) {
  return project(source, names, query::DeviceApi::kOpencl);
}

void ProjectedRanges::load() const {
  const auto ranges = load_ranges(source_);
  if (!ranges) return;  // what cannot be read is told where it is counted
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> threads;
  ranges_.reserve(ranges->size());
  for (const query::ThreadRange& r : *ranges) {
    const std::pair<uint64_t, uint64_t> key{r.process, r.tid};
    const auto [thread, is_new] = threads.try_emplace(key, static_cast<uint32_t>(threads_.size()));
    if (is_new) threads_.push_back(key);
    ranges_.push_back({r.start_ns, r.end_ns, thread->second, r.name});
  }
}

std::optional<ProjectedFrom> ProjectedRanges::find(uint64_t event) const {
  if (table_of(event) != kProjectedTable) return std::nullopt;
  std::call_once(loaded_, [this] { load(); });
  const uint64_t number = row_of(event) >> kLaneBits;
  if (number >= ranges_.size()) return std::nullopt;
  const Range& range = ranges_[number];
  const auto& [process, tid] = threads_[range.thread];
  return ProjectedFrom{process, tid, range.start_ns, range.end_ns, range.name};
}

std::vector<std::string> derived_notes(const query::Source& source) {
  std::vector<std::string> notes;
  if (has_both(source) && !can_project(source))
    notes.push_back(
        "NVTX ranges are not shown on GPUs: calls, GPU work and ranges are more than 2,000,000. `sextant "
        "stats -r "
        "nvtx_gpu_proj_trace` tells them.");
  return notes;
}

}  // namespace sextant::serve
