// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/range_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "query/sums.h"

namespace sextant::stats {

namespace {

constexpr uint32_t kNone = TreeNode::kNone;

int64_t duration(const query::ThreadRange& range) {
  return query::difference(range.end_ns, range.start_ns);
}

/// Finds the parents of one thread's ranges, which come by start; those that contain others first.
void nest(std::span<const query::ThreadRange> ranges, std::span<const uint32_t> thread,
          std::vector<TreeNode>* nodes) {
  std::vector<uint32_t> active;  // ranges that may contain what comes, by start
  for (const uint32_t index : thread) {
    const query::ThreadRange& range = ranges[index];
    while (!active.empty() && ranges[active.back()].end_ns < range.start_ns) active.pop_back();
    uint32_t best = kNone;
    for (size_t i = active.size(); i-- > 0;) {
      const query::ThreadRange& candidate = ranges[active[i]];
      // what started earlier and reaches this end is at least so long
      if (best != kNone && duration(ranges[best]) < query::difference(range.end_ns, candidate.start_ns))
        break;
      if (candidate.end_ns < range.end_ns) continue;
      if (best == kNone || duration(candidate) < duration(ranges[best]) ||
          (duration(candidate) == duration(ranges[best]) && active[i] < best))
        best = active[i];
    }
    (*nodes)[index].parent = best;
    if (best != kNone) {
      TreeNode& parent = (*nodes)[best];
      (*nodes)[index].level = parent.level + 1;
      ++parent.children;
      parent.children_ns = query::sum(parent.children_ns, duration(range));
    }
    active.push_back(index);
  }
}

}  // namespace

std::vector<TreeNode> make_range_tree(std::span<const query::ThreadRange> ranges) {
  std::vector<TreeNode> nodes(ranges.size());
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
    nest(ranges, std::span<const uint32_t>(by_thread).subspan(first, end - first), &nodes);
    first = end;
  }
  return nodes;
}

std::vector<uint32_t> order_ranges(std::span<const query::ThreadRange> ranges,
                                   std::span<const TreeNode> nodes) {
  std::vector<uint32_t> order(ranges.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(ranges[a].start_ns, ranges[a].end_ns, nodes[a].level, a) <
           std::tie(ranges[b].start_ns, ranges[b].end_ns, nodes[b].level, b);
  });
  return order;
}

std::string range_stack(std::span<const query::ThreadRange> ranges, std::span<const TreeNode> nodes,
                        uint32_t range) {
  std::vector<uint64_t> rows;
  for (uint32_t at = range; at != kNone; at = nodes[at].parent) rows.push_back(ranges[at].row);
  std::string stack;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) stack += fmt::format(":{}", *row);
  return stack;
}

}  // namespace sextant::stats
