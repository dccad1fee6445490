// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The slice of OpenCL's binary interface that a layer needs: numbers of functions in the dispatch table, of
// properties and of errors, and what functions take. Numbers and types are facts of that interface;
// tests/agent/opencl_abi_test.cpp compares each with the real headers where they are present.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::agent::opencl::abi {

/// Place of a function in the dispatch table.
enum Function : uint16_t {
#define SEXTANT_CL_HOOKED(name) k##name,
#define SEXTANT_CL_PASSED(name) k##name,
#include "spool/opencl_functions.def"
#undef SEXTANT_CL_HOOKED
#undef SEXTANT_CL_PASSED
  kFunctionCount
};

/// Whether opencl_functions.def says that it is hooked.
inline constexpr bool kHooked[] = {
#define SEXTANT_CL_HOOKED(name) true,
#define SEXTANT_CL_PASSED(name) false,
#include "spool/opencl_functions.def"
#undef SEXTANT_CL_HOOKED
#undef SEXTANT_CL_PASSED
};

using Entry = void (*)();

// What programs hold. Only their values matter here.
using Handle = void*;

inline constexpr int32_t kSuccess = 0;
inline constexpr int32_t kNoProfilingInfo = -7;
inline constexpr int32_t kInvalidValue = -30;
inline constexpr int32_t kInvalidOperation = -59;
inline constexpr int32_t kComplete = 0;

inline constexpr uint32_t kLayerApiVersion = 0x4240, kLayerName = 0x4241, kLayerApiVersion100 = 100;

inline constexpr uint64_t kOutOfOrder = 1, kProfiling = 2, kOnDevice = 4;

enum Info : uint32_t {
  kPlatformProfile = 0x0900,
  kPlatformVersion = 0x0901,
  kPlatformName = 0x0902,
  kPlatformVendor = 0x0903,
  kDeviceType = 0x1000,
  kDeviceMaxComputeUnits = 0x1002,
  kDeviceMaxWorkGroupSize = 0x1004,
  kDeviceMaxClockFrequency = 0x100C,
  kDeviceGlobalMemSize = 0x101F,
  kDeviceLocalMemSize = 0x1023,
  kDeviceProfilingTimerResolution = 0x1025,
  kDeviceName = 0x102B,
  kDeviceVendor = 0x102C,
  kDriverVersion = 0x102D,
  kDeviceVersion = 0x102F,
  kDevicePlatform = 0x1031,
  kDeviceParentDevice = 0x1042,
  kContextNumDevices = 0x1083,
  kContextDevices = 0x1081,
  kQueueContext = 0x1090,
  kQueueDevice = 0x1091,
  kQueueProperties = 0x1093,
  kQueuePropertiesArray = 0x1098,
  kMemSize = 0x1102,
  kProgramNumDevices = 0x1162,
  kProgramDevices = 0x1163,
  kProgramBuildStatus = 0x1181,
  kProgramBuildLog = 0x1183,
  kKernelFunctionName = 0x1190,
  kKernelNumArgs = 0x1191,
  kKernelProgram = 0x1194,
  kEventCommandQueue = 0x11D0,
  kEventReferenceCount = 0x11D2,
  kEventCommandExecutionStatus = 0x11D3,
  kProfilingQueued = 0x1280,
  kProfilingSubmit = 0x1281,
  kProfilingStart = 0x1282,
  kProfilingEnd = 0x1283,
};

using Notify = void (*)(Handle event, int32_t status, void* user);
using ProgramNotify = void (*)(Handle program, void* user);
using GetInfo = int32_t (*)(Handle object, uint32_t what, size_t room, void* to, size_t* bytes);
using SetEventCallback = int32_t (*)(Handle event, int32_t at, Notify notify, void* user);
using OneHandle = int32_t (*)(Handle object);  // retain, release, flush, finish
using GetDeviceAndHostTimer = int32_t (*)(Handle device, uint64_t* device_ns, uint64_t* host_ns);

}  // namespace sextant::agent::opencl::abi
