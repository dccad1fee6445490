// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_osrt_sum: calls of the C library by the NVTX ranges around them, as nvtx_kern_sum does it for kernels:
// first those outside of all ranges. A call counts in every range around it, but in each line once. Calls
// within calls belong to the outer one.
#include <algorithm>
#include <memory>
#include <tuple>

#include "event/schema_system.h"
#include "query/sums.h"
#include "query/thread_ranges.h"
#include "stats/cuda_names.h"
#include "stats/duration_groups.h"
#include "stats/nvtx_names.h"
#include "stats/osrt.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using query::EnclosingRanges;
using query::ThreadRange;

enum class Style : uint8_t { kNone, kPushPop, kStartEnd };

struct Group {
  std::vector<uint32_t> ranges;  // numbers; each once after finish()
  uint64_t last_call = 0;        // counted from 1 by each worker
  Durations durations;

  void merge(Group&& other) {
    ranges.insert(ranges.end(), other.ranges.begin(), other.ranges.end());
    durations.merge(std::move(other.durations));
  }
  void finish() {
    std::sort(ranges.begin(), ranges.end());
    ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  }
};

enum Key : uint8_t { kRangeProcess, kRangeTid, kCall, kRangeName, kRangeDomain, kStyle, kKeys };
using Groups = KeyedGroups<kKeys, Group>;

/// The calls of one worker, by the ranges around them.
class Worker {
 public:
  void add(const query::ThreadSpan& call, uint64_t name, std::span<const ThreadRange> ranges,
           const EnclosingRanges& around) {
    ++calls_;
    const int64_t duration = query::difference(call.end_ns, call.start_ns);
    const auto add_to = [&](const Groups::Key& key, uint32_t range) {
      Group& group = groups_.at(key);
      if (range != EnclosingRanges::kNone && (group.ranges.empty() || group.ranges.back() != range))
        group.ranges.push_back(range);
      if (group.last_call != calls_) group.durations.add(duration);
      group.last_call = calls_;
    };
    auto at = around.innermost(call);
    if (at.range == EnclosingRanges::kNone)
      return add_to({call.process, call.tid, name, 0, 0, static_cast<uint64_t>(Style::kNone)}, at.range);
    for (; at.range != EnclosingRanges::kNone; at = around.outside(at, call)) {
      const ThreadRange& range = ranges[at.range];
      const Style style = range.start_end ? Style::kStartEnd : Style::kPushPop;
      add_to({call.process, call.tid, name, range.name, range.domain, static_cast<uint64_t>(style)},
             at.range);
    }
  }
  Groups& groups() { return groups_; }

 private:
  Groups groups_;
  uint64_t calls_ = 0;
};

Status gather(const query::Source& source, std::span<const ThreadRange> ranges, Groups* all) {
  using namespace event::osrt_call;
  const EnclosingRanges around(ranges);
  const uint16_t columns[] = {kStart, kDuration, kNulls, kClass, kProcess, kTid, kName, kNesting};
  std::vector<Worker> workers(all_workers());
  SEXTANT_TRY(
      source.scan_table(event::kOsrtCall, columns, workers.size(), [&](size_t worker, query::TableBatch& b) {
        const auto& c = b.columns;
        for (size_t i = 0; i < b.rows; ++i) {
          if (!is_osrt_call(c[3][i], c[2][i]) || c[7][i] > 0) continue;
          const auto start = static_cast<int64_t>(c[0][i]);
          const query::ThreadSpan call{start, query::sum(start, static_cast<int64_t>(c[1][i])), c[5][i],
                                       static_cast<uint32_t>(c[4][i])};
          workers[worker].add(call, c[6][i], ranges, around);
        }
      }));
  for (Worker& worker : workers)
    for (auto& [key, group] : worker.groups().all()) all->at(key).merge(std::move(group));
  return {};
}

struct Line {
  std::string range;
  Style style = Style::kNone;
  int64_t pid = -1;
  uint64_t tid = 0;
  uint64_t ranges = 0;
  Figures figures;
  std::string name;

  auto order() const {
    return std::tuple(style != Style::kNone, std::string_view(range), pid, tid, -figures.total,
                      std::string_view(name), style);
  }
};

void fill_row(const Line& line, std::span<text::Cell> cells) {
  if (line.style != Style::kNone) {
    cells[0].set(std::string_view(line.range));
    cells[1].set(std::string_view(line.style == Style::kStartEnd ? "StartEnd" : "PushPop"));
  }
  if (line.pid >= 0) cells[2].set(line.pid);
  cells[3].set(static_cast<int64_t>(line.tid));
  cells[4].set(static_cast<int64_t>(line.ranges));
  cells[5].set(static_cast<int64_t>(line.figures.count));
  cells[6].set(line.figures.total);
  cells[7].set(line.figures.average);
  cells[8].set(line.figures.median);
  cells[9].set(line.figures.min);
  cells[10].set(line.figures.max);
  cells[11].set(line.figures.deviation);
  cells[12].set(std::string_view(line.name));
}

}  // namespace

Result<text::Table> make_nvtx_osrt_sum(const query::Source& source, const ReportArguments&) {
  using enum text::CellType;
  SEXTANT_ASSIGN(const std::vector<ThreadRange> ranges, query::load_thread_ranges(source));
  Groups groups;
  if (!ranges.empty()) SEXTANT_TRY(gather(source, ranges, &groups));
  const ThreadNames names(source);
  auto lines = std::make_shared<std::vector<Line>>();
  for (auto& [key, group] : groups.all()) {
    group.finish();
    Line line;
    line.style = static_cast<Style>(key[kStyle]);
    if (line.style != Style::kNone) line.range = range_name(source, key[kRangeDomain], key[kRangeName]);
    if (const query::Process* process = names.process(key[kRangeProcess]))
      line.pid = static_cast<int64_t>(process->pid);
    line.tid = key[kRangeTid];
    line.ranges = group.ranges.size();
    line.figures = group.durations.figures();
    line.name = display(source, key[kCall]);
    lines->push_back(std::move(line));
  }
  std::sort(lines->begin(), lines->end(), [](const Line& a, const Line& b) { return a.order() < b.order(); });
  text::Table table;
  table.columns = {{"NVTX Range", "", kText},
                   {"Style", "", kText},
                   {"PID", "", kInteger},
                   {"TID", "", kInteger},
                   {"NVTX Inst", "", kInteger},
                   {"Call Inst", "", kInteger},
                   {"Total Time", "ns", kInteger},
                   {"Avg", "ns", kReal},
                   {"Med", "ns", kReal},
                   {"Min", "ns", kInteger},
                   {"Max", "ns", kInteger},
                   {"StdDev", "ns", kReal},
                   {"Name", "", kText}};
  table.rows = lines->size();
  if (table.rows == 0)
    table.why_empty =
        "No calls of the C library beside NVTX ranges: one of both was not recorded, or there was none.";
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) { fill_row((*lines)[row], cells); };
  return table;
}

}  // namespace sextant::stats
