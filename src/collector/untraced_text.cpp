// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/untraced_text.h"

#include <array>
#include <utility>

namespace sextant::collector {

const char* untraced_text(spool::Untraced reason) {
  switch (reason) {
    case spool::Untraced::kNo:
      return "";
    case spool::Untraced::kStatic:
      return "it is statically linked: nothing can be preloaded into it";
    case spool::Untraced::kSetuid:
      return "it runs with other rights than its caller (setuid or capabilities): the linker ignores "
             "preloads";
    case spool::Untraced::kArchitecture:
      return "it is a program for another architecture";
    case spool::Untraced::kMusl:
      return "it uses another C library than glibc";
    case spool::Untraced::kEnvironment:
      return "it was started with an environment that lacks LD_PRELOAD or SEXTANT_RUN";
    case spool::Untraced::kOtherNvtxTool:
      return "NVTX_INJECTION64_PATH names another tool, to which NVTX was left";
    case spool::Untraced::kNoRunFolder:
      return "it cannot reach the run folder (other user, chroot or mount namespace); see --spool-dir";
    case spool::Untraced::kOtherVersion:
      return "its agent is of another version of sextant";
    case spool::Untraced::kNoPage:
      return "the table of processes was full";
    case spool::Untraced::kNoArena:
      return "no memory for events could be had (limits, --buffer-size, or a full disk)";
    case spool::Untraced::kSanitizer:
      return "it is linked with the shared address sanitizer, which must come first (link it with "
             "-static-libasan to record it)";
    case spool::Untraced::kOwnTool:
      return "it is sextant itself, which is not recorded; what it records goes into a report of its own";
    case spool::Untraced::kAgentInvisible:
      return "the agent's file is not visible to it (chroot or container)";
  }
  return "unknown reason";
}

std::string loss_text(uint32_t reasons) {
  static constexpr std::array<std::pair<uint32_t, const char*>, 9> kTexts = {{
      {spool::kLossBudget, "--buffer-size was used up: give more, or --block"},
      {spool::kLossNoSpace, "the file system of the run folder is full: see --spool-dir"},
      {spool::kLossLimits, "limits of the process (ulimit -f or -v) forbid more memory for events"},
      {spool::kLossSandbox, "a sandbox (seccomp, chroot) lets no more events be kept"},
      {spool::kLossSegments, "its threads had all 1024 ring segments of a process at once"},
      {spool::kLossThreads, "no memory for the bookkeeping of another thread"},
      {spool::kLossNames, "64 MiB of different names were used up"},
      {spool::kLossVfork, "events of a vfork child, which shares its parent's memory, are not kept"},
      {spool::kLossTruncated, "names of over 60000 bytes were cut"},
  }};
  std::string out;
  for (const auto& [bit, text] : kTexts) {
    if ((reasons & bit) == 0) continue;
    if (!out.empty()) out += "; ";
    out += text;
  }
  return out.empty() ? "no reason was noted" : out;
}

}  // namespace sextant::collector
