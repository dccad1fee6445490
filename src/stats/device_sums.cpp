// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/device_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "stats/cuda_names.h"
#include "stats/gpu_busy.h"
#include "stats/parallel.h"

namespace sextant::stats {

namespace {

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

}  // namespace

Labels with(const Category& category, std::string name) {
  Labels labels = category;
  labels.push_back(std::move(name));
  return labels;
}

Status add_calls(const query::Source& source, query::DeviceApi api, const Category& category, bool by_version,
                 Summary* summary) {
  using namespace event::cuda_api;
  const uint16_t table = query::device_tables(api).calls;
  const auto labels_of = [&](uint64_t string) {
    std::string name = display(source, string);
    if (!by_version) name.resize(api_name(name).size());
    return with(category, std::move(name));
  };
  SEXTANT_ASSIGN(const bool summed_up, add_summed_up(source, table, summary, labels_of));
  if (summed_up) return {};
  const uint16_t columns[] = {kName, kDuration};
  SEXTANT_ASSIGN(
      auto groups,
      group_durations<1>(source, table, columns, all_workers(), [](const auto& b, size_t i, auto* to) {
        to->add({b.columns[0][i]}, static_cast<int64_t>(b.columns[1][i]));
      }));
  merge_durations(std::move(groups), summary, [&](const auto& key) { return labels_of(key[0]); });
  return {};
}

Status add_kernels(const query::Source& source, query::DeviceApi api, const ReportArguments& arguments,
                   const Category& category, bool with_dimensions, Summary* summary) {
  using namespace event::cuda_kernel;
  const uint16_t table = query::device_tables(api).kernels;
  if (!with_dimensions && !arguments.nvtx_name &&
      arguments.kernel_name == ReportArguments::KernelName::kFull) {
    SEXTANT_ASSIGN(const bool summed_up, add_summed_up(source, table, summary, [&](uint64_t string) {
                     return with(category, display(source, string));
                   }));
    if (summed_up) return {};
  }
  SEXTANT_ASSIGN(const KernelNames names, KernelNames::load(source, arguments, api));
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
    SEXTANT_ASSIGN(auto groups, group_durations<2>(source, table, columns, workers, add));
    merge_durations(std::move(groups), summary,
                    [&](const auto& key) { return with(category, names.label(key[0], key[1])); });
    return {};
  }
  SEXTANT_ASSIGN(auto groups, group_durations<8>(source, table, columns, workers, add));
  merge_durations(std::move(groups), summary, [&](const auto& key) {
    return Labels{dimensions(key[2], key[3], key[4]), dimensions(key[5], key[6], key[7]),
                  names.label(key[0], key[1])};
  });
  return {};
}

Result<text::Table> finish(const query::Source& source, query::DeviceApi api,
                           const ReportArguments& arguments, std::vector<SummaryLine> lines,
                           SummaryShape shape, Busy show, std::string_view what) {
  query::GpuBusy busy;
  if (show != Busy::kNo && arguments.for_people && !lines.empty()) {
    SEXTANT_ASSIGN(busy, query::gpu_busy(source, api));
    shape.busy_percent = busy.percent();
    if (show == Busy::kColumn)
      shape.range_ns = static_cast<double>(busy.range_ns) * static_cast<double>(busy.gpus);
  }
  const bool empty = lines.empty();
  text::Table table = summary_table(std::move(lines), shape);
  const query::DeviceTables& tables = query::device_tables(api);
  if (busy.range_ns > 0)
    table.notes.push_back(fmt::format(
        "Time: share of the time listed here.{} {}",
        shape.range_ns > 0 ? fmt::format(" Of Range: share of all the time that the {}s had.", tables.device)
                           : std::string(),
        sentence(busy, api)));
  if (empty) table.why_empty = why_nothing(source, what, tables.name);
  return table;
}

std::vector<SummaryLine> lines_by_total_and_category(Summary summary) {
  std::vector<SummaryLine> lines = lines_by_total(std::move(summary));
  std::stable_sort(lines.begin(), lines.end(), [](const SummaryLine& a, const SummaryLine& b) {
    return a.figures.total != b.figures.total ? a.figures.total > b.figures.total : a.labels[0] > b.labels[0];
  });
  return lines;
}

}  // namespace sextant::stats
