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

struct OsrtFunction {
  std::string_view symbol;  // what is hooked
  std::string_view name;    // what reports show
  OsrtFamily family;
  OsrtWaits waits;
  OsrtObject object;
  OsrtAccess access;
  OsrtFailure failure;
};

/// All of them, by number.
std::span<const OsrtFunction> osrt_functions();

std::string_view family_name(OsrtFamily family);

}  // namespace sextant::event
