// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a thread can know about itself without a system call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::base::arch {

inline uintptr_t stack_pointer() {
  uintptr_t sp;
  asm volatile("mov %%rsp, %0" : "=r"(sp));
  return sp;
}

/// Stores the stack pointer as one instruction, before any later memory access.
inline void store_stack_pointer(uintptr_t* to) {
  asm volatile("mov %%rsp, %0" : "=m"(*to) : : "memory");
}

/// The thread id that glibc keeps in its thread descriptor, whose place has been the same since 2.4. Callers
/// check it once against the kernel's answer before they rely on it.
inline uint32_t thread_id_of_libc() {
  uint32_t tid;
  asm volatile("movl %%fs:0x2d0, %0" : "=r"(tid));
  return tid;
}
/// The same of another thread, by its pthread_t, which is the address of its descriptor. It must not have
/// been joined.
inline uint32_t thread_id_of_libc(uintptr_t thread) {
  return *reinterpret_cast<const volatile uint32_t*>(thread + 0x2d0);
}
inline constexpr bool kLibcThreadId = true;

}  // namespace sextant::base::arch
