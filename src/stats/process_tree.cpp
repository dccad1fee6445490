// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// process_tree: every process of the recording below its parent, how it ended, and what was recorded of it or
// why not.
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "query/sums.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

struct Line {
  const query::Process* process;
  std::string tree;
  std::string exit;
};

/// "0", "3", "SIGTERM", "running", "unknown".
std::string exit_text(const query::Process& p) {
  using event::process::Exit;
  switch (static_cast<Exit>(p.exit_kind)) {
    case Exit::kRunning:
      return p.running ? "running" : "unknown";
    case Exit::kExited:
      return fmt::format("{}", p.exit_code);
    case Exit::kSignalled: {
      const char* name = ::sigabbrev_np(static_cast<int>(p.exit_code));
      return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", p.exit_code);
    }
    case Exit::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view recorded_text(const query::Process& p) {
  using event::process::Traced;
  switch (static_cast<Traced>(p.traced)) {
    case Traced::kRecorded:
      return "yes";
    case Traced::kNoEvents:
      return "no events";
    case Traced::kUntraced:
      return "no";
  }
  return "no";
}

/// Depth first, siblings by start. A process whose parent is not in the report, or whose parents go in a
/// circle, is a root.
std::vector<Line> in_tree_order(const std::vector<query::Process>& processes) {
  std::map<uint64_t, std::vector<const query::Process*>> children;
  std::map<uint64_t, const query::Process*> by_number;
  for (const query::Process& p : processes) by_number[p.number] = &p;
  for (const query::Process& p : processes)
    children[p.parent != p.number && by_number.contains(p.parent) ? p.parent : 0].push_back(&p);
  for (auto& [parent, list] : children)
    std::stable_sort(list.begin(), list.end(),
                     [](const auto* a, const auto* b) { return a->start_ns < b->start_ns; });

  std::vector<Line> lines;
  std::map<uint64_t, bool> seen;
  std::vector<std::pair<const query::Process*, size_t>> waiting;  // with depth; the last one is next
  const auto visit_from = [&](const query::Process* root) {
    waiting.emplace_back(root, 0);
    while (!waiting.empty()) {
      const auto [p, depth] = waiting.back();
      waiting.pop_back();
      if (std::exchange(seen[p->number], true)) continue;
      lines.push_back({p, std::string(2 * depth, '-') + p->name, exit_text(*p)});
      const auto& below = children[p->number];
      for (auto child = below.rbegin(); child != below.rend(); ++child)
        waiting.emplace_back(*child, depth + 1);
    }
  };
  for (const query::Process* root : children[0]) visit_from(root);
  for (const query::Process& p : processes)
    if (!seen[p.number]) visit_from(&p);
  return lines;
}

void fill_row(const Line& line, bool with_rank, std::span<text::Cell> cells) {
  const query::Process& p = *line.process;
  if (with_rank && p.rank) cells[12].set(static_cast<int64_t>(*p.rank));
  cells[0].set(std::string_view(line.tree));
  cells[1].set(static_cast<int64_t>(p.pid));
  cells[2].set(static_cast<int64_t>(p.ppid));
  cells[3].set(p.start_ns);
  cells[4].set(query::difference(p.end_ns, p.start_ns));
  cells[5].set(std::string_view(line.exit));
  cells[6].set(static_cast<int64_t>(p.ranges));
  cells[7].set(static_cast<int64_t>(p.lost));
  cells[8].set(recorded_text(p));
  cells[9].set(std::string_view(p.reason));
  cells[10].set(std::string_view(p.name));
  cells[11].set(std::string_view(p.command_line));
}

}  // namespace

Result<text::Table> make_process_tree(const query::Source& source, const ReportArguments&) {
  return make_process_tree(source);
}

Result<text::Table> make_process_tree(const query::Source& source) {
  using enum text::CellType;
  text::Table table;
  table.columns = {{"ProcessTree", "", kText}, {"PID", "", kInteger},        {"PPID", "", kInteger},
                   {"Start", "ns", kInteger},  {"Duration", "ns", kInteger}, {"Exit", "", kText},
                   {"Ranges", "", kInteger},   {"Lost", "", kInteger},       {"Recorded", "", kText},
                   {"Reason", "", kText},      {"Name", "", kText},          {"Command", "", kText}};
  const auto& processes = source.processes();
  const bool with_rank = std::any_of(processes.begin(), processes.end(),
                                     [](const query::Process& p) { return p.rank.has_value(); });
  if (with_rank) table.columns.push_back({"Rank", "", kInteger});
  auto lines = std::make_shared<std::vector<Line>>(in_tree_order(processes));
  std::erase_if(*lines, [&](const Line& line) { return !source.scope().holds(line.process->number); });
  table.rows = lines->size();
  if (lines->empty())
    table.why_empty = "No processes: the recording ended before the first one was seen, or has only begun.";
  table.fill = [lines, with_rank](uint64_t row, std::span<text::Cell> cells) {
    fill_row((*lines)[row], with_rank, cells);
  };
  return table;
}

}  // namespace sextant::stats
