// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Capture windows (-c nvtx -p RANGE@DOMAIN): a window opens when a range of that name begins in any process
// of the run, and closes where that range ends. Events outside are counted, not recorded; until the first
// window opens their names are noted, so that a range that never comes can be explained. A range that began
// in a window is recorded to its end. Needs g_filter.
#pragma once

#include "agent/sources/nvtx/filter.h"

namespace sextant::agent::nvtx {

struct Message {
  int32_t type = abi::kNoMessage;
  const void* text = nullptr;
};

/// Whether there are windows at all.
inline bool capture_used() {
  return static_cast<spool::CaptureState>(g_filter->state.load(std::memory_order_relaxed)) !=
         spool::CaptureState::kUnused;
}
/// Whether events are wanted now, as far as windows are concerned.
inline bool capture_open() {
  auto state = static_cast<spool::CaptureState>(g_filter->state.load(std::memory_order_acquire));
  return state == spool::CaptureState::kOpen || state == spool::CaptureState::kUnused;
}

/// Decide about a push and a pop, domain filter included, and keep count of the levels: `level` is what the
/// call returns where capture_used(), or where it is not wanted. `closes`: call close_window() after it.
bool capture_push(Handle* domain, const Message& message, int* level);
bool capture_pop(Handle* domain, int* level, bool* closes);

/// The same for start/end ranges. `opens`: call set_opener_range() once its number is known.
bool capture_start(Handle* domain, const Message& message, bool* opens);
void set_opener_range(uint64_t id);
bool closes_window(uint64_t id);

void close_window();

void count_outside();
void count_excluded();

}  // namespace sextant::agent::nvtx
