// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of analysis/: what every process had its GPUs or OpenCL devices do, in time order, between the first
// and the last kernel, copy or fill. What the profiler itself cost there counts as work: it is nothing that
// the user could remove. (So do graphs that were recorded as one; nsys does not count those, and knows that
// cost under old names only.)
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/rule.h"
#include "query/device_api.h"

namespace sextant::analysis {

struct Block {
  int64_t start_ns, end_ns;
  uint64_t context;
};

struct DeviceWork {
  query::DeviceApi api;
  std::string name;  // "CUDA device 0", "OpenCL device Fast Card (1)"
  uint64_t process;
  int64_t pid;
  uint64_t device;
  int64_t start_ns, end_ns;   // first start, last end of kernels, copies and fills
  uint64_t context;           // of what ended last
  std::vector<Block> blocks;  // by start
};

/// "GPU" or "device", as people call it.
inline std::string_view word_for(const DeviceWork& work) {
  return query::device_tables(work.api).device;
}

/// By pid and device, CUDA's first.
Result<std::vector<DeviceWork>> load_device_work(const query::Source& source, const RuleArguments& arguments);

}  // namespace sextant::analysis
