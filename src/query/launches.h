// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA's or OpenCL's calls in memory, and the way from work on a device to the call that launched it:
// (process, correlation).
// Of several calls with the same key the first one counts. About 36 bytes a call, while it is loaded 44.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "query/device_api.h"
#include "query/query.h"

namespace sextant::query {

class Launches {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  static Result<Launches> load(const Source& source, Rows which = Rows::kInWindow,
                               DeviceApi api = DeviceApi::kCuda);

  /// The calls of one process: by correlation minus `base` where that is dense enough, else sorted.
  struct ByCorrelation {
    uint64_t base = UINT64_MAX, last = 0, calls = 0;
    std::vector<uint32_t> dense;
    std::vector<std::pair<uint64_t, uint32_t>> sorted;

    bool is_dense() const { return (last - base) / 8 <= calls + 1024; }
    uint32_t find(uint64_t correlation) const;
  };

  /// The calls of a process, for many questions; null if there are none.
  const ByCorrelation* of(uint64_t of_process) const;

  /// The call that launched, kNone if it is not there.
  uint32_t find(uint64_t of_process, uint64_t correlation) const {
    const ByCorrelation* calls = of(of_process);
    return calls == nullptr ? kNone : calls->find(correlation);
  }
  size_t size() const { return start_ns.size(); }

  // by number of the call, in file order
  std::vector<int64_t> start_ns, end_ns;
  std::vector<uint32_t> process, tid, name;

 private:
  void index_calls(const std::vector<uint64_t>& correlations);

  std::unordered_map<uint64_t, ByCorrelation> processes_;
};

}  // namespace sextant::query
