// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// opencl_api_sync: calls that block the host until the device is done, and how much work was enqueued between
// them: a thread that waits after every few commands lets the device run dry.
#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "analysis/waiting_calls.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

/// So many waits of one thread, with at most so many commands between two of them, are a loop that waits.
constexpr uint64_t kManyWaits = 10, kFewCommands = 4;

enum class Kind : uint8_t { kOther, kWait, kEnqueue };

Kind kind_of(std::string_view name) {
  if (name == "clFinish" || name == "clWaitForEvents") return Kind::kWait;
  return name.starts_with("clEnqueue") ? Kind::kEnqueue : Kind::kOther;
}

using Thread = std::pair<uint64_t, uint64_t>;  // process, thread id

std::vector<Finding> find(const query::Source& source, WaitingCalls& calls,
                          const std::map<Thread, uint64_t>& enqueued) {
  std::vector<Finding> findings;
  for (const auto& [key, group] : group_waits(calls)) {
    const auto& [process, tid, string] = key;
    const auto at = enqueued.find({process, tid});
    const uint64_t commands = at == enqueued.end() ? 0 : at->second;
    const bool in_loop = group.count >= kManyWaits && commands <= group.count * kFewCommands;
    findings.push_back(
        {fmt::format("{} kept a thread waiting for the device for {}{}.", stats::display(source, string),
                     text::duration(group.total),
                     in_loop ? fmt::format(", {} times in a loop", group.count) : std::string()),
         waited_where(calls, process, tid, group),
         fmt::format("{}, one for every {:.1f} commands that the thread enqueued", waited_how(group),
                     static_cast<double>(commands) / static_cast<double>(group.count)),
         group.total,
         in_loop
             ? "Enqueue the whole loop and wait once behind it: commands of an in-order queue run one after "
               "the other without a wait. Between queues let one wait for the other's event (the event wait "
               "list of the enqueue) instead of the thread."
             : "Wait for less and later: a wait for the event of one command instead of clFinish, when there "
               "is nothing else to do.",
         waited_places(calls, process, tid, group, event::kOpenclApi)});
  }
  keep_best(&findings);
  return findings;
}

}  // namespace

Result<Outcome> run_opencl_api_sync(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const std::shared_ptr<WaitingCalls> calls,
                 WaitingCalls::load(source, query::DeviceApi::kOpencl));
  std::unordered_map<uint32_t, Kind> kinds;  // by name
  std::map<Thread, uint64_t> enqueued;
  for (uint32_t call = 0; call < calls->all.size(); ++call) {
    const auto [at, is_new] = kinds.try_emplace(calls->all.name[call]);
    if (is_new) at->second = kind_of(source.reader().string(calls->all.name[call]));
    if (at->second == Kind::kOther || !calls->asked_for(call, arguments)) continue;
    if (at->second == Kind::kWait)
      calls->waits.push_back(call);
    else
      ++enqueued[{calls->all.process[call], calls->all.tid[call]}];
  }
  calls->sort();
  Outcome outcome;
  outcome.findings = find(source, *calls, enqueued);
  outcome.no_data = calls->all.size() == 0;
  outcome.table = waits_table(source, calls, arguments);
  outcome.table.why_empty = outcome.no_data ? stats::why_nothing(source, "OpenCL calls", "OpenCL")
                                            : "No thread waited in clFinish or clWaitForEvents.";
  return outcome;
}

}  // namespace sextant::analysis
