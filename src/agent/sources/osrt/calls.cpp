// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The hooks that follow from the table alone.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <type_traits>

#include "agent/sources/osrt/record.h"

namespace sextant::agent::osrt {

namespace {

template <typename T>
[[gnu::always_inline]] inline uint64_t bits(T value) {
  return (uint64_t)value;
}

}  // namespace

// Names of our own in C++, the C library's in the symbol table: its headers may declare them as they like.
#define SEXTANT_PATH(symbol, shown, family, waits, object, access, failure, result, parameters, arguments, \
                     about, path)                                                                          \
  extern "C" SEXTANT_HOOK result hook_##symbol parameters __asm__(#symbol);                                \
  extern "C" SEXTANT_HOOK result hook_##symbol parameters {                                                \
    auto* next = real<result parameters>(Function::symbol);                                                \
    if (__builtin_expect(next == nullptr, 0)) return missing<Function::symbol, result>();                  \
    return through<Function::symbol>([&]() -> result { return next arguments; }, bits(about), path);       \
  }
#define SEXTANT_CALL(symbol, shown, family, waits, object, access, failure, result, parameters, arguments,  \
                     about)                                                                                 \
  SEXTANT_PATH(symbol, shown, family, waits, object, access, failure, result, parameters, arguments, about, \
               nullptr)
#define SEXTANT_OWN(...)
#include "event/osrt_functions.def"
#undef SEXTANT_OWN
#undef SEXTANT_CALL
#undef SEXTANT_PATH

}  // namespace sextant::agent::osrt
