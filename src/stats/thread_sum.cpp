// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// thread_sum: every thread with NVTX ranges: how much of its process's life at least one was open, and when.
#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "query/sums.h"
#include "query/thread_ranges.h"
#include "stats/nvtx_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

struct Line {
  const query::Process* process = nullptr;
  uint64_t tid = 0;
  std::string_view thread;  // its name
  int64_t ranges = 0, covered_ns = 0, first_ns = INT64_MAX, last_ns = INT64_MIN;
};

/// `ranges` come by thread and start.
std::vector<Line> lines_of(const query::Source& source, const std::vector<query::ThreadRange>& ranges) {
  std::map<uint64_t, const query::Process*> processes;
  for (const query::Process& process : source.processes()) processes[process.number] = &process;
  std::map<std::pair<uint64_t, uint64_t>, std::string_view> names;
  for (const query::Thread& thread : source.threads()) names[{thread.process, thread.tid}] = thread.name;
  std::vector<Line> lines;
  uint32_t process = 0;
  for (const query::ThreadRange& range : ranges) {
    if (lines.empty() || range.process != process || range.tid != lines.back().tid) {
      process = range.process;
      Line line;
      const auto known = processes.find(process);
      if (known != processes.end()) line.process = known->second;
      line.tid = range.tid;
      line.thread = names[{process, range.tid}];
      lines.push_back(line);
    }
    Line& line = lines.back();
    ++line.ranges;
    const int64_t fresh = query::difference(range.end_ns, std::max(range.start_ns, line.last_ns));
    line.covered_ns = query::sum(line.covered_ns, std::max<int64_t>(0, fresh));
    line.first_ns = std::min(line.first_ns, range.start_ns);
    line.last_ns = std::max(line.last_ns, range.end_ns);
  }
  return lines;
}

void fill_row(const Line& line, std::span<text::Cell> cells) {
  const query::Process* process = line.process;
  const int64_t life = process == nullptr ? 0 : query::difference(process->end_ns, process->start_ns);
  if (life > 0) cells[0].set(100.0 * static_cast<double>(line.covered_ns) / static_cast<double>(life));
  cells[1].set(line.covered_ns);
  cells[2].set(line.ranges);
  cells[3].set(line.first_ns);
  cells[4].set(line.last_ns);
  if (process != nullptr) cells[5].set(static_cast<int64_t>(process->pid));
  cells[6].set(static_cast<int64_t>(line.tid));
  cells[7].set(line.thread);
  if (process != nullptr) cells[8].set(std::string_view(process->name));
}

}  // namespace

Result<text::Table> make_thread_sum(const query::Source& source, const ReportArguments&) {
  using enum text::CellType;
  SEXTANT_ASSIGN(auto ranges, query::load_thread_ranges(source, true, true));
  std::sort(ranges.begin(), ranges.end(), [](const query::ThreadRange& a, const query::ThreadRange& b) {
    return std::tie(a.process, a.tid, a.start_ns) < std::tie(b.process, b.tid, b.start_ns);
  });
  auto lines = std::make_shared<std::vector<Line>>(lines_of(source, ranges));
  std::stable_sort(lines->begin(), lines->end(),
                   [](const Line& a, const Line& b) { return a.covered_ns > b.covered_ns; });
  text::Table table;
  table.columns = {{"Covered", "%", kReal},  {"Covered Time", "ns", kInteger},
                   {"Ranges", "", kInteger}, {"First", "ns", kInteger},
                   {"Last", "ns", kInteger}, {"PID", "", kInteger},
                   {"TID", "", kInteger},    {"Thread", "", kText},
                   {"Process", "", kText}};
  table.rows = lines->size();
  if (lines->empty()) table.why_empty = why_no_ranges(source);
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) { fill_row((*lines)[row], cells); };
  return table;
}

}  // namespace sextant::stats
