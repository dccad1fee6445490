// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A self-check of the machine-dependent parts for architectures on which no test framework is at hand: the
// clock goes forward, a synchronisation is consistent, the shared structures have their sizes (by their own
// static_asserts).
#include <cstdio>

#include "base/clock.h"
#include "event/schema.h"
#include "spool/format.h"

int main() {
  namespace base = sextant::base;
  base::ClockKind kind = base::best_clock_kind();
  uint64_t first = base::stamp(kind);
  uint64_t last = first;
  for (int i = 0; i < 1000; ++i) {
    uint64_t now = base::stamp(kind);
    if (now < last) {
      std::puts("aarch64 check: the clock went backwards");
      return 1;
    }
    last = now;
  }
  base::ClockSync sync = base::take_clock_sync(kind);
  if (sync.raw < first || sync.realtime_ns == 0) {
    std::puts("aarch64 check: a clock synchronisation is wrong");
    return 1;
  }
  uint32_t counter = 5;
  if (base::arch::fetch_add_same_thread(&counter, 3) != 5 || counter != 8) {
    std::puts("aarch64 check: fetch_add_same_thread is wrong");
    return 1;
  }
  std::puts("aarch64 check: ok");
  return 0;
}
