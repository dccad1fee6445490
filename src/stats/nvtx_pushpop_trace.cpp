// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_pushpop_trace: every push/pop range with its place in the tree of its thread (range_tree.h; nsys drops
// ranges with the very same start and end, and so does --like-nsys). RangeId is the number of the row in
// NVTX_EVENTS, of the imported source or of an SQLite export.
#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <tuple>

#include "query/sums.h"
#include "stats/cuda_names.h"
#include "stats/nvtx_names.h"
#include "stats/range_tree.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

struct Trace {
  std::vector<query::ThreadRange> ranges;
  std::vector<TreeNode> nodes;
  std::vector<uint32_t> order;  // of the rows
  std::map<uint64_t, int64_t> pids;

  // texts of the row at hand
  std::string name, stack, tree;
};

void fill_row(Trace* trace, uint64_t row, const query::Source& source, std::span<text::Cell> cells) {
  const uint32_t index = trace->order[row];
  const query::ThreadRange& range = trace->ranges[index];
  const TreeNode& node = trace->nodes[index];
  const int64_t duration = query::difference(range.end_ns, range.start_ns);
  trace->name = range_name(source, range.domain, range.name);
  trace->stack = range_stack(trace->ranges, trace->nodes, index);
  trace->tree.assign(2 * size_t{node.level}, '-').append(trace->name);

  cells[0].set(range.start_ns);
  cells[1].set(range.end_ns);
  cells[2].set(duration);
  cells[3].set(node.children_ns);
  cells[4].set(query::difference(duration, node.children_ns));
  cells[5].set(std::string_view(trace->name));
  cells[6].set(trace->pids[range.process]);
  cells[7].set(static_cast<int64_t>(range.tid));
  cells[8].set(static_cast<int64_t>(node.level));
  cells[9].set(static_cast<int64_t>(node.children));
  cells[10].set(static_cast<int64_t>(range.row));
  if (node.parent != TreeNode::kNone) cells[11].set(static_cast<int64_t>(trace->ranges[node.parent].row));
  cells[12].set(std::string_view(trace->stack));
  cells[13].set(std::string_view(trace->tree));
}

/// Leaves out ranges of a thread that begin and end together.
void drop_twins(std::vector<query::ThreadRange>* ranges) {
  const auto key = [](const query::ThreadRange& r) {
    return std::tuple(r.process, r.tid, r.start_ns, r.end_ns);
  };
  std::map<std::tuple<uint32_t, uint64_t, int64_t, int64_t>, uint32_t> seen;
  for (const query::ThreadRange& range : *ranges) ++seen[key(range)];
  std::erase_if(*ranges, [&](const query::ThreadRange& range) { return seen[key(range)] > 1; });
}

}  // namespace

Result<text::Table> make_nvtx_pushpop_trace(const query::Source& source, const ReportArguments& arguments) {
  using enum text::CellType;
  auto trace = std::make_shared<Trace>();
  SEXTANT_ASSIGN(trace->ranges, query::load_thread_ranges(source, true, false));
  if (arguments.like_nsys) drop_twins(&trace->ranges);
  trace->nodes = make_range_tree(trace->ranges);
  trace->order = order_ranges(trace->ranges, trace->nodes);
  trace->pids = pids(source);
  text::Table table;
  table.columns = {
      {"Start", "ns", kInteger},    {"End", "ns", kInteger},         {"Duration", "ns", kInteger},
      {"DurChild", "ns", kInteger}, {"DurNonChild", "ns", kInteger}, {"Name", "", kText},
      {"PID", "", kInteger},        {"TID", "", kInteger},           {"Lvl", "", kInteger},
      {"NumChild", "", kInteger},   {"RangeId", "", kInteger},       {"ParentId", "", kInteger},
      {"RangeStack", "", kText},    {"NameTree", "", kText}};
  table.rows = trace->ranges.size();
  if (table.rows == 0) table.why_empty = why_no_ranges(source);
  table.fill = [trace, &source](uint64_t row, std::span<text::Cell> cells) {
    fill_row(trace.get(), row, source, cells);
  };
  return table;
}

}  // namespace sextant::stats
