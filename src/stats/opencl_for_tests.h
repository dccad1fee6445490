// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests only: reports with OpenCL commands written by nanosecond (even ones: a raw tick is two).
#pragma once

#include <string_view>

#include "event/schema_opencl.h"
#include "stats/rows_for_tests.h"

namespace sextant::stats::testing {

inline constexpr uint64_t kNdRange = 0x11F0, kReadBuffer = 0x11F3, kWriteBuffer = 0x11F4,
                          kFillBuffer = 0x1207, kMarker = 0x11FE;

class OpenclReport : public CudaReport {
 public:
  void device(uint64_t number, std::string_view name, uint64_t process = 1, uint64_t parent = 0) {
    using namespace event::opencl_device;
    row(event::kOpenclDevice,
        {{kProcess, process}, {kDevice, number}, {kPlatform, 1}, {kName, id(name)}, {kParent, parent}});
  }
  void queue(uint64_t number, uint64_t device, uint64_t properties, uint64_t process = 1) {
    using namespace event::opencl_queue;
    row(event::kOpenclQueue, {{kProcess, process},
                              {kQueue, number},
                              {kContext, 1},
                              {kDevice, device},
                              {kTime, raw(0)},
                              {kAsked, 0},
                              {kProperties, properties}});
  }
  void cl_call(std::string_view name, int64_t start, int64_t end, uint64_t correlation = 0,
               uint64_t process = 1, uint64_t tid = 10, int64_t result = 0) {
    using namespace event::opencl_api;
    row(event::kOpenclApi, {{kStart, raw(start)},
                            {kDuration, ticks(end - start)},
                            {kProcess, process},
                            {kTid, tid},
                            {kCorrelation, correlation},
                            {kName, id(name)},
                            {kReturnValue, static_cast<uint64_t>(result)}});
  }
  void cl_kernel(std::string_view name, int64_t start, int64_t end, uint64_t correlation, uint64_t queue = 1,
                 uint64_t process = 1, uint64_t device = 1) {
    using namespace event::opencl_kernel;
    row(event::kOpenclKernel, {{kStart, raw(start)},
                               {kDuration, ticks(end - start)},
                               {kProcess, process},
                               {kDevice, device},
                               {kContext, 1},
                               {kQueue, queue},
                               {kCorrelation, correlation},
                               {kName, id(name)},
                               {kGlobalX, 1024},
                               {kGlobalY, 2},
                               {kGlobalZ, 1},
                               {kLocalX, 64},
                               {kLocalY, 1},
                               {kLocalZ, 1},
                               {kQueuedFor, ticks(6)},
                               {kSubmittedFor, ticks(4)},
                               {kCommand, kNdRange}});
  }
  void cl_memory(uint64_t command, int64_t start, int64_t end, uint64_t correlation, uint64_t bytes,
                 bool blocking = false, uint64_t queue = 1, uint64_t process = 1, uint64_t device = 1) {
    using namespace event::opencl_memory;
    row(event::kOpenclMemory, {{kStart, raw(start)},
                               {kDuration, ticks(end - start)},
                               {kProcess, process},
                               {kDevice, device},
                               {kContext, 1},
                               {kQueue, queue},
                               {kCorrelation, correlation},
                               {kBytes, bytes},
                               {kCommand, command},
                               {kBlocking, blocking ? 1u : 0u}});
  }
  void cl_sync(uint64_t command, int64_t start, int64_t end, uint64_t correlation, uint64_t queue = 1) {
    using namespace event::opencl_sync;
    row(event::kOpenclSync, {{kStart, raw(start)},
                             {kDuration, ticks(end - start)},
                             {kProcess, 1},
                             {kDevice, 1},
                             {kContext, 1},
                             {kQueue, queue},
                             {kCorrelation, correlation},
                             {kCommand, command}});
  }
};

}  // namespace sextant::stats::testing
