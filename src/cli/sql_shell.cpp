// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/sql_shell.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>

#include "base/clock.h"
#include "cli/line_editor.h"
#include "text/log.h"

namespace sextant::cli {

namespace {

constexpr std::string_view kHelp =
    "Statements end with a semicolon; lines with a dot are commands:\n"
    "  .tables           the tables of the report\n"
    "  .schema [TABLE]   their columns\n"
    "  .mode FORMAT      how results are printed: column, table, csv, tsv, json, md\n"
    "  .timer on|off     say how long each statement took\n"
    "  .quit             leave; so does the end of the input (Ctrl-D)\n"
    "Tab completes words, Ctrl-C ends a statement that runs. Every report of `sextant stats` is a table:\n"
    "  SELECT * FROM cuda_gpu_kern_sum();\n";

constexpr std::array kKeywords = {"SELECT",
                                  "FROM",
                                  "WHERE",
                                  "GROUP BY",
                                  "ORDER BY",
                                  "LIMIT",
                                  "JOIN",
                                  "LEFT JOIN",
                                  "USING",
                                  "HAVING",
                                  "DISTINCT",
                                  "BETWEEN",
                                  "LIKE",
                                  "IN",
                                  "IS NULL",
                                  "NOT",
                                  "AND",
                                  "OR",
                                  "AS",
                                  "WITH",
                                  "CASE",
                                  "WHEN",
                                  "THEN",
                                  "ELSE",
                                  "END",
                                  "UNION ALL",
                                  "DESC",
                                  "ASC",
                                  "CREATE TEMP TABLE",
                                  "CREATE TEMP VIEW",
                                  "EXPLAIN QUERY PLAN"};
constexpr std::array kDotCommands = {".tables", ".schema", ".mode", ".timer", ".help", ".quit"};

std::pair<std::string_view, std::string_view> command_and_argument(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t end = std::min(line.find_first_of(kSpace), line.size());
  std::string_view argument = line.substr(end);
  argument.remove_prefix(std::min(argument.find_first_not_of(kSpace), argument.size()));
  while (!argument.empty() && kSpace.find(argument.back()) != std::string_view::npos)
    argument.remove_suffix(1);
  return {line.substr(0, end), argument};
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// What a word of a statement may become.
class Words {
 public:
  explicit Words(sql::Database* database) : database_(database) {}

  std::vector<std::string> complete(std::string_view word, std::string_view before) {
    load();
    const std::string wanted = lower(word);
    std::set<std::string> found;
    const auto offer = [&](const std::string& candidate) {
      if (lower(candidate).starts_with(wanted)) found.insert(candidate);
    };
    const bool first = before.find_first_not_of(" \t") == std::string_view::npos;
    if (first && wanted.starts_with('.')) {
      for (const char* command : kDotCommands) offer(command);
    } else if (lower(before).ends_with(".mode ")) {
      for (const char* format : {"column", "table", "csv", "tsv", "json", "md"}) offer(format);
    } else {
      for (const std::string& table : tables_) offer(table);
      if (!before.starts_with(".schema")) {
        for (const char* keyword : kKeywords) offer(keyword);
        for (const std::string& other : columns_) offer(other);
        for (const std::string& function : functions_) offer(function);
      }
    }
    return {found.begin(), found.end()};
  }

 private:
  std::vector<std::string> ask(std::string_view statement) {
    std::vector<std::string> out;
    sql::Receiver to;
    to.begin = [](const std::vector<std::string>&) {};
    to.row = [&](const std::vector<sql::Datum>& row) {
      out.emplace_back(row[0].bytes);
      return true;
    };
    to.end = [] {};
    to.note = [](std::string_view) {};
    (void)database_->run(statement, {}, to);  // then nothing is offered
    return out;
  }
  void load() {
    if (loaded_) return;
    loaded_ = true;
    tables_ = ask("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
    columns_ =
        ask("SELECT DISTINCT c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type IN "
            "('table', 'view')");
    functions_ = ask(
        "SELECT name || '()' FROM pragma_module_list WHERE name LIKE '%\\_%' ESCAPE '\\' AND name NOT LIKE "
        "'pragma%' AND name NOT LIKE 'json%'");
    for (const std::string& function : ask("SELECT DISTINCT name || '(' FROM pragma_function_list"))
      if (std::isalpha(static_cast<unsigned char>(function[0])) != 0) functions_.push_back(function);
  }

  sql::Database* database_;
  bool loaded_ = false;
  std::vector<std::string> tables_, columns_, functions_;
};

/// Ctrl-C ends the statement that runs, not the shell.
class InterruptKey {
 public:
  explicit InterruptKey(sql::Database* database) {
    running = database;
    struct sigaction action {};
    action.sa_handler = [](int) {
      if (sql::Database* now = running.load()) now->interrupt();
    };
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &before_);  // without SA_RESTART: reading a line ends, too
  }
  ~InterruptKey() {
    ::sigaction(SIGINT, &before_, nullptr);
    running = nullptr;
  }
  InterruptKey(const InterruptKey&) = delete;
  InterruptKey& operator=(const InterruptKey&) = delete;

 private:
  static std::atomic<sql::Database*> running;
  struct sigaction before_ {};
};
std::atomic<sql::Database*> InterruptKey::running{nullptr};

}  // namespace

Result<sql::Command> ShellCommands::run(std::string_view line) {
  const auto [command, argument] = command_and_argument(line);
  if (command == ".help") {
    printer_->print(kHelp);
  } else if (command == ".quit" || command == ".exit") {
    return sql::Command::kQuit;
  } else if (command == ".mode") {
    const auto format = text::parse_table_format(argument);
    if (!format)
      return fail(ErrorCode::kUsage,
                  fmt::format(".mode wants one of {}, and got '{}'", text::kTableFormats, argument));
    printer_->set_format(*format);
  } else if (command == ".timer") {
    if (argument != "on" && argument != "off")
      return fail(ErrorCode::kUsage, fmt::format(".timer wants on or off, and got '{}'", argument));
    timer_ = argument == "on";
  } else {
    return sql::Command::kUnknown;
  }
  return sql::Command::kDone;
}

Status run_shell(sql::Database* database, const std::string& report,
                 const std::map<std::string, std::string>& parameters, SqlPrinter* printer) {
  text::info("{}: .help says what there is", report);
  ShellCommands commands(printer);
  bool quit = false;
  sql::Receiver receiver = printer->receiver();
  receiver.command = [&](std::string_view line) {
    auto done = commands.run(line);
    quit = done && *done == sql::Command::kQuit;
    return done;
  };
  Words words(database);
  LineEditor editor(
      "sextant", state_file("sql_history"),
      [&](std::string_view word, std::string_view before) { return words.complete(word, before); });
  const InterruptKey key(database);
  std::string statement, line;
  while (!quit) {
    const auto outcome = editor.read(statement.empty() ? "sextant> " : "    ...> ", &line);
    if (outcome == LineEditor::Outcome::kInterrupted) {
      statement.clear();
      printer->print("\n");
      SEXTANT_TRY(printer->finish());
      continue;
    }
    if (outcome == LineEditor::Outcome::kEnd) break;
    if (statement.empty() && line.find_first_not_of(" \t") == std::string::npos) continue;
    const bool command = statement.empty() && line.starts_with('.');
    statement += line + '\n';
    if (!command && !sql::Database::is_complete(statement)) continue;
    editor.remember(statement);
    const auto begin = base::clock_ns(CLOCK_MONOTONIC);
    if (const Status ran = database->run(statement, parameters, receiver, sql::Unused::kAllowed); !ran)
      text::error("{}", ran.error().message);
    SEXTANT_TRY(printer->finish());
    if (commands.timer() && !command)
      text::info("{:.3f} s", static_cast<double>(base::clock_ns(CLOCK_MONOTONIC) - begin) / 1e9);
    statement.clear();
  }
  return {};
}

}  // namespace sextant::cli
