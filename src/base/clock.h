// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock of events. One clock domain a run, chosen by the collector and written into the control page:
//   kTsc        the time stamp counter, where it is invariant and the kernel itself uses it as clock source
//   kMonotonic  CLOCK_MONOTONIC in nanoseconds
// Stamps are raw counts of that clock; the report keeps them raw, with pairs (raw, CLOCK_MONOTONIC,
// CLOCK_REALTIME) from which a reader computes nanoseconds. Safe inside the agent: no allocation, no locks.
#pragma once

#include <time.h>

#include <cstdint>

#if defined(__x86_64__)
#include "base/arch/x86_64/stamp.h"
#else
#include "base/arch/generic/stamp.h"
#endif

namespace sextant::base {

enum class ClockKind : uint32_t { kMonotonic = 0, kTsc = 1 };

inline uint64_t clock_ns(clockid_t id) {
  timespec t;
  ::clock_gettime(id, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

/// The raw stamp of a clock kind. `kind` is loop-invariant in callers.
inline uint64_t stamp(ClockKind kind) {
  return kind == ClockKind::kTsc ? arch::tsc() : clock_ns(CLOCK_MONOTONIC);
}

/// kTsc if the processor says its TSC is invariant and the kernel's current clock source is tsc. Reads sysfs.
ClockKind best_clock_kind();

/// One synchronisation: raw stamp and both clocks read within `error_ns` (half the width of the tightest of
/// 16 brackets).
struct ClockSync {
  uint64_t raw = 0;
  uint64_t monotonic_ns = 0;
  uint64_t realtime_ns = 0;
  uint64_t error_ns = 0;
};
ClockSync take_clock_sync(ClockKind kind);

}  // namespace sextant::base
