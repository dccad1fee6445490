// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/gpu_busy.h"

#include <fmt/format.h>

#include "text/units.h"

namespace sextant::stats {

std::string sentence(const query::GpuBusy& busy) {
  return fmt::format(
      "{} busy {:.1f} % of the {} from the first to the last CUDA event.",
      busy.gpus == 1 ? std::string("The GPU was") : fmt::format("The {} GPUs were, on average,", busy.gpus),
      busy.percent(), text::duration(busy.range_ns));
}

}  // namespace sextant::stats
