// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The interfaces by which programs use devices: which tables hold their calls and their work. Columns that
// mean the same have the same numbers in the tables of all of them (docs/adr/0006), so that code which reads
// start, duration, process, device, context, stream, correlation, a kernel's name and dimensions, a call's
// thread and name by the numbers of CUDA's columns reads OpenCL's too.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "event/schema_cuda.h"
#include "event/schema_opencl.h"

namespace sextant::query {

enum class DeviceApi : uint8_t { kCuda, kOpencl };
inline constexpr std::array kDeviceApis = {DeviceApi::kCuda, DeviceApi::kOpencl};

struct DeviceTables {
  std::string_view name;             // "CUDA"
  std::string_view device;           // what people call a device: "GPU"
  std::string_view queue;            // where work waits: "stream"
  uint16_t calls, kernels;           // tables
  std::span<const uint16_t> memory;  // copies and fills
  std::span<const uint16_t> work;    // all that keeps a device busy
};

inline const DeviceTables& device_tables(DeviceApi api) {
  static constexpr uint16_t kCudaWork[] = {event::kCudaKernel, event::kCudaMemcpy, event::kCudaMemset,
                                           event::kCudaGraphRun};
  static constexpr uint16_t kOpenclWork[] = {event::kOpenclKernel, event::kOpenclMemory};
  static constexpr DeviceTables kTables[] = {
      {"CUDA", "GPU", "stream", event::kCudaApi, event::kCudaKernel, std::span(kCudaWork).subspan(1, 2),
       kCudaWork},
      {"OpenCL", "device", "queue", event::kOpenclApi, event::kOpenclKernel,
       std::span(kOpenclWork).subspan(1, 1), kOpenclWork},
  };
  return kTables[static_cast<size_t>(api)];
}

/// Whose numbers the column `device` of a table has.
inline DeviceApi api_of(const event::Table& table) {
  return table.name.starts_with("opencl_") || table.id == event::kDeviceClock ? DeviceApi::kOpencl
                                                                              : DeviceApi::kCuda;
}

/// Whether a row names no call: the word that the column `nulls` has (0 in OpenCL's tables, which have none),
/// and the correlation. OpenCL counts from 1.
constexpr bool no_correlation(DeviceApi api, uint64_t nulls, uint64_t correlation) {
  return event::is_null(nulls, event::cuda_kernel::kCorrelation) ||
         (api == DeviceApi::kOpencl && correlation == 0);
}

}  // namespace sextant::query
