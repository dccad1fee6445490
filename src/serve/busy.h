// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the time of a device went within a span: each nanosecond has one cause, the first that holds of
//   kernel     a kernel or graph ran
//   copy       a copy or fill ran, no kernel
//   sync_wait  nothing ran; a thread that gives work to the device was waiting for it (...Synchronize,
//   clFinish) api        ... was in another call of CUDA or OpenCL osrt_wait  ... was in a call of the C
//   library or the system that was recorded nothing    nothing of all this was recorded: the program
//   computed, or was not looked at
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "serve/time_spans.h"

namespace sextant::serve {

inline constexpr size_t kKernel = 0, kCopy = 1, kSyncWait = 2, kApi = 3, kOsrtWait = 4, kNothing = 5;
std::span<const Cause> causes();

struct DeviceTime {
  size_t track;                    // of the device
  std::array<CauseTime, 6> parts;  // by cause; they add up to the span
  int64_t busy_ns() const { return parts[kKernel].ns + parts[kCopy].ns; }
};

/// By device, in the order of tracks. kUnsupported: too many events.
Result<std::vector<DeviceTime>> device_times(const Timeline& timeline, const query::Window& span);

}  // namespace sextant::serve
