// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Hooks of functions that make descriptors in their own way, processes, and raw system calls.
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/core/osrt.h"
#include "agent/core/sys.h"
#include "agent/sources/osrt/record.h"

namespace sextant::agent::osrt {

namespace {

template <Function kFunction, typename Real>
[[gnu::always_inline]] inline int duplicate(Real call_real, int fd) {
  const int copy = through<kFunction>(call_real, static_cast<uint64_t>(static_cast<int64_t>(fd)), nullptr);
  if (copy >= 0 && wanted(kFunction) != kNotWanted) note_duplicate(fd, copy);
  return copy;
}

template <Function kFunction, typename Real>
[[gnu::always_inline]] inline int pair(Real call_real, const int* fds) {
  const int result = through<kFunction>(call_real, 0, nullptr);
  if (result == 0 && wanted(kFunction) != kNotWanted) note_kind(fds[0], kWaiter), note_kind(fds[1], kWaiter);
  return result;
}

bool waits(int operation) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case 13:  // FUTEX_LOCK_PI2
      return true;
    default:
      return false;
  }
}

/// Limits of other operations than this one are points of time.
uint64_t futex_limit(int operation, long time) {
  if (time == 0) return event::kNoLimitDetail;
  if ((operation & FUTEX_CMD_MASK) != FUTEX_WAIT) return kNoDetail;
  const auto* limit = reinterpret_cast<const timespec*>(time);
  return event::timeout_detail(static_cast<uint64_t>(limit->tv_sec), static_cast<uint64_t>(limit->tv_nsec));
}

/// -1 and errno, as syscall() gives it.
long as_libc(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace

extern "C" {

SEXTANT_HOOK int hook_dup(int fd) __asm__("dup");
SEXTANT_HOOK int hook_dup(int fd) {
  auto* next = real<int(int)>(Function::dup);
  return duplicate<Function::dup>([=] { return next(fd); }, fd);
}
SEXTANT_HOOK int hook_dup2(int fd, int copy) __asm__("dup2");
SEXTANT_HOOK int hook_dup2(int fd, int copy) {
  auto* next = real<int(int, int)>(Function::dup2);
  return duplicate<Function::dup2>([=] { return next(fd, copy); }, fd);
}
SEXTANT_HOOK int hook_dup3(int fd, int copy, int flags) __asm__("dup3");
SEXTANT_HOOK int hook_dup3(int fd, int copy, int flags) {
  auto* next = real<int(int, int, int)>(Function::dup3);
  return duplicate<Function::dup3>([=] { return next(fd, copy, flags); }, fd);
}

SEXTANT_HOOK int hook_pipe(int* fds) __asm__("pipe");
SEXTANT_HOOK int hook_pipe(int* fds) {
  auto* next = real<int(int*)>(Function::pipe);
  return pair<Function::pipe>([=] { return next(fds); }, fds);
}
SEXTANT_HOOK int hook_pipe2(int* fds, int flags) __asm__("pipe2");
SEXTANT_HOOK int hook_pipe2(int* fds, int flags) {
  auto* next = real<int(int*, int)>(Function::pipe2);
  return pair<Function::pipe2>([=] { return next(fds, flags); }, fds);
}
SEXTANT_HOOK int hook_socketpair(int family, int type, int protocol, int* fds) __asm__("socketpair");
SEXTANT_HOOK int hook_socketpair(int family, int type, int protocol, int* fds) {
  auto* next = real<int(int, int, int, int*)>(Function::socketpair);
  return pair<Function::socketpair>([=] { return next(family, type, protocol, fds); }, fds);
}

/// The child, which returns as well, began later than this call.
SEXTANT_HOOK pid_t hook_fork() __asm__("fork");
SEXTANT_HOOK pid_t hook_fork() {
  auto* next = real<pid_t()>(Function::fork);
  if (wanted(Function::fork) == kNotWanted) return next();
  const uint64_t begin = now();
  const pid_t child = next();
  if (child == 0) return 0;
  const Words words = describe<Function::fork>(0, child);
  finish(begin, words.head, words.value, words.error);
  return child;
}

/// Three of the arguments are optional, which makes no difference to registers and the stack. A child that
/// shares thread-local storage cannot be told from the thread that made it. While it waits for the child,
/// nothing is recorded; otherwise that is said.
SEXTANT_HOOK int hook_clone(int (*run)(void*), void* stack, int flags, void* argument, void* parent_tid,
                            void* storage, void* child_tid) __asm__("clone");
SEXTANT_HOOK int hook_clone(int (*run)(void*), void* stack, int flags, void* argument, void* parent_tid,
                            void* storage, void* child_tid) {
  using Clone = int(int (*)(void*), void*, int, void*, void*, void*, void*);
  auto* next = real<Clone>(Function::clone);
  const bool shares = (flags & CLONE_VM) != 0 && (flags & CLONE_SETTLS) == 0;
  const bool borrows = shares && (flags & CLONE_VFORK) != 0;
  if (wanted(Function::clone) == kNotWanted)
    return next(run, stack, flags, argument, parent_tid, storage, child_tid);
  if (shares && !borrows) add_reason(spool::kSharedThread);
  ThreadBlock* t = sextant_thread;
  const uint64_t begin = now();
  if (borrows) sextant_thread = nullptr, ++sextant_borrowed;
  const int child = next(run, stack, flags, argument, parent_tid, storage, child_tid);
  if (borrows) sextant_thread = t, --sextant_borrowed;
  const Words words = describe<Function::clone>(0, child);
  finish(begin, words.head, words.value, words.error);
  return child;
}

void sextant_osrt_spawned(bool searched, uint64_t begin, int result, int child) {
  const Function function = searched ? Function::posix_spawnp : Function::posix_spawn;
  if (wanted(function) == kNotWanted) return;
  const auto about = static_cast<uint64_t>(child);
  const Words words = searched ? describe<Function::posix_spawnp>(about, result)
                               : describe<Function::posix_spawn>(about, result);
  finish(begin, words.head, words.value, words.error);
}

/// Called by the vfork of hooks.S, in the parent.
uint64_t sextant_osrt_now() {
  return wanted(Function::vfork) != kNotWanted ? now() : 0;
}
void sextant_osrt_vforked(uint64_t begin, long child) {
  if (begin == 0) return;
  const Words words = describe<Function::vfork>(0, static_cast<pid_t>(child));
  finish(begin, words.head, words.value, words.error);
}

/// Where syscall() of hooks.S goes for calls that wait: futex, io_uring_enter.
long sextant_osrt_syscall(long number, long a, long b, long c, long d, long e, long f) {
  const auto call = [=] { return as_libc(sys::system_call(number, a, b, c, d, e, f)); };
  if (number == SYS_futex) {
    if (!waits(static_cast<int>(b))) return call();
    return through<Function::futex>([&] { return static_cast<int>(call()); }, static_cast<uint64_t>(a),
                                    nullptr, [=] { return futex_limit(static_cast<int>(b), d); });
  }
  return through<Function::io_uring_enter>(call, static_cast<uint64_t>(a), nullptr);
}

}  // extern "C"

}  // namespace sextant::agent::osrt
