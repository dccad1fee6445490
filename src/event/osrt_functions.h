// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that -t osrt records (osrt_functions.def): what is known of each without calling it. Numbers
// are those of the run folder. Safe inside the agent.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sextant::event {

/// osrt_call.family.
enum class OsrtFamily : uint8_t {
  kFile = 1,
  kStdio = 2,
  kSocket = 3,
  kPoll = 4,
  kSleep = 5,
  kLock = 6,
  kWait = 7,  // condition variables, semaphores, barriers, signals, futexes
  kThread = 8,
  kProcess = 9,
  kMemory = 10,
  kIpc = 11,
  kLoader = 12,
};

/// What the time of a call is: work, or waiting for somebody else.
enum class OsrtWaits : uint8_t {
  kWorks = 0,
  kWaits = 1,
  kDescriptor = 2,  // waiting where the descriptor is a pipe, a socket or the like
};

/// osrt_call.object_kind: what osrt_call.object is.
enum class OsrtObject : uint8_t {
  kNone = 0,
  kDescriptor = 1,
  kAddress = 2,  // of a lock, a condition variable, memory
  kPid = 3,
  kThread = 4,  // pthread_t
  kSignal = 5,
};

/// What happens to a file; numbers up to kMeta are osrt_file_access.type.
enum class OsrtAccess : uint8_t {
  kNone = 0,
  kOpen = 1,
  kClose = 2,
  kRead = 3,
  kWrite = 4,
  kMeta = 6,
  kMakes = 7,  // the result is a descriptor that is no file
};

/// How a function tells that it failed.
enum class OsrtFailure : uint8_t { kNever = 0, kMinusOne = 1, kNull = 2, kErrorNumber = 3 };

/// osrt_call.detail_kind: what a second argument is. A record has 32 bits for it.
enum class OsrtDetail : uint8_t {
  kNone = 0,
  kBytes = 1,      // asked for
  kTimeout = 2,    // how long it may wait
  kOpenFlags = 3,  // open's
  kPeer = 4,       // address family << 16 | port of an address
  kSignal = 5,
  kCommand = 6,    // fcntl's
  kRequest = 7,    // ioctl's
  kTimeoutAt = 8,  // kTimeout behind a pointer, which is only looked at when the kernel has
  kPeerAt = 9,     // likewise
};

inline constexpr uint64_t kNoLimit = UINT64_MAX;                 // a timeout that never comes, in nanoseconds
inline constexpr uint32_t kNoLimitDetail = UINT32_MAX;           // the same in a record
inline constexpr uint32_t kCoarse = 1u << 31;                    // the larger unit
inline constexpr uint64_t kFineUnits = uint64_t{kCoarse} - 1;    // as many of the smaller unit fit
inline constexpr uint64_t kCoarseUnits = uint64_t{kCoarse} - 2;  // kNoLimitDetail is none

/// A size in 32 bits: exact below 2 GiB, then in pages, rounded up.
constexpr uint32_t bytes_detail(uint64_t bytes) {
  if (bytes <= kFineUnits) return static_cast<uint32_t>(bytes);
  const uint64_t pages = (bytes >> 12) + ((bytes & 4095) != 0 ? 1 : 0);
  return kCoarse | static_cast<uint32_t>(pages < kCoarseUnits ? pages : kCoarseUnits);
}
/// A time in 32 bits: microseconds up to 35 minutes, then seconds; rounded up.
constexpr uint32_t timeout_detail(uint64_t seconds, uint64_t ns) {
  if (seconds <= kFineUnits / 1'000'000 - 1)
    return static_cast<uint32_t>(seconds * 1'000'000 + (ns < 1'000'000'000 ? (ns + 999) / 1000 : 1'000'000));
  return kCoarse | static_cast<uint32_t>(seconds < kCoarseUnits ? seconds : kCoarseUnits);
}
/// osrt_call.detail of what a record has.
constexpr uint64_t whole_detail(OsrtDetail kind, uint32_t detail) {
  const bool coarse = (detail & kCoarse) != 0;
  const uint64_t units = detail & ~kCoarse;
  if (kind == OsrtDetail::kBytes) return coarse ? units << 12 : units;
  if (kind != OsrtDetail::kTimeout && kind != OsrtDetail::kTimeoutAt) return detail;
  if (detail == kNoLimitDetail) return kNoLimit;
  return coarse ? units * 1'000'000'000 : units * 1000;
}
/// The kind as osrt_call.detail_kind has it.
constexpr OsrtDetail shown_detail(OsrtDetail kind) {
  return kind == OsrtDetail::kTimeoutAt ? OsrtDetail::kTimeout
         : kind == OsrtDetail::kPeerAt  ? OsrtDetail::kPeer
                                        : kind;
}

struct OsrtFunction {
  std::string_view symbol;  // what is hooked
  std::string_view name;    // what reports show
  OsrtFamily family;
  OsrtWaits waits;
  OsrtObject object;
  OsrtAccess access;
  OsrtFailure failure;
  OsrtDetail detail;
};

/// All of them, by number.
std::span<const OsrtFunction> osrt_functions();

std::string_view family_name(OsrtFamily family);

}  // namespace sextant::event
