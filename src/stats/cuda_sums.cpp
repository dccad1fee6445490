// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Summaries of CUDA calls, kernels and memory operations: cuda_api_sum, cuda_gpu_kern_sum,
// cuda_gpu_kern_gb_sum, cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum, cuda_gpu_sum, cuda_api_gpu_sum.
#include "event/schema_cuda.h"
#include "stats/cuda_names.h"
#include "stats/device_sums.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

constexpr auto kCuda = query::DeviceApi::kCuda;
constexpr std::string_view kNoKernels = "GPU kernels", kNoMemory = "GPU memory operations",
                           kNoCalls = "CUDA calls", kNoWork = "GPU work";

/// Durations or, `by_size`, bytes of copies and fills.
Status add_memory(const query::Source& source, const Category& category, bool by_size, Summary* summary) {
  const uint16_t copies[] = {event::cuda_memcpy::kKind,
                             by_size ? event::cuda_memcpy::kBytes : event::cuda_memcpy::kDuration};
  SEXTANT_ASSIGN(auto groups, group_durations<1>(source, event::kCudaMemcpy, copies, all_workers(),
                                                 [](const auto& b, size_t i, auto* to) {
                                                   if (!memcpy_operation(b.columns[0][i]).empty())
                                                     to->add({b.columns[0][i]},
                                                             static_cast<int64_t>(b.columns[1][i]));
                                                 }));
  merge_durations(std::move(groups), summary,
                  [&](const auto& key) { return with(category, std::string(memcpy_operation(key[0]))); });
  const uint16_t fills[] = {by_size ? event::cuda_memset::kBytes : event::cuda_memset::kDuration};
  SEXTANT_ASSIGN(auto fill_groups, group_durations<1>(source, event::kCudaMemset, fills, all_workers(),
                                                      [](const auto& b, size_t i, auto* to) {
                                                        to->add({0}, static_cast<int64_t>(b.columns[0][i]));
                                                      }));
  merge_durations(std::move(fill_groups), summary,
                  [&](const auto&) { return with(category, std::string(kMemsetOperation)); });
  return {};
}

}  // namespace

Result<text::Table> make_cuda_api_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_calls(source, kCuda, {}, true, &summary));
  std::vector<SummaryLine> lines = lines_by_total(std::move(summary));
  for (SummaryLine& line : lines) line.labels[0].resize(api_name(line.labels[0]).size());
  return finish(source, kCuda, arguments, std::move(lines), {"Num Calls", {"Name"}}, Busy::kNo, kNoCalls);
}

Result<text::Table> make_cuda_gpu_kern_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, kCuda, arguments, {}, false, &summary));
  return finish(source, kCuda, arguments, lines_by_total(std::move(summary)), {"Instances", {"Name"}},
                Busy::kColumn, kNoKernels);
}

Result<text::Table> make_cuda_gpu_kern_gb_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, kCuda, arguments, {}, true, &summary));
  return finish(source, kCuda, arguments, lines_by_total(std::move(summary)),
                {"Instances", {"GridXYZ", "BlockXYZ", "Name"}}, Busy::kColumn, kNoKernels);
}

Result<text::Table> make_cuda_gpu_mem_time_sum(const query::Source& source,
                                               const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_memory(source, {}, false, &summary));
  return finish(source, kCuda, arguments, lines_by_total(std::move(summary)), {"Count", {"Operation"}},
                Busy::kColumn, kNoMemory);
}

Result<text::Table> make_cuda_gpu_mem_size_sum(const query::Source& source, const ReportArguments&) {
  Summary summary;
  SEXTANT_TRY(add_memory(source, {}, true, &summary));
  text::Table table = size_table(lines_by_total(std::move(summary)), "MB", 1e6, "Count", {"Operation"});
  if (table.rows == 0) table.why_empty = why_nothing(source, kNoMemory, "CUDA");
  return table;
}

Result<text::Table> make_cuda_gpu_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, kCuda, arguments, {"CUDA_KERNEL"}, false, &summary));
  SEXTANT_TRY(add_memory(source, {"MEMORY_OPER"}, false, &summary));
  return finish(source, kCuda, arguments, lines_by_total_and_category(std::move(summary)),
                {"Instances", {"Category", "Operation"}}, Busy::kColumn, kNoWork);
}

Result<text::Table> make_cuda_api_gpu_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_calls(source, kCuda, {"CUDA_API"}, false, &summary));
  SEXTANT_TRY(add_kernels(source, kCuda, arguments, {"CUDA_KERNEL"}, false, &summary));
  SEXTANT_TRY(add_memory(source, {"MEMORY_OPER"}, false, &summary));
  return finish(source, kCuda, arguments, lines_by_total_and_category(std::move(summary)),
                {"Instances", {"Category", "Operation"}}, Busy::kNote, "CUDA calls or GPU work");
}

}  // namespace sextant::stats
