// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The table that most summaries are: time by name, with its share, count, average, median, extremes and
// deviation.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stats/durations.h"
#include "text/table.h"

namespace sextant::stats {

using Labels = std::vector<std::string>;

/// Durations by what is displayed: different numbers may look the same.
using Summary = std::map<Labels, Durations>;

struct SummaryLine {
  Labels labels;
  Figures figures;
};

/// By falling total; of equal totals in the order of `summary`.
std::vector<SummaryLine> lines_by_total(Summary summary);

struct SummaryShape {
  std::string_view count;                // header of the number of events: "Instances"
  std::vector<std::string_view> labels;  // headers of the labels
  double range_ns = 0;  // > 0: for people and JSON also the share of this span of time, as column "Of Range"
  double busy_percent = -1;  // >= 0: for JSON also how busy the GPUs were, as column "GPU Busy"
};
text::Table summary_table(std::vector<SummaryLine> lines, const SummaryShape& shape);

/// The same columns without the share, of a quantity in `unit` that is 1/`scale` of what was counted: sizes.
text::Table size_table(std::vector<SummaryLine> lines, std::string_view unit, double scale,
                       std::string_view count, const std::vector<std::string_view>& labels);

}  // namespace sextant::stats
