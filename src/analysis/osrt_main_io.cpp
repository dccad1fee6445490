// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_main_io: first threads of processes that spend their time reading, writing and opening. Where they
// wait for the other end of a pipe or socket it counts within NVTX ranges only: shells and idle servers do
// nothing else.
#include <fmt/format.h>

#include "analysis/runtime_calls.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

constexpr int64_t kLeastNs = 10'000'000;

bool is_io(const RuntimeCall& call) {
  const event::OsrtFamily family = call.function->family;
  return family == event::OsrtFamily::kFile || family == event::OsrtFamily::kStdio ||
         (family == event::OsrtFamily::kSocket && call.state != stats::CallState::kWorks);
}

bool choose(const RuntimeCall& call, RuntimeKey* key) {
  if (!call.is_first_thread || call.never_returned || !is_io(call)) return false;
  *key = {.process = call.process, .tid = call.tid, .function = call.function, .path = call.path};
  if (call.path == 0) key->object_kind = call.object_kind, key->object = call.object;
  return true;
}

Finding finding_of(const query::Source& source, const RuntimeGroups& groups, const RuntimeGroup& group) {
  const std::string about = groups.about(source, group);
  return {fmt::format("The first thread of a process was in {} for {}{}{}.", group.function->name,
                      text::duration(group.total), about.empty() ? "" : ": ", about),
          groups.where(source, group),
          RuntimeGroups::how(group),
          group.total,
          "Read ahead in another thread (a data loader with workers, io_uring, posix_fadvise), so that the "
          "data are there when "
          "they are needed; write in the background. --osrt-file-access tells the files.",
          RuntimeGroups::places(group)};
}

}  // namespace

Result<Outcome> run_osrt_main_io(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const auto groups, load_runtime_groups(source, arguments, true, choose));
  std::erase_if(groups->groups, [](const RuntimeGroup& group) {
    return group.total < kLeastNs || (group.key.range == 0 && group.waits);
  });
  std::vector<Finding> findings;
  for (const RuntimeGroup& group : groups->groups) findings.push_back(finding_of(source, *groups, group));
  return runtime_outcome(
      source, std::move(findings), groups, arguments,
      "No first thread of a process was in calls about files and sockets for 10 ms or more.");
}

}  // namespace sextant::analysis
