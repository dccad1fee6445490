// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Column numbers of the tables about OpenCL: commands on devices, calls of the host, what belongs to them.
// Columns that mean the same as in the tables of CUDA have the same numbers there (start to correlation, name
// of a kernel, bytes of a copy), so that code which reads work of devices takes either by the table's number.
// They are tables of their own, not rows with a mark in those of CUDA: a reader that does not know OpenCL
// must not count its commands as CUDA's (docs/adr/0006-opencl-has-tables-of-its-own.md). Numbers are never
// given to something else; new ones go to the end.
//
// Times of commands are stamps of the recording's clock, already converted from the device's by means of
// device_clock; 0 is no context, queue, program or device: they count from 1 in each process.
#pragma once

#include "event/schema.h"

namespace sextant::event {

inline constexpr TableId kOpenclKernel = static_cast<TableId>(160);
inline constexpr TableId kOpenclMemory = static_cast<TableId>(161);
inline constexpr TableId kOpenclSync = static_cast<TableId>(162);
inline constexpr TableId kOpenclApi = static_cast<TableId>(163);
inline constexpr TableId kOpenclUntimed = static_cast<TableId>(164);
inline constexpr TableId kOpenclPlatform = static_cast<TableId>(165);
inline constexpr TableId kOpenclDevice = static_cast<TableId>(166);
inline constexpr TableId kOpenclContext = static_cast<TableId>(167);
inline constexpr TableId kOpenclQueue = static_cast<TableId>(168);
inline constexpr TableId kOpenclProgram = static_cast<TableId>(169);
inline constexpr TableId kOpenclBuild = static_cast<TableId>(170);
inline constexpr TableId kOpenclArgument = static_cast<TableId>(171);
inline constexpr TableId kOpenclUntracedCall = static_cast<TableId>(172);
inline constexpr TableId kDeviceClock = static_cast<TableId>(173);

/// What opencl_kernel, opencl_memory and opencl_sync have in common.
namespace opencl_work {
enum Col : uint16_t {
  kStart = 0,
  kDuration = 1,
  kProcess = 2,
  kDevice = 3,
  kContext = 4,
  kQueue = 6,  // stream in CUDA's tables
  kCorrelation = 7,
  kQueuedFor = 48,
  kSubmittedFor = 49,
  kTiming = 50,
  kCommand = 51,
};
/// kTiming
enum class Timing : uint8_t { kMeasured = 0, kMovedIntoBracket = 1 };
}  // namespace opencl_work
namespace opencl_kernel {
enum Col : uint16_t {
  kStart = 0,
  kDuration = 1,
  kProcess = 2,
  kDevice = 3,
  kContext = 4,
  kQueue = 6,
  kCorrelation = 7,
  kName = 8,
  kGlobalX = 14,
  kGlobalY = 15,
  kGlobalZ = 16,
  kLocalX = 17,
  kLocalY = 18,
  kLocalZ = 19,
  kQueuedFor = 48,
  kSubmittedFor = 49,
  kTiming = 50,
  kCommand = 51,
  kDimensions = 52,
  kOffsetX = 53,
  kOffsetY = 54,
  kOffsetZ = 55,
  kProgram = 56,
  kArguments = 57,
};
}
namespace opencl_memory {
enum Col : uint16_t {
  kStart = 0,
  kDuration = 1,
  kProcess = 2,
  kDevice = 3,
  kContext = 4,
  kQueue = 6,
  kCorrelation = 7,
  kBytes = 8,
  kQueuedFor = 48,
  kSubmittedFor = 49,
  kTiming = 50,
  kCommand = 51,
  kBlocking = 52,
};
}
namespace opencl_sync {
enum Col : uint16_t {
  kStart = 0,
  kDuration = 1,
  kProcess = 2,
  kDevice = 3,
  kContext = 4,
  kQueue = 6,
  kCorrelation = 7,
  kQueuedFor = 48,
  kSubmittedFor = 49,
  kTiming = 50,
  kCommand = 51,
  kWaitList = 52,
};
}
/// The first numbers are those of cuda_api.
namespace opencl_api {
enum Col : uint16_t {
  kStart = 0,
  kDuration = 1,
  kProcess = 3,
  kTid = 4,
  kCorrelation = 5,
  kName = 6,
  kReturnValue = 7,
  kQueue = 48,
};
}
namespace opencl_untimed {
enum Col : uint16_t {
  kTime,
  kProcess,
  kTid,
  kDevice,
  kContext,
  kQueue,
  kCorrelation,
  kCommand,
  kName,
  kBytes,
  kReason,
  kStatus
};
/// kReason
enum class Reason : uint8_t {
  kNotProfiled = 0,
  kUnfinished = 1,
  kFailed = 2,
  kNoStamps = 3,
  kImpossibleStamps = 4
};
}  // namespace opencl_untimed
namespace opencl_platform {
enum Col : uint16_t { kProcess, kPlatform, kName, kVendor, kVersion, kProfile, kHandle };
}
namespace opencl_device {
enum Col : uint16_t {
  kProcess,
  kDevice,
  kPlatform,
  kName,
  kVendor,
  kVersion,
  kDriver,
  kType,
  kComputeUnits,
  kClockMhz,
  kGlobalBytes,
  kLocalBytes,
  kMaxWorkGroup,
  kTimerResolutionNs,
  kParent,
  kHandle
};
/// kType, bits, as OpenCL has them
enum Type : uint64_t { kCpu = 2, kGpu = 4, kAccelerator = 8, kCustom = 16 };
}  // namespace opencl_device
namespace opencl_context {
enum Col : uint16_t { kProcess, kContext, kTime, kDevices, kHandle };
}
namespace opencl_queue {
enum Col : uint16_t { kProcess, kQueue, kContext, kDevice, kTime, kAsked, kProperties, kHandle };
/// kAsked and kProperties, bits, as OpenCL has them
enum Properties : uint64_t { kOutOfOrder = 1, kProfiling = 2, kOnDevice = 4, kOnDeviceDefault = 8 };
}  // namespace opencl_queue
namespace opencl_program {
enum Col : uint16_t { kProcess, kProgram, kContext, kTime, kOrigin, kBytes, kHandle, kHash };
/// kOrigin
enum class Origin : uint8_t { kSource = 0, kBinary = 1, kIl = 2, kBuiltIn = 3, kLinked = 4 };
}  // namespace opencl_program
namespace opencl_build {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kTid,
  kProgram,
  kDevice,
  kStep,
  kReturnValue,
  kStatus,
  kOptions,
  kLog = 12,  // 10 and 11 were the size of what was built and the driver's cache, which no driver told
  kLogBytes = 13
};
/// kStep
enum class Step : uint8_t { kBuild = 0, kCompile = 1, kLink = 2 };
}  // namespace opencl_build
namespace opencl_argument {
enum Col : uint16_t { kProcess, kSet, kIndex, kKind, kBytes };
/// kKind
enum class Kind : uint8_t { kValue = 0, kMemory = 1, kSampler = 2, kLocal = 3, kSvm = 4, kUnset = 5 };
}  // namespace opencl_argument
namespace opencl_untraced_call {
enum Col : uint16_t { kProcess, kName, kHow, kCount };
/// kHow
enum class How : uint8_t { kCalled = 0, kAskedFor = 1 };
}  // namespace opencl_untraced_call
namespace device_clock {
enum Col : uint16_t { kHost, kProcess, kApi, kDevice, kStamp, kError, kMethod, kUse };
/// kApi
enum class Api : uint8_t { kCuda = 0, kOpencl = 1 };
/// kMethod
enum class Method : uint8_t { kBracket = 0, kTimer = 1, kSameClock = 2 };
/// kUse
enum class Use : uint8_t { kInFit = 0, kLeftOut = 1, kAfterStep = 2 };
}  // namespace device_clock

}  // namespace sextant::event
