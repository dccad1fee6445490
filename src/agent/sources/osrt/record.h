// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What every hook of the C library does: the next definition of the function is called, and if it is to be
// recorded, the clock is read before and after. Nothing is held while that function runs: it may never
// return, be cancelled, jump away, or return in another process. errno is left as the function left it.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include "agent/core/thread.h"
#include "event/osrt_functions.h"

#define SEXTANT_HOOK __attribute__((visibility("default")))

namespace sextant::agent::osrt {

using event::OsrtAccess;
using event::OsrtDetail;
using event::OsrtFailure;
using event::OsrtFamily;
using event::OsrtObject;
using event::OsrtWaits;

/// Numbers of the functions, as in the run folder.
enum class Function : uint16_t {
#define SEXTANT_OWN(symbol, ...) symbol,
#define SEXTANT_CALL(symbol, ...) symbol,
#define SEXTANT_PATH(symbol, ...) symbol,
#include "event/osrt_functions.def"
#undef SEXTANT_OWN
#undef SEXTANT_CALL
#undef SEXTANT_PATH
  kCount
};
inline constexpr uint32_t kFunctions = static_cast<uint32_t>(Function::kCount);
static_assert(kFunctions <= spool::kOsrtBitmapBytes * 8);

struct Traits {
  OsrtWaits waits;
  OsrtObject object;
  OsrtAccess access;
  OsrtFailure failure;
  OsrtDetail detail;
};
inline constexpr Traits kTraits[] = {
#define SEXTANT_OWN(symbol, shown, family, waits, object, access, failure, detail) \
  {OsrtWaits::waits, OsrtObject::object, OsrtAccess::access, OsrtFailure::failure, OsrtDetail::detail},
#define SEXTANT_CALL(symbol, shown, family, waits, object, access, failure, detail, ...) \
  SEXTANT_OWN(symbol, shown, family, waits, object, access, failure, detail)
#define SEXTANT_PATH SEXTANT_CALL
#include "event/osrt_functions.def"
#undef SEXTANT_PATH
#undef SEXTANT_CALL
#undef SEXTANT_OWN
};

/// What a hook returns where the C library does not have the function: as a kernel that does not.
template <Function kFunction, typename R>
[[gnu::noinline, gnu::cold]] R missing() {
  constexpr OsrtFailure kHow = kTraits[static_cast<uint32_t>(kFunction)].failure;
  if constexpr (kHow == OsrtFailure::kErrorNumber) {
    return ENOSYS;
  } else {
    errno = ENOSYS;
    if constexpr (std::is_pointer_v<R>)
      return nullptr;
    else if constexpr (!std::is_void_v<R>)
      return static_cast<R>(-1);
  }
}

/// How a function is recorded.
enum Wanted : uint8_t {
  kNotWanted = 0,  // and nothing is, before the start and where the agent is inert
  kCall = 1,
  kCallAndFile = 2,  // --osrt-file-access
};

struct Hooks {
  void* next[kFunctions];      // nullptr: not looked up yet
  uint8_t wanted[kFunctions];  // Wanted
  uint64_t threshold;          // shorter calls are not recorded, in stamps
};
extern Hooks g_hooks;
extern bool g_select_reads;  // the C library's select looks at the time itself
extern const char*
    g_single_threaded;  // not 0 there while there is one thread only, as far as the C library knows

/// Looks up what is behind the hook. nullptr: this C library does not have it.
void* find_real(Function function);

template <typename F>
[[gnu::always_inline]] inline F* real(Function function) {
  void* found = __atomic_load_n(&g_hooks.next[static_cast<uint32_t>(function)], __ATOMIC_RELAXED);
  if (__builtin_expect(found == nullptr, 0)) found = find_real(function);
  return reinterpret_cast<F*>(found);
}
[[gnu::always_inline]] inline Wanted wanted(Function function) {
  return static_cast<Wanted>(
      __atomic_load_n(&g_hooks.wanted[static_cast<uint32_t>(function)], __ATOMIC_RELAXED));
}

/// A call begins: until finish() it is one in progress, which the run folder shows if it never returns. What
/// is left by longjmp() is forgotten then.
void begin_call(uint64_t begin, uint64_t head, uint64_t value);

/// Records a call that has just returned. `head`: Slot's second word, kAskDescriptor perhaps among its flags;
/// `value`: OsrtSlot's.
void finish(uint64_t begin, uint64_t head, uint64_t value, uint64_t error);
/// The same with the file that it was about and a path (or nullptr, then `more` is OsrtNameSlot::text), where
/// files are recorded.
void finish_with_file(uint64_t begin, uint64_t head, uint64_t value, uint64_t error, uint64_t file,
                      const char* path, uint64_t more = 0);
/// Records what failed, or took so long that it was more than a way through.
void finish_if_blocked(uint64_t begin, uint64_t head, uint64_t value, uint64_t error);

/// In `head`: whether the time was waiting depends on a descriptor of which nothing is known yet.
inline constexpr uint32_t kAskDescriptor = 0x80;

// Descriptors: what is known of them without asking the system. Only those below kDescriptors.

inline constexpr uint32_t kDescriptors = 4096;
enum DescriptorKind : uint8_t { kUnknown = 0, kFile = 1, kWaiter = 2 };  // kWaiter: a pipe, a socket, ...

struct Descriptors {
  uint8_t kind[kDescriptors];
  uint64_t file[kDescriptors];  // OsrtNameSlot::file, 0: not known
};
extern Descriptors g_descriptors;

[[gnu::always_inline]] inline void note_kind(int fd, DescriptorKind kind) {
  if (static_cast<unsigned>(fd) < kDescriptors)
    __atomic_store_n(&g_descriptors.kind[fd], kind, __ATOMIC_RELAXED);
}
[[gnu::always_inline]] inline uint32_t flags_of_descriptor(uint64_t fd) {
  if (static_cast<uint32_t>(fd) >= kDescriptors) return 0;
  const uint8_t kind = __atomic_load_n(&g_descriptors.kind[static_cast<uint32_t>(fd)], __ATOMIC_RELAXED);
  if (kind == kFile) return 0;
  return kind == kWaiter ? uint32_t{spool::kOsrtWaits} : kAskDescriptor;
}
/// Gives a file that was just opened its number.
uint64_t new_file(int fd);
uint64_t file_of(int fd);
/// What was known of a descriptor that is about to be closed; nothing from now on.
uint64_t forget_descriptor(int fd);
void note_duplicate(int fd, int copy);

// The way of a hook

/// What is recorded of a call, in registers.
struct Words {
  uint64_t head, value, error;
};

inline constexpr uint64_t kNoDetail = UINT64_MAX;

template <Function kFunction, typename R>
[[gnu::always_inline]] inline bool failed(R result) {
  constexpr OsrtFailure kHow = kTraits[static_cast<uint32_t>(kFunction)].failure;
  if constexpr (kHow == OsrtFailure::kMinusOne) return (intptr_t)result == -1;
  if constexpr (kHow == OsrtFailure::kNull || kHow == OsrtFailure::kErrorNumber)
    return (intptr_t)result == 0 ? kHow == OsrtFailure::kNull : kHow == OsrtFailure::kErrorNumber;
  return false;
}

template <Function kFunction>
[[gnu::always_inline]] inline uint32_t flags_of_waiting(uint64_t about) {
  constexpr OsrtWaits kWaits = kTraits[static_cast<uint32_t>(kFunction)].waits;
  if constexpr (kWaits == OsrtWaits::kDescriptor) return flags_of_descriptor(about);
  return kWaits == OsrtWaits::kWaits ? uint32_t{spool::kOsrtWaits} : 0;
}

/// `about` as the table's `object` says, `detail` as its `detail`. A detail takes the place of what the
/// record can do without: of the object where there is none, of a result that only says whether it failed, or
/// of the upper half of a result that has none.
template <Function kFunction>
[[gnu::always_inline]] inline Words compose(uint64_t about, uint64_t bits, uint32_t flags, uint64_t detail) {
  constexpr Traits kIs = kTraits[static_cast<uint32_t>(kFunction)];
  constexpr bool kWide = kIs.object == OsrtObject::kAddress || kIs.object == OsrtObject::kThread;
  uint64_t value = kWide ? about : bits;
  auto name = static_cast<uint32_t>(kWide ? bits : about);
  if constexpr (kWide) flags |= spool::kOsrtWide;
  if constexpr (kIs.detail != OsrtDetail::kNone) {
    if (detail <= UINT32_MAX) {
      flags |= spool::kOsrtDetail;
      if constexpr (kWide || kIs.object == OsrtObject::kNone)
        name = static_cast<uint32_t>(detail);
      else
        value = static_cast<uint32_t>(bits) | detail << 32;
    }
  }
  return {spool::second_word(name, static_cast<uint16_t>(kFunction), 2, flags), value, 0};
}

template <Function kFunction, typename R>
[[gnu::always_inline]] inline Words describe(uint64_t about, R result, uint64_t detail = kNoDetail) {
  constexpr Traits kIs = kTraits[static_cast<uint32_t>(kFunction)];
  constexpr bool kWide = kIs.object == OsrtObject::kAddress || kIs.object == OsrtObject::kThread;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): R may be a pointer, whose own size is meant
  static_assert(!kWide || sizeof(R) <= 4, "the result of a call about an address has 32 bits");
  const auto bits = static_cast<uint64_t>((intptr_t)result);
  uint32_t flags = flags_of_waiting<kFunction>(about);
  uint64_t error = 0;
  if (__builtin_expect(failed<kFunction>(result), 0)) {
    flags |= spool::kOsrtFailed;
    error = kIs.failure == OsrtFailure::kErrorNumber ? bits : static_cast<uint64_t>(errno);
  }
  Words words = compose<kFunction>(about, bits, flags, detail);
  words.error = error;
  return words;
}

template <Function kFunction>
[[gnu::always_inline]] inline void begin_call(uint64_t begin, uint64_t about, uint64_t detail = kNoDetail) {
  uint32_t flags = flags_of_waiting<kFunction>(about);
  if (flags == kAskDescriptor) flags = spool::kOsrtWaits;  // what will never return waits
  const Words words = compose<kFunction>(about, 0, flags, detail);
  begin_call(begin, words.head, words.value);
}

/// Errors that come after the kernel has looked at a time or address that it was given.
bool tells_that_it_read(int error);

/// Whether a detail is behind a pointer that the kernel follows: looked at when it has.
constexpr bool is_behind_pointer(OsrtDetail detail) {
  return detail == OsrtDetail::kTimeoutAt || detail == OsrtDetail::kPeerAt;
}
/// Whether the kernel had read what a pointer leads to before the call failed.
template <Function kFunction, typename R>
[[gnu::always_inline]] inline bool was_read(R result) {
  const bool number = kTraits[static_cast<uint32_t>(kFunction)].failure == OsrtFailure::kErrorNumber;
  return tells_that_it_read(number ? static_cast<int>((intptr_t)result) : errno);
}

inline int descriptor_of(int result) {
  return result;
}
inline int descriptor_of(const FILE* result) {
  return result != nullptr ? result->_fileno : -1;
}

/// The whole way of a hook that is made from the table. `second`: gives the detail.
template <Function kFunction, typename Real, typename Second>
[[gnu::always_inline]] inline auto through(Real call_real, uint64_t about, const char* path, Second second) {
  using R = decltype(call_real());
  constexpr Traits kIs = kTraits[static_cast<uint32_t>(kFunction)];
  constexpr bool kOpens = kIs.access == OsrtAccess::kOpen;
  constexpr bool kCloses = kIs.access == OsrtAccess::kClose;
  constexpr bool kStored = kIs.access != OsrtAccess::kNone && kIs.access != OsrtAccess::kMakes;
  const Wanted how = wanted(kFunction);
  if (__builtin_expect(how == kNotWanted, 0)) return call_real();
  uint64_t file = 0, detail = kNoDetail;
  if constexpr (kCloses) file = forget_descriptor(static_cast<int>(about));
  if constexpr (!is_behind_pointer(kIs.detail)) detail = second();
  const uint64_t begin = now();
  begin_call<kFunction>(begin, about, detail);
  if constexpr (std::is_void_v<R>) {
    call_real();
    const Words words = describe<kFunction>(about, 0);
    finish(begin, words.head, words.value, words.error);
  } else {
    R result = call_real();
    if constexpr (is_behind_pointer(kIs.detail))
      if (!failed<kFunction>(result) || was_read<kFunction>(result)) detail = second();
    const Words words = describe<kFunction>(about, result, detail);
    if constexpr (kIs.access == OsrtAccess::kMakes) note_kind(static_cast<int>((intptr_t)result), kWaiter);
    if constexpr (kOpens) note_kind(descriptor_of(result), kFile);
    if (__builtin_expect(how == kCallAndFile, 0) && (kStored || path != nullptr)) {
      if constexpr (kOpens)
        file = new_file(descriptor_of(result));
      else if constexpr (kStored && !kCloses)
        file = file_of(static_cast<int>(about));
      finish_with_file(begin, words.head, words.value, words.error, file, path);
    } else {
      finish(begin, words.head, words.value, words.error);
    }
    return result;
  }
}

template <Function kFunction, typename Real>
[[gnu::always_inline]] inline auto through(Real call_real, uint64_t about, const char* path) {
  return through<kFunction>(call_real, about, path, [] { return kNoDetail; });
}

}  // namespace sextant::agent::osrt
