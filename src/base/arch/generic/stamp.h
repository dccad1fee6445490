// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The portable fallback: no cycle counter that is known to be the kernel's clock source, and full atomics.
#pragma once

#include <cstdint>

namespace sextant::base::arch {

inline uint64_t tsc() {
  return 0;
}
inline bool tsc_invariant() {
  return false;
}
inline uint32_t fetch_add_same_thread(uint32_t* counter, uint32_t add) {
  return __atomic_fetch_add(counter, add, __ATOMIC_RELAXED);
}
inline uint64_t fetch_add_same_thread(uint64_t* counter, uint64_t add) {
  return __atomic_fetch_add(counter, add, __ATOMIC_RELAXED);
}

}  // namespace sextant::base::arch
