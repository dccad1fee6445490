// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/exit_status.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace sextant::collector {

namespace {

/// struct pidfd_info of Linux 6.15 (its first 64 bytes), which Debian 12's headers do not have yet.
struct PidfdInfo {
  uint64_t mask;
  uint64_t cgroup;
  uint32_t ids[11];
  int32_t exit_status;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr uint64_t kPidfdInfoExit = 1u << 3;
constexpr unsigned long kPidfdGetInfo = _IOWR(0xFF, 11, PidfdInfo);

std::string read_small_file(const std::string& path) {
  base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return {};
  char text[1024];
  ssize_t n = ::read(fd.get(), text, sizeof text);
  return n > 0 ? std::string(text, static_cast<size_t>(n)) : std::string();
}

}  // namespace

std::optional<ProcessStat> read_stat(uint32_t pid) {
  std::string text = read_small_file("/proc/" + std::to_string(pid) + "/stat");
  size_t end = text.rfind(')');  // the name before may hold anything
  if (end == std::string::npos || end + 2 >= text.size()) return std::nullopt;
  ProcessStat stat;
  const char* at = text.c_str() + end + 2;
  stat.state = *at++;
  for (int field = 4; field <= 52 && *at != '\0'; ++field) {
    char* next = nullptr;
    uint64_t value = std::strtoull(at, &next, 10);
    if (next == at) break;
    at = next;
    if (field == 4) stat.ppid = static_cast<uint32_t>(value);
    if (field == 22) stat.start_time = value;
    if (field == 52) stat.exit_status = static_cast<int>(value);
  }
  return stat;
}

base::Fd open_process(uint32_t pid, uint64_t start_time) {
  if (pid == 0 || pid > INT32_MAX) return {};
  base::Fd fd(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<int>(pid), 0)));
  if (!fd.valid() || start_time == 0) return fd;
  // Looked at after the pidfd is held: what it names can no longer change.
  std::optional<ProcessStat> stat = read_stat(pid);
  if (!stat || stat->start_time != start_time) return {};
  return fd;
}

std::optional<int> exit_status(int pidfd, uint32_t pid) {
  if (pidfd >= 0) {
    PidfdInfo info{};
    info.mask = kPidfdInfoExit;
    if (::ioctl(pidfd, kPidfdGetInfo, &info) == 0 && (info.mask & kPidfdInfoExit) != 0)
      return info.exit_status;
  }
  std::optional<ProcessStat> stat = read_stat(pid);
  if (stat && (stat->state == 'Z' || stat->state == 'X')) return stat->exit_status;
  return std::nullopt;
}

std::string thread_comm(uint32_t pid, uint32_t tid) {
  std::string name =
      read_small_file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

}  // namespace sextant::collector
