// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/summary.h"

#include <algorithm>
#include <memory>

#include "stats/parallel.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

/// Average to deviation, from cell `at` on.
void set_figures(const Figures& f, double scale, std::span<text::Cell> cells, size_t at) {
  cells[at].set(f.average / scale);
  cells[at + 1].set(f.median / scale);
  if (scale == 1) {
    cells[at + 2].set(f.min);
    cells[at + 3].set(f.max);
  } else {
    cells[at + 2].set(static_cast<double>(f.min) / scale);
    cells[at + 3].set(static_cast<double>(f.max) / scale);
  }
  cells[at + 4].set(f.deviation / scale);
}

void set_labels(const Labels& labels, std::span<text::Cell> cells, size_t at) {
  for (const std::string& label : labels) cells[at++].set(std::string_view(label));
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): figures() sorts what it is given
std::vector<SummaryLine> lines_by_total(Summary summary) {
  std::vector<SummaryLine> lines;
  std::vector<Durations*> bags;
  for (auto& [labels, durations] : summary) {
    lines.push_back({labels, {}});
    bags.push_back(&durations);
  }
  for_each_parallel(bags.size(), [&](size_t i) { lines[i].figures = bags[i]->figures(); });
  std::stable_sort(lines.begin(), lines.end(), [](const SummaryLine& a, const SummaryLine& b) {
    return a.figures.total > b.figures.total;
  });
  return lines;
}

text::Table summary_table(std::vector<SummaryLine> lines, const SummaryShape& shape) {
  text::Table table;
  table.columns = {
      {"Time", "%", kReal},    {"Total Time", "ns", kInteger}, {std::string(shape.count), "", kInteger},
      {"Avg", "ns", kReal},    {"Med", "ns", kReal},           {"Min", "ns", kInteger},
      {"Max", "ns", kInteger}, {"StdDev", "ns", kReal}};
  const bool with_range = shape.range_ns > 0, with_busy = shape.busy_percent >= 0;
  if (with_busy) table.columns.insert(table.columns.begin() + 1, {"GPU Busy", "%", kReal, 1, false, false});
  if (with_range) table.columns.insert(table.columns.begin() + 1, {"Of Range", "%", kReal, 1, false});
  for (const std::string_view label : shape.labels) table.columns.push_back({std::string(label), "", kText});
  table.rows = lines.size();
  double total = 0;
  for (const SummaryLine& line : lines) total += static_cast<double>(line.figures.total);
  table.fill = [all = std::make_shared<std::vector<SummaryLine>>(std::move(lines)), total, with_range,
                with_busy, range = shape.range_ns,
                busy = shape.busy_percent](uint64_t row, std::span<text::Cell> cells) {
    const SummaryLine& line = (*all)[row];
    const auto time = static_cast<double>(line.figures.total);
    size_t at = 0;
    if (total > 0) cells[at].set(time * 100.0 / total);
    if (with_range) cells[++at].set(time * 100.0 / range);
    if (with_busy) cells[++at].set(busy);
    cells[++at].set(line.figures.total);
    cells[++at].set(static_cast<int64_t>(line.figures.count));
    set_figures(line.figures, 1, cells, ++at);
    set_labels(line.labels, cells, at + 5);
  };
  return table;
}

text::Table size_table(std::vector<SummaryLine> lines, std::string_view unit, double scale,
                       std::string_view count, const std::vector<std::string_view>& labels) {
  text::Table table;
  const auto column = [&](const char* name) { return text::TableColumn{name, std::string(unit), kReal, 3}; };
  table.columns = {column("Total"), {std::string(count), "", kInteger},
                   column("Avg"),   column("Med"),
                   column("Min"),   column("Max"),
                   column("StdDev")};
  for (const std::string_view label : labels) table.columns.push_back({std::string(label), "", kText});
  table.rows = lines.size();
  table.fill = [all = std::make_shared<std::vector<SummaryLine>>(std::move(lines)), scale](
                   uint64_t row, std::span<text::Cell> cells) {
    const SummaryLine& line = (*all)[row];
    cells[0].set(static_cast<double>(line.figures.total) / scale);
    cells[1].set(static_cast<int64_t>(line.figures.count));
    set_figures(line.figures, scale, cells, 2);
    set_labels(line.labels, cells, 7);
  };
  return table;
}

}  // namespace sextant::stats
