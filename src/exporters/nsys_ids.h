// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nsys's packed ids: 8 bits hardware, 8 bits virtual machine (together 1 here, as for a local nsys
// recording), 24 bits pid, 24 bits tid.
#pragma once

#include <cstdint>

namespace sextant::exporters {

inline constexpr int64_t kGlobalVid = int64_t{1} << 48;

inline constexpr int64_t global_pid(uint64_t pid) {
  return kGlobalVid | static_cast<int64_t>((pid & 0xFFFFFF) << 24);
}
inline constexpr int64_t global_tid(uint64_t pid, uint64_t tid) {
  return global_pid(pid) | static_cast<int64_t>(tid & 0xFFFFFF);
}

/// ENUM_NSYS_EVENT_TYPE, as far as NVTX_EVENTS.eventType uses it.
enum NvtxEventType : int64_t {
  kNvtxCategoryEvent = 33,
  kNvtxMarkEvent = 34,
  kNvtxThreadEvent = 39,
  kNvtxPushPopEvent = 59,
  kNvtxStartEndEvent = 60,
  kNvtxDomainEvent = 75,
  kNvtxDomainEndEvent = 76,
};

}  // namespace sextant::exporters
