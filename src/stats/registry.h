// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The reports of `sextant stats`: one file each, one line here. Names, columns, numbers and order of those
// that nsys has are nsys's.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "query/query.h"
#include "text/table.h"

namespace sextant::stats {

/// What stands behind a report's name, as in "cuda_gpu_kern_sum:nvtx-name:base".
struct ReportArguments {
  enum class KernelName : uint8_t { kFull, kBase, kMangled };
  KernelName kernel_name = KernelName::kFull;
  bool nvtx_name = false;  // the innermost range around the launch in front of a kernel's name
  int64_t rows = 10;       // um_sum
  double ticks = 10'000;   // network_congestion: ticks a millisecond
  bool for_people = true;  // also what CSV leaves out: shares of the range, notes
  bool like_nsys = false;  // figures of nsys also where it is known to be wrong (docs/reports.md)
};

struct Report {
  std::string_view name;
  std::string_view arguments;  // allowed ones, each with its colon: ":nvtx-name:base:mangled", ":rows="
  std::string_view title;
  std::string_view meaning;  // for --help-reports
  bool by_default;           // printed when no report is named
  /// The table lives by itself, but its text may point into `source`.
  Result<text::Table> (*make)(const query::Source& source, const ReportArguments& arguments);
};

std::span<const Report> reports();
const Report* find_report(std::string_view name);

/// "name:argument:argument=value" understood. kUsage: the report is there, but not with that argument. A
/// report of nullptr: no such name.
struct ReportChoice {
  const Report* report = nullptr;
  ReportArguments arguments;
};
Result<ReportChoice> choose_report(std::string_view word);

/// The report process_tree, for others that show processes.
Result<text::Table> make_process_tree(const query::Source& source);

}  // namespace sextant::stats
