// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What is decided before the program starts: what is executed, what is loaded into it, what the report says
// about itself.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "recording/executable.h"
#include "recording/opencl_loader.h"
#include "recording/profile.h"
#include "recording/user.h"
#include "spool/run_folder.h"

namespace sextant::recording {

struct Plan {
  Executable executable;
  std::string agent;  // "": not loaded
  spool::Untraced untraced = spool::Untraced::kNo;
  std::string report;        // as the user will see it
  std::string program_line;  // secrets blanked
  spool::RunFolder::Options folder;
  std::vector<std::string> environment;  // of the program
  std::optional<User> user;              // --run-as
  bool osrt = false;                     // calls of the C library are recorded
  OpenclLoader opencl_loader;
  bool opencl = false;  // the program itself is to find the agent as a layer of OpenCL
  std::vector<std::pair<std::string, std::string>> notes;
};

/// Errors: kUsage, kNotFound and kDenied (program, agent, user). Says on stderr what cannot be recorded.
Result<Plan> make_plan(const ProfileOptions& options);

/// What the report tells about the recording: key and value.
std::vector<std::pair<std::string, std::string>> meta_of(const ProfileOptions& options, const Plan& plan,
                                                         const std::string& run_folder);

/// Adds what loads the agent to the program's environment, and notes what is in the way.
Status load_agent(const ProfileOptions& options, const std::string& run_folder, Plan* plan);

/// "nvtx,opencl", or "none".
std::string traced_sources(const ProfileOptions& options, const Plan& plan);

std::string absolute(const std::string& path);

}  // namespace sextant::recording
