// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How a process that is not our child ended, and whether a pid is still the process we mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"

namespace sextant::collector {

/// /proc/PID/stat, as far as it is needed.
struct ProcessStat {
  char state = '?';  // 'Z': a zombie
  uint32_t ppid = 0;
  uint64_t start_time = 0;  // ticks since boot
  int exit_status = 0;      // as of wait(2); 0 also where we may not know
};
std::optional<ProcessStat> read_stat(uint32_t pid);

/// A pidfd of the process with that start time (0: any). Invalid: gone, or another one.
base::Fd open_process(uint32_t pid, uint64_t start_time);

/// The wait(2) status of a process that has ended: from the kernel by its pidfd (Linux 6.15, also after it
/// was reaped), else from its zombie. Nothing: not known (yet).
std::optional<int> exit_status(int pidfd, uint32_t pid);

/// /proc/PID/task/TID/comm; "" if there is none.
std::string thread_comm(uint32_t pid, uint32_t tid);

}  // namespace sextant::collector
