// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace sextant::doctor {

namespace {

constexpr const char* kProbe = "sextant-probe";
constexpr size_t kMostAnswer = 256 << 10;

/// A file of ours beside the program, as the agent is looked for.
std::string find_beside_program(const char* name) {
  char self[PATH_MAX];
  const ssize_t n = ::readlink("/proc/self/exe", self, sizeof self);
  std::string folder(self, n > 0 ? static_cast<size_t>(n) : 0);
  folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
  for (const char* place : {"/../lib/sextant/", "/../lib/", "/"})
    if (std::string path = folder + place + name; ::access(path.c_str(), X_OK) == 0) return path;
  return "";
}

}  // namespace

Machine::Machine(std::string agent_problem) : agent_problem_(std::move(agent_problem)) {
  if (exists("/proc/driver/nvidia/version") || exists("/dev/dxg")) start_probe();
}

Machine::~Machine() {
  if (probe_ < 0) return;
  ::kill(probe_, SIGKILL);
  while (::waitpid(probe_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Machine::start_probe() {
  const std::string path = find_beside_program(kProbe);
  if (path.empty()) {
    probe_problem_ = "sextant-probe is not beside the program, and NVML cannot be opened without it";
    return;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  probe_output_ = base::Fd(ends[0]);
  const base::Fd writing(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, writing.get(), 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  char name[] = "sextant-probe", what[] = "nvml";
  char* words[] = {name, what, nullptr};
  const int error = ::posix_spawn(&probe_, path.c_str(), &actions, nullptr, words, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return;
  probe_ = -1;
  probe_problem_ = std::string("sextant-probe cannot be run here: ") + std::strerror(error);
}

std::string Machine::ask_nvml() const {
  if (!probe_problem_.empty()) return "problem " + probe_problem_ + "\n";
  if (probe_ < 0) return "";
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kNvmlWaitMs);
  while (probe_answer_.size() < kMostAnswer) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd wait{probe_output_.get(), POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return "problem NVML did not answer within 2 s\n";
    char buffer[4096];
    const ssize_t n = ::read(probe_output_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    probe_answer_.append(buffer, static_cast<size_t>(n));
  }
  // musl systems lack the loader that the helper asks for
  return probe_answer_.empty() ? "problem sextant-probe ended without an answer\n" : probe_answer_;
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
