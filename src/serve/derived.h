// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges on a device, from the work that was launched within them (the same that `sextant stats -r
// nvtx_gpu_proj_trace` tells, by process and GPU). They are found out when a report is opened and kept in
// memory, 56 bytes each; beyond the number below they are left out as a whole, and derived_notes() says so.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serve/layer.h"

namespace sextant::serve {

inline constexpr uint64_t kMostProjected = 2'000'000;  // calls, work and ranges together

/// Numbers of derived events that are no row have this table.
inline constexpr uint16_t kProjectedTable = 0x1000;

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
/// Found out at the first question, and kept: 24 bytes a range of the report. Thread-safe.
class ProjectedRanges {
 public:
  /// `source` must outlive it.
  explicit ProjectedRanges(const query::Source& source) : source_(source) {}
  std::optional<ProjectedFrom> find(uint64_t event) const;

 private:
  struct Range {
    int64_t start_ns, end_ns;
    uint32_t thread, name;
  };
  void load() const;

  const query::Source& source_;
  mutable std::once_flag loaded_;
  mutable std::vector<Range> ranges_;                           // by their number
  mutable std::vector<std::pair<uint64_t, uint64_t>> threads_;  // process and tid
};

bool can_project(const query::Source& source);
/// Sentences about what was left out.
std::vector<std::string> derived_notes(const query::Source& source);

}  // namespace sextant::serve
