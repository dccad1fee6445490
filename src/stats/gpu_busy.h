// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How busy the GPUs were: what shares of kernel time have to be read beside.
#pragma once

#include <cstdint>
#include <string>

#include "query/query.h"

namespace sextant::stats {

struct GpuBusy {
  int64_t range_ns = 0;  // from the first to the last CUDA event (calls and work)
  int64_t busy_ns = 0;   // a GPU did at least one thing; all GPUs together
  uint64_t gpus = 0;     // that did something

  /// Of all GPUs that did something, 0 to 100.
  double percent() const {
    return range_ns == 0 || gpus == 0 ? 0
                                      : 100.0 * static_cast<double>(busy_ns) / static_cast<double>(range_ns) /
                                            static_cast<double>(gpus);
  }
  /// "The GPU was busy 10.3 % of the 3.21 s from the first to the last CUDA event."
  std::string sentence() const;
};

Result<GpuBusy> gpu_busy(const query::Source& source);

}  // namespace sextant::stats
