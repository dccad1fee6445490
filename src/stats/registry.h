// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The reports of `sextant stats`: one file each, one line here. Names, columns, numbers and order of those that nsys has are nsys's.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "query/query.h"
#include "text/table.h"

namespace sextant::stats {

struct Report {
  std::string_view name;
  std::string_view title;
  std::string_view meaning;  // for --help-reports
  bool by_default;           // printed when no report is named
  /// The table lives by itself, but its text may point into `source`.
  Result<text::Table> (*make)(const query::Source& source);
};

std::span<const Report> reports();
const Report* find_report(std::string_view name);

Result<text::Table> make_nvtx_sum(const query::Source& source);
Result<text::Table> make_nvtx_pushpop_sum(const query::Source& source);
Result<text::Table> make_nvtx_startend_sum(const query::Source& source);
Result<text::Table> make_nvtx_pushpop_trace(const query::Source& source);
Result<text::Table> make_process_tree(const query::Source& source);

}  // namespace sextant::stats
