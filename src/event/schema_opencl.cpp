// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_opencl.h"

#include <array>

#include "event/schema_parts.h"

namespace sextant::event {

namespace {

#define OPENCL_WORK                                                                                   \
  Column{opencl_work::kStart, "start", Type::kTime, "when it began on the device"},                   \
      Column{opencl_work::kDuration, "duration", Type::kDuration, "how long it ran"},                 \
      Column{opencl_work::kProcess, "process", Type::kUint, "process number"},                        \
      Column{opencl_work::kDevice, "device", Type::kUint, "joins with opencl_device"},                \
      Column{opencl_work::kContext, "context", Type::kUint, "joins with opencl_context"},             \
      Column{opencl_work::kQueue, "queue", Type::kUint, "joins with opencl_queue"}, Column {          \
    opencl_work::kCorrelation, "correlation", Type::kUint, "joins with opencl_api within the process" \
  }
#define OPENCL_STAMPS                                                                                      \
  Column{opencl_work::kQueuedFor, "queued_for", Type::kDuration,                                           \
         "from its enqueueing to its submission to the device"},                                           \
      Column{opencl_work::kSubmittedFor, "submitted_for", Type::kDuration,                                 \
             "from its submission to its start"},                                                          \
      Column{opencl_work::kTiming, "timing", Type::kEnum,                                                  \
             "0 as the device measured it, 1 moved by no more than the clocks' error, to lie within what " \
             "the host saw"},                                                                              \
      Column {                                                                                             \
    opencl_work::kCommand, "command", Type::kEnum, "OpenCL's number of the kind of command (4592 to 4639)" \
  }

constexpr std::array kKernelColumns = {
    OPENCL_WORK,
    Column{opencl_kernel::kName, "name", Type::kString, "name of the kernel function"},
    Column{opencl_kernel::kGlobalX, "global_x", Type::kUint, "work items in x"},
    Column{opencl_kernel::kGlobalY, "global_y", Type::kUint,
           "work items in y, 1 where it has no such dimension"},
    Column{opencl_kernel::kGlobalZ, "global_z", Type::kUint,
           "work items in z, 1 where it has no such dimension"},
    Column{opencl_kernel::kLocalX, "local_x", Type::kUint,
           "work items a group in x, 0: left to the implementation"},
    Column{opencl_kernel::kLocalY, "local_y", Type::kUint, "the same in y"},
    Column{opencl_kernel::kLocalZ, "local_z", Type::kUint, "the same in z"},
    OPENCL_STAMPS,
    Column{opencl_kernel::kDimensions, "dimensions", Type::kUint, "1 to 3; more are not kept"},
    Column{opencl_kernel::kOffsetX, "offset_x", Type::kUint, "first work item in x"},
    Column{opencl_kernel::kOffsetY, "offset_y", Type::kUint, "first work item in y"},
    Column{opencl_kernel::kOffsetZ, "offset_z", Type::kUint, "first work item in z"},
    Column{opencl_kernel::kProgram, "program", Type::kUint, "joins with opencl_program"},
    Column{opencl_kernel::kArguments, "arguments", Type::kUint,
           "set of argument sizes, joins with opencl_argument; 0: not known"},
};
constexpr std::array kMemoryColumns = {
    OPENCL_WORK,
    Column{opencl_memory::kBytes, "bytes", Type::kUint, "size; 0: not known"},
    OPENCL_STAMPS,
    Column{opencl_memory::kBlocking, "blocking", Type::kUint, "1: the call was to wait for it"},
};
constexpr std::array kSyncColumns = {
    OPENCL_WORK,
    OPENCL_STAMPS,
    Column{opencl_sync::kWaitList, "wait_list", Type::kUint,
           "events that it waits for, 0: everything before it in its queue"},
};
constexpr std::array kApiColumns = {
    Column{opencl_api::kStart, "start", Type::kTime, "when it was called"},
    Column{opencl_api::kDuration, "duration", Type::kDuration, "until it returned"},
    Column{opencl_api::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_api::kTid, "tid", Type::kUint, "thread that called"},
    Column{opencl_api::kCorrelation, "correlation", Type::kUint,
           "joins with the command that it enqueued, 0: none"},
    Column{opencl_api::kName, "name", Type::kString, "function"},
    Column{opencl_api::kReturnValue, "return_value", Type::kInt, "0 or OpenCL's error, which is negative"},
    Column{opencl_api::kQueue, "queue", Type::kUint, "joins with opencl_queue, 0: the call has none"},
};
constexpr std::array kUntimedColumns = {
    Column{opencl_untimed::kTime, "time", Type::kTime, "when it was enqueued"},
    Column{opencl_untimed::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_untimed::kTid, "tid", Type::kUint, "thread that enqueued it"},
    Column{opencl_untimed::kDevice, "device", Type::kUint, "joins with opencl_device"},
    Column{opencl_untimed::kContext, "context", Type::kUint, "joins with opencl_context"},
    Column{opencl_untimed::kQueue, "queue", Type::kUint, "joins with opencl_queue"},
    Column{opencl_untimed::kCorrelation, "correlation", Type::kUint, "joins with opencl_api"},
    Column{opencl_untimed::kCommand, "command", Type::kEnum, "as in opencl_kernel"},
    Column{opencl_untimed::kName, "name", Type::kString, "name of the kernel function"},
    Column{opencl_untimed::kBytes, "bytes", Type::kUint, "size of what it copies or fills"},
    Column{opencl_untimed::kReason, "reason", Type::kEnum,
           "0 its queue does not measure, 1 not finished when the recording or the process ended, 2 it "
           "failed, 3 the driver has no stamps of it, 4 stamps that cannot be"},
    Column{opencl_untimed::kStatus, "status", Type::kInt, "execution status of its event"},
};
constexpr std::array kPlatformColumns = {
    Column{opencl_platform::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_platform::kPlatform, "platform", Type::kUint, "number, from 1"},
    Column{opencl_platform::kName, "name", Type::kString, "name"},
    Column{opencl_platform::kVendor, "vendor", Type::kString, "vendor"},
    Column{opencl_platform::kVersion, "version", Type::kString, "version"},
    Column{opencl_platform::kProfile, "profile", Type::kString, "FULL_PROFILE or EMBEDDED_PROFILE"},
    Column{opencl_platform::kHandle, "handle", Type::kUint, "cl_platform_id"},
};
constexpr std::array kDeviceColumns = {
    Column{opencl_device::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_device::kDevice, "device", Type::kUint, "number, from 1"},
    Column{opencl_device::kPlatform, "platform", Type::kUint, "joins with opencl_platform"},
    Column{opencl_device::kName, "name", Type::kString, "name"},
    Column{opencl_device::kVendor, "vendor", Type::kString, "vendor"},
    Column{opencl_device::kVersion, "version", Type::kString, "version of OpenCL"},
    Column{opencl_device::kDriver, "driver", Type::kString, "version of the driver"},
    Column{opencl_device::kType, "type", Type::kBits, "2 CPU, 4 GPU, 8 accelerator, 16 custom"},
    Column{opencl_device::kComputeUnits, "compute_units", Type::kUint, "compute units"},
    Column{opencl_device::kClockMhz, "clock_mhz", Type::kUint, "largest clock, MHz"},
    Column{opencl_device::kGlobalBytes, "global_bytes", Type::kUint, "global memory"},
    Column{opencl_device::kLocalBytes, "local_bytes", Type::kUint, "local memory of a work group"},
    Column{opencl_device::kMaxWorkGroup, "max_work_group", Type::kUint, "most work items of a group"},
    Column{opencl_device::kTimerResolutionNs, "timer_resolution_ns", Type::kUint,
           "resolution of its profiling timer, nanoseconds"},
    Column{opencl_device::kParent, "parent", Type::kUint, "device that it is a part of, 0: a whole one"},
    Column{opencl_device::kHandle, "handle", Type::kUint, "cl_device_id"},
};
constexpr std::array kContextColumns = {
    Column{opencl_context::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_context::kContext, "context", Type::kUint, "number, from 1"},
    Column{opencl_context::kTime, "time", Type::kTime, "when it was first seen"},
    Column{opencl_context::kDevices, "devices", Type::kUint, "how many devices it has"},
    Column{opencl_context::kHandle, "handle", Type::kUint, "cl_context"},
};
constexpr std::array kQueueColumns = {
    Column{opencl_queue::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_queue::kQueue, "queue", Type::kUint, "number, from 1"},
    Column{opencl_queue::kContext, "context", Type::kUint, "joins with opencl_context"},
    Column{opencl_queue::kDevice, "device", Type::kUint, "joins with opencl_device"},
    Column{opencl_queue::kTime, "time", Type::kTime, "when it was first seen"},
    Column{
        opencl_queue::kAsked, "asked", Type::kBits,
        "properties that the program asked for: 1 out of order, 2 profiling, 4 on the device, 8 its default"},
    Column{opencl_queue::kProperties, "properties", Type::kBits,
           "properties that it has; profiling here alone: the recording added it"},
    Column{opencl_queue::kHandle, "handle", Type::kUint, "cl_command_queue"},
};
constexpr std::array kProgramColumns = {
    Column{opencl_program::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_program::kProgram, "program", Type::kUint, "number, from 1"},
    Column{opencl_program::kContext, "context", Type::kUint, "joins with opencl_context"},
    Column{opencl_program::kTime, "time", Type::kTime, "when it was created"},
    Column{opencl_program::kOrigin, "origin", Type::kEnum,
           "0 source, 1 binary, 2 intermediate language, 3 built-in kernels, 4 linked"},
    Column{opencl_program::kBytes, "bytes", Type::kUint, "size of the source, binary or code"},
    Column{opencl_program::kHandle, "handle", Type::kUint, "cl_program"},
    Column{opencl_program::kHash, "hash", Type::kUint,
           "of the source, binary or code: the same in all processes; 0: not known"},
};
constexpr std::array kBuildColumns = {
    Column{opencl_build::kStart, "start", Type::kTime, "when it began"},
    Column{opencl_build::kDuration, "duration", Type::kDuration, "until it was done, also in the background"},
    Column{opencl_build::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_build::kTid, "tid", Type::kUint, "thread that called"},
    Column{opencl_build::kProgram, "program", Type::kUint, "joins with opencl_program"},
    Column{opencl_build::kDevice, "device", Type::kUint,
           "joins with opencl_device, 0: not known; a build for several devices has a row for each"},
    Column{opencl_build::kStep, "step", Type::kEnum, "0 build, 1 compile, 2 link"},
    Column{opencl_build::kReturnValue, "return_value", Type::kInt, "of the call"},
    Column{opencl_build::kStatus, "status", Type::kInt,
           "of the device's build, 0 done, -1 none, -2 error, -3 still going on"},
    Column{opencl_build::kOptions, "options", Type::kString, "options"},
    Column{opencl_build::kLog, "log", Type::kString, "beginning of the build log, where it failed"},
    Column{opencl_build::kLogBytes, "log_bytes", Type::kUint, "size of the build log"},
};
constexpr std::array kArgumentColumns = {
    Column{opencl_argument::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_argument::kSet, "set", Type::kUint, "number of the set, from 1; joins with opencl_kernel"},
    Column{opencl_argument::kIndex, "index", Type::kUint, "position of the argument"},
    Column{opencl_argument::kKind, "kind", Type::kEnum,
           "0 a value, 1 a buffer, image or pipe, 2 a sampler, 3 local memory, 4 an SVM pointer, 5 not set"},
    Column{opencl_argument::kBytes, "bytes", Type::kUint,
           "size: of the value, of the buffer, of local memory; 0: not known"},
};
constexpr std::array kUntracedCallColumns = {
    Column{opencl_untraced_call::kProcess, "process", Type::kUint, "process number"},
    Column{opencl_untraced_call::kName, "name", Type::kString, "function"},
    Column{opencl_untraced_call::kHow, "how", Type::kEnum, "0 calls, 1 times that its address was asked for"},
    Column{opencl_untraced_call::kCount, "count", Type::kUint, "how often; the last row counts"},
};
constexpr std::array kDeviceClockColumns = {
    Column{device_clock::kHost, "host", Type::kTime, "stamp of the recording's clock"},
    Column{device_clock::kProcess, "process", Type::kUint, "process number"},
    Column{device_clock::kApi, "api", Type::kEnum, "0 CUDA, 1 OpenCL"},
    Column{device_clock::kDevice, "device", Type::kUint, "device number"},
    Column{device_clock::kStamp, "stamp", Type::kNanoseconds, "the device's clock at that moment"},
    Column{device_clock::kError, "error", Type::kNanoseconds,
           "bound of the error: half the width of the bracket"},
    Column{
        device_clock::kMethod, "method", Type::kEnum,
        "0 a command bracketed by the host, 1 the driver's timer, 2 the device stamps a clock of the host"},
    Column{device_clock::kUse, "use", Type::kEnum,
           "0 point of the fit, 1 left out, 2 first point after a step of the device's clock"},
};

constexpr std::array kTables = {
    Table{kOpenclKernel, "opencl_kernel", 0, kKernelColumns, "kernels that ran on an OpenCL device"},
    Table{kOpenclMemory, "opencl_memory", 0, kMemoryColumns,
          "reads, writes, copies, fills, maps and migrations on an OpenCL device"},
    Table{kOpenclSync, "opencl_sync", 0, kSyncColumns,
          "barriers, markers and other commands that compute and move nothing"},
    Table{kOpenclApi, "opencl_api", 0, kApiColumns, "calls into OpenCL"},
    Table{kOpenclUntimed, "opencl_untimed", 0, kUntimedColumns,
          "commands of which no time on the device is known, and why"},
    Table{kOpenclPlatform, "opencl_platform", 2, kPlatformColumns, "OpenCL platforms"},
    Table{kOpenclDevice, "opencl_device", 2, kDeviceColumns, "OpenCL devices"},
    Table{kOpenclContext, "opencl_context", 2, kContextColumns, "OpenCL contexts"},
    Table{kOpenclQueue, "opencl_queue", 2, kQueueColumns, "OpenCL command queues"},
    Table{kOpenclProgram, "opencl_program", 2, kProgramColumns, "OpenCL programs"},
    Table{kOpenclBuild, "opencl_build", 0, kBuildColumns, "compilation of OpenCL programs"},
    Table{kOpenclArgument, "opencl_argument", 3, kArgumentColumns,
          "sizes of kernel arguments, each distinct set once"},
    Table{kOpenclUntracedCall, "opencl_untraced_call", 3, kUntracedCallColumns,
          "entry points of OpenCL that are not traced"},
    Table{kDeviceClock, "device_clock", 0, kDeviceClockColumns,
          "readings of device clocks beside the host's, from which times of device work were converted"},
};

}  // namespace

std::span<const Table> opencl_tables() {
  return kTables;
}

}  // namespace sextant::event
