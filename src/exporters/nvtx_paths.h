// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX push/pop time by path: which ranges were open around which, and how much time is a range's own. A
// range is below the shortest one of its thread that was open when it began. Ranges that overlap without
// nesting (of different domains) count what they share once, for the inner one. About 60 bytes a range while
// they are loaded, then only the paths.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "exporters/registry.h"
#include "query/query.h"

namespace sextant::exporters {

struct PathNode {
  uint32_t parent = 0;
  std::string label;  // "domain:name" valid UTF-8; "process (pid)", "thread 12"
  bool is_range = true;
  int64_t total_ns = 0, self_ns = 0;
  uint64_t count = 0;
  std::vector<uint32_t> children;  // by label
};

/// Nodes; the first one is the root, of all. With `by_thread` there are a process and a thread above the
/// ranges, else ranges of all threads are put together.
Result<std::vector<PathNode>> nvtx_paths(const query::Source& source, bool by_thread);

/// One line for each path with time of its own: frames joined by ';', a space, nanoseconds.
Status export_folded(const query::Source& source, const std::string& output, const ExportOptions& options);

}  // namespace sextant::exporters
