// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_locks: locks for which several threads waited. What can be saved is what the thread waited that waited
// most.
#include <fmt/format.h>

#include "analysis/runtime_calls.h"
#include "query/sums.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

constexpr int64_t kLeastNs = 1'000'000;  // of waiting, all threads together

bool choose(const RuntimeCall& call, RuntimeKey* key) {
  if (call.function->family != event::OsrtFamily::kLock || call.state != stats::CallState::kWaits)
    return false;
  *key = {.process = call.process, .object_kind = call.object_kind, .object = call.object};
  return true;
}

Finding finding_of(const query::Source& source, const RuntimeGroups& groups, const RuntimeGroup& group) {
  const std::string lock = groups.about(source, group);
  const auto span = static_cast<double>(std::max<int64_t>(query::difference(group.last, group.first), 1));
  return {
      fmt::format("{} waited {} for {}.", text::counted(group.by_thread.size(), "thread", "threads"),
                  text::duration(group.total), lock.empty() ? "locks" : "the lock at " + lock),
      groups.where(source, group),
      fmt::format("{}; on average {:.1f} threads stood there", RuntimeGroups::how(group),
                  static_cast<double>(group.total) / span),
      group.most_of_a_thread(),
      "Hold the lock for less: move out of it what does not need it (allocation, I/O, logging). Or have "
      "several: a lock "
      "for each part of the data, values of each thread that are added up later, a reader-writer lock where "
      "most only read.",
      RuntimeGroups::places(group)};
}

}  // namespace

Result<Outcome> run_osrt_locks(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const auto groups, load_runtime_groups(source, arguments, false, choose));
  std::erase_if(groups->groups, [](const RuntimeGroup& group) {
    return group.by_thread.size() < 2 || group.total < kLeastNs;
  });
  std::vector<Finding> findings;
  for (const RuntimeGroup& group : groups->groups) findings.push_back(finding_of(source, *groups, group));
  return runtime_outcome(source, std::move(findings), groups, arguments,
                         "No lock kept two or more threads waiting for 1 ms or more.");
}

}  // namespace sextant::analysis
