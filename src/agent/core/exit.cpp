// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The ends that run no exit handler, and what shuts the agent's system calls off: interposed, noted, passed
// on. exit() and a return from main come through on_exit (init.cpp).
#include <linux/seccomp.h>
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

[[noreturn]] SEXTANT_HOOK void _exit(int code) {
  if (sextant_borrowed == 0) note_exit(sextant::spool::ExitKind::kUnderscoreExit, code);
  end_process(code);
}

[[noreturn]] SEXTANT_HOOK void _Exit(int code) noexcept {
  if (sextant_borrowed == 0) note_exit(sextant::spool::ExitKind::kUnderscoreExit, code);
  end_process(code);
}

[[noreturn]] SEXTANT_HOOK void quick_exit(int code) noexcept {
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
  bool filter = option == PR_SET_SECCOMP;
  if (filter) prepare_to_be_confined();
  if (filter) confine(kNoCalls);
  long result = sys::system_call(SYS_prctl, option, a[0], a[1], a[2], a[3]);
  if (filter && result != 0) unconfine(kNoCalls);
  return static_cast<int>(with_errno(result));
}

SEXTANT_HOOK int chroot(const char* path) noexcept {
  prepare_to_be_confined();
  long result = sys::system_call(SYS_chroot, reinterpret_cast<long>(path));
  if (result == 0) confine(kNoPaths);
  return static_cast<int>(with_errno(result));
}

/// Called by the interposed syscall() for SYS_seccomp alone; everything else never leaves assembly.
__attribute__((visibility("hidden"))) long sextant_seccomp(long operation, long flags, long arguments) {
  bool filter = operation == SECCOMP_SET_MODE_STRICT || operation == SECCOMP_SET_MODE_FILTER;
  if (filter) prepare_to_be_confined();
  if (filter) confine(kNoCalls);
  long result = sys::system_call(SYS_seccomp, operation, flags, arguments);
  if (filter && result < 0) unconfine(kNoCalls);
  return result;
}

}  // extern "C"
