// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The only variables of a target's environment that are recorded without being asked for: those by which
// launchers of many processes (torchrun, MPI, Slurm, Ray) tell a process its number. Safe inside the agent.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

#include "event/schema.h"

namespace sextant::spool {

/// First event::process::kRankVariables; those behind them only say more about the place.
inline constexpr const char* kLauncherVariables[] = {
    "RANK",       "OMPI_COMM_WORLD_RANK",       "PMIX_RANK",     "PMI_RANK",        "SLURM_PROCID",
    "LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", "MPI_LOCALRANKID", "RAY_JOB_ID",
    "RAY_NODE_ID"};

static_assert([] {
  for (size_t i = 0; i < std::size(event::process::kRankVariables); ++i)
    if (event::process::kRankVariables[i] != kLauncherVariables[i]) return false;
  return true;
}());

inline constexpr size_t kMaxLauncherValue = 64;

/// Numbers and hexadecimal ids; nothing that could be a secret of another kind, nothing that needs escaping.
constexpr bool is_launcher_value(std::string_view value) {
  if (value.empty() || value.size() > kMaxLauncherValue) return false;
  for (const char c : value) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-';
    if (!plain) return false;
  }
  return true;
}

}  // namespace sextant::spool
