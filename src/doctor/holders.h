// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Who may hold the GPU's counters: DCGM in its three forms, and other profilers. Found passively: by
// processes and by the kernel's tables of sockets; nothing is connected to. A container sees its own
// processes and sockets only.
#pragma once

#include <string>
#include <vector>

#include "doctor/surroundings.h"

namespace sextant::doctor {

struct Holder {
  std::string name;
  uint64_t pid = 0;        // 0: seen by its socket
  bool conflicts = false;  // with another user of the counters, by the rule below
  std::string how_sure;
  std::string rule;   // of DCGM's documents for these GPUs, or of that tool
  std::string to_do;  // what frees the counters, and what that costs
};

std::vector<Holder> find_holders(const Surroundings& seen);

}  // namespace sextant::doctor
