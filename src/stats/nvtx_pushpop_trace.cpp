// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_pushpop_trace: every push/pop range with its place in the tree of its thread. As in nsys a range's parent is the shortest range of
// the same thread that contains it, whatever its domain. Of ranges with the very same start and end the one that closed first is the
// inner one (nsys drops them all). RangeId is the number of the row in NVTX_EVENTS of an SQLite export.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>

#include "stats/nvtx_names.h"
#include "stats/registry.h"

namespace sextant::stats {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

struct Range {
  int64_t start_ns, end_ns;
  uint64_t process, tid;
  uint32_t name;            // in Trace::names
  uint32_t parent = kNone;  // index of the range; RangeId is the index + 1
  uint32_t level = 0;
  uint32_t children = 0;
  int64_t children_ns = 0;

  int64_t duration() const { return end_ns - start_ns; }
};

struct Trace {
  std::vector<Range> ranges;       // as scanned
  std::vector<std::string> names;  // as displayed
  std::vector<uint32_t> order;     // of the rows
  std::unordered_map<uint64_t, int64_t> pids;

  // texts of the row at hand
  std::string stack, tree;
};

struct NameHash {
  size_t operator()(const std::pair<uint64_t, uint64_t>& key) const { return key.first * 0x9E3779B97F4A7C15u + key.second; }
};

Status load(const query::Source& source, Trace* trace) {
  std::unordered_map<std::pair<uint64_t, uint64_t>, uint32_t, NameHash> names;
  query::NvtxScan scan;
  scan.start_end = false;
  bool too_many = false;
  SEXTANT_TRY(source.scan_nvtx(scan, [&](const query::NvtxBatch& batch) {
    too_many = too_many || trace->ranges.size() + batch.rows >= kNone;
    if (too_many) return;
    for (size_t i = 0; i < batch.rows; ++i) {
      const auto [at, is_new] = names.try_emplace({batch.domain[i], batch.name[i]}, static_cast<uint32_t>(trace->names.size()));
      if (is_new) trace->names.push_back(range_name(source, batch.domain[i], batch.name[i]));
      trace->ranges.push_back({batch.start_ns[i], batch.end_ns[i], batch.process[i], batch.tid[i], at->second});
    }
  }));
  if (too_many) return fail(ErrorCode::kUnsupported, "a trace of more than 4294967294 ranges cannot be printed");
  for (const query::Process& p : source.processes()) trace->pids[p.number] = static_cast<int64_t>(p.pid);
  return {};
}

/// Finds the parents of one thread's ranges, which come by start; those that contain others first.
void nest(std::vector<Range>& ranges, std::span<const uint32_t> thread) {
  std::vector<uint32_t> active;  // ranges that may contain what comes, by start
  for (const uint32_t index : thread) {
    Range& range = ranges[index];
    while (!active.empty() && ranges[active.back()].end_ns < range.start_ns) active.pop_back();
    uint32_t best = kNone;
    for (size_t i = active.size(); i-- > 0;) {
      const Range& candidate = ranges[active[i]];
      // what started earlier and reaches this end is at least so long
      if (best != kNone && ranges[best].duration() < range.end_ns - candidate.start_ns) break;
      if (candidate.end_ns < range.end_ns) continue;
      if (best == kNone || candidate.duration() < ranges[best].duration() ||
          (candidate.duration() == ranges[best].duration() && active[i] < best))
        best = active[i];
    }
    range.parent = best;
    if (best != kNone) {
      range.level = ranges[best].level + 1;
      ++ranges[best].children;
      ranges[best].children_ns += range.duration();
    }
    active.push_back(index);
  }
}

void nest_all(Trace* trace) {
  std::vector<Range>& ranges = trace->ranges;
  std::vector<uint32_t> by_thread(ranges.size());
  std::iota(by_thread.begin(), by_thread.end(), 0u);
  const auto thread_of = [&](uint32_t i) { return std::pair(ranges[i].process, ranges[i].tid); };
  std::sort(by_thread.begin(), by_thread.end(), [&](uint32_t a, uint32_t b) {
    if (thread_of(a) != thread_of(b)) return thread_of(a) < thread_of(b);
    if (ranges[a].start_ns != ranges[b].start_ns) return ranges[a].start_ns < ranges[b].start_ns;
    if (ranges[a].end_ns != ranges[b].end_ns) return ranges[a].end_ns > ranges[b].end_ns;
    return a > b;  // closed later: outside
  });
  for (size_t first = 0; first < by_thread.size();) {
    size_t end = first;
    while (end < by_thread.size() && thread_of(by_thread[end]) == thread_of(by_thread[first])) ++end;
    nest(ranges, std::span<const uint32_t>(by_thread).subspan(first, end - first));
    first = end;
  }
  trace->order = std::move(by_thread);
  std::sort(trace->order.begin(), trace->order.end(), [&](uint32_t a, uint32_t b) {
    const Range &x = ranges[a], &y = ranges[b];
    return std::tie(x.start_ns, x.end_ns, x.level, a) < std::tie(y.start_ns, y.end_ns, y.level, b);
  });
}

void fill_row(Trace* trace, uint64_t row, std::span<text::Cell> cells) {
  const uint32_t index = trace->order[row];
  const Range& range = trace->ranges[index];
  std::vector<uint32_t> ids;
  for (uint32_t at = index; at != kNone; at = trace->ranges[at].parent) ids.push_back(at + 1);
  trace->stack.clear();
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) trace->stack += fmt::format(":{}", *id);
  const std::string_view name = trace->names[range.name];
  trace->tree.clear();
  for (uint32_t i = 0; i < range.level; ++i) trace->tree += "--";
  trace->tree += name;

  const auto pid = trace->pids.find(range.process);
  cells[0].set(range.start_ns);
  cells[1].set(range.end_ns);
  cells[2].set(range.duration());
  cells[3].set(range.children_ns);
  cells[4].set(range.duration() - range.children_ns);
  cells[5].set(name);
  cells[6].set(pid == trace->pids.end() ? int64_t{0} : pid->second);
  cells[7].set(static_cast<int64_t>(range.tid));
  cells[8].set(static_cast<int64_t>(range.level));
  cells[9].set(static_cast<int64_t>(range.children));
  cells[10].set(static_cast<int64_t>(index) + 1);
  if (range.parent != kNone) cells[11].set(static_cast<int64_t>(range.parent) + 1);
  cells[12].set(std::string_view(trace->stack));
  cells[13].set(std::string_view(trace->tree));
}

}  // namespace

Result<text::Table> make_nvtx_pushpop_trace(const query::Source& source) {
  using enum text::CellType;
  auto trace = std::make_shared<Trace>();
  SEXTANT_TRY(load(source, trace.get()));
  nest_all(trace.get());
  text::Table table;
  table.columns = {{"Start", "ns", kInteger},    {"End", "ns", kInteger},         {"Duration", "ns", kInteger},
                   {"DurChild", "ns", kInteger}, {"DurNonChild", "ns", kInteger}, {"Name", "", kText},
                   {"PID", "", kInteger},        {"TID", "", kInteger},           {"Lvl", "", kInteger},
                   {"NumChild", "", kInteger},   {"RangeId", "", kInteger},       {"ParentId", "", kInteger},
                   {"RangeStack", "", kText},    {"NameTree", "", kText}};
  table.rows = trace->ranges.size();
  if (table.rows == 0) table.why_empty = why_no_ranges(source);
  table.fill = [trace](uint64_t row, std::span<text::Cell> cells) { fill_row(trace.get(), row, cells); };
  return table;
}

}  // namespace sextant::stats
