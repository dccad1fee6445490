// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// -t osrt: which agent is loaded, and what it is told.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "spool/format.h"

namespace sextant::recording {

struct OsrtOptions {
  uint64_t threshold_ns = 0;  // --osrt-threshold: shorter calls are not recorded
  bool file_access = false;   // --osrt-file-access
  std::string exclude;        // --osrt-exclude: functions and families, with commas between
};

/// The agent that has the hooks, beside the other one. kNotFound.
Result<std::string> find_osrt_agent(const std::string& agent);

/// --osrt-exclude as ControlPage has it. kUsage for what is neither function nor family.
Result<std::array<uint8_t, spool::kOsrtBitmapBytes>> excluded_functions(const std::string& list);

/// Nanoseconds as stamps of a clock. Takes some milliseconds where the clock has to be compared with another.
uint64_t stamps_of(uint64_t ns, base::ClockKind clock);

}  // namespace sextant::recording
