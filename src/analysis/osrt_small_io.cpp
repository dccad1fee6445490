// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_small_io: files, pipes and sockets that are read or written in many small pieces.
#include <fmt/format.h>

#include "analysis/runtime_calls.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

constexpr uint64_t kManyCalls = 1000;
constexpr uint64_t kSmallBytes = 1024;  // a call, on average
constexpr int64_t kLeastNs = 1'000'000;

bool choose(const RuntimeCall& call, RuntimeKey* key) {
  const event::OsrtFunction& f = *call.function;
  const bool moves = f.access == event::OsrtAccess::kRead || f.access == event::OsrtAccess::kWrite;
  if (!moves || f.family != event::OsrtFamily::kFile || call.failed || call.never_returned) return false;
  *key = {.process = call.process, .tid = call.tid, .function = call.function, .path = call.path};
  if (call.path == 0) key->object_kind = call.object_kind, key->object = call.object;
  return true;
}

Finding finding_of(const query::Source& source, const RuntimeGroups& groups, const RuntimeGroup& group) {
  const std::string about = groups.about(source, group);
  return {
      fmt::format("{} {} of {} bytes on average{}{}: {} in all.", group.calls, group.function->name,
                  group.bytes / group.calls, about.empty() ? "" : ", ", about, text::duration(group.total)),
      groups.where(source, group),
      fmt::format("{}; {} bytes in all, {} a call", RuntimeGroups::how(group), group.bytes,
                  text::duration(group.total / static_cast<int64_t>(group.calls))),
      group.total,
      "Move more at once: a buffer of 64 KiB or more (setvbuf, BufferedReader), readv and writev for pieces "
      "that lie "
      "apart, a mapped file for many small looks.",
      RuntimeGroups::places(group)};
}

}  // namespace

Result<Outcome> run_osrt_small_io(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const auto groups, load_runtime_groups(source, arguments, true, choose));
  std::erase_if(groups->groups, [](const RuntimeGroup& group) {
    return group.calls < kManyCalls || group.total < kLeastNs || group.bytes / group.calls > kSmallBytes;
  });
  std::vector<Finding> findings;
  for (const RuntimeGroup& group : groups->groups) findings.push_back(finding_of(source, *groups, group));
  return runtime_outcome(source, std::move(findings), groups, arguments,
                         "No descriptor was read or written in 1000 or more pieces of 1 KiB or less.");
}

}  // namespace sextant::analysis
