// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of analysis/: what runs each rule, for the table in registry.cpp, and what rules share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/rule.h"

namespace sextant::analysis {

using Run = Result<Outcome>(const query::Source&, const RuleArguments&);
Run run_cuda_memcpy_async, run_cuda_memcpy_sync, run_cuda_memset_sync;  // cuda_memory_calls.cpp
Run run_cuda_api_sync;                                                  // cuda_api_sync.cpp
Run run_opencl_memcpy_async, run_opencl_memcpy_sync;                    // opencl_memory_calls.cpp
Run run_opencl_api_sync;                                                // opencl_api_sync.cpp
Run run_gpu_gaps;                                                       // gpu_gaps.cpp
Run run_gpu_time_util;                                                  // gpu_time_util.cpp
Run run_osrt_locks, run_osrt_polling, run_osrt_small_io, run_osrt_sync_loop, run_osrt_main_io,
    run_osrt_never_returned;  // a file each

/// Findings are told for so many; the rows have the rest.
inline constexpr size_t kMostFindings = 10;

/// Sorts by what is to gain and keeps the first ones.
void keep_best(std::vector<Finding>* findings);

/// Number of rows to print out of `rows`.
inline uint64_t limited(uint64_t rows, int64_t limit) {
  return limit < 0 ? rows : std::min(rows, static_cast<uint64_t>(limit));
}

/// "from 1.2 s to 3.4 s"
std::string span_text(int64_t start_ns, int64_t end_ns);

/// Whether `name` begins with `prefix`, and whether `word` is in it; small letters are wanted, case does not
/// matter.
bool begins_with(std::string_view name, std::string_view prefix);
bool contains(std::string_view name, std::string_view word);

}  // namespace sextant::analysis
