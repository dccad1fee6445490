// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Summaries of CUDA calls, kernels and memory operations: cuda_api_sum, cuda_gpu_kern_sum,
// cuda_gpu_kern_gb_sum, cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum, cuda_gpu_sum, cuda_api_gpu_sum.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "event/schema_cuda.h"
#include "stats/cuda_names.h"
#include "stats/duration_groups.h"
#include "stats/gpu_busy.h"
#include "stats/parallel.h"
#include "stats/reports.h"
#include "stats/summary.h"

namespace sextant::stats {

namespace {

constexpr std::string_view kNoKernels = "GPU kernels", kNoMemory = "GPU memory operations",
                           kNoCalls = "CUDA calls", kNoWork = "GPU work";

/// Groups the rows of a table: add(batch, row, group) for every row, with as many workers.
template <size_t N, typename Add>
Result<std::vector<DurationGroups<N>>> group(const query::Source& source, uint16_t table,
                                             std::span<const uint16_t> columns, size_t workers, Add add) {
  std::vector<DurationGroups<N>> groups(workers);
  SEXTANT_TRY(source.scan_table(table, columns, workers, [&](size_t worker, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) add(b, i, &groups[worker]);
  }));
  return groups;
}

/// From the report's own sums of a table by name, so that no row need be read. False: it has none.
template <typename LabelsOf>
Result<bool> add_summed_up(const query::Source& source, uint16_t table, Summary* summary,
                           LabelsOf labels_of) {
  uint64_t name = UINT64_MAX;
  Durations* of_name = nullptr;
  return source.scan_summary(table, [&](const query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) {
      if (of_name == nullptr || b.columns[0][i] != name) {
        name = b.columns[0][i];
        of_name = &(*summary)[labels_of(name)];
      }
      of_name->add(static_cast<int64_t>(b.columns[1][i]), b.columns[2][i]);
    }
  });
}

template <size_t N, typename LabelsOf>
void merge(std::vector<DurationGroups<N>> workers, Summary* summary, LabelsOf labels_of) {
  for (DurationGroups<N>& groups : workers)
    for (auto& [key, durations] : groups.all()) (*summary)[labels_of(key)].merge(std::move(durations));
}

using Category = Labels;  // in front of the name: nothing, or one word

Labels with(const Category& category, std::string name) {
  Labels labels = category;
  labels.push_back(std::move(name));
  return labels;
}

/// cuda_api_sum keeps the versions of a function apart (cudaMemcpy_v3020, cudaMemcpy_v4000: two lines that
/// look the same), as nsys does.
Status add_calls(const query::Source& source, const Category& category, bool by_version, Summary* summary) {
  using namespace event::cuda_api;
  const auto labels_of = [&](uint64_t string) {
    std::string name = display(source, string);
    if (!by_version) name.resize(api_name(name).size());
    return with(category, std::move(name));
  };
  SEXTANT_ASSIGN(const bool summed_up, add_summed_up(source, event::kCudaApi, summary, labels_of));
  if (summed_up) return {};
  const uint16_t columns[] = {kName, kDuration};
  SEXTANT_ASSIGN(auto groups, group<1>(source, event::kCudaApi, columns, all_workers(),
                                       [](const auto& b, size_t i, auto* to) {
                                         to->add({b.columns[0][i]}, static_cast<int64_t>(b.columns[1][i]));
                                       }));
  merge(std::move(groups), summary, [&](const auto& key) { return labels_of(key[0]); });
  return {};
}

/// With launch dimensions the labels end in grid, block, name.
Status add_kernels(const query::Source& source, const ReportArguments& arguments, const Category& category,
                   bool with_dimensions, Summary* summary) {
  using namespace event::cuda_kernel;
  if (!with_dimensions && !arguments.nvtx_name &&
      arguments.kernel_name == ReportArguments::KernelName::kFull) {
    SEXTANT_ASSIGN(const bool summed_up,
                   add_summed_up(source, event::kCudaKernel, summary,
                                 [&](uint64_t string) { return with(category, display(source, string)); }));
    if (summed_up) return {};
  }
  SEXTANT_ASSIGN(const KernelNames names, KernelNames::load(source, arguments));
  std::vector<uint16_t> columns = {kDuration};
  if (with_dimensions) columns.insert(columns.end(), {kGridX, kGridY, kGridZ, kBlockX, kBlockY, kBlockZ});
  const size_t names_at = columns.size();
  columns.insert(columns.end(), names.columns().begin(), names.columns().end());
  uint64_t ordinal = 0;  // in file order, with one worker
  const size_t workers = names.with_ranges() ? 1 : all_workers();
  const auto add = [&](const query::TableBatch& b, size_t i, auto* to) {
    const uint64_t range = names.with_ranges() ? names.range(ordinal++) : 0;
    const auto duration = static_cast<int64_t>(b.columns[0][i]);
    const uint64_t string = names.string(b.columns, names_at, i);
    if constexpr (std::is_same_v<decltype(to), DurationGroups<2>*>) {
      to->add({string, range}, duration);
    } else {
      to->add({string, range, b.columns[1][i], b.columns[2][i], b.columns[3][i], b.columns[4][i],
               b.columns[5][i], b.columns[6][i]},
              duration);
    }
  };
  if (!with_dimensions) {
    SEXTANT_ASSIGN(auto groups, group<2>(source, event::kCudaKernel, columns, workers, add));
    merge(std::move(groups), summary,
          [&](const auto& key) { return with(category, names.label(key[0], key[1])); });
    return {};
  }
  SEXTANT_ASSIGN(auto groups, group<8>(source, event::kCudaKernel, columns, workers, add));
  merge(std::move(groups), summary, [&](const auto& key) {
    return Labels{dimensions(key[2], key[3], key[4]), dimensions(key[5], key[6], key[7]),
                  names.label(key[0], key[1])};
  });
  return {};
}

/// Durations or, `by_size`, bytes of copies and fills.
Status add_memory(const query::Source& source, const Category& category, bool by_size, Summary* summary) {
  const uint16_t copies[] = {event::cuda_memcpy::kKind,
                             by_size ? event::cuda_memcpy::kBytes : event::cuda_memcpy::kDuration};
  SEXTANT_ASSIGN(auto groups, group<1>(source, event::kCudaMemcpy, copies, all_workers(),
                                       [](const auto& b, size_t i, auto* to) {
                                         if (!memcpy_operation(b.columns[0][i]).empty())
                                           to->add({b.columns[0][i]}, static_cast<int64_t>(b.columns[1][i]));
                                       }));
  merge(std::move(groups), summary,
        [&](const auto& key) { return with(category, std::string(memcpy_operation(key[0]))); });
  const uint16_t fills[] = {by_size ? event::cuda_memset::kBytes : event::cuda_memset::kDuration};
  SEXTANT_ASSIGN(auto fill_groups, group<1>(source, event::kCudaMemset, fills, all_workers(),
                                            [](const auto& b, size_t i, auto* to) {
                                              to->add({0}, static_cast<int64_t>(b.columns[0][i]));
                                            }));
  merge(std::move(fill_groups), summary,
        [&](const auto&) { return with(category, std::string(kMemsetOperation)); });
  return {};
}

enum class Busy { kNo, kNote, kColumn };

/// With how busy the GPUs were, for people.
Result<text::Table> finish(const query::Source& source, const ReportArguments& arguments,
                           std::vector<SummaryLine> lines, SummaryShape shape, Busy show,
                           std::string_view what) {
  query::GpuBusy busy;
  if (show != Busy::kNo && arguments.for_people && !lines.empty()) {
    SEXTANT_ASSIGN(busy, query::gpu_busy(source));
    shape.busy_percent = busy.percent();
    if (show == Busy::kColumn)
      shape.range_ns = static_cast<double>(busy.range_ns) * static_cast<double>(busy.gpus);
  }
  const bool empty = lines.empty();
  text::Table table = summary_table(std::move(lines), shape);
  if (busy.range_ns > 0)
    table.notes.push_back(fmt::format(
        "Time: share of the time listed here.{} {}",
        shape.range_ns > 0 ? " Of Range: share of all the time that the GPUs had." : "", sentence(busy)));
  if (empty) table.why_empty = why_nothing(source, what, "CUDA");
  return table;
}

/// Of equal totals memory operations come first, calls last.
std::vector<SummaryLine> lines_by_total_and_category(Summary summary) {
  std::vector<SummaryLine> lines = lines_by_total(std::move(summary));
  std::stable_sort(lines.begin(), lines.end(), [](const SummaryLine& a, const SummaryLine& b) {
    return a.figures.total != b.figures.total ? a.figures.total > b.figures.total : a.labels[0] > b.labels[0];
  });
  return lines;
}

}  // namespace

Result<text::Table> make_cuda_api_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_calls(source, {}, true, &summary));
  std::vector<SummaryLine> lines = lines_by_total(std::move(summary));
  for (SummaryLine& line : lines) line.labels[0].resize(api_name(line.labels[0]).size());
  return finish(source, arguments, std::move(lines), {"Num Calls", {"Name"}}, Busy::kNo, kNoCalls);
}

Result<text::Table> make_cuda_gpu_kern_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, arguments, {}, false, &summary));
  return finish(source, arguments, lines_by_total(std::move(summary)), {"Instances", {"Name"}}, Busy::kColumn,
                kNoKernels);
}

Result<text::Table> make_cuda_gpu_kern_gb_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_kernels(source, arguments, {}, true, &summary));
  return finish(source, arguments, lines_by_total(std::move(summary)),
                {"Instances", {"GridXYZ", "BlockXYZ", "Name"}}, Busy::kColumn, kNoKernels);
}

Result<text::Table> make_cuda_gpu_mem_time_sum(const query::Source& source,
                                               const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_memory(source, {}, false, &summary));
  return finish(source, arguments, lines_by_total(std::move(summary)), {"Count", {"Operation"}},
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
  SEXTANT_TRY(add_kernels(source, arguments, {"CUDA_KERNEL"}, false, &summary));
  SEXTANT_TRY(add_memory(source, {"MEMORY_OPER"}, false, &summary));
  return finish(source, arguments, lines_by_total_and_category(std::move(summary)),
                {"Instances", {"Category", "Operation"}}, Busy::kColumn, kNoWork);
}

Result<text::Table> make_cuda_api_gpu_sum(const query::Source& source, const ReportArguments& arguments) {
  Summary summary;
  SEXTANT_TRY(add_calls(source, {"CUDA_API"}, false, &summary));
  SEXTANT_TRY(add_kernels(source, arguments, {"CUDA_KERNEL"}, false, &summary));
  SEXTANT_TRY(add_memory(source, {"MEMORY_OPER"}, false, &summary));
  return finish(source, arguments, lines_by_total_and_category(std::move(summary)),
                {"Instances", {"Category", "Operation"}}, Busy::kNote, "CUDA calls or GPU work");
}

}  // namespace sextant::stats
