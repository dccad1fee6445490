// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_never_returned: where a program stands that was killed or did not end: calls of its first thread, or
// within NVTX ranges, that never returned. What waits for whoever comes counts within ranges only: that is
// how an idle server stands when its recording ends.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/runtime_calls.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

constexpr int64_t kLeastNs = 1'000'000'000;  // what is shorter may just have been under way

constexpr std::string_view kForAnybody[] = {"accept",       "accept4",     "epoll_wait", "epoll_pwait",
                                            "epoll_pwait2", "pause",       "sigsuspend", "sigwait",
                                            "sigwaitinfo",  "sigtimedwait"};

bool waits_for_anybody(const event::OsrtFunction& function) {
  return std::find(std::begin(kForAnybody), std::end(kForAnybody), function.name) != std::end(kForAnybody);
}

bool choose(const RuntimeCall& call, RuntimeKey* key) {
  if (!call.never_returned || call.duration_ns < kLeastNs) return false;
  *key = {.process = call.process,
          .tid = call.tid,
          .function = call.function,
          .object_kind = call.object_kind,
          .object = call.object};
  return true;
}

Finding finding_of(const query::Source& source, const RuntimeGroups& groups, const RuntimeGroup& group) {
  const std::string about = groups.about(source, group);
  return {fmt::format("{}{}{} never returned: for {} until the end.", group.function->name,
                      about.empty() ? "" : " of ", about, text::duration(group.total)),
          groups.where(source, group),
          "the call was still going on when its thread, its process or the recording ended",
          group.total,
          "Find out who should have ended it: the thread that holds the lock, the other end of the pipe or "
          "socket, the process "
          "that was waited for. osrt_blocking_sum has all such calls.",
          RuntimeGroups::places(group)};
}

}  // namespace

Result<Outcome> run_osrt_never_returned(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const auto groups, load_runtime_groups(source, arguments, true, choose));
  std::erase_if(groups->groups, [](const RuntimeGroup& group) {
    return group.key.range == 0 && (!group.of_first_thread || waits_for_anybody(*group.function));
  });
  std::vector<Finding> findings;
  for (const RuntimeGroup& group : groups->groups) findings.push_back(finding_of(source, *groups, group));
  return runtime_outcome(
      source, std::move(findings), groups, arguments,
      "No call of a first thread or within an NVTX range was still going on after a second or more, but for "
      "waits for whoever comes (accept, epoll_wait, pause, ...).");
}

}  // namespace sextant::analysis
