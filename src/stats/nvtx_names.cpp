// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/nvtx_names.h"

#include <fmt/format.h>

#include "text/units.h"
#include "text/utf8.h"

namespace sextant::stats {

std::string range_name(const query::Source& source, uint64_t domain, uint64_t name) {
  std::string out;
  if (domain != 0) {
    text::append_valid_utf8(&out, source.reader().string(domain));
    out += ':';
  }
  text::append_valid_utf8(&out, source.reader().string(name));
  return out;
}

std::string why_no_ranges(const query::Source& source) {
  const auto& processes = source.processes();
  if (processes.empty()) return "No NVTX ranges: the report holds no process (yet).";
  uint64_t recorded = 0, attached = 0, lost = 0;
  const query::Process* reasoned = nullptr;
  for (const query::Process& p : processes) {
    recorded += p.traced != static_cast<uint8_t>(event::process::Traced::kUntraced) ? 1 : 0;
    attached += p.nvtx_instances > 0 ? 1 : 0;
    lost += p.lost;
    if (reasoned == nullptr && !p.reason.empty()) reasoned = &p;
  }
  const std::string of = fmt::format("of {}", text::counted(processes.size(), "process", "processes"));
  if (lost > 0)
    return fmt::format("No NVTX ranges: {} were lost; `sextant info` says why.",
                       text::counted(lost, "record", "records"));
  if (reasoned != nullptr)
    return fmt::format("No NVTX ranges: {} ({}): {}", text::printable(reasoned->name), reasoned->pid,
                       text::printable(reasoned->reason));
  if (attached == 0)
    return fmt::format("No NVTX ranges: none {} called NVTX ({} could be recorded).", of, recorded);
  return fmt::format("No NVTX ranges of this kind: {} {} called NVTX, but made none.", attached, of);
}

}  // namespace sextant::stats
