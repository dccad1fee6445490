// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// libsextant-sqlite.so: a loadable extension of SQLite. It adds to a connection
//   sextant_open(FILE [, PREFIX])   makes all tables of a report, and the functions for its summaries
//   CREATE VIRTUAL TABLE name USING sextant(FILE [, TABLE])   one of them
// FILE is whatever `sextant` reads. Tables stand in the main database where that is in memory, else in TEMP:
// a database on disk is not changed. An extension runs in a foreign program: it prints nothing, keeps no
// state but what belongs to a connection, and uses that program's SQLite for the connection (and one of its
// own, which nobody sees, to import).
#include "sql/sqlite_api.h"
//
#include <map>
#include <memory>
#include <set>
#include <string>

#include "open/open.h"
#include "sql/contents.h"
#include "sql/words.h"
#include "sqlite_extension/small_tables.h"

extern "C" {
const sqlite3_api_routines* sqlite3_api = nullptr;
}

namespace sextant::sqlite_extension {

namespace {

constexpr uint64_t kIndexBytes = uint64_t{1} << 30;
constexpr int kOldestSqlite = 3'036'000;  // serialized databases, for the small tables

/// A report, and what it has as tables. Kept by the tables that were made of it.
struct Report {
  explicit Report(query::Source from) : source(std::move(from)) {}
  query::Source source;
  std::unique_ptr<sql::Contents> contents;
  SmallTables small;
};

/// What belongs to a connection: reports by the path that was given.
struct Reports {
  std::map<std::string, std::weak_ptr<Report>> open;
};

std::shared_ptr<Report> open_report(Reports* reports, const std::string& path, std::string* error) {
  if (auto known = reports->open[path].lock()) return known;
  auto opened = open::open(path, {});
  if (!opened) {
    *error = opened.error().message;
    return nullptr;
  }
  auto report = std::make_shared<Report>(std::move(*opened));
  auto contents = sql::Contents::make(report->source, kIndexBytes);
  if (!contents) {
    *error = contents.error().message;
    return nullptr;
  }
  report->contents = std::move(*contents);
  if (const Status loaded = report->small.load(report->contents->small); !loaded) {
    *error = loaded.error().message;
    return nullptr;
  }
  reports->open[path] = report;
  return report;
}

/// An argument of a module, which may be in quotes.
std::string unquoted(std::string_view argument) {
  while (!argument.empty() && argument.front() == ' ') argument.remove_prefix(1);
  while (!argument.empty() && argument.back() == ' ') argument.remove_suffix(1);
  if (argument.size() < 2 || (argument[0] != '\'' && argument[0] != '"') || argument.back() != argument[0])
    return std::string(argument);
  std::string out;
  for (size_t at = 1; at + 1 < argument.size(); ++at) {
    if (argument[at] == argument[0] && argument[at + 1] == argument[0] && at + 2 < argument.size()) ++at;
    out += argument[at];
  }
  return out;
}

std::string quoted_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

/// Finds the report that a module's arguments name, and the table in it.
std::shared_ptr<Report> report_of(Reports* reports, std::span<const std::string> arguments,
                                  std::string* table, std::string* error) {
  if (arguments.empty() || arguments.size() > 2) {
    *error = "write USING sextant('REPORT'), or USING sextant('REPORT', 'TABLE')";
    return nullptr;
  }
  if (arguments.size() == 2) *table = unquoted(arguments[1]);
  return open_report(reports, unquoted(arguments[0]), error);
}

class Opening {
 public:
  Opening(sqlite3* connection, std::string path, std::string prefix)
      : connection_(connection), path_(std::move(path)), prefix_(std::move(prefix)) {
    const char* file = sqlite3_db_filename(connection, "main");
    schema_ = file == nullptr || file[0] == '\0' ? "main" : "temp";
  }

  /// A table that was made before is left as it is: the small ones come first. False: SQLite knows why.
  bool make(std::string_view module, const std::string& table) {
    std::string lower = table;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!names_.insert(lower).second) return true;
    const std::string statement = "CREATE VIRTUAL TABLE " + schema_ + "." + quoted_name(prefix_ + table) +
                                  " USING " + std::string(module) + "('" + sql::escaped(path_) + "', '" +
                                  sql::escaped(table) + "')";
    if (sqlite3_exec(connection_, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return false;
    return true;
  }
  int made() const { return static_cast<int>(names_.size()); }

  /// What SQLite says, and what helps where tables of that name are there already.
  std::string problem() const {
    std::string message = sqlite3_errmsg(connection_);
    if (message.find("already exists") != std::string::npos)
      message += "; a second report needs a prefix for its tables: sextant_open(FILE, 'b_')";
    return message;
  }

 private:
  sqlite3* connection_;
  std::string path_, prefix_, schema_;
  std::set<std::string> names_;
};

/// sextant_open(FILE [, PREFIX]): the number of tables.
void open_function(sqlite3_context* context, int argc, sqlite3_value** argv) {
  const auto text = [&](int at) {
    const auto* bytes = at < argc ? reinterpret_cast<const char*>(sqlite3_value_text(argv[at])) : nullptr;
    return std::string(bytes == nullptr ? "" : bytes);
  };
  auto* reports = static_cast<std::shared_ptr<Reports>*>(sqlite3_user_data(context))->get();
  std::string error;
  const auto report = open_report(reports, text(0), &error);
  if (!report) return sqlite3_result_error(context, error.c_str(), -1);
  sqlite3* connection = sqlite3_context_db_handle(context);
  Opening opening(connection, text(0), text(1));
  for (const std::string& table : report->small.names())
    if (!opening.make("sextant_small", table))
      return sqlite3_result_error(context, opening.problem().c_str(), -1);
  for (const sql::Table& table : report->contents->catalogue)
    if (!opening.make("sextant", table.name))
      return sqlite3_result_error(context, opening.problem().c_str(), -1);
  sql::add_report_functions(connection, std::shared_ptr<sql::Tables>(report, &report->contents->tables));
  sqlite3_result_int(context, opening.made());
}

}  // namespace

}  // namespace sextant::sqlite_extension

extern "C" __attribute__((visibility("default"))) int sqlite3_extension_init(
    sqlite3* connection, char** error, const sqlite3_api_routines* api) {
  using namespace sextant;
  using namespace sextant::sqlite_extension;
  sqlite3_api = api;
  if (sqlite3_libversion_number() < kOldestSqlite) {
    *error = sqlite3_mprintf("Sextant's extension needs SQLite 3.36 or later, and this is %s",
                             sqlite3_libversion());
    return SQLITE_ERROR;
  }
  auto reports = std::make_shared<Reports>();
  sql::add_table_module(connection,
                        [reports](std::span<const std::string> arguments, std::string* table,
                                  std::string* why) -> std::shared_ptr<sql::Tables> {
                          const auto report = report_of(reports.get(), arguments, table, why);
                          return report ? std::shared_ptr<sql::Tables>(report, &report->contents->tables)
                                        : nullptr;
                        });
  add_small_module(connection,
                   [reports](std::span<const std::string> arguments, std::string* table,
                             std::string* why) -> std::shared_ptr<SmallTables> {
                     const auto report = report_of(reports.get(), arguments, table, why);
                     return report ? std::shared_ptr<SmallTables>(report, &report->small) : nullptr;
                   });
  using Kept = std::shared_ptr<Reports>;
  return sqlite3_create_function_v2(
      connection, "sextant_open", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, new Kept(reports),
      [](sqlite3_context* context, int argc, sqlite3_value** argv) {
        if (argc != 1 && argc != 2)
          return sqlite3_result_error(context,
                                      "sextant_open takes a file, and perhaps a prefix for its tables", -1);
        open_function(context, argc, argv);
      },
      nullptr, nullptr, [](void* kept) { delete static_cast<Kept*>(kept); });
}
