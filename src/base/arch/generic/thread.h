// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The portable fallback.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::base::arch {

inline uintptr_t stack_pointer() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

inline void store_stack_pointer(uintptr_t* to) {
  __atomic_store_n(to, stack_pointer(), __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

inline uint32_t thread_id_of_libc() {
  return 0;
}
inline uint32_t thread_id_of_libc(uintptr_t) {
  return 0;
}
inline constexpr bool kLibcThreadId = false;

}  // namespace sextant::base::arch
