// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/gpu_busy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "event/schema_cuda.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::stats {

namespace {

struct Span {
  int64_t start, end;
};

int64_t covered(std::vector<Span>& spans) {
  const auto earlier = [](const Span& a, const Span& b) { return a.start < b.start; };
  if (!std::is_sorted(spans.begin(), spans.end(), earlier)) std::sort(spans.begin(), spans.end(), earlier);
  int64_t total = 0, until = INT64_MIN;
  for (const Span& span : spans) {
    const int64_t from = std::max(span.start, until);
    if (span.end > from) total += span.end - from;
    until = std::max(until, span.end);
  }
  return total;
}

}  // namespace

Result<GpuBusy> gpu_busy(const query::Source& source) {
  // start, duration, process and device have the same numbers in all tables of work
  using namespace event::cuda_kernel;
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_memcpy::kDevice));
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_memset::kDevice));
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_graph_run::kDevice));
  SEXTANT_ASSIGN(const DeviceNames devices, DeviceNames::load(source));
  const uint16_t columns[] = {kStart, kDuration, kProcess, kDevice};
  std::map<uint64_t, std::vector<Span>> spans;  // by GPU
  int64_t first = INT64_MAX, last = INT64_MIN;
  const auto see = [&](uint64_t start, uint64_t duration) {
    const Span span{static_cast<int64_t>(start), static_cast<int64_t>(start + duration)};
    first = std::min(first, span.start);
    last = std::max(last, span.end);
    return span;
  };
  for (const uint16_t table :
       {event::kCudaKernel, event::kCudaMemcpy, event::kCudaMemset, event::kCudaGraphRun}) {
    SEXTANT_TRY(source.scan_table(table, columns, 1, [&](size_t, query::TableBatch& b) {
      uint64_t process = UINT64_MAX, device = UINT64_MAX;
      std::vector<Span>* of_gpu = nullptr;
      for (size_t i = 0; i < b.rows; ++i) {
        if (b.columns[2][i] != process || b.columns[3][i] != device) {
          process = b.columns[2][i], device = b.columns[3][i];
          of_gpu = &spans[devices.gpu(process, device)];
        }
        of_gpu->push_back(see(b.columns[0][i], b.columns[1][i]));
      }
    }));
  }
  const uint16_t call_columns[] = {event::cuda_api::kStart, event::cuda_api::kDuration};
  SEXTANT_TRY(source.scan_table(event::kCudaApi, call_columns, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) see(b.columns[0][i], b.columns[1][i]);
  }));
  GpuBusy busy;
  if (first <= last) busy.range_ns = last - first;
  busy.gpus = spans.size();
  for (auto& [gpu, of_gpu] : spans) busy.busy_ns += covered(of_gpu);
  return busy;
}

std::string GpuBusy::sentence() const {
  return fmt::format(
      "{} busy {:.1f} % of the {} from the first to the last CUDA event.",
      gpus == 1 ? std::string("The GPU was") : fmt::format("The {} GPUs were, on average,", gpus), percent(),
      text::duration(range_ns));
}

}  // namespace sextant::stats
