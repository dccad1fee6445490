// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Machine: the running system as an Environment. Not thread-safe. Makes children for what is tried on them
// and for the helper program; all of them have ended when the destructor returns.
#pragma once

#include "doctor/environment.h"
#include "doctor/helper_program.h"

namespace sextant::doctor {

/// How long NVML is waited for: loading the driver's libraries takes most of it.
inline constexpr int kNvmlWaitMs = 2000;
/// The same for the counters, which start CUDA first.
inline constexpr int kCountersWaitMs = 15000;

class Machine : public Environment {
 public:
  /// Starts to ask NVML at once, where there is a driver, so that the answer is there when it is needed.
  /// `agent_problem`: why the agent cannot be used, "" if it can; `osrt_agent_problem` likewise.
  explicit Machine(std::string agent_problem, std::string osrt_agent_problem = {});

  std::optional<std::string> read(const std::string& path, size_t most) const override;
  std::vector<std::string> list(const std::string& folder) const override;
  bool exists(const std::string& path) const override;
  bool may(const std::string& path, Access access) const override;
  std::optional<std::string> link(const std::string& path) const override;
  std::optional<std::string> real_path(const std::string& path) const override;
  std::optional<std::string> variable(const std::string& name) const override;
  std::string current_folder() const override;
  std::string architecture() const override;
  int try_perf(PerfUse use) const override;
  int try_attach(AttachUse use) const override;
  std::string ask_nvml() const override;
  std::string try_counters(const std::string& cupti) const override;
  std::string agent_problem() const override { return agent_problem_; }
  std::string osrt_agent_problem() const override { return osrt_agent_problem_; }

 private:
  std::string agent_problem_, osrt_agent_problem_;
  mutable HelperProgram nvml_;  // asking it changes what it has left to say
};

}  // namespace sextant::doctor
