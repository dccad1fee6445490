// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Summaries of OpenCL's calls, kernels and memory commands, as those of CUDA: opencl_api_sum,
// opencl_gpu_kern_sum, opencl_gpu_kern_gb_sum, opencl_gpu_mem_time_sum, opencl_gpu_mem_size_sum,
// opencl_gpu_sum, opencl_api_gpu_sum.
#include "event/opencl_commands.h"
#include "stats/cuda_names.h"
#include "stats/device_sums.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

constexpr auto kOpencl = query::DeviceApi::kOpencl;
constexpr std::string_view kNoKernels = "kernels on OpenCL devices", kNoMemory = "OpenCL memory commands",
                           kNoCalls = "OpenCL calls", kNoWork = "work on OpenCL devices";

/// Durations or, `by_size`, bytes of memory commands; those of unknown size have no bytes to add.
Status add_memory(const query::Source& source, const Category& category, bool by_size, Summary* summary) {
  using namespace event::opencl_memory;
  const uint16_t columns[] = {kCommand, by_size ? kBytes : kDuration};
  SEXTANT_ASSIGN(auto groups, group_durations<1>(source, event::kOpenclMemory, columns, all_workers(),
                                                 [&](const auto& b, size_t i, auto* to) {
                                                   if (by_size && b.columns[1][i] == 0) return;
                                                   to->add({b.columns[0][i]},
                                                           static_cast<int64_t>(b.columns[1][i]));
                                                 }));
  merge_durations(std::move(groups), summary, [&](const auto& key) {
    return with(category, std::string(event::opencl_command_label(key[0])));
  });
  return {};
}

}  // namespace

Result<text::Table> make_opencl_api_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_calls(source, kOpencl, {}, true, &summary));
  return finish(source, kOpencl, arguments, lines_by_total(std::move(summary)), {"Num Calls", {"Name"}},
                Busy::kNo, kNoCalls);
}

Result<text::Table> make_opencl_gpu_kern_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, kOpencl, arguments, {}, false, &summary));
  return finish(source, kOpencl, arguments, lines_by_total(std::move(summary)), {"Instances", {"Name"}},
                Busy::kColumn, kNoKernels);
}

Result<text::Table> make_opencl_gpu_kern_gb_sum(const query::Source& source,
                                                const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, kOpencl, arguments, {}, true, &summary));
  return finish(source, kOpencl, arguments, lines_by_total(std::move(summary)),
                {"Instances", {"GlobalXYZ", "LocalXYZ", "Name"}}, Busy::kColumn, kNoKernels);
}

Result<text::Table> make_opencl_gpu_mem_time_sum(const query::Source& source,
                                                 const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_memory(source, {}, false, &summary));
  return finish(source, kOpencl, arguments, lines_by_total(std::move(summary)), {"Count", {"Operation"}},
                Busy::kColumn, kNoMemory);
}

Result<text::Table> make_opencl_gpu_mem_size_sum(const query::Source& source, const ReportArguments&) {
  Summary summary;
  SEXTANT_TRY(add_memory(source, {}, true, &summary));
  text::Table table = size_table(lines_by_total(std::move(summary)), "MB", 1e6, "Count", {"Operation"});
  if (table.rows == 0) table.why_empty = why_nothing(source, kNoMemory, "OpenCL");
  return table;
}

Result<text::Table> make_opencl_gpu_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, kOpencl, arguments, {"OPENCL_KERNEL"}, false, &summary));
  SEXTANT_TRY(add_memory(source, {"MEMORY_OPER"}, false, &summary));
  return finish(source, kOpencl, arguments, lines_by_total_and_category(std::move(summary)),
                {"Instances", {"Category", "Operation"}}, Busy::kColumn, kNoWork);
}

Result<text::Table> make_opencl_api_gpu_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_calls(source, kOpencl, {"OPENCL_API"}, true, &summary));
  SEXTANT_TRY(add_kernels(source, kOpencl, arguments, {"OPENCL_KERNEL"}, false, &summary));
  SEXTANT_TRY(add_memory(source, {"MEMORY_OPER"}, false, &summary));
  return finish(source, kOpencl, arguments, lines_by_total_and_category(std::move(summary)),
                {"Instances", {"Category", "Operation"}}, Busy::kNote,
                "OpenCL calls or work on OpenCL devices");
}

}  // namespace sextant::stats
