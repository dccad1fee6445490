// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the time of threads went within a span: each nanosecond of a thread has one cause, the first that
// holds of
//   sync_wait  in a call that waits for a device (...Synchronize, clFinish), on a CPU or not
//   osrt_wait  in a call of the operating system that waits: for a lock, another thread, time
//   running    on a CPU
//   ready      could run, but other threads had the CPUs
//   io         in a call that moves data, and may wait for it
//   off_cpu    not on a CPU for another reason
//   api        in another call of CUDA or OpenCL
//   osrt       in another call of the operating system
//   nothing    nothing of all this was recorded
// running, ready and off_cpu are only known where scheduling was recorded.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "serve/time_spans.h"

namespace sextant::serve {

enum ThreadCause : uint8_t {
  kDeviceWait,
  kCallWait,
  kRunning,
  kReady,
  kMoving,
  kOffCpu,
  kOtherApi,
  kOtherCall
};
inline constexpr size_t kThreadCauses = 9;
std::span<const Cause> thread_causes();

struct ThreadTime {
  size_t track = 0;  // of the thread
  struct Part : CauseTime {
    std::vector<std::pair<uint32_t, int64_t>> names;  // of calls or states, most time first
  };
  std::array<Part, kThreadCauses> parts;  // by cause; they add up to the span
  bool scheduling = false;                // was recorded of it
};

/// Threads of which calls or scheduling were recorded, those with most time that is told first. kUnsupported:
/// more than kMostBusyEvents.
Result<std::vector<ThreadTime>> thread_times(const Timeline& timeline, const query::Window& span);

}  // namespace sextant::serve
