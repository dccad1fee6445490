// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/waiting_calls.h"

#include <fmt/format.h>

#include "query/sums.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

Result<std::shared_ptr<WaitingCalls>> WaitingCalls::load(const query::Source& source, query::DeviceApi api) {
  auto calls = std::make_shared<WaitingCalls>();
  SEXTANT_ASSIGN(calls->all, query::Launches::load(source, query::Rows::kInWindow, api));
  calls->pids = stats::pids(source);
  return calls;
}

int64_t WaitingCalls::duration(uint32_t call) const {
  return query::difference(all.end_ns[call], all.start_ns[call]);
}

bool WaitingCalls::asked_for(uint32_t call, const RuleArguments& arguments) {
  if (arguments.process >= 0 && pids[all.process[call]] != arguments.process) return false;
  return arguments.thread < 0 || static_cast<int64_t>(all.tid[call]) == arguments.thread;
}

void WaitingCalls::sort() {
  std::stable_sort(waits.begin(), waits.end(),
                   [&](uint32_t a, uint32_t b) { return duration(a) > duration(b); });
}

WaitGroups group_waits(const WaitingCalls& calls) {
  WaitGroups groups;
  for (const uint32_t call : calls.waits) {
    WaitGroup& group = groups[{calls.all.process[call], calls.all.tid[call], calls.all.name[call]}];
    if (group.count++ == 0) group.call = call;
    group.total = query::sum(group.total, calls.duration(call));
    group.longest = std::max(group.longest, calls.duration(call));
    group.first = std::min(group.first, calls.all.start_ns[call]);
    group.last = std::max(group.last, calls.all.end_ns[call]);
  }
  return groups;
}

std::string waited_where(WaitingCalls& calls, uint64_t process, uint64_t tid, const WaitGroup& group) {
  return fmt::format("process {}, thread {}, {}", calls.pids[process], tid,
                     span_text(group.first, group.last));
}

std::string waited_how(const WaitGroup& group) {
  return fmt::format("{}, the longest {}", text::counted(group.count, "call", "calls"),
                     text::duration(group.longest));
}

std::vector<Place> waited_places(const WaitingCalls& calls, uint64_t process, uint64_t tid,
                                 const WaitGroup& group, uint16_t table) {
  return {{process, tid, std::nullopt, group.first, group.last},
          {process, tid, std::nullopt, calls.all.start_ns[group.call], calls.all.end_ns[group.call], table}};
}

text::Table waits_table(const query::Source& source, const std::shared_ptr<WaitingCalls>& calls,
                        const RuleArguments& arguments) {
  using enum text::CellType;
  text::Table table;
  table.columns = {{"Duration", "ns", kInteger},
                   {"Start", "ns", kInteger},
                   {"PID", "", kInteger},
                   {"TID", "", kInteger},
                   {"API Name", "", kText}};
  table.rows = limited(calls->waits.size(), arguments.rows);
  table.fill = [calls, &source](uint64_t row, std::span<text::Cell> cells) {
    const uint32_t call = calls->waits[row];
    cells[0].set(calls->duration(call));
    cells[1].set(calls->all.start_ns[call]);
    cells[2].set(calls->pids[calls->all.process[call]]);
    cells[3].set(static_cast<int64_t>(calls->all.tid[call]));
    calls->name = stats::display(source, calls->all.name[call]);
    cells[4].set(std::string_view(calls->name));
  };
  return table;
}

}  // namespace sextant::analysis
