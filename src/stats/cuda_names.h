// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the reports about CUDA and OpenCL share: names, CUDA's as nsys displays them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "query/device_api.h"
#include "query/gpu_busy.h"
#include "query/query.h"
#include "stats/registry.h"

namespace sextant::stats {

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string_view api_name(std::string_view name);

/// "[CUDA memcpy Host-to-Device]"; "" for an unknown kind.
std::string_view memcpy_operation(uint64_t kind);
inline constexpr std::string_view kMemsetOperation = "[CUDA memset]";

/// "Pageable"; "" for an unknown kind.
std::string_view memory_kind(uint64_t kind);

/// Valid UTF-8 of a string of the report.
std::string display(const query::Source& source, uint64_t string);

/// "1024    1   40"
std::string dimensions(uint64_t x, uint64_t y, uint64_t z);

/// Pids by process number.
std::map<uint64_t, int64_t> pids(const query::Source& source);

/// One sentence: why there is nothing of `what` ("CUDA calls") that `tracing` ("CUDA") would have recorded.
std::string why_nothing(const query::Source& source, std::string_view what, std::string_view tracing);

/// Labels of kernels by a report's arguments.
class KernelNames {
 public:
  static Result<KernelNames> load(const query::Source& source, const ReportArguments& arguments,
                                  query::DeviceApi api = query::DeviceApi::kCuda);

  /// Columns of the table of kernels that string() needs, to be read in this order, one behind the other.
  const std::vector<uint16_t>& columns() const { return columns_; }

  /// Number of the string that names the kernel. `first`: where those columns begin.
  uint64_t string(const std::vector<std::vector<uint64_t>>& read, size_t first, size_t row) const {
    const bool other = columns_.size() > 1 && !event::is_null(read[first + 1][row], columns_[2]);
    return read[first + (other ? 2 : 0)][row];
  }
  /// Number of the string that names the range around kernel `ordinal` (counted in file order); 0: none, or
  /// not asked for.
  uint64_t range(uint64_t ordinal) const { return ranges_.empty() ? 0 : ranges_[ordinal]; }
  bool with_ranges() const { return with_ranges_; }
  std::string label(uint64_t string, uint64_t range) const;

 private:
  const query::Source* source_ = nullptr;
  std::vector<uint16_t> columns_;  // the name; nulls and another name to be preferred, if there is one
  bool with_ranges_ = false;
  std::vector<uint32_t> ranges_;  // by kernel
};

/// "Tesla T4 (0)": names of devices.
class DeviceNames {
 public:
  static Result<DeviceNames> load(const query::Source& source,
                                  query::DeviceApi api = query::DeviceApi::kCuda);
  std::string name(uint64_t process, uint64_t device) const;
  /// Number of the GPU in the machine that a process calls `device`.
  uint64_t gpu(uint64_t process, uint64_t device) const { return numbers_.of(process, device); }
  std::string name_of_gpu(uint64_t number) const;  // "Tesla T4"; "GPU" where it is not known

 private:
  std::map<uint64_t, std::string> gpus_;  // by number
  query::GpuNumbers numbers_;
};

}  // namespace sextant::stats
