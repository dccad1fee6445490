// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/registry.h"

#include <array>

namespace sextant::stats {

namespace {

constexpr std::array kReports = {
    Report{"nvtx_sum", "NVTX Range Summary", "Time in NVTX ranges by name", true, make_nvtx_sum},
    Report{"nvtx_pushpop_sum", "NVTX Push/Pop Range Summary", "The same, push/pop ranges only", false, make_nvtx_pushpop_sum},
    Report{"nvtx_startend_sum", "NVTX Start/End Range Summary", "The same, start/end ranges only", false, make_nvtx_startend_sum},
    Report{"nvtx_pushpop_trace", "NVTX Push/Pop Range Trace", "Every push/pop range with its place in the stack", false,
           make_nvtx_pushpop_trace},
    Report{"process_tree", "Process Tree", "Processes, how they ended, what was recorded of them and why not", true,
           make_process_tree},
};

}  // namespace

std::span<const Report> reports() { return kReports; }

const Report* find_report(std::string_view name) {
  for (const Report& report : kReports)
    if (report.name == name) return &report;
  return nullptr;
}

}  // namespace sextant::stats
