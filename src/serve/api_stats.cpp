// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET stats: the reports of `sextant stats`, of the whole report or a span of time.
#include <cmath>

#include "serve/api.h"
#include "serve/heavy.h"
#include "stats/registry.h"

namespace sextant::serve {

namespace {

constexpr uint64_t kMostRows = 10'000;

http::Response list_reports() {
  Json json;
  json.writer.begin_object();
  json.writer.key("reports").begin_array();
  for (const stats::Report& report : stats::reports()) {
    json.writer.begin_object();
    json.writer.key("name").string(report.name);
    json.writer.key("title").string(report.title);
    json.writer.key("meaning").string(report.meaning);
    json.writer.key("by_default").boolean(report.by_default);
    json.writer.end_object();
  }
  json.writer.end_array();
  json.writer.end_object();
  return json.response();
}

double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  const double scaled = std::round(value * scale) / scale;
  return std::isfinite(scaled) ? scaled : value;
}

void write_cell(text::JsonWriter& json, const text::TableColumn& column, const text::Cell& cell) {
  if (cell.empty) return json.null();
  switch (column.type) {
    case text::CellType::kText:
      return json.string(cell.text);
    case text::CellType::kInteger:
      return json.number(cell.integer);
    case text::CellType::kReal:
      return json.number(rounded(cell.real, column.decimals));
  }
}

void write_table(text::JsonWriter& json, const text::Table& table) {
  json.key("title").string(table.title);
  json.key("columns").begin_array();
  for (const text::TableColumn& column : table.columns) {
    json.begin_object();
    json.key("name").string(column.name);
    json.key("unit").string(column.unit);
    json.end_object();
  }
  json.end_array();
  json.key("rows").begin_array();
  std::vector<text::Cell> cells;
  for (uint64_t row = 0; row < table.rows && row < kMostRows; ++row) {
    cells.assign(table.columns.size(), {});
    table.fill(row, cells);
    json.begin_array();
    for (size_t c = 0; c < cells.size(); ++c) write_cell(json, table.columns[c], cells[c]);
    json.end_array();
  }
  json.end_array();
  json.key("reason");
  if (table.rows == 0)
    json.string(table.why_empty);
  else
    json.null();
  json.key("notes").begin_array();
  for (const std::string& note : table.notes) json.string(note);
  json.end_array();
  json.key("total").number(table.rows);
}

}  // namespace

Answer answer_stats(const Call& call) {
  const std::string name = call.parameters.text("report");
  if (name.empty()) return list_reports();
  SEXTANT_ASSIGN(const stats::ReportChoice choice, stats::choose_report(name));
  if (choice.report == nullptr) return fail(ErrorCode::kNotFound, "there is no report of this name");
  query::Window window;
  SEXTANT_ASSIGN(window.from_ns, integer_of(call, "from", INT64_MIN, INT64_MIN, INT64_MAX));
  SEXTANT_ASSIGN(window.to_ns, integer_of(call, "to", INT64_MAX, INT64_MIN, INT64_MAX));
  const HeavyWork turn;
  const query::Source limited = call.report.limited(window);
  SEXTANT_ASSIGN(const text::Table table, choice.report->make(limited, choice.arguments));
  Json json;
  json.writer.begin_object();
  json.writer.key("report").string(name);
  write_table(json.writer, table);
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
