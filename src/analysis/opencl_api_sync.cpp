// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// opencl_api_sync: calls that block the host until the device is done, and how much work was enqueued between
// them: a thread that waits after every few commands lets the device run dry.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

#include "analysis/rules.h"
#include "query/launches.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

/// So many waits of one thread, with at most so many commands between two of them, are a loop that waits.
constexpr uint64_t kManyWaits = 10, kFewCommands = 4;

struct Calls {
  query::Launches all;
  std::vector<uint32_t> waits;  // numbers of the calls, the longest first
  std::map<uint64_t, int64_t> pids;
  std::string name;  // of the row at hand

  int64_t duration(uint32_t call) const { return query::difference(all.end_ns[call], all.start_ns[call]); }
};

enum class Kind : uint8_t { kOther, kWait, kEnqueue };

Kind kind_of(std::string_view name) {
  if (name == "clFinish" || name == "clWaitForEvents") return Kind::kWait;
  return name.starts_with("clEnqueue") ? Kind::kEnqueue : Kind::kOther;
}

struct Group {
  uint64_t count = 0;
  int64_t total = 0, longest = 0, first = INT64_MAX, last = INT64_MIN;
  uint32_t call = query::Launches::kNone;  // the longest
};

using Thread = std::pair<uint64_t, uint64_t>;  // process, thread id

std::string evidence(const Group& group, uint64_t enqueued) {
  return fmt::format("{}, the longest {}, one for every {:.1f} commands that the thread enqueued",
                     text::counted(group.count, "call", "calls"), text::duration(group.longest),
                     static_cast<double>(enqueued) / static_cast<double>(group.count));
}

std::vector<Finding> find(const query::Source& source, Calls& calls,
                          const std::map<Thread, uint64_t>& enqueued) {
  std::map<std::tuple<uint64_t, uint64_t, uint32_t>, Group> groups;  // process, thread, name
  for (const uint32_t call : calls.waits) {
    Group& group = groups[{calls.all.process[call], calls.all.tid[call], calls.all.name[call]}];
    if (group.count++ == 0) group.call = call;
    group.total = query::sum(group.total, calls.duration(call));
    group.longest = std::max(group.longest, calls.duration(call));
    group.first = std::min(group.first, calls.all.start_ns[call]);
    group.last = std::max(group.last, calls.all.end_ns[call]);
  }
  std::vector<Finding> findings;
  for (const auto& [key, group] : groups) {
    const auto& [process, tid, string] = key;
    const auto at = enqueued.find({process, tid});
    const uint64_t commands = at == enqueued.end() ? 0 : at->second;
    const bool in_loop = group.count >= kManyWaits && commands <= group.count * kFewCommands;
    findings.push_back(
        {fmt::format("{} kept a thread waiting for the device for {}{}.", stats::display(source, string),
                     text::duration(group.total),
                     in_loop ? fmt::format(", {} times in a loop", group.count) : std::string()),
         fmt::format("process {}, thread {}, {}", calls.pids[process], tid,
                     span_text(group.first, group.last)),
         evidence(group, commands),
         group.total,
         in_loop
             ? "Enqueue the whole loop and wait once behind it: commands of an in-order queue run one after "
               "the other without a wait. Between queues let one wait for the other's event (the event wait "
               "list of the enqueue) instead of the thread."
             : "Wait for less and later: a wait for the event of one command instead of clFinish, when there "
               "is nothing else to do.",
         {{process, tid, std::nullopt, group.first, group.last},
          {process, tid, std::nullopt, calls.all.start_ns[group.call], calls.all.end_ns[group.call],
           event::kOpenclApi}}});
  }
  keep_best(&findings);
  return findings;
}

}  // namespace

Result<Outcome> run_opencl_api_sync(const query::Source& source, const RuleArguments& arguments) {
  using enum text::CellType;
  auto calls = std::make_shared<Calls>();
  SEXTANT_ASSIGN(calls->all,
                 query::Launches::load(source, query::Rows::kInWindow, query::DeviceApi::kOpencl));
  calls->pids = stats::pids(source);
  std::unordered_map<uint32_t, Kind> kinds;  // by name
  std::map<Thread, uint64_t> enqueued;
  for (uint32_t call = 0; call < calls->all.size(); ++call) {
    const auto [at, is_new] = kinds.try_emplace(calls->all.name[call]);
    if (is_new) at->second = kind_of(source.reader().string(calls->all.name[call]));
    if (at->second == Kind::kOther) continue;
    if (arguments.process >= 0 && calls->pids[calls->all.process[call]] != arguments.process) continue;
    if (arguments.thread >= 0 && static_cast<int64_t>(calls->all.tid[call]) != arguments.thread) continue;
    if (at->second == Kind::kWait)
      calls->waits.push_back(call);
    else
      ++enqueued[{calls->all.process[call], calls->all.tid[call]}];
  }
  std::stable_sort(calls->waits.begin(), calls->waits.end(),
                   [&](uint32_t a, uint32_t b) { return calls->duration(a) > calls->duration(b); });
  Outcome outcome;
  outcome.findings = find(source, *calls, enqueued);
  outcome.no_data = calls->all.size() == 0;
  text::Table& table = outcome.table;
  table.columns = {{"Duration", "ns", kInteger},
                   {"Start", "ns", kInteger},
                   {"PID", "", kInteger},
                   {"TID", "", kInteger},
                   {"API Name", "", kText}};
  table.rows = limited(calls->waits.size(), arguments.rows);
  table.why_empty = outcome.no_data ? stats::why_nothing(source, "OpenCL calls", "OpenCL")
                                    : "No thread waited in clFinish or clWaitForEvents.";
  table.fill = [calls, &source](uint64_t row, std::span<text::Cell> cells) {
    const uint32_t call = calls->waits[row];
    cells[0].set(calls->duration(call));
    cells[1].set(calls->all.start_ns[call]);
    cells[2].set(calls->pids[calls->all.process[call]]);
    cells[3].set(static_cast<int64_t>(calls->all.tid[call]));
    calls->name = stats::display(source, calls->all.name[call]);
    cells[4].set(std::string_view(calls->name));
  };
  return outcome;
}

}  // namespace sextant::analysis
