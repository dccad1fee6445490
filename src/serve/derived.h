// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Derived events: what no table holds as it is shown. CPUs and states of threads come from pairs of
// scheduling events, ranges on a device from the work that was launched within them (the same that
// `sextant stats -r nvtx_gpu_proj_trace` tells, by process and GPU). They are found out when a report is
// opened and kept in memory, 56 bytes each; beyond the numbers below they are left out as a whole, and
// derived_notes() says so.
#pragma once

#include <string>
#include <vector>

#include "serve/layer.h"

namespace sextant::serve {

inline constexpr uint64_t kMostSchedEvents = 1'000'000;
inline constexpr uint64_t kMostProjected = 2'000'000;  // calls, work and ranges together

/// Numbers of derived events that are no row have this table.
inline constexpr uint16_t kProjectedTable = 0x1000;

/// Lane: the logical CPU. Event: a thread on it, named after it; its number is that of the row that put it
/// on.
Result<std::vector<DerivedEvent>> derive_cpus(const query::Source& source, const Names& names);

/// Lane: process and thread. Event: running, or why not, until the next scheduling event; its number is that
/// of the row that begins it.
Result<std::vector<DerivedEvent>> derive_states(const query::Source& source, const Names& names);

/// Lane: process, device and context. Event: from the first to the last work launched within a range of a
/// thread.
Result<std::vector<DerivedEvent>> derive_projection(const query::Source& source, const Names& names);

Result<std::vector<DerivedEvent>> derive_opencl_projection(const query::Source& source, const Names& names);

/// The range behind a projected event, by the numbers that derive_projection() gave.
struct ProjectedFrom {
  uint64_t process, tid;
  int64_t start_ns, end_ns;
  uint32_t name;
};
std::optional<ProjectedFrom> projected_from(const query::Source& source, uint64_t event);

bool can_derive_threads(const query::Source& source);
bool can_project(const query::Source& source);
/// Sentences about what was left out.
std::vector<std::string> derived_notes(const query::Source& source);

}  // namespace sextant::serve
