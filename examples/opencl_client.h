// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The OpenCL calls that these programs use, in one header without dependencies: they build and run where no
// OpenCL is installed, too. The library is opened when the program runs (OpenclCalls::load). Programs of
// yours include <CL/cl.h> and link libOpenCL; names, numbers and types are the same.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

using cl_int = int32_t;
using cl_uint = uint32_t;
using cl_bitfield = uint64_t;
using cl_platform_id = struct ClPlatform*;
using cl_device_id = struct ClDevice*;
using cl_context = struct ClContext*;
using cl_command_queue = struct ClQueue*;
using cl_mem = struct ClMemory*;
using cl_program = struct ClProgram*;
using cl_kernel = struct ClKernel*;
using cl_event = struct ClEvent*;

inline constexpr cl_int CL_SUCCESS = 0;
inline constexpr cl_uint CL_TRUE = 1, CL_FALSE = 0;
inline constexpr cl_bitfield CL_DEVICE_TYPE_ALL = 0xFFFFFFFF, CL_MEM_READ_WRITE = 1;
inline constexpr cl_uint CL_DEVICE_NAME = 0x102B;

/// One member for each function, named as it is.
struct OpenclCalls {
  cl_int (*clGetPlatformIDs)(cl_uint, cl_platform_id*, cl_uint*) = nullptr;
  cl_int (*clGetDeviceIDs)(cl_platform_id, cl_bitfield, cl_uint, cl_device_id*, cl_uint*) = nullptr;
  cl_int (*clGetDeviceInfo)(cl_device_id, cl_uint, size_t, void*, size_t*) = nullptr;
  cl_context (*clCreateContext)(const intptr_t*, cl_uint, const cl_device_id*,
                                void (*)(const char*, const void*, size_t, void*), void*, cl_int*) = nullptr;
  cl_command_queue (*clCreateCommandQueue)(cl_context, cl_device_id, cl_bitfield, cl_int*) = nullptr;
  cl_mem (*clCreateBuffer)(cl_context, cl_bitfield, size_t, void*, cl_int*) = nullptr;
  cl_program (*clCreateProgramWithSource)(cl_context, cl_uint, const char**, const size_t*,
                                          cl_int*) = nullptr;
  cl_int (*clBuildProgram)(cl_program, cl_uint, const cl_device_id*, const char*, void (*)(cl_program, void*),
                           void*) = nullptr;
  cl_kernel (*clCreateKernel)(cl_program, const char*, cl_int*) = nullptr;
  cl_int (*clSetKernelArg)(cl_kernel, cl_uint, size_t, const void*) = nullptr;
  cl_int (*clEnqueueNDRangeKernel)(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*,
                                   const size_t*, cl_uint, const cl_event*, cl_event*) = nullptr;
  cl_int (*clEnqueueWriteBuffer)(cl_command_queue, cl_mem, cl_uint, size_t, size_t, const void*, cl_uint,
                                 const cl_event*, cl_event*) = nullptr;
  cl_int (*clEnqueueReadBuffer)(cl_command_queue, cl_mem, cl_uint, size_t, size_t, void*, cl_uint,
                                const cl_event*, cl_event*) = nullptr;
  cl_int (*clEnqueueFillBuffer)(cl_command_queue, cl_mem, const void*, size_t, size_t, size_t, cl_uint,
                                const cl_event*, cl_event*) = nullptr;
  cl_int (*clFlush)(cl_command_queue) = nullptr;
  cl_int (*clFinish)(cl_command_queue) = nullptr;
  cl_int (*clReleaseEvent)(cl_event) = nullptr;
  cl_int (*clReleaseKernel)(cl_kernel) = nullptr;
  cl_int (*clReleaseProgram)(cl_program) = nullptr;
  cl_int (*clReleaseMemObject)(cl_mem) = nullptr;
  cl_int (*clReleaseCommandQueue)(cl_command_queue) = nullptr;
  cl_int (*clReleaseContext)(cl_context) = nullptr;

  /// False: there is no loader of OpenCL, or one that lacks a function.
  bool load() {
    void* library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    bool all = true;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      all = all && function != nullptr;
    };
#define FIND(name) find(name, #name)
    FIND(clGetPlatformIDs), FIND(clGetDeviceIDs), FIND(clGetDeviceInfo), FIND(clCreateContext);
    FIND(clCreateCommandQueue), FIND(clCreateBuffer), FIND(clCreateProgramWithSource), FIND(clBuildProgram);
    FIND(clCreateKernel), FIND(clSetKernelArg), FIND(clEnqueueNDRangeKernel), FIND(clEnqueueWriteBuffer);
    FIND(clEnqueueReadBuffer), FIND(clEnqueueFillBuffer), FIND(clFlush), FIND(clFinish), FIND(clReleaseEvent);
    FIND(clReleaseKernel), FIND(clReleaseProgram), FIND(clReleaseMemObject), FIND(clReleaseCommandQueue);
    FIND(clReleaseContext);
#undef FIND
    return all;
  }
};
