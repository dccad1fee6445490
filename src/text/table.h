// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Table: what every report of `sextant stats` is, whatever it is printed as. Rows are made on demand, so that
// a trace of millions of ranges needs no memory for their text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/output.h"

namespace sextant::text {

enum class CellType : uint8_t { kText, kInteger, kReal };

struct TableColumn {
  std::string name;
  std::string unit;  // "" for none; printed as "name (unit)"
  CellType type = CellType::kText;
  int decimals = 1;       // of a kReal
  bool in_csv = true;     // false: an addition of ours, not in csv and tsv, the formats of nsys
  bool in_column = true;  // false: not in the column format, where a note says it once

  std::string header() const { return unit.empty() ? name : name + " (" + unit + ")"; }
};

/// A value of its column's type, or nothing.
struct Cell {
  bool empty = true;
  int64_t integer = 0;
  double real = 0;
  std::string_view text;  // any bytes; valid until the next row is made

  void set(int64_t value) { empty = false, integer = value; }
  void set(double value) { empty = false, real = value; }
  void set(std::string_view value) { empty = false, text = value; }
};

struct Table {
  std::string name;   // "nvtx_sum"
  std::string title;  // "NVTX Range Summary"; "": the column format has no line for it
  std::vector<TableColumn> columns;
  uint64_t rows = 0;
  std::string why_empty;           // one sentence, when there are no rows
  std::vector<std::string> notes;  // sentences below the table, in column format
  /// Fills the cells of a row, which come empty. Not thread-safe.
  std::function<void(uint64_t row, std::span<Cell> cells)> fill;
};

enum class TableFormat : uint8_t { kColumn, kTable, kCsv, kTsv, kJson, kMarkdown };

/// "column", "table", "csv", "tsv", "json", "md", separated by |.
inline constexpr std::string_view kTableFormats = "column|table|csv|tsv|json|md";
std::optional<TableFormat> parse_table_format(std::string_view word);

/// How files of a format end: ".csv" ...; ".txt" for those that are meant for people.
std::string_view table_extension(TableFormat format);

/// Whether a format also has what nsys's tables do not have: everything but csv and tsv.
bool is_for_people(TableFormat format);

/// Prints a table as nsys does; md is ours.
/// column: a title and aligned columns for people; names over 100 characters are cut, control characters
/// escaped. table: the same in boxes. csv: RFC 4180 with line feeds, a header line, an empty line behind the
/// table; invalid UTF-8 becomes U+FFFD. tsv: the same with tabs, and nothing quoted; tabs, line breaks and
/// backslashes become \t, \n, \r, \\. json: an array of objects keyed by the headers; values that do not
/// exist are "". md: a table for Markdown below a heading.
void print_table(Output* out, const Table& table, TableFormat format);

/// The array of print_table's json alone, without a line break behind it.
void print_json_rows(Output* out, const Table& table);

enum class TimeUnit : uint8_t { kNanoseconds, kMicroseconds, kMilliseconds, kSeconds };

/// The table with its columns of nanoseconds in another unit, with as many decimals as nsys prints.
Table in_time_unit(Table table, TimeUnit unit);

/// Half away from zero, as SQLite's round(x, 1) does it, which is what nsys prints.
std::string one_decimal(double value);

/// Appends a CSV field, quoted where RFC 4180 asks for it.
void append_csv_field(std::string* out, std::string_view bytes);

/// Appends a field of tsv: tabs, line breaks and backslashes become \t, \n, \r, \\.
void append_tsv_field(std::string* out, std::string_view bytes);

}  // namespace sextant::text
