// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_sync_loop: a thread that makes data durable again and again.
#include <fmt/format.h>

#include "analysis/runtime_calls.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

constexpr uint64_t kManyCalls = 10;
constexpr int64_t kLeastNs = 1'000'000;

bool choose(const RuntimeCall& call, RuntimeKey* key) {
  const std::string_view name = call.function->name;
  if (name != "fsync" && name != "fdatasync" && name != "msync" && name != "syncfs" && name != "sync" &&
      name != "sync_file_range")
    return false;
  *key = {.process = call.process, .tid = call.tid, .function = call.function, .path = call.path};
  return true;
}

Finding finding_of(const query::Source& source, const RuntimeGroups& groups, const RuntimeGroup& group) {
  const std::string about = groups.about(source, group);
  return {
      fmt::format("{} {} times{}{}: {} in all.", group.function->name, group.calls, about.empty() ? "" : ", ",
                  about, text::duration(group.total)),
      groups.where(source, group),
      fmt::format("{}, {} on average", RuntimeGroups::how(group),
                  text::duration(group.total / static_cast<int64_t>(group.calls))),
      group.total,
      "Make durable once what belongs together: one fsync behind a batch of writes, fdatasync where only the "
      "data count, or a "
      "thread of its own that does it while the others go on. A checkpoint needs one, before it is renamed.",
      RuntimeGroups::places(group)};
}

}  // namespace

Result<Outcome> run_osrt_sync_loop(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const auto groups, load_runtime_groups(source, arguments, true, choose));
  std::erase_if(groups->groups,
                [](const RuntimeGroup& group) { return group.calls < kManyCalls || group.total < kLeastNs; });
  std::vector<Finding> findings;
  for (const RuntimeGroup& group : groups->groups) findings.push_back(finding_of(source, *groups, group));
  return runtime_outcome(source, std::move(findings), groups, arguments,
                         "No thread made data durable ten times or more.");
}

}  // namespace sextant::analysis
