// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <deque>

#include "cli/commands.h"
#include "cli/open_report.h"
#include "sql/database.h"
#include "text/json_writer.h"
#include "text/log.h"
#include "text/output.h"
#include "text/table.h"
#include "text/units.h"
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

/// Prints results one after the other, an empty line between them.
class Printer {
 public:
  explicit Printer(text::TableFormat format) : format_(format) {}

  sql::Receiver receiver() {
    return {.begin = [this](const std::vector<std::string>& columns) { begin(columns); },
            .row = [this](const std::vector<Datum>& row) { return add(row); },
            .end = [this] { end(); },
            .note = [](std::string_view note) { text::info("{}", note); }};
  }

  Status finish() { return out_.finish(); }
  bool broken_pipe() const { return out_.broken_pipe(); }

 private:
  void begin(const std::vector<std::string>& columns) {
    if (results_++ > 0) out_.write("\n");
    columns_ = columns;
    rows_ = 0;
    kept_.clear();
    if (format_ == text::TableFormat::kJson) out_.write("[");
    if (separated()) write_separated(columns, [](const std::string& column) { return column; });
  }

  bool add(const std::vector<Datum>& row) {
    if (separated())
      write_separated(row, plain_text);
    else if (format_ == text::TableFormat::kJson)
      add_json(row);
    else
      keep(row);
    ++rows_;
    return !out_.failed();
  }

  bool separated() const { return format_ == text::TableFormat::kCsv || format_ == text::TableFormat::kTsv; }

  template <typename Values, typename AsText>
  void write_separated(const Values& values, AsText as_text) {
    const bool tabs = format_ == text::TableFormat::kTsv;
    std::string line;
    for (const auto& value : values) {
      if (&value != &values.front()) line += tabs ? '\t' : ',';
      tabs ? text::append_tsv_field(&line, as_text(value)) : text::append_csv_field(&line, as_text(value));
    }
    out_.write(line + '\n');
  }

  void add_json(const std::vector<Datum>& row) {
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

  struct Kept {
    Datum::Kind kind;
    int64_t integer;
    std::string text;
  };
  void keep(const std::vector<Datum>& row) {
    for (const Datum& datum : row)
      kept_.push_back({datum.kind, datum.integer,
                       datum.kind == Datum::Kind::kInteger ? std::string() : plain_text(datum)});
  }

  void end() {
    if (format_ == text::TableFormat::kJson) out_.write(rows_ == 0 ? "]\n" : "\n]\n");
    if (!separated() && format_ != text::TableFormat::kJson) print_kept();
  }

  /// Columns of integers only are aligned as numbers.
  void print_kept() {
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
    std::string number;
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

  text::TableFormat format_;
  text::Output out_{STDOUT_FILENO};
  std::vector<std::string> columns_;
  std::vector<Kept> kept_;
  uint64_t rows_ = 0;
  size_t results_ = 0;
};

text::TableFormat format_of(const Arguments& arguments) {
  return *text::parse_table_format(arguments.text("format").value_or("column"));
}

Result<sql::Limits> limits_of(const Arguments& arguments) {
  sql::Limits limits;
  if (const auto word = arguments.text("time-limit")) {
    SEXTANT_ASSIGN(limits.time_ns, text::parse_duration(*word));
  }
  if (const auto word = arguments.text("memory-limit")) {
    SEXTANT_ASSIGN(limits.memory_bytes, text::parse_bytes(*word));
  }
  return limits;
}

Result<std::map<std::string, std::string>> parameters_of(const Arguments& arguments) {
  std::map<std::string, std::string> parameters;
  for (const std::string_view word : arguments.all("param")) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail(ErrorCode::kUsage, fmt::format("--param wants NAME=VALUE, and got '{}'", word));
    parameters[std::string(word.substr(0, equals))] = std::string(word.substr(equals + 1));
  }
  return parameters;
}

Result<std::string> statements_of_standard_input() {
  std::string all;
  char buffer[1 << 16];
  ssize_t got = 0;
  while ((got = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
    all.append(buffer, static_cast<size_t>(got));
  if (got < 0) return fail_errno(errno, "cannot read statements from standard input");
  return all;
}

int print_skipped(const OpenedReport& report, const sql::Database& database) {
  for (const report::Damage& damage : database.skipped())
    text::error("{}: damaged at byte {}: {} ({} skipped)", report.path, damage.offset, damage.what,
                text::bytes(damage.bytes));
  const int code = report.conclude();
  return database.skipped().empty() ? code : kExitIncomplete;
}

/// Reports, and the statements behind them unless these come from standard input.
struct Request {
  std::vector<std::string> reports;
  std::string statements;
  std::map<std::string, std::string> parameters;
  sql::Limits limits;
};

/// Of several words the last one is statements, unless it is a file or a folder.
Result<Request> request_of(const Arguments& arguments) {
  Request request;
  SEXTANT_ASSIGN(request.limits, limits_of(arguments));
  SEXTANT_ASSIGN(request.parameters, parameters_of(arguments));
  request.reports = arguments.words();
  struct stat status {};
  if (request.reports.size() > 1 && ::stat(request.reports.back().c_str(), &status) != 0) {
    request.statements = std::move(request.reports.back());
    request.reports.pop_back();
  } else if (!request.reports.empty()) {
    SEXTANT_ASSIGN(request.statements, statements_of_standard_input());
  }
  return request;
}

int ask(const Arguments& arguments, const Request& request, const OpenedReport& report) {
  const auto refuse = [](const Error& error) {
    text::error("{}", error.message);
    return kExitFailed;
  };
  auto database = sql::Database::open(report.source, request.limits);
  if (!database) return refuse(database.error());
  Printer printer(format_of(arguments));
  const Status ran = database->run(request.statements, request.parameters, printer.receiver());
  const Status written = printer.finish();
  if (!ran) {
    print_skipped(report, *database);  // a table may be missing because of that
    return refuse(ran.error());
  }
  if (!written && !printer.broken_pipe()) return refuse(written.error());
  if (!written) return kExitFailed;
  return print_skipped(report, *database);
}

}  // namespace

int run_sql(const Arguments& arguments) {
  const auto request = request_of(arguments);
  if (!request) {
    text::error("{}", request.error().message);
    return kExitFailed;
  }
  return for_each_report(arguments, request->reports, format_of(arguments) == text::TableFormat::kColumn,
                         [&](const OpenedReport& report) { return ask(arguments, *request, report); });
}

}  // namespace sextant::cli
