// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The environment of the program: everything that loads the agent travels in it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sextant::recording {

/// Path of the agent: $SEXTANT_AGENT, else libsextant-agent.so in ../lib/sextant, ../lib or beside this
/// program. kNotFound.
Result<std::string> find_agent();

/// "NAME=VALUE" strings: ours, or none without `inherit`, `changes` applied.
std::vector<std::string> changed_environment(const std::vector<std::pair<std::string, std::string>>& changes,
                                             bool inherit = true);

/// "+NAME=VALUE" for what `after` has and `before` has not, "-NAME" for what is gone. By name.
std::vector<std::string> environment_changes(const std::vector<std::string>& before,
                                             const std::vector<std::string>& after);

struct AgentVariables {
  bool preload = true;         // LD_PRELOAD: children and processes that do not use NVTX are seen, too
  bool nvtx = true;            // NVTX_INJECTION64_PATH
  bool opencl = false;         // OPENCL_LAYERS
  std::string opencl_exports;  // preloaded behind the agent; "": not needed
};

/// The value of a variable in a list of "NAME=VALUE"; "" where it has none.
std::string variable(const std::vector<std::string>& environment, const std::string& name);

/// Adds LD_PRELOAD and OPENCL_LAYERS (before what is there: the layer next to the implementation),
/// NVTX_INJECTION64_PATH and SEXTANT_RUN. `other_nvtx_tool`: the
/// variable was set to something else already, and is left alone. kDenied: the linker cannot take a path with
/// a space or colon.
Status add_agent(std::vector<std::string>* environment, const std::string& agent,
                 const std::string& run_folder, const AgentVariables& what, std::string* other_nvtx_tool);

}  // namespace sextant::recording
