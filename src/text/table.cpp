// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "text/json_writer.h"
#include "text/utf8.h"

namespace sextant::text {

namespace {

constexpr size_t kWidestText = 100;  // code points of a text in column format

/// Calls use(cells) for every row.
template <typename Use>
void for_each_row(const Table& table, Use use) {
  std::vector<Cell> cells(table.columns.size());
  for (uint64_t row = 0; row < table.rows; ++row) {
    std::fill(cells.begin(), cells.end(), Cell{});
    table.fill(row, cells);
    use(std::span<const Cell>(cells));
  }
}

void append_number(std::string* out, const TableColumn& column, const Cell& cell) {
  if (cell.empty) return;
  if (column.type == CellType::kInteger) {
    fmt::format_to(std::back_inserter(*out), "{}", cell.integer);
  } else if (column.decimals == 1) {
    *out += one_decimal(cell.real);
  } else {
    fmt::format_to(std::back_inserter(*out), "{:.{}f}", cell.real, column.decimals);
  }
}

/// A cell as the column format shows it.
void cell_for_people(std::string* out, const TableColumn& column, const Cell& cell) {
  out->clear();
  if (column.type != CellType::kText) return append_number(out, column, cell);
  if (cell.empty) return;
  *out = printable(cell.text.substr(0, 4 * kWidestText + 4));  // no more can be shown
  if (code_points(*out) <= kWidestText && cell.text.size() <= 4 * kWidestText + 4) return;
  size_t bytes = 0;
  for (size_t n = 0; n < kWidestText - 1 && bytes < out->size(); ++n)
    bytes += std::max<size_t>(1, utf8_sequence(std::string_view(*out).substr(bytes)));
  out->resize(std::min(bytes, out->size()));
  *out += "…";
}

void append_padded(std::string* out, std::string_view text, size_t width, CellType type) {
  const size_t length = code_points(text);
  const size_t pad = width > length ? width - length : 0;
  if (type != CellType::kText) out->append(pad, ' ');
  out->append(text);
  if (type == CellType::kText) out->append(pad, ' ');
}

void append_header(std::string* out, const Table& table, std::span<const size_t> widths) {
  for (size_t c = 0; c < widths.size(); ++c) {
    const std::string header = table.columns[c].header();
    const size_t pad = widths[c] - header.size();
    *out += c == 0 ? " " : "  ";
    out->append(pad / 2, ' ').append(header).append(pad - pad / 2, ' ');
  }
  *out += '\n';
  for (size_t c = 0; c < widths.size(); ++c) {
    *out += c == 0 ? " " : "  ";
    out->append(widths[c], '-');
  }
  *out += '\n';
}

/// The table without columns that the column format leaves out.
Table for_column_format(const Table& table) {
  Table shown = table;
  std::vector<size_t> kept;
  shown.columns.clear();
  for (size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].in_column) kept.push_back(c), shown.columns.push_back(table.columns[c]);
  if (kept.size() == table.columns.size()) return shown;
  shown.fill = [fill = table.fill, kept, all = std::vector<Cell>(table.columns.size())](
                   uint64_t row, std::span<Cell> cells) mutable {
    std::fill(all.begin(), all.end(), Cell{});
    fill(row, all);
    for (size_t i = 0; i < kept.size(); ++i) cells[i] = all[kept[i]];
  };
  return shown;
}

/// How wide the columns must be for what people see.
std::vector<size_t> widths_of(const Table& table) {
  std::vector<size_t> widths;
  for (const TableColumn& column : table.columns) widths.push_back(column.header().size());
  std::string text;
  for_each_row(table, [&](std::span<const Cell> cells) {
    for (size_t c = 0; c < cells.size(); ++c) {
      cell_for_people(&text, table.columns[c], cells[c]);
      widths[c] = std::max(widths[c], code_points(text));
    }
  });
  return widths;
}

/// Title, table and notes for people. `head(line, widths)` and `foot` are what stands above and below the
/// rows; cells are put between `left`, `between` and `right`.
template <typename Head, typename Foot>
void print_aligned(Output* out, const Table& whole, std::string_view left, std::string_view between,
                   std::string_view right, Head head, Foot foot) {
  const Table table = for_column_format(whole);
  if (!table.title.empty()) out->write(fmt::format("\n ** {} ({}):\n\n", table.title, table.name));
  if (table.rows == 0) return out->write(fmt::format("{}\n\n", table.why_empty));
  const std::vector<size_t> widths = widths_of(table);
  std::string line, text;
  head(&line, table, widths);
  for_each_row(table, [&](std::span<const Cell> cells) {
    for (size_t c = 0; c < cells.size(); ++c) {
      line += c == 0 ? left : between;
      cell_for_people(&text, table.columns[c], cells[c]);
      append_padded(&line, text, widths[c], table.columns[c].type);
    }
    line += right;
    line += '\n';
    out->write(line);
    line.clear();
  });
  foot(&line, widths);
  for (const std::string& note : table.notes) line += "\n " + note + "\n";
  out->write(line + "\n");
}

void print_columns(Output* out, const Table& table) {
  print_aligned(out, table, " ", "  ", "", append_header, [](std::string*, std::span<const size_t>) {});
}

void append_rule(std::string* out, std::span<const size_t> widths) {
  for (const size_t width : widths) out->append("+").append(width + 2, '-');
  *out += "+\n";
}

void print_boxes(Output* out, const Table& table) {
  const auto head = [](std::string* line, const Table& shown, std::span<const size_t> widths) {
    append_rule(line, widths);
    for (size_t c = 0; c < widths.size(); ++c) {
      const std::string header = shown.columns[c].header();
      const size_t pad = widths[c] - header.size();
      line->append("| ").append(pad / 2, ' ').append(header).append(pad - pad / 2 + 1, ' ');
    }
    *line += "|\n";
    append_rule(line, widths);
  };
  print_aligned(out, table, "| ", " | ", " |", head, append_rule);
}

void append_markdown(std::string* out, std::string_view text) {
  for (const char c : text) {
    if (std::string_view("\\|<*_`[").find(c) != std::string_view::npos) *out += '\\';
    *out += c;
  }
}

void print_markdown(Output* out, const Table& whole) {
  const Table table = for_column_format(whole);
  if (!table.title.empty()) out->write(fmt::format("### {} ({})\n\n", table.title, table.name));
  if (table.rows == 0) return out->write(fmt::format("{}\n\n", table.why_empty));
  std::string line = "|";
  for (const TableColumn& column : table.columns) line += fmt::format(" {} |", column.header());
  line += "\n|";
  for (const TableColumn& column : table.columns) line += column.type == CellType::kText ? "---|" : "---:|";
  line += '\n';
  std::string text;
  for_each_row(table, [&](std::span<const Cell> cells) {
    line += '|';
    for (size_t c = 0; c < cells.size(); ++c) {
      cell_for_people(&text, table.columns[c], cells[c]);
      line += ' ';
      append_markdown(&line, text);
      line += " |";
    }
    line += '\n';
    out->write(line);
    line.clear();
  });
  for (const std::string& note : table.notes) line += "\n" + note + "\n";
  out->write(line + "\n");
}

/// A header line and a line for each row, cells separated by `separator` and written by `append_text`.
template <typename AppendText>
void print_separated(Output* out, const Table& table, char separator, AppendText append_text) {
  std::string line;
  for (const TableColumn& column : table.columns) {
    if (!column.in_csv) continue;
    if (!line.empty()) line += separator;
    append_text(&line, column.header());
  }
  out->write(line + '\n');
  for_each_row(table, [&](std::span<const Cell> cells) {
    line.clear();
    bool first = true;
    for (size_t c = 0; c < cells.size(); ++c) {
      if (!table.columns[c].in_csv) continue;
      if (!std::exchange(first, false)) line += separator;
      if (table.columns[c].type == CellType::kText) {
        append_text(&line, cells[c].text);
      } else {
        append_number(&line, table.columns[c], cells[c]);
      }
    }
    line += '\n';
    out->write(line);
  });
  out->write("\n");
}

}  // namespace

void print_json_rows(Output* out, const Table& table) {
  std::string text;
  bool first = true;
  out->write("[\n");
  for_each_row(table, [&](std::span<const Cell> cells) {
    text = first ? "  {\n" : ",\n  {\n";
    first = false;
    for (size_t c = 0; c < cells.size(); ++c) {
      const CellType type = table.columns[c].type;
      text += "    ";
      append_json_string(&text, table.columns[c].header());
      text += ": ";
      if (type == CellType::kText || cells[c].empty) {
        append_json_string(&text, cells[c].text);
      } else {
        append_number(&text, table.columns[c], cells[c]);
      }
      text += c + 1 < cells.size() ? ",\n" : "\n";
    }
    text += "  }";
    out->write(text);
  });
  out->write(first ? "]" : "\n]");
}

Table in_time_unit(Table table, TimeUnit unit) {
  if (unit == TimeUnit::kNanoseconds) return table;
  struct Scale {
    std::string_view name;
    double ns;
    int decimals;
  };
  const Scale scale = unit == TimeUnit::kMicroseconds   ? Scale{"us", 1e3, 3}
                      : unit == TimeUnit::kMilliseconds ? Scale{"ms", 1e6, 4}
                                                        : Scale{"sec", 1e9, 4};
  std::vector<std::pair<size_t, CellType>> times;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    TableColumn& column = table.columns[c];
    if (column.unit != "ns") continue;
    times.emplace_back(c, std::exchange(column.type, CellType::kReal));
    column.unit = scale.name;
    column.decimals = scale.decimals;
  }
  table.fill = [fill = std::move(table.fill), times = std::move(times), ns = scale.ns](
                   uint64_t row, std::span<Cell> cells) {
    fill(row, cells);
    for (const auto& [c, type] : times)
      cells[c].real =
          (type == CellType::kInteger ? static_cast<double>(cells[c].integer) : cells[c].real) / ns;
  };
  return table;
}

std::string one_decimal(double value) {
  if (!std::isfinite(value) || std::fabs(value) >= 4503599627370496.0) return fmt::format("{:.1f}", value);
  long double magnitude = std::fabs(static_cast<long double>(value));
  // SQLite before 3.43 helps decimal fractions over the edge that binary ones just miss: 57351.95 becomes
  // 57352.0
  const double slack = 1 + std::ilogb(std::fabs(value)) / 3 < 15 ? static_cast<double>(magnitude * 3e-16) : 0;
  magnitude += 0.05 + slack;
  const auto tenths = static_cast<uint64_t>(magnitude * 10);
  return fmt::format("{}{}.{}", value < 0 && tenths != 0 ? "-" : "", tenths / 10, tenths % 10);
}

void append_csv_field(std::string* out, std::string_view bytes) {
  if (bytes.find_first_of("\",\r\n") == std::string_view::npos) return append_valid_utf8(out, bytes);
  out->push_back('"');
  for (size_t at = 0; at < bytes.size();) {
    const size_t quote = std::min(bytes.find('"', at), bytes.size());
    append_valid_utf8(out, bytes.substr(at, quote - at));
    if (quote < bytes.size()) *out += "\"\"";
    at = quote + 1;
  }
  out->push_back('"');
}

void append_tsv_field(std::string* out, std::string_view bytes) {
  std::string text;
  append_valid_utf8(&text, bytes);
  for (const char c : text) {
    const size_t special = std::string_view("\t\n\r\\").find(c);
    if (special == std::string_view::npos)
      *out += c;
    else
      out->append({'\\', "tnr\\"[special]});
  }
}

std::optional<TableFormat> parse_table_format(std::string_view word) {
  using enum TableFormat;
  constexpr std::pair<std::string_view, TableFormat> kNames[] = {{"column", kColumn}, {"table", kTable},
                                                                 {"csv", kCsv},       {"tsv", kTsv},
                                                                 {"json", kJson},     {"md", kMarkdown}};
  for (const auto& [name, format] : kNames)
    if (name == word) return format;
  return std::nullopt;
}

std::string_view table_extension(TableFormat format) {
  switch (format) {
    case TableFormat::kCsv:
      return ".csv";
    case TableFormat::kTsv:
      return ".tsv";
    case TableFormat::kJson:
      return ".json";
    case TableFormat::kMarkdown:
      return ".md";
    case TableFormat::kColumn:
    case TableFormat::kTable:
      break;
  }
  return ".txt";
}

bool is_for_people(TableFormat format) {
  return format != TableFormat::kCsv && format != TableFormat::kTsv;
}

void print_table(Output* out, const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::kColumn:
      return print_columns(out, table);
    case TableFormat::kTable:
      return print_boxes(out, table);
    case TableFormat::kCsv:
      return print_separated(out, table, ',', append_csv_field);
    case TableFormat::kTsv:
      return print_separated(out, table, '\t', append_tsv_field);
    case TableFormat::kJson:
      print_json_rows(out, table);
      return out->write("\n\n");
    case TableFormat::kMarkdown:
      return print_markdown(out, table);
  }
}

}  // namespace sextant::text
