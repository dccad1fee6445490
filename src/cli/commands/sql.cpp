// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/open_report.h"
#include "cli/sql_printer.h"
#include "cli/sql_shell.h"
#include "sql/database.h"
#include "text/log.h"
#include "text/units.h"

namespace sextant::cli {

namespace {

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
  bool shell = false;  // they are typed, one after the other
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
  } else if (::isatty(STDIN_FILENO) != 0) {
    request.shell = true;
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
  SqlPrinter printer(format_of(arguments));
  ShellCommands commands(&printer);
  sql::Receiver receiver = printer.receiver();
  receiver.command = [&](std::string_view line) { return commands.run(line); };
  const Status ran = request.shell ? run_shell(&*database, report.path, request.parameters, &printer)
                                   : database->run(request.statements, request.parameters, receiver);
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
