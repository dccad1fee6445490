// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A report's tables of all groups put together, and how evenly time is spread over the groups.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include "query/sums.h"
#include "stats/report_set.h"

namespace sextant::stats {

namespace {

using text::Cell;
using text::CellType;
using text::TableColumn;

std::string_view header_of(By by) {
  switch (by) {
    case By::kRank:
      return "Rank";
    case By::kHost:
      return "Host";
    case By::kGpu:
      return "GPU";
    case By::kProcess:
      break;
  }
  return "Process";
}

std::string_view plural_of(By by) {
  switch (by) {
    case By::kRank:
      return "ranks";
    case By::kHost:
      return "hosts";
    case By::kGpu:
      return "GPUs";
    case By::kProcess:
      break;
  }
  return "processes";
}

/// A row of its own, whose texts do not go away.
struct KeptRow {
  std::vector<Cell> cells;
  std::vector<std::string> texts;  // of the cells of type kText, by column

  KeptRow(const text::Table& table, uint64_t row) : cells(table.columns.size()), texts(table.columns.size()) {
    table.fill(row, cells);
    for (size_t c = 0; c < cells.size(); ++c) texts[c] = cells[c].text;
  }
};

/// Where the columns of a summary are; every figure of summary.h.
struct Shape {
  size_t share, total, count, average, median, min, max, deviation;

  static std::optional<Shape> of(const text::Table& table) {
    Shape shape{};
    const auto find = [&](std::string_view name, size_t* at) {
      for (size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].name == name && !table.columns[c].unit.empty()) return *at = c, true;
      return false;
    };
    const bool is_summary = find("Time", &shape.share) && find("Total Time", &shape.total) &&
                            find("Avg", &shape.average) && find("Med", &shape.median) &&
                            find("Min", &shape.min) && find("Max", &shape.max) &&
                            find("StdDev", &shape.deviation);
    shape.count = shape.total + 1;
    return is_summary ? std::optional(shape) : std::nullopt;
  }
};

/// What a summary's line is about: its texts.
std::vector<std::string> labels_of(const text::Table& table, const KeptRow& row) {
  std::vector<std::string> labels;
  for (size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].type == CellType::kText) labels.push_back(row.texts[c]);
  return labels;
}

double sum_of_squares(const KeptRow& row, const Shape& shape) {
  const auto n = static_cast<double>(row.cells[shape.count].integer);
  const double deviation = row.cells[shape.deviation].real, average = row.cells[shape.average].real;
  return deviation * deviation * std::max(n - 1, 0.0) + n * average * average;
}

/// Adds the figures of another part of the group.
void add(KeptRow* to, const KeptRow& row, const Shape& shape) {
  const double squares = sum_of_squares(*to, shape) + sum_of_squares(row, shape);
  auto& cells = to->cells;
  cells[shape.total].integer = query::sum(cells[shape.total].integer, row.cells[shape.total].integer);
  cells[shape.count].integer = query::sum(cells[shape.count].integer, row.cells[shape.count].integer);
  const auto n = static_cast<double>(cells[shape.count].integer);
  const double average = n > 0 ? static_cast<double>(cells[shape.total].integer) / n : 0;
  cells[shape.average].set(average);
  cells[shape.median] = {};
  cells[shape.min].integer = std::min(cells[shape.min].integer, row.cells[shape.min].integer);
  cells[shape.max].integer = std::max(cells[shape.max].integer, row.cells[shape.max].integer);
  cells[shape.deviation].set(n > 1 ? std::sqrt(std::max(0.0, squares - n * average * average) / (n - 1))
                                   : 0.0);
}

/// The table of a group out of those of its parts: lines of the same labels become one.
text::Table joined_summary(std::vector<text::Table> parts, const Shape& shape) {
  std::map<std::vector<std::string>, size_t> places;
  auto rows = std::make_shared<std::vector<KeptRow>>();
  for (const text::Table& part : parts) {
    for (uint64_t r = 0; r < part.rows; ++r) {
      KeptRow row(part, r);
      const auto [at, is_new] = places.try_emplace(labels_of(part, row), rows->size());
      if (is_new)
        rows->push_back(std::move(row));
      else
        add(&(*rows)[at->second], row, shape);
    }
  }
  std::stable_sort(rows->begin(), rows->end(), [&](const KeptRow& a, const KeptRow& b) {
    return a.cells[shape.total].integer > b.cells[shape.total].integer;
  });
  double total = 0;
  for (const KeptRow& row : *rows) total += static_cast<double>(row.cells[shape.total].integer);
  text::Table table = std::move(parts[0]);
  table.rows = rows->size();
  table.fill = [rows, total, shape](uint64_t r, std::span<Cell> cells) {
    const KeptRow& row = (*rows)[r];
    for (size_t c = 0; c < cells.size(); ++c) {
      cells[c] = row.cells[c];
      cells[c].text = row.texts[c];
    }
    if (total > 0)
      cells[shape.share].set(static_cast<double>(row.cells[shape.total].integer) * 100.0 / total);
  };
  return table;
}

/// Columns that not every table of a report has, since they are for people only: left out of joined ones.
text::Table without_extras(text::Table table) {
  std::vector<size_t> kept;
  for (size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].in_csv) kept.push_back(c);
  if (kept.size() == table.columns.size()) return table;
  std::vector<TableColumn> columns;
  for (const size_t c : kept) columns.push_back(table.columns[c]);
  table.fill = [fill = std::move(table.fill), kept, all = std::vector<Cell>(table.columns.size())](
                   uint64_t row, std::span<Cell> cells) mutable {
    std::fill(all.begin(), all.end(), Cell{});
    fill(row, all);
    for (size_t c = 0; c < kept.size(); ++c) cells[c] = all[kept[c]];
  };
  table.columns = std::move(columns);
  return table;
}

struct GroupTable {
  std::string label;
  text::Table table;
};

/// One group behind the other, the label first. Rows are made when they are asked for.
text::Table stacked(std::vector<GroupTable> groups, By by) {
  text::Table out;
  const bool numbers = by == By::kRank;
  out.columns = groups[0].table.columns;
  out.columns.insert(out.columns.begin(),
                     {std::string(header_of(by)), "", numbers ? CellType::kInteger : CellType::kText});
  std::vector<uint64_t> first;  // row of each group
  for (const GroupTable& group : groups) {
    first.push_back(out.rows);
    out.rows += group.table.rows;
  }
  out.fill = [all = std::make_shared<std::vector<GroupTable>>(std::move(groups)), first, numbers](
                 uint64_t row, std::span<Cell> cells) {
    const auto g = static_cast<size_t>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
    const GroupTable& group = (*all)[g];
    if (numbers)
      cells[0].set(static_cast<int64_t>(std::stoull(group.label)));
    else
      cells[0].set(std::string_view(group.label));
    group.table.fill(row - first[g], cells.subspan(1));
  };
  return out;
}

/// How much of one name each group has.
struct Spread {
  std::vector<std::string> labels;
  std::vector<int64_t> totals;  // by group; 0 where it has nothing of it

  size_t slowest() const {
    return static_cast<size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
  }
  size_t fastest() const {
    return static_cast<size_t>(std::min_element(totals.begin(), totals.end()) - totals.begin());
  }
  double mean() const {
    double sum = 0;
    for (const int64_t total : totals) sum += static_cast<double>(total);
    return sum / static_cast<double>(totals.size());
  }
  double excess() const { return static_cast<double>(totals[slowest()]) - mean(); }
  int64_t groups() const {
    return std::count_if(totals.begin(), totals.end(), [](int64_t t) { return t != 0; });
  }
};

std::vector<Spread> spreads_of(const std::vector<GroupTable>& groups, const Shape& shape) {
  std::map<std::vector<std::string>, std::vector<int64_t>> by_labels;
  for (size_t g = 0; g < groups.size(); ++g) {
    for (uint64_t r = 0; r < groups[g].table.rows; ++r) {
      const KeptRow row(groups[g].table, r);
      std::vector<int64_t>& totals = by_labels[labels_of(groups[g].table, row)];
      totals.resize(groups.size());
      totals[g] += row.cells[shape.total].integer;
    }
  }
  std::vector<Spread> spreads;
  for (auto& [labels, totals] : by_labels) spreads.push_back({labels, std::move(totals)});
  std::stable_sort(spreads.begin(), spreads.end(),
                   [](const Spread& a, const Spread& b) { return a.excess() > b.excess(); });
  return spreads;
}

text::Table imbalance(const std::vector<GroupTable>& groups, const Shape& shape, By by) {
  const std::string who(header_of(by));
  text::Table table;
  table.columns = {{"Max - Mean", "ns", CellType::kInteger}, {"Imbalance", "%", CellType::kReal},
                   {"Mean", "ns", CellType::kReal},          {"Min", "ns", CellType::kInteger},
                   {"Max", "ns", CellType::kInteger},        {"Slowest " + who, "", CellType::kText},
                   {"Fastest " + who, "", CellType::kText},  {"Groups", "", CellType::kInteger}};
  for (const TableColumn& column : groups[0].table.columns)
    if (column.type == CellType::kText) table.columns.push_back(column);
  auto spreads = std::make_shared<std::vector<Spread>>(spreads_of(groups, shape));
  std::vector<std::string> names;
  for (const GroupTable& group : groups) names.push_back(group.label);
  table.name = "_imbalance";
  table.title = fmt::format(": imbalance over {}", plural_of(by));
  table.rows = spreads->size();
  table.notes.push_back(
      fmt::format("Total time by name over the {} {}: Imbalance = (max / mean - 1). Time spent waiting for "
                  "others counts where "
                  "it was spent: in a collective the fastest waits longest.",
                  groups.size(), plural_of(by)));
  table.fill = [spreads, names](uint64_t row, std::span<Cell> cells) {
    const Spread& spread = (*spreads)[row];
    const double mean = spread.mean();
    cells[0].set(static_cast<int64_t>(std::llround(spread.excess())));
    if (mean > 0) cells[1].set(100.0 * spread.excess() / mean);
    cells[2].set(mean);
    cells[3].set(spread.totals[spread.fastest()]);
    cells[4].set(spread.totals[spread.slowest()]);
    cells[5].set(std::string_view(names[spread.slowest()]));
    cells[6].set(std::string_view(names[spread.fastest()]));
    cells[7].set(spread.groups());
    for (size_t l = 0; l < spread.labels.size(); ++l) cells[8 + l].set(std::string_view(spread.labels[l]));
  };
  return table;
}

/// The tables of a group's parts as one.
text::Table join_parts(std::vector<text::Table> parts, By by) {
  if (parts.size() == 1) return std::move(parts[0]);
  if (const auto shape = Shape::of(parts[0])) return joined_summary(std::move(parts), *shape);
  std::vector<GroupTable> all;
  for (text::Table& part : parts) all.push_back({"0", std::move(part)});
  text::Table table = stacked(std::move(all), by);
  table.columns.erase(table.columns.begin());
  table.fill = [fill = std::move(table.fill), whole = std::vector<Cell>(table.columns.size() + 1)](
                   uint64_t row, std::span<Cell> cells) mutable {
    std::fill(whole.begin(), whole.end(), Cell{});
    fill(row, whole);
    std::copy(whole.begin() + 1, whole.end(), cells.begin());
  };
  return table;
}

}  // namespace

Result<std::vector<text::Table>> make_by_group(const Report& report, const ReportArguments& arguments,
                                               const std::vector<SetMember>& members,
                                               const Grouping& grouping) {
  std::vector<GroupTable> groups;
  std::string why_empty;
  bool several_parts = false;
  for (const Group& group : grouping.groups) {
    std::vector<text::Table> parts;
    for (const GroupPart& part : group.parts) {
      query::Source& source = *members[part.member].source;
      source.set_scope(part.scope);
      auto table = report.make(source, arguments);
      source.set_scope({});
      if (!table) return tl::unexpected(Error(table.error()).with(group.label));
      if (why_empty.empty()) why_empty = table->why_empty;
      if (table->rows > 0) parts.push_back(without_extras(std::move(*table)));
    }
    several_parts = several_parts || parts.size() > 1;
    if (!parts.empty()) groups.push_back({group.label, join_parts(std::move(parts), grouping.by)});
  }
  std::vector<text::Table> tables(1);
  if (groups.empty()) {
    tables[0].why_empty = why_empty;
    return tables;
  }
  const auto shape = Shape::of(groups[0].table);
  if (shape && groups.size() > 1) tables.push_back(imbalance(groups, *shape, grouping.by));
  tables[0] = stacked(std::move(groups), grouping.by);
  if (shape) tables[0].notes.emplace_back("Time: share of the time listed for that group.");
  if (shape && several_parts)
    tables[0].notes.emplace_back("Med is left out where a group has parts in several reports.");
  return tables;
}

}  // namespace sextant::stats
