// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What records of OpenCL hold (docs/formats/spool.md §5.2), and the functions of OpenCL by number: their
// place in the table by which loader, layers and implementations know each other. Numbers of objects count
// from 1 in each process; 0 is none.
#pragma once

#include <cstdint>

#include "spool/format.h"

namespace sextant::spool::opencl {

/// Slot::flags of kClEnqueue and kClDone.
enum Flags : uint8_t {
  kBlocking = 1,     // the call was to wait for the command
  kNotMeasured = 2,  // its queue does not measure: no kClDone follows
  kNotFollowed = 4,  // no memory or no way to hear of its end: no kClDone follows
  kNoStamps = 8,     // kClDone: the driver has no stamps of it
};

/// `domain` of kClObject. Its name is a description: numbers of 8 bytes, texts as a number and that many
/// bytes.
enum class Object : uint16_t {
  kPlatform = 1,  // name, vendor, version, profile
  kDevice = 2,    // platform, name, vendor, version, driver, type, compute units, MHz, global bytes, local
                  // bytes, largest group, timer resolution, parent
  kContext = 3,   // number of devices
  kQueue = 4,     // context, device, asked, properties
  kProgram = 5,   // context, origin (event::opencl_program::Origin), bytes
};

/// The name of kClEnqueue and kClDone of a kernel: what was launched.
struct Launch {
  uint32_t kernel;     // string id of its name
  uint32_t program;    // number
  uint32_t arguments;  // string id of Argument[], 0: not known
  uint32_t dimensions;
  uint64_t offset[3], global[3], local[3];  // local 0: left to the implementation
};
static_assert(sizeof(Launch) == 88);

struct Argument {
  uint64_t kind;  // event::opencl_argument::Kind
  uint64_t bytes;
};

/// kClDone, behind the first slot.
struct DoneSlots {
  uint64_t correlation;
  uint64_t bytes;      // of a memory command; events waited for, of others
  uint64_t called;     // stamp
  uint64_t call_took;  // until the call returned
  uint32_t queue, device, context;
  int32_t status;                              // of its event: 0 complete, or an error
  uint64_t queued, submitted, started, ended;  // the device's clock, nanoseconds
};
static_assert(sizeof(DoneSlots) == 5 * kSlotBytes);

/// kClBuild, behind the first slot, whose name are the options and whose domain is the step
/// (event::opencl_build::Step).
struct BuildSlots {
  uint64_t took;
  uint32_t program, device;
  int32_t result, status;
  uint32_t cache;  // event::opencl_build::Cache
  uint32_t log;    // string id
  uint64_t binary_bytes;
  uint64_t reserved;
};
static_assert(sizeof(BuildSlots) == 3 * kSlotBytes);

inline constexpr const char* kFunctions[] = {
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clCreateContext",
    "clCreateContextFromType",
    "clRetainContext",
    "clReleaseContext",
    "clGetContextInfo",
    "clCreateCommandQueue",
    "clRetainCommandQueue",
    "clReleaseCommandQueue",
    "clGetCommandQueueInfo",
    "clSetCommandQueueProperty",
    "clCreateBuffer",
    "clCreateImage2D",
    "clCreateImage3D",
    "clRetainMemObject",
    "clReleaseMemObject",
    "clGetSupportedImageFormats",
    "clGetMemObjectInfo",
    "clGetImageInfo",
    "clCreateSampler",
    "clRetainSampler",
    "clReleaseSampler",
    "clGetSamplerInfo",
    "clCreateProgramWithSource",
    "clCreateProgramWithBinary",
    "clRetainProgram",
    "clReleaseProgram",
    "clBuildProgram",
    "clUnloadCompiler",
    "clGetProgramInfo",
    "clGetProgramBuildInfo",
    "clCreateKernel",
    "clCreateKernelsInProgram",
    "clRetainKernel",
    "clReleaseKernel",
    "clSetKernelArg",
    "clGetKernelInfo",
    "clGetKernelWorkGroupInfo",
    "clWaitForEvents",
    "clGetEventInfo",
    "clRetainEvent",
    "clReleaseEvent",
    "clGetEventProfilingInfo",
    "clFlush",
    "clFinish",
    "clEnqueueReadBuffer",
    "clEnqueueWriteBuffer",
    "clEnqueueCopyBuffer",
    "clEnqueueReadImage",
    "clEnqueueWriteImage",
    "clEnqueueCopyImage",
    "clEnqueueCopyImageToBuffer",
    "clEnqueueCopyBufferToImage",
    "clEnqueueMapBuffer",
    "clEnqueueMapImage",
    "clEnqueueUnmapMemObject",
    "clEnqueueNDRangeKernel",
    "clEnqueueTask",
    "clEnqueueNativeKernel",
    "clEnqueueMarker",
    "clEnqueueWaitForEvents",
    "clEnqueueBarrier",
    "clGetExtensionFunctionAddress",
    "clCreateFromGLBuffer",
    "clCreateFromGLTexture2D",
    "clCreateFromGLTexture3D",
    "clCreateFromGLRenderbuffer",
    "clGetGLObjectInfo",
    "clGetGLTextureInfo",
    "clEnqueueAcquireGLObjects",
    "clEnqueueReleaseGLObjects",
    "clGetGLContextInfoKHR",
    "clGetDeviceIDsFromD3D10KHR",
    "clCreateFromD3D10BufferKHR",
    "clCreateFromD3D10Texture2DKHR",
    "clCreateFromD3D10Texture3DKHR",
    "clEnqueueAcquireD3D10ObjectsKHR",
    "clEnqueueReleaseD3D10ObjectsKHR",
    "clSetEventCallback",
    "clCreateSubBuffer",
    "clSetMemObjectDestructorCallback",
    "clCreateUserEvent",
    "clSetUserEventStatus",
    "clEnqueueReadBufferRect",
    "clEnqueueWriteBufferRect",
    "clEnqueueCopyBufferRect",
    "clCreateSubDevicesEXT",
    "clRetainDeviceEXT",
    "clReleaseDeviceEXT",
    "clCreateEventFromGLsyncKHR",
    "clCreateSubDevices",
    "clRetainDevice",
    "clReleaseDevice",
    "clCreateImage",
    "clCreateProgramWithBuiltInKernels",
    "clCompileProgram",
    "clLinkProgram",
    "clUnloadPlatformCompiler",
    "clGetKernelArgInfo",
    "clEnqueueFillBuffer",
    "clEnqueueFillImage",
    "clEnqueueMigrateMemObjects",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueBarrierWithWaitList",
    "clGetExtensionFunctionAddressForPlatform",
    "clCreateFromGLTexture",
    "clGetDeviceIDsFromD3D11KHR",
    "clCreateFromD3D11BufferKHR",
    "clCreateFromD3D11Texture2DKHR",
    "clCreateFromD3D11Texture3DKHR",
    "clCreateFromDX9MediaSurfaceKHR",
    "clEnqueueAcquireD3D11ObjectsKHR",
    "clEnqueueReleaseD3D11ObjectsKHR",
    "clGetDeviceIDsFromDX9MediaAdapterKHR",
    "clEnqueueAcquireDX9MediaSurfacesKHR",
    "clEnqueueReleaseDX9MediaSurfacesKHR",
    "clCreateFromEGLImageKHR",
    "clEnqueueAcquireEGLObjectsKHR",
    "clEnqueueReleaseEGLObjectsKHR",
    "clCreateEventFromEGLSyncKHR",
    "clCreateCommandQueueWithProperties",
    "clCreatePipe",
    "clGetPipeInfo",
    "clSVMAlloc",
    "clSVMFree",
    "clEnqueueSVMFree",
    "clEnqueueSVMMemcpy",
    "clEnqueueSVMMemFill",
    "clEnqueueSVMMap",
    "clEnqueueSVMUnmap",
    "clCreateSamplerWithProperties",
    "clSetKernelArgSVMPointer",
    "clSetKernelExecInfo",
    "clGetKernelSubGroupInfoKHR",
    "clCloneKernel",
    "clCreateProgramWithIL",
    "clEnqueueSVMMigrateMem",
    "clGetDeviceAndHostTimer",
    "clGetHostTimer",
    "clGetKernelSubGroupInfo",
    "clSetDefaultDeviceCommandQueue",
    "clSetProgramReleaseCallback",
    "clSetProgramSpecializationConstant",
    "clCreateBufferWithProperties",
    "clCreateImageWithProperties",
    "clSetContextDestructorCallback",
};
inline constexpr uint32_t kFunctionCount = sizeof kFunctions / sizeof kFunctions[0];

}  // namespace sextant::spool::opencl
