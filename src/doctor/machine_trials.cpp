// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What Machine tries for real. Every descriptor is closed and every child has ended when a function returns.
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "doctor/machine.h"

namespace sextant::doctor {

namespace {

int open_and_close(perf_event_attr* attributes, pid_t pid, int cpu) {
  attributes->size = sizeof *attributes;
  attributes->disabled = 1;
  const long fd = ::syscall(SYS_perf_event_open, attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) return errno;
  ::close(static_cast<int>(fd));
  return 0;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

/// What `trial` returns, in a child: a seccomp filter may kill who asks.
template <typename Trial>
int in_child(const Trial& trial) {
  const pid_t child = ::fork();
  if (child < 0) return errno;
  if (child == 0) ::_exit(trial());
  const int status = wait_for(child);
  if (status >= 0 && WIFEXITED(status)) return WEXITSTATUS(status);
  return status >= 0 && WIFSIGNALED(status) ? EPERM : EAGAIN;
}

/// A child that does nothing until it is killed, also when its parent dies.
pid_t start_idle_child() {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  for (;;) ::pause();
}

/// In the child that attaches: the errno.
int attach(AttachUse use, pid_t victim) {
  if (use == AttachUse::kPtrace) {
    if (::ptrace(PTRACE_SEIZE, victim, nullptr, nullptr) != 0) return errno;
    return 0;  // ends with this process
  }
  static const char kWord = 'x';  // at the same address in both
  char copy = 0;
  iovec to{&copy, 1}, from{const_cast<char*>(&kWord), 1};
  return ::process_vm_readv(victim, &to, 1, &from, 1, 0) == 1 ? 0 : errno;
}

}  // namespace

int Machine::try_perf(PerfUse use) const {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = 1'000'000;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  bool system_wide = false;
  switch (use) {
    case PerfUse::kOwn:
      break;
    case PerfUse::kOwnWithKernel:
      attributes.exclude_kernel = 0;
      break;
    case PerfUse::kSwitches:
      attributes.config = PERF_COUNT_SW_DUMMY;
      attributes.sample_period = 0;
      attributes.context_switch = 1;
      break;
    case PerfUse::kSystemWide:
      attributes.exclude_kernel = 0;
      system_wide = true;
      break;
    case PerfUse::kHardwareCounter:
      attributes.type = PERF_TYPE_HARDWARE;
      attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
      break;
  }
  return in_child([&] { return open_and_close(&attributes, system_wide ? -1 : 0, system_wide ? 0 : -1); });
}

int Machine::try_attach(AttachUse use) const {
  const pid_t victim = start_idle_child();
  if (victim < 0) return errno;
  const int error = in_child([&] { return attach(use, victim); });
  ::kill(victim, SIGKILL);
  wait_for(victim);
  return error;
}

}  // namespace sextant::doctor
