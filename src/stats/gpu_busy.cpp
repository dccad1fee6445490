// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/gpu_busy.h"

#include <fmt/format.h>

#include "text/units.h"

namespace sextant::stats {

std::string sentence(const query::GpuBusy& busy, query::DeviceApi api) {
  const query::DeviceTables& tables = query::device_tables(api);
  const std::string who = busy.gpus == 1
                              ? fmt::format("The {} was", tables.device)
                              : fmt::format("The {} {}s were, on average,", busy.gpus, tables.device);
  return fmt::format("{} busy {:.1f} % of the {} from the first to the last {} event.", who, busy.percent(),
                     text::duration(busy.range_ns), tables.name);
}

}  // namespace sextant::stats
