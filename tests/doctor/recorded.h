// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Recorded: an Environment out of a folder of tests/doctor/cases (README.md has the form). For tests only.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "doctor/environment.h"

namespace doctor_cases {

struct Case {
  std::string name, what;
  std::map<std::string, std::string>
      must;                          // capability: "allowed", "not-recorded", "denied by WHOM", "not-here"
  std::map<std::string, int> goals;  // goal: exit code
};

class Recorded : public sextant::doctor::Environment {
 public:
  /// Reads a case and those that it is `like`.
  static sextant::Result<Recorded> open(const std::string& cases, const std::string& name);

  const Case& about() const { return case_; }

  std::optional<std::string> read(const std::string& path, size_t most) const override;
  std::vector<std::string> list(const std::string& folder) const override;
  bool exists(const std::string& path) const override;
  bool may(const std::string& path, sextant::doctor::Access access) const override;
  std::optional<std::string> link(const std::string& path) const override;
  std::optional<std::string> real_path(const std::string& path) const override;
  std::optional<std::string> variable(const std::string& name) const override;
  std::string current_folder() const override { return current_folder_; }
  std::string architecture() const override { return "x86_64"; }
  int try_perf(sextant::doctor::PerfUse use) const override;
  int try_attach(sextant::doctor::AttachUse use) const override;
  std::string ask_nvml() const override { return nvml_; }
  std::string try_counters(const std::string&) const override { return counters_; }
  bool probe() const { return !counters_.empty(); }
  std::string agent_problem() const override { return agent_problem_; }
  std::string osrt_agent_problem() const override { return osrt_agent_problem_; }

 private:
  sextant::Status add(const std::string& cases, const std::string& name, int depth);
  std::string file_of(const std::string& path) const;

  Case case_;
  std::vector<std::string> roots_;  // the case's own before those that it is like
  std::map<std::string, std::string> variables_, links_;
  std::map<std::string, int> perf_, attach_;
  std::set<std::string> absent_, unreadable_, writable_;
  std::string current_folder_ = "/work", nvml_, counters_, agent_problem_, osrt_agent_problem_;
};

}  // namespace doctor_cases
