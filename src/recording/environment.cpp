// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/environment.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

extern char** environ;

namespace sextant::recording {

namespace {

constexpr const char* kAgentFile = "libsextant-agent.so";

std::string* find_variable(std::vector<std::string>* environment, const std::string& name) {
  for (std::string& entry : *environment)
    if (entry.size() > name.size() && entry.compare(0, name.size(), name) == 0 && entry[name.size()] == '=')
      return &entry;
  return nullptr;
}

void set_variable(std::vector<std::string>* environment, const std::string& name, const std::string& value) {
  if (std::string* entry = find_variable(environment, name))
    *entry = name + "=" + value;
  else
    environment->push_back(name + "=" + value);
}

/// The address sanitizer ends a program in which another library comes before it.
bool must_be_first(const std::string& preload) {
  const std::string first = preload.substr(0, preload.find_first_of(" :"));
  return first.find("libasan.so") != std::string::npos || first.find("libclang_rt.asan") != std::string::npos;
}

}  // namespace

std::string variable(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& entry : environment)
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  return "";
}

Result<std::string> find_agent() {
  if (const char* chosen = std::getenv("SEXTANT_AGENT"); chosen != nullptr && *chosen != '\0') {
    char path[PATH_MAX];
    if (::realpath(chosen, path) == nullptr)
      return fail(ErrorCode::kNotFound, std::string("SEXTANT_AGENT=") + chosen + ": no such file");
    return std::string(path);
  }
  char self[PATH_MAX];
  ssize_t n = ::readlink("/proc/self/exe", self, sizeof self - 1);
  std::string folder = n > 0 ? std::string(self, static_cast<size_t>(n)) : std::string();
  folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
  for (const char* place : {"/../lib/sextant/", "/../lib/", "/"}) {
    char path[PATH_MAX];
    if (::realpath((folder + place + kAgentFile).c_str(), path) != nullptr) return std::string(path);
  }
  return fail(ErrorCode::kNotFound,
              std::string(kAgentFile) + " is neither in " + folder +
                  "/../lib/sextant, nor in ../lib, nor beside the program; set SEXTANT_AGENT to its path");
}

std::vector<std::string> changed_environment(const std::vector<std::pair<std::string, std::string>>& changes,
                                             bool inherit) {
  std::vector<std::string> environment;
  for (char** entry = environ; inherit && entry != nullptr && *entry != nullptr; ++entry)
    environment.emplace_back(*entry);
  for (const auto& [name, value] : changes) set_variable(&environment, name, value);
  return environment;
}

std::vector<std::string> environment_changes(const std::vector<std::string>& before,
                                             const std::vector<std::string>& after) {
  const auto name = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> out;
  for (const std::string& entry : before)
    if (std::none_of(after.begin(), after.end(), [&](const auto& a) { return name(a) == name(entry); }))
      out.push_back("-" + name(entry));
  for (const std::string& entry : after)
    if (std::find(before.begin(), before.end(), entry) == before.end()) out.push_back("+" + entry);
  std::sort(out.begin(), out.end());
  return out;
}

Status add_agent(std::vector<std::string>* environment, const std::string& agent,
                 const std::string& run_folder, const AgentVariables& what, std::string* other_nvtx_tool) {
  if (agent.find_first_of(" :") != std::string::npos)
    return fail(ErrorCode::kDenied, agent +
                                        ": the dynamic linker takes no preload with a space or colon in its "
                                        "path; install it elsewhere or set SEXTANT_AGENT");
  std::string* preload = find_variable(environment, "LD_PRELOAD");
  std::string before = preload != nullptr ? preload->substr(sizeof "LD_PRELOAD") : "";
  const std::string ours = what.opencl_exports.empty() ? agent : agent + ":" + what.opencl_exports;
  if (what.preload && before != ours && !before.starts_with(ours + ":"))
    set_variable(environment, "LD_PRELOAD",
                 before.empty()          ? ours
                 : must_be_first(before) ? before + ":" + ours
                                         : ours + ":" + before);
  set_variable(environment, "SEXTANT_RUN", run_folder);
  if (what.opencl) {
    const std::string others = variable(*environment, "OPENCL_LAYERS");
    if (others != agent && !others.starts_with(agent + ":"))
      set_variable(environment, "OPENCL_LAYERS", others.empty() ? agent : agent + ":" + others);
  }
  if (!what.nvtx) return {};
  std::string* tool = find_variable(environment, "NVTX_INJECTION64_PATH");
  std::string named = tool != nullptr ? tool->substr(sizeof "NVTX_INJECTION64_PATH") : "";
  if (!named.empty() && named != agent)
    *other_nvtx_tool = named;
  else
    set_variable(environment, "NVTX_INJECTION64_PATH", agent);
  return {};
}

}  // namespace sextant::recording
