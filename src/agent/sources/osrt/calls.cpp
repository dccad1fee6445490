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

// What the table's details are made of

[[gnu::always_inline]] inline uint64_t size(uint64_t bytes) {
  return event::bytes_detail(bytes);
}
template <typename T>
[[gnu::always_inline]] inline uint64_t word(T value) {
  return static_cast<uint32_t>(bits(value));
}
[[gnu::always_inline]] inline uint64_t limit_ms(int timeout) {
  if (timeout < 0) return event::kNoLimitDetail;
  return event::timeout_detail(static_cast<unsigned>(timeout) / 1000,
                               static_cast<unsigned>(timeout) % 1000 * uint64_t{1'000'000});
}
[[gnu::always_inline]] inline uint64_t limit_us(uint64_t time) {
  return event::timeout_detail(time / 1'000'000, time % 1'000'000 * 1000);
}
[[gnu::always_inline]] inline uint64_t limit_s(uint64_t time) {
  return event::timeout_detail(time, 0);
}
uint64_t limit_at(const timespec* time) {
  if (time == nullptr) return event::kNoLimitDetail;
  return time->tv_sec < 0 || time->tv_nsec < 0 ? kNoDetail
                                               : event::timeout_detail(static_cast<uint64_t>(time->tv_sec),
                                                                       static_cast<uint64_t>(time->tv_nsec));
}
uint64_t limit_relative(int flags, const timespec* time) {
  return (flags & TIMER_ABSTIME) != 0 ? kNoDetail : limit_at(time);
}
/// The kernel puts what is left of it there. Only a C library that looks itself answers for the pointer.
uint64_t limit_before(const timeval* time) {
  if (time == nullptr) return event::kNoLimitDetail;
  if (!g_select_reads || time->tv_sec < 0 || time->tv_usec < 0) return kNoDetail;
  return event::timeout_detail(static_cast<uint64_t>(time->tv_sec),
                               static_cast<uint64_t>(time->tv_usec) * 1000);
}
uint64_t peer(const void* address, unsigned bytes) {
  if (address == nullptr || bytes < sizeof(sa_family_t)) return kNoDetail;
  const sa_family_t family = static_cast<const sockaddr*>(address)->sa_family;
  uint32_t port = 0;  // in network order, behind the family
  if ((family == AF_INET || family == AF_INET6) && bytes >= 4) {
    const auto* at = static_cast<const unsigned char*>(address);
    port = static_cast<uint32_t>(at[2]) << 8 | at[3];
  }
  return uint32_t{family} << 16 | port;
}

}  // namespace

// Names of our own in C++, the C library's in the symbol table: its headers may declare them as they like.
#define SEXTANT_PATH(symbol, shown, family, waits, object, access, failure, detail, result, parameters, \
                     arguments, about, path, second)                                                    \
  extern "C" SEXTANT_HOOK result hook_##symbol parameters __asm__(#symbol);                             \
  extern "C" SEXTANT_HOOK result hook_##symbol parameters {                                             \
    auto* next = real<result parameters>(Function::symbol);                                             \
    if (__builtin_expect(next == nullptr, 0)) return missing<Function::symbol, result>();               \
    return through<Function::symbol>([&]() -> result { return next arguments; }, bits(about), path,     \
                                     [&]() -> uint64_t { return second; });                             \
  }
#define SEXTANT_CALL(symbol, shown, family, waits, object, access, failure, detail, result, parameters,      \
                     arguments, about, second)                                                               \
  SEXTANT_PATH(symbol, shown, family, waits, object, access, failure, detail, result, parameters, arguments, \
               about, nullptr, second)
#define SEXTANT_OWN(...)
#include "event/osrt_functions.def"
#undef SEXTANT_OWN
#undef SEXTANT_CALL
#undef SEXTANT_PATH

}  // namespace sextant::agent::osrt
