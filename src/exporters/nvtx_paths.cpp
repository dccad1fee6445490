// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/nvtx_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "exporters/processes_by_number.h"
#include "exporters/text_file.h"
#include "query/sums.h"
#include "query/thread_ranges.h"
#include "text/utf8.h"

namespace sextant::exporters {

namespace {

using query::ThreadRange;

/// The tree while it grows.
class Paths {
 public:
  Paths(const query::Source& source, bool by_thread)
      : source_(source), processes_(source), by_thread_(by_thread), nodes_(1) {
    nodes_[0].label = "all";
    nodes_[0].is_range = false;
  }

  /// Where the ranges of a thread begin.
  uint32_t base(const ThreadRange& range) {
    if (!by_thread_) return 0;
    const query::Process* process = processes_.find(range.process);
    const uint32_t at = child(0, {0, range.process, 0}, [&] {
      return process == nullptr
                 ? fmt::format("process {}", range.process)
                 : fmt::format("{}{} ({})", process->rank ? fmt::format("rank {}: ", *process->rank) : "",
                               text::valid_utf8(process->name), process->pid);
    });
    const uint32_t thread = child(at, {1, range.tid, 0}, [&] { return fmt::format("thread {}", range.tid); });
    nodes_[at].is_range = nodes_[thread].is_range = false;
    return thread;
  }

  uint32_t of_range(uint32_t parent, const ThreadRange& range) {
    return child(parent, {2, range.name, range.domain}, [&] {
      std::string label;
      if (range.domain != 0) label = text::valid_utf8(source_.reader().string(range.domain)) + ":";
      return label + text::valid_utf8(source_.reader().string(range.name));
    });
  }

  PathNode& node(uint32_t number) { return nodes_[number]; }

  std::vector<PathNode> finish() {
    for (PathNode& node : nodes_)
      std::sort(node.children.begin(), node.children.end(),
                [&](uint32_t a, uint32_t b) { return nodes_[a].label < nodes_[b].label; });
    for (size_t n = nodes_.size(); n-- > 1;)  // children come behind their parents
      if (!nodes_[nodes_[n].parent].is_range) {
        PathNode& parent = nodes_[nodes_[n].parent];
        parent.total_ns = query::sum(parent.total_ns, nodes_[n].total_ns);
      }
    return std::move(nodes_);
  }

 private:
  using Key = std::tuple<uint32_t, uint64_t, uint64_t>;  // of a child: kind, number, number

  template <typename Label>
  uint32_t child(uint32_t parent, const Key& key, Label label) {
    const auto [at, is_new] = places_.try_emplace({parent, key}, static_cast<uint32_t>(nodes_.size()));
    if (is_new) {
      nodes_.push_back({.parent = parent, .label = label()});
      nodes_[parent].children.push_back(at->second);
    }
    return at->second;
  }

  const query::Source& source_;
  ProcessesByNumber processes_;
  bool by_thread_;
  std::vector<PathNode> nodes_;
  std::map<std::pair<uint32_t, Key>, uint32_t> places_;
};

struct OpenRange {
  uint32_t node;
  int64_t end_ns;
};

void add_ranges(const std::vector<ThreadRange>& ranges, const std::vector<uint32_t>& order, Paths* paths) {
  std::vector<OpenRange> open;
  uint32_t base = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const ThreadRange& range = ranges[order[i]];
    const ThreadRange* before = i > 0 ? &ranges[order[i - 1]] : nullptr;
    if (before == nullptr || before->process != range.process || before->tid != range.tid) {
      open.clear();
      base = paths->base(range);
    }
    while (!open.empty() && open.back().end_ns <= range.start_ns) open.pop_back();
    const int64_t length = std::max<int64_t>(0, query::difference(range.end_ns, range.start_ns));
    if (!open.empty()) {  // the rest of a longer one belongs to nobody above
      int64_t& above = paths->node(open.back().node).self_ns;
      above =
          query::difference(above, std::min(length, query::difference(open.back().end_ns, range.start_ns)));
    }
    const uint32_t number = paths->of_range(open.empty() ? base : open.back().node, range);
    PathNode& node = paths->node(number);
    ++node.count;
    node.total_ns = query::sum(node.total_ns, length);
    node.self_ns = query::sum(node.self_ns, length);
    open.push_back({number, range.end_ns});
  }
}

/// A frame must not have what separates frames.
std::string frame(const std::string& label) {
  std::string out = text::printable(label);
  std::replace(out.begin(), out.end(), ';', ',');
  return out.empty() ? "(no name)" : out;
}

}  // namespace

Result<std::vector<PathNode>> nvtx_paths(const query::Source& source, bool by_thread) {
  SEXTANT_ASSIGN(const std::vector<ThreadRange> ranges, query::load_thread_ranges(source, true, false));
  std::vector<uint32_t> order(ranges.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const ThreadRange &x = ranges[a], &y = ranges[b];
    // of ranges that are alike the one that closed first is the inner one, and rows are in the order of ends
    return std::tuple(x.process, x.tid, x.start_ns, -x.end_ns, y.row) <
           std::tuple(y.process, y.tid, y.start_ns, -y.end_ns, x.row);
  });
  Paths paths(source, by_thread);
  add_ranges(ranges, order, &paths);
  return paths.finish();
}

Status export_folded(const query::Source& source, const std::string& output, const ExportOptions& options) {
  SEXTANT_ASSIGN(const std::vector<PathNode> nodes, nvtx_paths(source, true));
  return write_text_file(output, options.replace, [&](text::Output& out) -> Status {
    std::vector<std::pair<uint32_t, std::string>> waiting = {{0, ""}};  // the last one is next
    while (!waiting.empty()) {
      const auto [number, path] = std::move(waiting.back());
      waiting.pop_back();
      const PathNode& node = nodes[number];
      if (node.is_range && node.self_ns > 0) out.write(fmt::format("{} {}\n", path, node.self_ns));
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
        waiting.emplace_back(*child,
                             fmt::format("{}{}{}", path, number == 0 ? "" : ";", frame(nodes[*child].label)));
    }
    return {};
  });
}

}  // namespace sextant::exporters
