// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Time stamp and the signal-atomic (not thread-atomic) reservation for x86-64.
#pragma once

#include <cpuid.h>
#include <x86intrin.h>

#include <cstdint>

namespace sextant::base::arch {

inline uint64_t tsc() {
  return __rdtsc();
}

/// CPUID leaf 0x80000007, EDX bit 8: the TSC runs at a constant rate in all power states.
inline bool tsc_invariant() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

/// Adds to a counter that only this thread writes, so that a signal handler of the same thread sees all or
/// nothing: one instruction without the lock prefix. Returns the old value.
inline uint32_t fetch_add_same_thread(uint32_t* counter, uint32_t add) {
  asm volatile("xaddl %0, %1" : "+r"(add), "+m"(*counter) : : "memory");
  return add;
}
inline uint64_t fetch_add_same_thread(uint64_t* counter, uint64_t add) {
  asm volatile("xaddq %0, %1" : "+r"(add), "+m"(*counter) : : "memory");
  return add;
}

}  // namespace sextant::base::arch
