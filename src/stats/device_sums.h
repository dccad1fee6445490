// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of stats/: what the summaries of CUDA and of OpenCL share. Calls, kernels and copies are added to a
// Summary; finish() makes the table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/device_api.h"
#include "query/query.h"
#include "stats/duration_groups.h"
#include "stats/registry.h"
#include "stats/summary.h"

namespace sextant::stats {

using Category = Labels;  // in front of the name: nothing, or one word
Labels with(const Category& category, std::string name);

/// Groups the rows of a table: add(batch, row, group) for every row, with as many workers.
template <size_t N, typename Add>
Result<std::vector<DurationGroups<N>>> group_durations(const query::Source& source, uint16_t table,
                                                       std::span<const uint16_t> columns, size_t workers,
                                                       Add add) {
  std::vector<DurationGroups<N>> groups(workers);
  SEXTANT_TRY(source.scan_table(table, columns, workers, [&](size_t worker, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) add(b, i, &groups[worker]);
  }));
  return groups;
}

template <size_t N, typename LabelsOf>
void merge_durations(std::vector<DurationGroups<N>> workers, Summary* summary, LabelsOf labels_of) {
  for (DurationGroups<N>& groups : workers)
    for (auto& [key, durations] : groups.all()) (*summary)[labels_of(key)].merge(std::move(durations));
}

/// `by_version`: cuda_api_sum keeps the versions of a function apart (cudaMemcpy_v3020, cudaMemcpy_v4000: two
/// lines that look the same), as nsys does.
Status add_calls(const query::Source& source, query::DeviceApi api, const Category& category, bool by_version,
                 Summary* summary);

/// With launch dimensions the labels end in grid, block (OpenCL: global and local size), name.
Status add_kernels(const query::Source& source, query::DeviceApi api, const ReportArguments& arguments,
                   const Category& category, bool with_dimensions, Summary* summary);

enum class Busy { kNo, kNote, kColumn };

/// With how busy the devices were, for people. `what` was looked for: "GPU kernels".
Result<text::Table> finish(const query::Source& source, query::DeviceApi api,
                           const ReportArguments& arguments, std::vector<SummaryLine> lines,
                           SummaryShape shape, Busy show, std::string_view what);

/// Of equal totals memory operations come first, calls last.
std::vector<SummaryLine> lines_by_total_and_category(Summary summary);

}  // namespace sextant::stats
