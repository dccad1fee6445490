// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// longjmp and its kin leave a call only out of a signal handler that came in the middle of it. Nothing is
// recorded: the thread's calls in progress are forgotten, also where the jump stays within the handler, which
// cannot be told.
#include "agent/core/libc.h"
#include "agent/sources/osrt/next.h"
#include "agent/sources/osrt/record.h"

namespace sextant::agent::osrt {

namespace {

using Jump = void(void* environment, int value);

[[gnu::noinline, gnu::cold]] Jump* find_jump(void** place, const char* name) {
  void* found = next_definition(name);
  if (found == nullptr) found = libc::find_next(name);
  __atomic_store_n(place, found, __ATOMIC_RELAXED);
  return reinterpret_cast<Jump*>(found);
}

}  // namespace

#define SEXTANT_JUMP(symbol)                                                                   \
  static constinit void* g_next_##symbol = nullptr;                                            \
  extern "C" SEXTANT_HOOK void hook_##symbol(void* environment, int value) __asm__(#symbol);   \
  extern "C" SEXTANT_HOOK void hook_##symbol(void* environment, int value) {                   \
    if (ThreadBlock* t = known_thread()) forget_calls(t);                                      \
    auto* next = reinterpret_cast<Jump*>(__atomic_load_n(&g_next_##symbol, __ATOMIC_RELAXED)); \
    if (__builtin_expect(next == nullptr, 0)) next = find_jump(&g_next_##symbol, #symbol);     \
    next(environment, value);                                                                  \
  }

SEXTANT_JUMP(longjmp)
SEXTANT_JUMP(_longjmp)
SEXTANT_JUMP(siglongjmp)
SEXTANT_JUMP(__longjmp_chk)

}  // namespace sextant::agent::osrt
