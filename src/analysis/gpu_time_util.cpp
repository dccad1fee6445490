// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// gpu_time_util: the time of each process on each GPU or OpenCL device in equal chunks; those in which the
// GPU was used less than a threshold, neighbours joined. Work that runs at the same time adds up, so that a
// chunk can be used for more than 100 %.
#include <fmt/format.h>

#include <memory>

#include "analysis/device_work.h"
#include "analysis/rules.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

struct Slack {
  int64_t used_ns, duration_ns, start_ns, pid;
  uint64_t device, context;
  double percent() const { return 100.0 * static_cast<double>(used_ns) / static_cast<double>(duration_ns); }
};

/// Used time of every chunk.
std::vector<int64_t> use_of_chunks(const DeviceWork& work, int64_t chunk_ns) {
  const int64_t range = work.end_ns - work.start_ns;
  std::vector<int64_t> used(static_cast<size_t>((range + chunk_ns - 1) / chunk_ns));
  for (const Block& block : work.blocks) {
    for (auto i = static_cast<size_t>((block.start_ns - work.start_ns) / chunk_ns); i < used.size(); ++i) {
      const int64_t from = work.start_ns + static_cast<int64_t>(i) * chunk_ns;
      if (from >= block.end_ns) break;
      used[i] += std::min(from + chunk_ns, block.end_ns) - std::max(from, block.start_ns);
    }
  }
  return used;
}

std::vector<Slack> slacks_of(const DeviceWork& work, const RuleArguments& arguments) {
  std::vector<Slack> slacks;
  const int64_t range = work.end_ns - work.start_ns;
  if (range <= 0) return slacks;
  const int64_t chunk = (range + arguments.chunks - 1) / arguments.chunks;
  const std::vector<int64_t> used = use_of_chunks(work, chunk);
  bool joined = false;
  for (size_t i = 0; i < used.size(); ++i) {
    const int64_t start = work.start_ns + static_cast<int64_t>(i) * chunk;
    const Slack here{used[i],     std::min(chunk, work.end_ns - start), start, work.pid, work.device,
                     work.context};
    const bool low = here.percent() < arguments.threshold;
    if (low && joined) {
      slacks.back().used_ns += here.used_ns;
      slacks.back().duration_ns += here.duration_ns;
    } else if (low) {
      slacks.push_back(here);
    }
    joined = low;
  }
  return slacks;
}

}  // namespace

Result<Outcome> run_gpu_time_util(const query::Source& source, const RuleArguments& arguments) {
  using enum text::CellType;
  SEXTANT_ASSIGN(const std::vector<DeviceWork> devices, load_device_work(source, arguments));
  auto slacks = std::make_shared<std::vector<Slack>>();
  Outcome outcome;
  for (const DeviceWork& work : devices) {
    for (const Slack& slack : slacks_of(work, arguments)) {
      slacks->push_back(slack);
      outcome.findings.push_back(
          {fmt::format("The {} was used for {:.1f} % of {}.", word_for(work), slack.percent(),
                       text::duration(slack.duration_ns)),
           fmt::format("process {}, {}, {}", slack.pid, work.name,
                       span_text(slack.start_ns, slack.start_ns + slack.duration_ns)),
           fmt::format("kernels, copies and fills took {} of it", text::duration(slack.used_ns)),
           slack.duration_ns - slack.used_ns,
           fmt::format(
               "Give the {} more to do at a time (larger batches, {}), and look at what the threads of "
               "the process did meanwhile: CPU samples, blocked calls, NVTX ranges.",
               word_for(work),
               work.api == query::DeviceApi::kCuda ? "CUDA graphs, several streams" : "several queues"),
           {{work.process, std::nullopt, work.device, slack.start_ns, slack.start_ns + slack.duration_ns}}});
    }
  }
  keep_best(&outcome.findings);
  std::stable_sort(slacks->begin(), slacks->end(),
                   [](const Slack& a, const Slack& b) { return a.percent() < b.percent(); });
  outcome.no_data = devices.empty();
  text::Table& table = outcome.table;
  table.columns = {{"Row#", "", kInteger},      {"In-Use", "%", kReal}, {"Duration", "ns", kInteger},
                   {"Start", "ns", kInteger},   {"PID", "", kInteger},  {"Device ID", "", kInteger},
                   {"Context ID", "", kInteger}};
  table.rows = limited(slacks->size(), arguments.rows);
  table.why_empty = outcome.no_data ? stats::why_nothing(source, "GPU work", "CUDA or OpenCL")
                                    : fmt::format("GPUs were always used for {:.0f} % of the time or more.",
                                                  arguments.threshold);
  table.fill = [slacks](uint64_t row, std::span<text::Cell> cells) {
    const Slack& slack = (*slacks)[row];
    cells[0].set(static_cast<int64_t>(row) + 1);
    cells[1].set(slack.percent());
    cells[2].set(slack.duration_ns);
    cells[3].set(slack.start_ns);
    cells[4].set(slack.pid);
    cells[5].set(static_cast<int64_t>(slack.device));
    cells[6].set(static_cast<int64_t>(slack.context));
  };
  return outcome;
}

}  // namespace sextant::analysis
