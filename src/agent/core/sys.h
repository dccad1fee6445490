// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The few system calls the agent makes, without errno and without the C library's (perhaps interposed,
// perhaps newer) functions, and text put together without allocation. Everything here is async-signal-safe.
// Values below 0 are -errno.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/system_call.h"

namespace sextant::agent::sys {

using base::arch::system_call;

inline int open_file(const char* path, int flags, int mode = 0) {
  return static_cast<int>(
      system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags | O_CLOEXEC, mode));
}
inline void close_file(int fd) {
  system_call(SYS_close, fd);
}
inline long read_at(int fd, void* to, size_t bytes, uint64_t offset) {
  return system_call(SYS_pread64, fd, reinterpret_cast<long>(to), static_cast<long>(bytes),
                     static_cast<long>(offset));
}
inline int file_status(int fd, struct stat* out) {
  return static_cast<int>(system_call(SYS_fstat, fd, reinterpret_cast<long>(out)));
}
inline int path_status(const char* path, struct stat* out) {
  return static_cast<int>(
      system_call(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(path), reinterpret_cast<long>(out), 0));
}
inline void* map(void* at, size_t bytes, int protection, int flags, int fd, uint64_t offset) {
  long address = system_call(SYS_mmap, reinterpret_cast<long>(at), static_cast<long>(bytes), protection,
                             flags, fd, static_cast<long>(offset));
  return address < 0 && address > -4096 ? nullptr : reinterpret_cast<void*>(address);
}
inline void* map_private(size_t bytes) {
  return map(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
inline void unmap(void* at, size_t bytes) {
  system_call(SYS_munmap, reinterpret_cast<long>(at), static_cast<long>(bytes));
}
inline int advise(void* at, size_t bytes, int advice) {
  return static_cast<int>(
      system_call(SYS_madvise, reinterpret_cast<long>(at), static_cast<long>(bytes), advice));
}
inline uint32_t process_id() {
  return static_cast<uint32_t>(system_call(SYS_getpid));
}
inline uint32_t thread_id() {
  return static_cast<uint32_t>(system_call(SYS_gettid));
}
inline rlimit resource_limit(int what) {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  system_call(SYS_prlimit64, 0, what, 0, reinterpret_cast<long>(&limit));
  return limit;
}
/// Keeps this thread's signals waiting while it lives: a handler that records in the middle of a registration
/// would find nothing to record into.
class SignalsBlocked {
 public:
  explicit SignalsBlocked(bool may_call) : active_(may_call) {
    uint64_t all = ~uint64_t{0};
    if (active_) active_ = mask(&all, &before_) == 0;
  }
  ~SignalsBlocked() {
    if (active_) mask(&before_, nullptr);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  static long mask(const uint64_t* set, uint64_t* old) {
    return system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(set),
                       reinterpret_cast<long>(old), sizeof *set);
  }
  bool active_;
  uint64_t before_ = 0;
};

inline void sleep_ns(long ns) {
  timespec t{0, ns};
  system_call(SYS_nanosleep, reinterpret_cast<long>(&t), 0);
}

/// Text in a buffer of fixed size; what does not fit is cut and `ok` becomes false.
class Text {
 public:
  Text(char* to, size_t bytes) : to_(to), room_(bytes) { to_[0] = 0; }
  Text& operator<<(const char* text) {
    while (*text != 0) put(*text++);
    return *this;
  }
  Text& operator<<(uint64_t number) {
    char digits[20];
    int n = 0;
    do digits[n++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    while (n > 0) put(digits[--n]);
    return *this;
  }
  bool ok() const { return ok_; }

 private:
  void put(char c) {
    if (length_ + 1 >= room_) {
      ok_ = false;
      return;
    }
    to_[length_++] = c;
    to_[length_] = 0;
  }
  char* to_;
  size_t room_;
  size_t length_ = 0;
  bool ok_ = true;
};

/// Copies as much as fits, always NUL-terminated.
inline void copy_text(char* to, size_t room, const char* from) {
  size_t n = strnlen(from, room - 1);
  std::memcpy(to, from, n);
  to[n] = 0;
}

}  // namespace sextant::agent::sys
