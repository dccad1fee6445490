// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Collector::Page, shared by the files that make up Collector.
#pragma once

#include <memory>

#include "collector/collector.h"

namespace sextant::collector {

struct Collector::Page {
  uint32_t index = 0;
  bool seen = false;        // it was live once: `copy` holds what it said
  bool taken_back = false;  // a note about a program that was not run after all (its exec failed)
  bool version_noted = false;
  spool::PageCopy copy;
  uint32_t process = 0;
  std::unique_ptr<Instance> instance;  // once it has an arena
  bool arena_failed = false;
  uint64_t events_before = 0;  // counted into the process by instances of earlier passes
  uint64_t cut_before = 0;
  int64_t unended_before = 0;
  uint64_t opencl_calls_before = 0, opencl_commands_before = 0;
  uint64_t osrt_calls_before = 0, osrt_unreturned_before = 0;
  bool unfinished_noted = false;
};

inline uint64_t monotonic_ns() {
  return base::clock_ns(CLOCK_MONOTONIC);
}

}  // namespace sextant::collector
