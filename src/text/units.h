// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Quantities for people: "1.5 ms", "256 MiB". Parsing accepts what people type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sextant::text {

/// "0 ns", "950 ns", "1.234 us", "12.35 ms", "3.2 s", "2 min 05 s", "1 h 02 min".
std::string duration(int64_t ns);

/// "0 B", "1023 B", "1.5 KiB", "256 MiB".
std::string bytes(uint64_t n);

/// "1 range", "2 ranges".
std::string counted(uint64_t n, std::string_view one, std::string_view many);

/// "2026-01-31 14:05:06.789 UTC" from nanoseconds since the epoch.
std::string utc_time(uint64_t realtime_ns);

/// A number of bytes: 4096, 64k, 64KiB, 256M, 256MB, 1.5G (powers of 1024). kUsage otherwise.
Result<uint64_t> parse_bytes(std::string_view word);

/// A duration in nanoseconds: 10 (seconds), 0.5, 10s, 250ms, 5m. Not negative. kUsage otherwise.
Result<int64_t> parse_duration(std::string_view word);

}  // namespace sextant::text
