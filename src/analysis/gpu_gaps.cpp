// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// gpu_gaps: times in which a GPU, or an OpenCL device, did nothing for a process, between the first and the
// last thing that it did for it.
#include <fmt/format.h>

#include <memory>

#include "analysis/device_work.h"
#include "analysis/rules.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

struct Gap {
  int64_t duration_ns, start_ns, pid;
  uint64_t device, context;
};

std::vector<Gap> gaps_of(const DeviceWork& work, int64_t least_ns) {
  std::vector<Gap> gaps;
  int64_t until = work.start_ns;
  uint64_t context = work.context;
  for (const Block& block : work.blocks) {
    if (block.start_ns - until >= least_ns && block.start_ns > until)
      gaps.push_back({block.start_ns - until, until, work.pid, work.device, context});
    if (block.end_ns >= until) until = block.end_ns, context = block.context;
  }
  return gaps;
}

}  // namespace

Result<Outcome> run_gpu_gaps(const query::Source& source, const RuleArguments& arguments) {
  using enum text::CellType;
  SEXTANT_ASSIGN(const std::vector<DeviceWork> devices, load_device_work(source, arguments));
  auto gaps = std::make_shared<std::vector<Gap>>();
  Outcome outcome;
  for (const DeviceWork& work : devices) {
    for (const Gap& gap : gaps_of(work, arguments.gap_ms * 1'000'000)) {
      gaps->push_back(gap);
      outcome.findings.push_back(
          {fmt::format("The {} did nothing for {}.", word_for(work), text::duration(gap.duration_ns)),
           fmt::format("process {}, {}, {}", gap.pid, work.name,
                       span_text(gap.start_ns, gap.start_ns + gap.duration_ns)),
           fmt::format("no kernel, copy or fill, and nothing of the profiler, for {:.1f} % of the {} that "
                       "the process used this {}",
                       100.0 * static_cast<double>(gap.duration_ns) /
                           static_cast<double>(work.end_ns - work.start_ns),
                       text::duration(work.end_ns - work.start_ns), word_for(work)),
           gap.duration_ns,
           "Look at what the threads of the process did in that time: CPU samples, blocked calls, NVTX "
           "ranges. Often it is loading of data, "
           "a wait for other processes, or work on the CPU that could run beside it.",
           {{work.process, std::nullopt, work.device, gap.start_ns, gap.start_ns + gap.duration_ns}}});
    }
  }
  keep_best(&outcome.findings);
  std::stable_sort(gaps->begin(), gaps->end(),
                   [](const Gap& a, const Gap& b) { return a.duration_ns > b.duration_ns; });
  outcome.no_data = devices.empty();
  text::Table& table = outcome.table;
  table.columns = {{"Row#", "", kInteger}, {"Duration", "ns", kInteger}, {"Start", "ns", kInteger},
                   {"PID", "", kInteger},  {"Device ID", "", kInteger},  {"Context ID", "", kInteger}};
  table.rows = limited(gaps->size(), arguments.rows);
  table.why_empty = outcome.no_data ? stats::why_nothing(source, "GPU work", "CUDA or OpenCL")
                                    : fmt::format("No GPU was idle for {} ms or more.", arguments.gap_ms);
  table.fill = [gaps](uint64_t row, std::span<text::Cell> cells) {
    const Gap& gap = (*gaps)[row];
    cells[0].set(static_cast<int64_t>(row) + 1);
    cells[1].set(gap.duration_ns);
    cells[2].set(gap.start_ns);
    cells[3].set(gap.pid);
    cells[4].set(static_cast<int64_t>(gap.device));
    cells[5].set(static_cast<int64_t>(gap.context));
  };
  return outcome;
}

}  // namespace sextant::analysis
