// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_gpu_proj_trace, nvtx_gpu_proj_sum: NVTX ranges as the GPU saw them, CUDA's and OpenCL's work alike.
// Work belongs to a range if the call that launched it lies within the range, on the same thread; the
// projected range reaches from the first to the last of its work. Work outside of all ranges has one line for
// each thread (nsys: one for all).
#include <algorithm>
#include <map>
#include <memory>

#include "event/schema_cuda.h"
#include "query/launches.h"
#include "query/sums.h"
#include "query/thread_ranges.h"
#include "stats/cuda_names.h"
#include "stats/durations.h"
#include "stats/nvtx_names.h"
#include "stats/range_tree.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

struct Extent {
  int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;
  uint64_t operations = 0;
  int64_t duration() const { return query::difference(end_ns, start_ns); }
  void add(int64_t start, int64_t end) {
    start_ns = std::min(start_ns, start);
    end_ns = std::max(end_ns, end);
    ++operations;
  }
};

struct Projection {
  std::vector<query::ThreadRange> ranges;  // with work
  std::vector<TreeNode> nodes;
  std::vector<Extent> extents;  // of each
  std::vector<std::pair<std::pair<uint64_t, uint64_t>, Extent>>
      outside;  // work outside of all ranges, by process and thread
  std::vector<uint32_t> order;
  std::map<uint64_t, int64_t> pids;
  std::string name, stack;  // of the row at hand
};

/// GPU work with the call that launched it.
struct Launched {
  std::vector<query::ThreadSpan> calls;
  std::vector<std::pair<int64_t, int64_t>> work;  // start and end, of each
};

/// Adds the work of one interface.
Status add_launched(const query::Source& source, query::DeviceApi api, Launched* all) {
  // these columns have the same numbers in all tables of work
  using namespace event::cuda_kernel;
  static_assert(static_cast<uint16_t>(kCorrelation) ==
                static_cast<uint16_t>(event::cuda_memcpy::kCorrelation));
  static_assert(static_cast<uint16_t>(kCorrelation) ==
                static_cast<uint16_t>(event::cuda_memset::kCorrelation));
  static_assert(static_cast<uint16_t>(kCorrelation) ==
                static_cast<uint16_t>(event::cuda_graph_run::kCorrelation));
  SEXTANT_ASSIGN(const query::Launches launches, query::Launches::load(source, query::Rows::kInWindow, api));
  const uint16_t columns[] = {kStart, kDuration, kProcess, kCorrelation, kNulls};
  for (const uint16_t table : query::device_tables(api).work) {
    SEXTANT_TRY(source.scan_table(table, columns, 1, [&](size_t, query::TableBatch& b) {
      for (size_t i = 0; i < b.rows; ++i) {
        if (query::no_correlation(api, b.columns[4][i], b.columns[3][i])) continue;
        const uint32_t call = launches.find(b.columns[2][i], b.columns[3][i]);
        if (call == query::Launches::kNone) continue;
        all->calls.push_back(
            {launches.start_ns[call], launches.end_ns[call], launches.tid[call], launches.process[call]});
        all->work.emplace_back(static_cast<int64_t>(b.columns[0][i]),
                               static_cast<int64_t>(b.columns[0][i] + b.columns[1][i]));
      }
    }));
  }
  return {};
}

Result<Launched> load_launched(const query::Source& source) {
  Launched all;
  for (const query::DeviceApi api : query::kDeviceApis) SEXTANT_TRY(add_launched(source, api, &all));
  return all;
}

using Outside = std::vector<std::pair<std::pair<uint64_t, uint64_t>, Extent>>;

/// One line for all threads, named after the one whose work began first.
void join_outside(Outside* outside) {
  if (outside->empty()) return;
  const auto first = std::min_element(outside->begin(), outside->end(), [](const auto& a, const auto& b) {
    return a.second.start_ns < b.second.start_ns;
  });
  std::pair joined = *first;
  joined.second.operations = 0;
  for (const auto& [thread, extent] : *outside) {
    joined.second.end_ns = std::max(joined.second.end_ns, extent.end_ns);
    joined.second.operations += extent.operations;
  }
  outside->assign(1, joined);
}

Result<std::shared_ptr<Projection>> project(const query::Source& source, bool like_nsys) {
  auto p = std::make_shared<Projection>();
  SEXTANT_ASSIGN(const std::vector<query::ThreadRange> ranges, query::load_thread_ranges(source));
  SEXTANT_ASSIGN(const Launched launched, load_launched(source));
  std::vector<Extent> extents(ranges.size());
  std::map<std::pair<uint64_t, uint64_t>, Extent> outside;
  query::find_enclosing(ranges, launched.calls, [&](size_t call, std::span<const uint32_t> around) {
    const auto& [start, end] = launched.work[call];
    for (const uint32_t range : around) extents[range].add(start, end);
    if (around.empty()) outside[{launched.calls[call].process, launched.calls[call].tid}].add(start, end);
  });
  p->outside.assign(outside.begin(), outside.end());
  if (like_nsys) join_outside(&p->outside);
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (extents[i].operations == 0) continue;
    p->ranges.push_back(ranges[i]);
    p->extents.push_back(extents[i]);
  }
  p->nodes = make_range_tree(p->ranges);
  p->order = order_ranges(p->ranges, p->nodes);
  p->pids = pids(source);
  return p;
}

std::string_view style(const query::ThreadRange& range) {
  return range.start_end ? "StartEnd" : "PushPop";
}

std::string why_no_projection(const query::Source& source) {
  if (source.limited() && source.window().everything()) return "No NVTX range with GPU work of that group.";
  if (!source.window().everything()) return "No NVTX range with GPU work in that span of time.";
  uint64_t work = 0;
  for (const query::DeviceApi api : query::kDeviceApis)
    for (const uint16_t table : query::device_tables(api).work) work += source.rows(table);
  if (work == 0) return why_nothing(source, "GPU work to project ranges on", "CUDA or OpenCL");
  return "No GPU work was launched within NVTX ranges, or the calls that launched it were not recorded.";
}

void fill_trace(Projection* p, uint64_t row, const query::Source& source, std::span<text::Cell> cells) {
  if (row < p->outside.size()) {
    const auto& [thread, extent] = p->outside[row];
    cells[1].set(extent.start_ns);
    cells[2].set(extent.duration());
    cells[6].set(p->pids[thread.first]);
    cells[7].set(static_cast<int64_t>(thread.second));
    cells[8].set(static_cast<int64_t>(extent.operations));
    cells[10].set(int64_t{0});
    return;
  }
  const uint32_t i = p->order[row - p->outside.size()];
  const query::ThreadRange& range = p->ranges[i];
  const TreeNode& node = p->nodes[i];
  p->name = range_name(source, range.domain, range.name);
  p->stack = range_stack(p->ranges, p->nodes, i);
  cells[0].set(std::string_view(p->name));
  cells[1].set(p->extents[i].start_ns);
  cells[2].set(p->extents[i].duration());
  cells[3].set(range.start_ns);
  cells[4].set(query::difference(range.end_ns, range.start_ns));
  cells[5].set(style(range));
  cells[6].set(p->pids[range.process]);
  cells[7].set(static_cast<int64_t>(range.tid));
  cells[8].set(static_cast<int64_t>(p->extents[i].operations));
  cells[9].set(static_cast<int64_t>(node.level));
  cells[10].set(static_cast<int64_t>(node.children));
  cells[11].set(static_cast<int64_t>(range.row));
  if (node.parent != TreeNode::kNone) cells[12].set(static_cast<int64_t>(p->ranges[node.parent].row));
  cells[13].set(std::string_view(p->stack));
}

struct Line {
  std::string name;
  std::string_view style;
  Figures projected;
  int64_t range_ns = 0;
  uint64_t operations = 0, levels = 0, children = 0;
};

std::vector<Line> summarise(const query::Source& source, const Projection& p) {
  struct Group {
    Durations projected;
    Line sums;
  };
  std::map<std::pair<std::string, std::string_view>, Group> groups;
  for (size_t i = 0; i < p.ranges.size(); ++i) {
    const query::ThreadRange& range = p.ranges[i];
    Group& group = groups[{range_name(source, range.domain, range.name), style(range)}];
    group.projected.add(p.extents[i].duration());
    group.sums.range_ns = query::sum(group.sums.range_ns, query::difference(range.end_ns, range.start_ns));
    group.sums.operations += p.extents[i].operations;
    group.sums.levels += p.nodes[i].level;
    group.sums.children += p.nodes[i].children;
  }
  std::vector<Line> lines;
  for (auto& [key, group] : groups) {
    lines.push_back(std::move(group.sums));
    lines.back().name = key.first;
    lines.back().style = key.second;
    lines.back().projected = group.projected.figures();
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.projected.total > b.projected.total; });
  return lines;
}

}  // namespace

Result<text::Table> make_nvtx_gpu_proj_trace(const query::Source& source, const ReportArguments& arguments) {
  SEXTANT_ASSIGN(const std::shared_ptr<Projection> p, project(source, arguments.like_nsys));
  text::Table table;
  table.columns = {{"Name", "", kText},
                   {"Projected Start", "ns", kInteger},
                   {"Projected Duration", "ns", kInteger},
                   {"Orig Start", "ns", kInteger},
                   {"Orig Duration", "ns", kInteger},
                   {"Style", "", kText},
                   {"PID", "", kInteger},
                   {"TID", "", kInteger},
                   {"NumGPUOps", "", kInteger},
                   {"Lvl", "", kInteger},
                   {"NumChild", "", kInteger},
                   {"RangeId", "", kInteger},
                   {"ParentId", "", kInteger},
                   {"RangeStack", "", kText}};
  table.rows = p->outside.size() + p->ranges.size();
  if (table.rows == 0) table.why_empty = why_no_projection(source);
  table.fill = [p, &source](uint64_t row, std::span<text::Cell> cells) {
    fill_trace(p.get(), row, source, cells);
  };
  return table;
}

Result<text::Table> make_nvtx_gpu_proj_sum(const query::Source& source, const ReportArguments&) {
  SEXTANT_ASSIGN(const std::shared_ptr<Projection> p, project(source, false));
  auto lines = std::make_shared<std::vector<Line>>(summarise(source, *p));
  text::Table table;
  table.columns = {{"Range", "", kText},
                   {"Style", "", kText},
                   {"Total Proj Time", "ns", kInteger},
                   {"Total Range Time", "ns", kInteger},
                   {"Range Instances", "", kInteger},
                   {"Proj Avg", "ns", kReal},
                   {"Proj Med", "ns", kReal},
                   {"Proj Min", "ns", kInteger},
                   {"Proj Max", "ns", kInteger},
                   {"Proj StdDev", "ns", kReal},
                   {"Total GPU Ops", "", kInteger},
                   {"Avg GPU Ops", "", kReal},
                   {"Avg Range Lvl", "", kReal},
                   {"Avg Num Child", "", kReal}};
  table.rows = lines->size();
  if (table.rows == 0) table.why_empty = why_no_projection(source);
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) {
    const Line& line = (*lines)[row];
    const auto count = static_cast<double>(line.projected.count);
    cells[0].set(std::string_view(line.name));
    cells[1].set(line.style);
    cells[2].set(line.projected.total);
    cells[3].set(line.range_ns);
    cells[4].set(static_cast<int64_t>(line.projected.count));
    cells[5].set(line.projected.average);
    cells[6].set(line.projected.median);
    cells[7].set(line.projected.min);
    cells[8].set(line.projected.max);
    cells[9].set(line.projected.deviation);
    cells[10].set(static_cast<int64_t>(line.operations));
    cells[11].set(static_cast<double>(line.operations) / count);
    cells[12].set(static_cast<double>(line.levels) / count);
    cells[13].set(static_cast<double>(line.children) / count);
  };
  return table;
}

}  // namespace sextant::stats
