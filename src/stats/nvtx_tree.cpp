// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_tree: time in push/pop ranges by path, that is by the names of the ranges around them. Ranges of all
// threads and processes with the same path are one line. Self time is what the ranges within do not have.
#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "query/sums.h"
#include "stats/nvtx_names.h"
#include "stats/range_tree.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

struct Path {
  uint32_t parent = TreeNode::kNone;  // number of a path
  uint32_t level = 0;
  std::string name;
  int64_t total_ns = 0, self_ns = 0, min_ns = INT64_MAX, max_ns = 0;
  int64_t instances = 0;
  std::vector<uint32_t> below;  // the most time first
};

struct Tree {
  std::vector<Path> paths;
  std::vector<uint32_t> order;  // of the rows: depth first
  int64_t roots_ns = 0;

  // texts of the row at hand
  std::string indented, whole;
};

/// Which path a range has. Different strings may look the same, so that paths go by displayed names.
class Paths {
 public:
  Paths(const query::Source& source, std::span<const query::ThreadRange> ranges,
        std::span<const TreeNode> nodes)
      : source_(source), ranges_(ranges), nodes_(nodes), of_range_(ranges.size(), TreeNode::kNone) {}

  std::vector<Path> sum() {
    for (uint32_t i = 0; i < ranges_.size(); ++i) {
      Path& path = paths_[path_of(i)];
      const int64_t duration = query::difference(ranges_[i].end_ns, ranges_[i].start_ns);
      path.total_ns = query::sum(path.total_ns, duration);
      path.self_ns = query::sum(path.self_ns, query::difference(duration, nodes_[i].children_ns));
      path.min_ns = std::min(path.min_ns, duration);
      path.max_ns = std::max(path.max_ns, duration);
      ++path.instances;
    }
    return std::move(paths_);
  }

 private:
  uint32_t path_of(uint32_t range) {
    climb_.clear();
    for (uint32_t at = range; at != TreeNode::kNone && of_range_[at] == TreeNode::kNone;
         at = nodes_[at].parent)
      climb_.push_back(at);
    for (; !climb_.empty(); climb_.pop_back()) {
      const uint32_t at = climb_.back(), parent = nodes_[at].parent;
      of_range_[at] = find(parent == TreeNode::kNone ? TreeNode::kNone : of_range_[parent],
                           ranges_[at].domain, ranges_[at].name);
    }
    return of_range_[range];
  }

  uint32_t find(uint32_t parent, uint32_t domain, uint32_t name) {
    const auto [known, fresh] = by_ids_.try_emplace({parent, domain, name}, 0);
    if (!fresh) return known->second;
    const std::string text = range_name(source_, domain, name);
    const auto [seen, is_new] = by_text_.try_emplace({parent, text}, static_cast<uint32_t>(paths_.size()));
    if (is_new) {
      Path path;
      path.parent = parent;
      path.level = parent == TreeNode::kNone ? 0 : paths_[parent].level + 1;
      path.name = text;
      paths_.push_back(std::move(path));
    }
    return known->second = seen->second;
  }

  const query::Source& source_;
  std::span<const query::ThreadRange> ranges_;
  std::span<const TreeNode> nodes_;
  std::vector<uint32_t> of_range_;
  std::vector<uint32_t> climb_;
  std::vector<Path> paths_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> by_ids_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> by_text_;
};

void put_in_order(Tree* tree) {
  std::vector<uint32_t> roots;
  for (uint32_t i = 0; i < tree->paths.size(); ++i) {
    const uint32_t parent = tree->paths[i].parent;
    (parent == TreeNode::kNone ? roots : tree->paths[parent].below).push_back(i);
    if (parent == TreeNode::kNone) tree->roots_ns = query::sum(tree->roots_ns, tree->paths[i].total_ns);
  }
  const auto most_first = [&](std::vector<uint32_t>& list) {
    std::sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) {
      const Path &x = tree->paths[a], &y = tree->paths[b];
      return x.total_ns != y.total_ns ? x.total_ns > y.total_ns : x.name < y.name;
    });
  };
  most_first(roots);
  for (Path& path : tree->paths) most_first(path.below);
  std::vector<uint32_t> waiting(roots.rbegin(), roots.rend());  // the last one is next
  while (!waiting.empty()) {
    const uint32_t at = waiting.back();
    waiting.pop_back();
    tree->order.push_back(at);
    waiting.insert(waiting.end(), tree->paths[at].below.rbegin(), tree->paths[at].below.rend());
  }
}

void fill_row(Tree* tree, uint64_t row, std::span<text::Cell> cells) {
  const Path& path = tree->paths[tree->order[row]];
  tree->indented.assign(2 * size_t{path.level}, '-').append(path.name);
  tree->whole = path.name;
  for (uint32_t at = path.parent; at != TreeNode::kNone; at = tree->paths[at].parent)
    tree->whole.insert(0, tree->paths[at].name + "/");
  if (tree->roots_ns > 0)
    cells[0].set(100.0 * static_cast<double>(path.total_ns) / static_cast<double>(tree->roots_ns));
  cells[1].set(path.total_ns);
  if (tree->roots_ns > 0)
    cells[2].set(100.0 * static_cast<double>(path.self_ns) / static_cast<double>(tree->roots_ns));
  cells[3].set(path.self_ns);
  cells[4].set(path.instances);
  cells[5].set(static_cast<double>(path.total_ns) / static_cast<double>(path.instances));
  cells[6].set(path.min_ns);
  cells[7].set(path.max_ns);
  cells[8].set(static_cast<int64_t>(path.level));
  cells[9].set(std::string_view(tree->indented));
  cells[10].set(std::string_view(tree->whole));
}

}  // namespace

Result<text::Table> make_nvtx_tree(const query::Source& source, const ReportArguments&) {
  using enum text::CellType;
  SEXTANT_ASSIGN(const auto ranges, query::load_thread_ranges(source, true, false));
  auto tree = std::make_shared<Tree>();
  const std::vector<TreeNode> nodes = make_range_tree(ranges);
  tree->paths = Paths(source, ranges, nodes).sum();
  put_in_order(tree.get());
  text::Table table;
  table.columns = {{"Time", "%", kReal},        {"Total Time", "ns", kInteger},
                   {"Self", "%", kReal},        {"Self Time", "ns", kInteger},
                   {"Instances", "", kInteger}, {"Avg", "ns", kReal},
                   {"Min", "ns", kInteger},     {"Max", "ns", kInteger},
                   {"Lvl", "", kInteger},       {"NameTree", "", kText},
                   {"Path", "", kText}};
  table.columns.back().in_column = false;
  table.rows = tree->order.size();
  if (table.rows == 0) table.why_empty = why_no_ranges(source);
  table.fill = [tree](uint64_t row, std::span<text::Cell> cells) { fill_row(tree.get(), row, cells); };
  return table;
}

}  // namespace sextant::stats
