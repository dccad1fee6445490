// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

namespace sextant::base {

ClockKind best_clock_kind() {
  if (!arch::tsc_invariant()) return ClockKind::kMonotonic;
  int fd = ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ClockKind::kMonotonic;
  char name[16] = {};
  ssize_t n = ::read(fd, name, sizeof name - 1);
  ::close(fd);
  return n >= 3 && std::memcmp(name, "tsc", 3) == 0 ? ClockKind::kTsc : ClockKind::kMonotonic;
}

ClockSync take_clock_sync(ClockKind kind) {
  ClockSync best;
  best.error_ns = UINT64_MAX;
  for (int i = 0; i < 16; ++i) {
    uint64_t before = clock_ns(CLOCK_MONOTONIC);
    uint64_t raw = stamp(kind);
    uint64_t after = clock_ns(CLOCK_MONOTONIC);
    uint64_t error = (after - before) / 2 + 1;
    if (error < best.error_ns) best = {raw, before + (after - before) / 2, 0, error};
  }
  uint64_t real_before = clock_ns(CLOCK_MONOTONIC);
  uint64_t real = clock_ns(CLOCK_REALTIME);
  uint64_t real_after = clock_ns(CLOCK_MONOTONIC);
  best.realtime_ns = real - (real_before + (real_after - real_before) / 2) + best.monotonic_ns;
  if (kind == ClockKind::kMonotonic) best = {best.monotonic_ns, best.monotonic_ns, best.realtime_ns, 0};
  return best;
}

}  // namespace sextant::base
