// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_polling: threads that look again and again whether something has happened: short sleeps, and waits
// that ended by their time limit. Of the first thread of a process, or within an NVTX range: elsewhere nobody
// waits for what it finds.
#include <fmt/format.h>

#include "analysis/runtime_calls.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

constexpr uint64_t kManyCalls = 10;
constexpr int64_t kLongestNs = 100'000'000;  // a sleep that is longer does not poll
constexpr int64_t kLeastNs = 1'000'000;

bool timed_out(const RuntimeCall& call) {
  return call.function->family == event::OsrtFamily::kPoll && call.state == stats::CallState::kWaits &&
         !call.failed && call.result == 0;
}

bool choose(const RuntimeCall& call, RuntimeKey* key) {
  if (call.function->family != event::OsrtFamily::kSleep && !timed_out(call)) return false;
  if (call.never_returned || call.duration_ns > kLongestNs) return false;
  *key = {.process = call.process, .tid = call.tid, .function = call.function};
  return true;
}

Finding finding_of(const query::Source& source, const RuntimeGroups& groups, const RuntimeGroup& group) {
  return {fmt::format("A thread polls with {}: {} times, {} in all.", group.function->name, group.calls,
                      text::duration(group.total)),
          groups.where(source, group),
          fmt::format("{}, {} on average", RuntimeGroups::how(group),
                      text::duration(group.total / static_cast<int64_t>(group.calls))),
          group.total,
          "Wait for the event instead of looking for it: a condition variable, a semaphore, an eventfd in "
          "poll or epoll "
          "without a time limit. What is polled for comes on average half an interval late.",
          RuntimeGroups::places(group)};
}

}  // namespace

Result<Outcome> run_osrt_polling(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const auto groups, load_runtime_groups(source, arguments, true, choose));
  std::erase_if(groups->groups, [](const RuntimeGroup& group) {
    return group.calls < kManyCalls || group.total < kLeastNs ||
           (group.key.range == 0 && !group.of_first_thread);
  });
  std::vector<Finding> findings;
  for (const RuntimeGroup& group : groups->groups) findings.push_back(finding_of(source, *groups, group));
  return runtime_outcome(source, std::move(findings), groups, arguments,
                         "No first thread, and none within an NVTX range, polled ten times or more.");
}

}  // namespace sextant::analysis
