// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How busy the GPUs, or OpenCL's devices, were: what shares of kernel time have to be read beside. Large
// reports note it when they are made (docs/formats/report.md §3), so that no row need be read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "query/device_api.h"
#include "query/query.h"

namespace sextant::query {

struct GpuBusy {
  int64_t range_ns = 0;  // from the first to the last event (calls and work)
  int64_t busy_ns = 0;   // a GPU did at least one thing; all GPUs together
  uint64_t gpus = 0;     // that did something

  /// Of all GPUs that did something, 0 to 100.
  double percent() const {
    return range_ns == 0 || gpus == 0 ? 0
                                      : 100.0 * static_cast<double>(busy_ns) / static_cast<double>(range_ns) /
                                            static_cast<double>(gpus);
  }
};

/// Of what is in the window and scope.
Result<GpuBusy> gpu_busy(const Source& source, DeviceApi api = DeviceApi::kCuda);

/// What gpu_busy() takes from the report's key/value pairs, where it is of as many rows as the file has.
inline constexpr std::string_view kGpuBusyKey = "summary.gpu_busy";

/// The value of that key, found out from the rows; empty where there are so few that a note is not worth it.
Result<std::string> gpu_busy_note(const Source& source);

/// Which GPU of the machine a process means. OpenCL has no numbers of the machine: devices of the same
/// platform and name are told apart by their order, and a part of a device is the device.
class GpuNumbers {
 public:
  static Result<GpuNumbers> load(const Source& source, DeviceApi api = DeviceApi::kCuda);
  uint64_t of(uint64_t process, uint64_t device) const;

 private:
  Status load_opencl(const Source& source);

  std::map<std::pair<int64_t, uint64_t>, uint64_t> by_process_;  // pid and the process's device: GPU
  std::map<uint64_t, int64_t> pids_;                             // by process number
};

}  // namespace sextant::query
