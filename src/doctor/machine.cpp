// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace sextant::doctor {

Machine::Machine(std::string agent_problem, std::string osrt_agent_problem)
    : agent_problem_(std::move(agent_problem)), osrt_agent_problem_(std::move(osrt_agent_problem)) {
  if (exists("/proc/driver/nvidia/version") || exists("/dev/dxg")) nvml_.start({"nvml"});
}

std::string Machine::ask_nvml() const {
  return nvml_.answer(kNvmlWaitMs);
}

std::string Machine::try_counters(const std::string& cupti) const {
  HelperProgram helper;
  helper.start({"counters", cupti});
  return helper.answer(kCountersWaitMs);
}

std::optional<std::string> Machine::read(const std::string& path, size_t most) const {
  const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat info;
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  std::string out;
  while (out.size() < most) {
    const size_t had = out.size();
    out.resize(had + std::min<size_t>(most - had, 32 << 10));
    const ssize_t n = ::read(fd.get(), out.data() + had, out.size() - had);
    out.resize(had + static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && had == 0) return std::nullopt;
    if (n <= 0) break;
  }
  return out;
}

std::vector<std::string> Machine::list(const std::string& folder) const {
  std::vector<std::string> names;
  DIR* open = ::opendir(folder.c_str());
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open))
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
      names.emplace_back(entry->d_name);
  ::closedir(open);
  std::sort(names.begin(), names.end());
  return names;
}

bool Machine::exists(const std::string& path) const {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

bool Machine::may(const std::string& path, Access access) const {
  const int mode = access == Access::kRead ? R_OK : access == Access::kWrite ? W_OK : X_OK;
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

std::optional<std::string> Machine::link(const std::string& path) const {
  char target[PATH_MAX];
  const ssize_t n = ::readlink(path.c_str(), target, sizeof target);
  return n < 0 ? std::nullopt : std::optional(std::string(target, static_cast<size_t>(n)));
}

std::optional<std::string> Machine::real_path(const std::string& path) const {
  char out[PATH_MAX];
  return ::realpath(path.c_str(), out) == nullptr ? std::nullopt : std::optional(std::string(out));
}

std::optional<std::string> Machine::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional(std::string(value));
}

std::string Machine::current_folder() const {
  char path[PATH_MAX];
  return ::getcwd(path, sizeof path) == nullptr ? "" : path;
}

std::string Machine::architecture() const {
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "";
}

}  // namespace sextant::doctor
