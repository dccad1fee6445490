// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/sql_printer.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>

#include "text/json_writer.h"
#include "text/log.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

using sql::Datum;

std::string real_text(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";  // it is no integer
  return text;
}

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return out;
}

std::string plain_text(const Datum& datum) {
  switch (datum.kind) {
    case Datum::Kind::kNull:
      return "";
    case Datum::Kind::kInteger:
      return fmt::format("{}", datum.integer);
    case Datum::Kind::kReal:
      return real_text(datum.real);
    case Datum::Kind::kText:
      return std::string(datum.bytes);
    case Datum::Kind::kBlob:
      return hexadecimal(datum.bytes);
  }
  return "";
}

}  // namespace

sql::Receiver SqlPrinter::receiver() {
  sql::Receiver out;
  out.begin = [this](const std::vector<std::string>& columns) { begin(columns); };
  out.row = [this](const std::vector<Datum>& row) { return add(row); };
  out.end = [this] { end(); };
  out.note = [](std::string_view note) { text::info("{}", note); };
  return out;
}

template <typename Values, typename AsText>
void SqlPrinter::write_separated(const Values& values, AsText as_text) {
  const bool tabs = format_ == text::TableFormat::kTsv;
  std::string line;
  for (const auto& value : values) {
    if (&value != &values.front()) line += tabs ? '\t' : ',';
    tabs ? text::append_tsv_field(&line, as_text(value)) : text::append_csv_field(&line, as_text(value));
  }
  out_.write(line + '\n');
}

void SqlPrinter::begin(const std::vector<std::string>& columns) {
  if (results_++ > 0) out_.write("\n");
  columns_ = columns;
  rows_ = 0;
  kept_.clear();
  if (format_ == text::TableFormat::kJson) out_.write("[");
  if (separated()) write_separated(columns, [](const std::string& column) { return column; });
}

bool SqlPrinter::add(const std::vector<Datum>& row) {
  if (separated())
    write_separated(row, plain_text);
  else if (format_ == text::TableFormat::kJson)
    add_json(row);
  else
    keep(row);
  ++rows_;
  return !out_.failed();
}

void SqlPrinter::add_json(const std::vector<Datum>& row) {
  std::string line = rows_ == 0 ? "\n  " : ",\n  ";
  text::JsonWriter json(&line, 0);
  json.begin_object();
  for (size_t c = 0; c < row.size(); ++c) {
    json.key(columns_[c]);
    switch (row[c].kind) {
      case Datum::Kind::kNull:
        json.null();
        break;
      case Datum::Kind::kInteger:
        json.number(row[c].integer);
        break;
      case Datum::Kind::kReal:
        json.number(row[c].real);
        break;
      default:
        json.string(plain_text(row[c]));
    }
  }
  json.end_object();
  out_.write(line);
}

void SqlPrinter::keep(const std::vector<Datum>& row) {
  for (const Datum& datum : row)
    kept_.push_back(
        {datum.kind, datum.integer, datum.kind == Datum::Kind::kInteger ? std::string() : plain_text(datum)});
}

void SqlPrinter::end() {
  if (format_ == text::TableFormat::kJson)
    out_.write(rows_ == 0 ? "]\n" : "\n]\n");
  else if (!separated())
    print_kept();
}

/// Columns of integers only are aligned as numbers.
void SqlPrinter::print_kept() {
  const size_t count = columns_.size();
  text::Table table;
  table.rows = rows_;
  table.why_empty = "no rows";
  for (size_t c = 0; c < count; ++c) {
    bool integers = rows_ > 0;
    for (size_t at = c; at < kept_.size(); at += count)
      integers =
          integers && (kept_[at].kind == Datum::Kind::kInteger || kept_[at].kind == Datum::Kind::kNull);
    table.columns.push_back({.name = text::printable(columns_[c]),
                             .unit = "",
                             .type = integers ? text::CellType::kInteger : text::CellType::kText});
  }
  std::deque<std::string> numbers;
  table.fill = [&](uint64_t row, std::span<text::Cell> cells) {
    numbers.clear();
    for (size_t c = 0; c < count; ++c) {
      const Kept& kept = kept_[row * count + c];
      if (kept.kind == Datum::Kind::kNull) continue;
      if (table.columns[c].type == text::CellType::kInteger)
        cells[c].set(kept.integer);
      else if (kept.kind == Datum::Kind::kInteger)
        cells[c].set(std::string_view(numbers.emplace_back(fmt::format("{}", kept.integer))));
      else
        cells[c].set(std::string_view(kept.text));
    }
  };
  text::print_table(&out_, table, format_);
}

}  // namespace sextant::cli
