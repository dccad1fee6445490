// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/gpu_busy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "event/schema_cuda.h"
#include "stats/covered.h"
#include "stats/cuda_names.h"
#include "stats/parallel.h"
#include "text/units.h"

namespace sextant::stats {

namespace {

/// What a worker found in one chunk.
struct Found {
  std::map<uint64_t, Covered> covered;  // by GPU
  int64_t first = INT64_MAX, last = INT64_MIN;
};

void find(const query::TableBatch& b, const DeviceNames& devices, Found* found) {
  const std::vector<uint64_t>&start = b.columns[0], &duration = b.columns[1], &process = b.columns[2],
        &device = b.columns[3];
  Covered* of_gpu = nullptr;
  int64_t first = found->first, last = found->last;
  for (size_t i = 0; i < b.rows; ++i) {
    if (of_gpu == nullptr || process[i] != process[i - 1] || device[i] != device[i - 1])
      of_gpu = &found->covered[devices.gpu(process[i], device[i])];
    const Span span{static_cast<int64_t>(start[i]), static_cast<int64_t>(start[i] + duration[i])};
    first = std::min(first, span.start);
    last = std::max(last, span.end);
    of_gpu->add(span);
  }
  found->first = first;
  found->last = last;
}

/// From the first to the last call, rows read only where a window cuts some off.
Status find_calls(const query::Source& source, int64_t* first, int64_t* last) {
  if (!source.limited()) {
    int64_t from = 0, to = 0;
    if (!source.extent(event::kCudaApi, &from, &to)) return {};
    *first = std::min(*first, from);
    *last = std::max(*last, to);
    return {};
  }
  const uint16_t columns[] = {event::cuda_api::kStart, event::cuda_api::kDuration};
  return source.scan_table(event::kCudaApi, columns, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) {
      *first = std::min(*first, static_cast<int64_t>(b.columns[0][i]));
      *last = std::max(*last, static_cast<int64_t>(b.columns[0][i] + b.columns[1][i]));
    }
  });
}

}  // namespace

Result<GpuBusy> gpu_busy(const query::Source& source) {
  // start, duration, process and device have the same numbers in all tables of work
  using namespace event::cuda_kernel;
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_memcpy::kDevice));
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_memset::kDevice));
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_graph_run::kDevice));
  SEXTANT_ASSIGN(const DeviceNames devices, DeviceNames::load(source));
  constexpr uint16_t kColumns[] = {kStart, kDuration, kProcess, kDevice};
  constexpr uint16_t kTables[] = {event::kCudaKernel, event::kCudaMemcpy, event::kCudaMemset,
                                  event::kCudaGraphRun};
  std::vector<Found> workers(all_workers());
  std::map<uint64_t, Covered> gpus;
  SEXTANT_TRY(source.scan_by_time(
      kTables, kColumns, workers.size(),
      [&](size_t worker, query::TableBatch& b) { find(b, devices, &workers[worker]); },
      [&](size_t worker, int64_t until) {
        for (auto& [gpu, covered] : workers[worker].covered) gpus[gpu].merge(&covered);
        for (auto& [gpu, covered] : gpus) covered.count_until(until);
      }));
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (const Found& found : workers) {
    first = std::min(first, found.first);
    last = std::max(last, found.last);
  }
  SEXTANT_TRY(find_calls(source, &first, &last));
  GpuBusy busy;
  if (first <= last) busy.range_ns = last - first;
  busy.gpus = gpus.size();
  for (const auto& [gpu, covered] : gpus) busy.busy_ns += covered.counted();
  return busy;
}

std::string GpuBusy::sentence() const {
  return fmt::format(
      "{} busy {:.1f} % of the {} from the first to the last CUDA event.",
      gpus == 1 ? std::string("The GPU was") : fmt::format("The {} GPUs were, on average,", gpus), percent(),
      text::duration(range_ns));
}

}  // namespace sextant::stats
