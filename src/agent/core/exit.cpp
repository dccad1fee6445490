// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The ends that run no exit handler, and what shuts the agent's system calls off: interposed, noted, passed
// on. What names threads is noted, too. exit() and a return from main come through on_exit (init.cpp).
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstdarg>

#include "agent/core/init.h"
#include "agent/core/libc.h"
#include "agent/core/sys.h"

using namespace sextant::agent;  // NOLINT: the definitions below are the C library's names

#define SEXTANT_HOOK __attribute__((visibility("default")))

namespace {

[[noreturn]] void end_process(int code) {
  for (;;) sys::system_call(SYS_exit_group, code);
}

long with_errno(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace

extern "C" {

[[gnu::noreturn]] SEXTANT_HOOK void _exit(int code) {
  if (sextant_borrowed == 0) note_exit(sextant::spool::ExitKind::kUnderscoreExit, code);
  end_process(code);
}

[[gnu::noreturn]] SEXTANT_HOOK void _Exit(int code) noexcept {
  if (sextant_borrowed == 0) note_exit(sextant::spool::ExitKind::kUnderscoreExit, code);
  end_process(code);
}

[[gnu::noreturn]] SEXTANT_HOOK void quick_exit(int code) noexcept {
  libc::resolve();
  if (sextant_borrowed == 0) note_exit(sextant::spool::ExitKind::kExit, code);
  if (libc::quick_exit != nullptr) libc::quick_exit(code);
  end_process(code);
}

SEXTANT_HOOK int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  long a[4];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  // Strict mode also takes the time stamp counter away, and with it the vdso's clocks: an event would be a
  // SIGSEGV.
  uint32_t how = 0;
  if (option == PR_SET_SECCOMP) how = a[0] == SECCOMP_MODE_STRICT ? kNoCalls | kNoClock : kNoCalls;
  if (option == PR_SET_TSC && a[0] == PR_TSC_SIGSEGV) how = kNoClock;
  if (how == kNoCalls) prepare_to_be_confined();
  if (how != 0) confine(how);
  long result = sys::system_call(SYS_prctl, option, a[0], a[1], a[2], a[3]);
  if (how != 0 && result != 0) unconfine(how);
  if (option == PR_SET_TSC && a[0] == PR_TSC_ENABLE && result == 0) unconfine(kNoClock);
  if (option == PR_SET_NAME && result == 0) note_thread_name(0, reinterpret_cast<const char*>(a[0]));
  return static_cast<int>(with_errno(result));
}

/// The C library's own does not pass the prctl above.
SEXTANT_HOOK int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  libc::resolve();
  if (libc::pthread_setname_np == nullptr) return ENOSYS;
  // Before: a thread that has been named may end, and be gone, at any moment.
  const uint32_t tid = g_setup.libc_thread_id ? sextant::base::arch::thread_id_of_libc(thread) : 0;
  const int result = libc::pthread_setname_np(thread, name);
  if (result == 0 && tid != 0) note_thread_name(tid, name);
  return result;
}

SEXTANT_HOOK int chroot(const char* path) noexcept {
  prepare_to_be_confined();
  long result = sys::system_call(SYS_chroot, reinterpret_cast<long>(path));
  if (result == 0) confine(kNoPaths);
  return static_cast<int>(with_errno(result));
}

/// Called by the interposed syscall() for SYS_seccomp alone; everything else never leaves assembly.
__attribute__((visibility("hidden"))) long sextant_seccomp(long operation, long flags, long arguments) {
  uint32_t how = 0;
  if (operation == SECCOMP_SET_MODE_FILTER) how = kNoCalls;
  if (operation == SECCOMP_SET_MODE_STRICT) how = kNoCalls | kNoClock;
  if (how == kNoCalls) prepare_to_be_confined();
  if (how != 0) confine(how);
  long result = sys::system_call(SYS_seccomp, operation, flags, arguments);
  if (how != 0 && result < 0) unconfine(how);
  return result;
}

}  // extern "C"
