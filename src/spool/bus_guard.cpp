// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "spool/bus_guard.h"

#include <signal.h>
#include <sys/mman.h>

#include <atomic>

#include "spool/format.h"

namespace sextant::spool {

namespace {

std::atomic<uint64_t> g_replaced{0};

void replace_page(int number, siginfo_t* info, void*) {
  // BUS_ADRERR: beyond the end of a mapped file, or the disk is full. Anything else is a bug: default action
  // at the next fault.
  auto page = reinterpret_cast<uintptr_t>(info->si_addr) & ~uintptr_t{kPageBytes - 1};
  if (info->si_code != BUS_ADRERR || page == 0 ||
      ::mmap(reinterpret_cast<void*>(page), kPageBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
    ::signal(number, SIG_DFL);
    return;
  }
  g_replaced.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void guard_bus_errors() {
  struct sigaction action {};
  action.sa_sigaction = replace_page;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

uint64_t bus_errors() {
  return g_replaced.load(std::memory_order_relaxed);
}

}  // namespace sextant::spool
