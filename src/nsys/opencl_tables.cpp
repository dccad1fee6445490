// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_opencl.h"
#include "nsys/tables.h"

namespace sextant::nsys {

namespace {

// Numbers of objects begin anew where a process executes another program: `process` tells the two apart,
// where globalPid does not.

// What kernels, memory commands and synchronisation have in common.
#define OPENCL_WORK                                                                                       \
  {event::opencl_work::kStart, From::kTime, "start"}, {event::opencl_work::kDuration, From::kEnd, "end"}, \
      {event::opencl_work::kProcess, From::kProcess, "globalPid"},                                        \
      {event::opencl_work::kDevice, From::kInteger, "deviceId"},                                          \
      {event::opencl_work::kContext, From::kInteger, "contextId"},                                        \
      {event::opencl_work::kQueue, From::kInteger, "queueId"},                                            \
      {event::opencl_work::kCorrelation, From::kInteger, "correlationId"},                                \
      {event::opencl_work::kQueuedFor, From::kInteger, "queuedFor"},                                      \
      {event::opencl_work::kSubmittedFor, From::kInteger, "submittedFor"},                                \
      {event::opencl_work::kTiming, From::kInteger, "timing"},                                            \
      {event::opencl_work::kCommand, From::kInteger, "command"},

constexpr Source kKernelSources[] = {{"OPENCL_KERNELS", 0, ""}};
constexpr Column kKernelColumns[] = {
    OPENCL_WORK{event::opencl_kernel::kName, From::kStringId, "nameId"},
    {event::opencl_kernel::kDimensions, From::kInteger, "dimensions"},
    {event::opencl_kernel::kGlobalX, From::kInteger, "globalX"},
    {event::opencl_kernel::kGlobalY, From::kInteger, "globalY"},
    {event::opencl_kernel::kGlobalZ, From::kInteger, "globalZ"},
    {event::opencl_kernel::kLocalX, From::kInteger, "localX"},
    {event::opencl_kernel::kLocalY, From::kInteger, "localY"},
    {event::opencl_kernel::kLocalZ, From::kInteger, "localZ"},
    {event::opencl_kernel::kOffsetX, From::kInteger, "offsetX"},
    {event::opencl_kernel::kOffsetY, From::kInteger, "offsetY"},
    {event::opencl_kernel::kOffsetZ, From::kInteger, "offsetZ"},
    {event::opencl_kernel::kProgram, From::kInteger, "programId"},
    {event::opencl_kernel::kArguments, From::kInteger, "argumentSet"},
};

constexpr Source kMemorySources[] = {{"OPENCL_MEMORY", 0, ""}};
constexpr Column kMemoryColumns[] = {
    OPENCL_WORK{event::opencl_memory::kBytes, From::kInteger, "bytes"},
    {event::opencl_memory::kBlocking, From::kInteger, "blocking"},
};

constexpr Source kSyncSources[] = {{"OPENCL_SYNC", 0, ""}};
constexpr Column kSyncColumns[] = {
    OPENCL_WORK{event::opencl_sync::kWaitList, From::kInteger, "waitList"},
};

constexpr Source kApiSources[] = {{"OPENCL_API", 0, ""}};
constexpr Column kApiColumns[] = {
    {event::opencl_api::kStart, From::kTime, "start"},
    {event::opencl_api::kDuration, From::kEnd, "end"},
    {event::opencl_api::kProcess, From::kProcessOfThread, "globalTid"},
    {event::opencl_api::kTid, From::kTid, "globalTid"},
    {event::opencl_api::kCorrelation, From::kInteger, "correlationId"},
    {event::opencl_api::kName, From::kStringId, "nameId"},
    {event::opencl_api::kReturnValue, From::kInteger, "returnValue"},
    {event::opencl_api::kQueue, From::kInteger, "queueId"},
};

constexpr Source kUntimedSources[] = {{"OPENCL_UNTIMED", 0, ""}};
constexpr Column kUntimedColumns[] = {
    {event::opencl_untimed::kTime, From::kTime, "start"},
    {event::opencl_untimed::kProcess, From::kProcessOfThread, "globalTid"},
    {event::opencl_untimed::kTid, From::kTid, "globalTid"},
    {event::opencl_untimed::kDevice, From::kInteger, "deviceId"},
    {event::opencl_untimed::kContext, From::kInteger, "contextId"},
    {event::opencl_untimed::kQueue, From::kInteger, "queueId"},
    {event::opencl_untimed::kCorrelation, From::kInteger, "correlationId"},
    {event::opencl_untimed::kCommand, From::kInteger, "command"},
    {event::opencl_untimed::kName, From::kStringId, "nameId"},
    {event::opencl_untimed::kBytes, From::kInteger, "bytes"},
    {event::opencl_untimed::kReason, From::kInteger, "reason"},
    {event::opencl_untimed::kStatus, From::kInteger, "status"},
};

constexpr Source kPlatformSources[] = {{"OPENCL_PLATFORMS", 0, ""}};
constexpr Column kPlatformColumns[] = {
    {event::opencl_platform::kProcess, From::kProcess, "globalPid"},
    {event::opencl_platform::kPlatform, From::kInteger, "platformId"},
    {event::opencl_platform::kName, From::kText, "name"},
    {event::opencl_platform::kVendor, From::kText, "vendor"},
    {event::opencl_platform::kVersion, From::kText, "version"},
    {event::opencl_platform::kProfile, From::kText, "profile"},
    {event::opencl_platform::kHandle, From::kInteger, "handle"},
};

constexpr Source kDeviceSources[] = {{"OPENCL_DEVICES", 0, ""}};
constexpr Column kDeviceColumns[] = {
    {event::opencl_device::kProcess, From::kProcess, "globalPid"},
    {event::opencl_device::kDevice, From::kInteger, "deviceId"},
    {event::opencl_device::kPlatform, From::kInteger, "platformId"},
    {event::opencl_device::kName, From::kText, "name"},
    {event::opencl_device::kVendor, From::kText, "vendor"},
    {event::opencl_device::kVersion, From::kText, "version"},
    {event::opencl_device::kDriver, From::kText, "driver"},
    {event::opencl_device::kType, From::kInteger, "type"},
    {event::opencl_device::kComputeUnits, From::kInteger, "computeUnits"},
    {event::opencl_device::kClockMhz, From::kInteger, "clockMhz"},
    {event::opencl_device::kGlobalBytes, From::kInteger, "globalBytes"},
    {event::opencl_device::kLocalBytes, From::kInteger, "localBytes"},
    {event::opencl_device::kMaxWorkGroup, From::kInteger, "maxWorkGroup"},
    {event::opencl_device::kTimerResolutionNs, From::kInteger, "timerResolutionNs"},
    {event::opencl_device::kParent, From::kInteger, "parentId"},
    {event::opencl_device::kHandle, From::kInteger, "handle"},
};

constexpr Source kContextSources[] = {{"OPENCL_CONTEXTS", 0, ""}};
constexpr Column kContextColumns[] = {
    {event::opencl_context::kProcess, From::kProcess, "globalPid"},
    {event::opencl_context::kContext, From::kInteger, "contextId"},
    {event::opencl_context::kTime, From::kTime, "timestamp"},
    {event::opencl_context::kDevices, From::kInteger, "devices"},
    {event::opencl_context::kHandle, From::kInteger, "handle"},
};

constexpr Source kQueueSources[] = {{"OPENCL_QUEUES", 0, ""}};
constexpr Column kQueueColumns[] = {
    {event::opencl_queue::kProcess, From::kProcess, "globalPid"},
    {event::opencl_queue::kQueue, From::kInteger, "queueId"},
    {event::opencl_queue::kContext, From::kInteger, "contextId"},
    {event::opencl_queue::kDevice, From::kInteger, "deviceId"},
    {event::opencl_queue::kTime, From::kTime, "timestamp"},
    {event::opencl_queue::kAsked, From::kInteger, "asked"},
    {event::opencl_queue::kProperties, From::kInteger, "properties"},
    {event::opencl_queue::kHandle, From::kInteger, "handle"},
};

constexpr Source kProgramSources[] = {{"OPENCL_PROGRAMS", 0, ""}};
constexpr Column kProgramColumns[] = {
    {event::opencl_program::kProcess, From::kProcess, "globalPid"},
    {event::opencl_program::kProgram, From::kInteger, "programId"},
    {event::opencl_program::kContext, From::kInteger, "contextId"},
    {event::opencl_program::kTime, From::kTime, "timestamp"},
    {event::opencl_program::kOrigin, From::kInteger, "origin"},
    {event::opencl_program::kBytes, From::kInteger, "bytes"},
    {event::opencl_program::kHandle, From::kInteger, "handle"},
    {event::opencl_program::kHash, From::kInteger, "hash"},
};

constexpr Source kBuildSources[] = {{"OPENCL_BUILDS", 0, ""}};
constexpr Column kBuildColumns[] = {
    {event::opencl_build::kStart, From::kTime, "start"},
    {event::opencl_build::kDuration, From::kEnd, "end"},
    {event::opencl_build::kProcess, From::kProcessOfThread, "globalTid"},
    {event::opencl_build::kTid, From::kTid, "globalTid"},
    {event::opencl_build::kProgram, From::kInteger, "programId"},
    {event::opencl_build::kDevice, From::kInteger, "deviceId"},
    {event::opencl_build::kStep, From::kInteger, "step"},
    {event::opencl_build::kReturnValue, From::kInteger, "returnValue"},
    {event::opencl_build::kStatus, From::kInteger, "status"},
    {event::opencl_build::kOptions, From::kText, "options"},
    {event::opencl_build::kLog, From::kText, "log"},
    {event::opencl_build::kLogBytes, From::kInteger, "logBytes"},
};

constexpr Source kArgumentSources[] = {{"OPENCL_ARGUMENTS", 0, ""}};
constexpr Column kArgumentColumns[] = {
    {event::opencl_argument::kProcess, From::kProcess, "globalPid"},
    {event::opencl_argument::kSet, From::kInteger, "argumentSet"},
    {event::opencl_argument::kIndex, From::kInteger, "idx"},
    {event::opencl_argument::kKind, From::kInteger, "kind"},
    {event::opencl_argument::kBytes, From::kInteger, "bytes"},
};

constexpr Source kUntracedCallSources[] = {{"OPENCL_UNTRACED_CALLS", 0, ""}};
constexpr Column kUntracedCallColumns[] = {
    {event::opencl_untraced_call::kProcess, From::kProcess, "globalPid"},
    {event::opencl_untraced_call::kName, From::kText, "name"},
    {event::opencl_untraced_call::kHow, From::kInteger, "how"},
    {event::opencl_untraced_call::kCount, From::kInteger, "count"},
};

constexpr Source kDeviceClockSources[] = {{"DEVICE_CLOCKS", 0, ""}};
constexpr Column kDeviceClockColumns[] = {
    {event::device_clock::kHost, From::kTime, "timestamp"},
    {event::device_clock::kProcess, From::kProcess, "globalPid"},
    {event::device_clock::kApi, From::kInteger, "api"},
    {event::device_clock::kDevice, From::kInteger, "deviceId"},
    {event::device_clock::kStamp, From::kInteger, "deviceTimestamp"},
    {event::device_clock::kError, From::kInteger, "error"},
    {event::device_clock::kMethod, From::kInteger, "method"},
    {event::device_clock::kUse, From::kInteger, "use"},
};

#undef OPENCL_WORK

constexpr Table kTables[] = {
    {event::kOpenclKernel, kKernelSources, kKernelColumns},
    {event::kOpenclMemory, kMemorySources, kMemoryColumns},
    {event::kOpenclSync, kSyncSources, kSyncColumns},
    {event::kOpenclApi, kApiSources, kApiColumns},
    {event::kOpenclUntimed, kUntimedSources, kUntimedColumns},
    {event::kOpenclPlatform, kPlatformSources, kPlatformColumns},
    {event::kOpenclDevice, kDeviceSources, kDeviceColumns},
    {event::kOpenclContext, kContextSources, kContextColumns},
    {event::kOpenclQueue, kQueueSources, kQueueColumns},
    {event::kOpenclProgram, kProgramSources, kProgramColumns},
    {event::kOpenclBuild, kBuildSources, kBuildColumns},
    {event::kOpenclArgument, kArgumentSources, kArgumentColumns},
    {event::kOpenclUntracedCall, kUntracedCallSources, kUntracedCallColumns},
    {event::kDeviceClock, kDeviceClockSources, kDeviceClockColumns},
};

}  // namespace

std::span<const Table> opencl_tables() {
  return kTables;
}

}  // namespace sextant::nsys
