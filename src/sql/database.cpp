// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sql/database.h"

#include <fmt/format.h>
#include <time.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <set>

#include "base/clock.h"
#include "event/schema_target.h"
#include "sql/contents.h"
#include "sql/guard.h"
#include "sql/module.h"
#include "sql/sqlite_api.h"
#include "sql/words.h"
#include "text/sql_name.h"
#include "text/units.h"

namespace sextant::sql {

namespace {

constexpr int kOperationsBetweenLooks = 20'000;
constexpr std::string_view kTablesQuery =
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE "
    "'\\' "
    "UNION ALL SELECT name FROM sqlite_temp_master WHERE type IN ('table', 'view') ORDER BY name";

struct Closer {
  void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Closer>;

/// Messages of SQLite may quote what the user wrote over several lines.
std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c == '\n' || c == '\r') c = ' ';
  return out;
}

Datum datum(sqlite3_stmt* statement, int column) {
  Datum out;
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      out.kind = Datum::Kind::kInteger;
      out.integer = sqlite3_column_int64(statement, column);
      break;
    case SQLITE_FLOAT:
      out.kind = Datum::Kind::kReal;
      out.real = sqlite3_column_double(statement, column);
      break;
    case SQLITE_TEXT: {
      out.kind = Datum::Kind::kText;
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      if (text != nullptr) out.bytes = {text, static_cast<size_t>(sqlite3_column_bytes(statement, column))};
      break;
    }
    case SQLITE_BLOB: {
      out.kind = Datum::Kind::kBlob;
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
      if (bytes != nullptr) out.bytes = {bytes, static_cast<size_t>(sqlite3_column_bytes(statement, column))};
      break;
    }
    default:
      break;
  }
  return out;
}

void bind(sqlite3_stmt* statement, int at, const std::string& value) {
  const char* end = value.data() + value.size();
  int64_t integer = 0;
  double real = 0;
  if (const auto [stop, error] = std::from_chars(value.data(), end, integer);
      error == std::errc() && stop == end) {
    sqlite3_bind_int64(statement, at, integer);
  } else if (const auto [stop_real, error_real] = std::from_chars(value.data(), end, real);
             error_real == std::errc() && stop_real == end) {
    sqlite3_bind_double(statement, at, real);
  } else {
    sqlite3_bind_text64(statement, at, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

}  // namespace

struct Database::State {
  State(const query::Source& from, const Limits& limited) : source(from), limits(limited) {}

  const query::Source& source;
  Limits limits;
  std::shared_ptr<Contents> contents;
  std::unique_ptr<sqlite3, Closer> connection;  // last: it goes first
  int64_t deadline = 0;
  bool out_of_time = false;
  std::set<std::string> used;  // parameters

  Status open();
  Status load_small_tables();
  Status create_tables();
  void connect_functions();
  Status execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql, size_t* length);
  Status bind_all(sqlite3_stmt* statement, const std::map<std::string, std::string>& parameters);
  Status step_through(sqlite3_stmt* statement, const Receiver& to);
  Status run_command(std::string_view command, const Receiver& to);
  bool quit = false;
  Result<size_t> run_one(std::string_view sql, const std::map<std::string, std::string>& parameters,
                         const Receiver& to);
  tl::unexpected<Error> failed() const;
  void list(const char* column, const std::vector<std::string>& lines, const Receiver& to) const;
};

tl::unexpected<Error> Database::State::failed() const {
  const int code = sqlite3_errcode(connection.get());
  if (out_of_time)
    return fail(ErrorCode::kDenied, fmt::format("the statement was stopped: it took longer than {:g} s{}",
                                                static_cast<double>(limits.time_ns) / 1e9,
                                                limits.by_options ? "; --time-limit raises that" : ""));
  if (code == SQLITE_INTERRUPT) return fail(ErrorCode::kDenied, "the statement was interrupted");
  if (code == SQLITE_NOMEM)
    return fail(ErrorCode::kDenied,
                fmt::format("the statement needs more memory than {}{}", text::bytes(limits.memory_bytes),
                            limits.by_options ? "; --memory-limit raises that" : ""));
  if (code == SQLITE_AUTH)
    return fail(ErrorCode::kDenied, one_line(sqlite3_errmsg(connection.get())) +
                                        ": statements may only read, and make TEMP tables and views");
  return fail(ErrorCode::kUsage, one_line(sqlite3_errmsg(connection.get())));
}

Status Database::State::execute(const std::string& sql) {
  if (sqlite3_exec(connection.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return failed();
  return {};
}

Status Database::State::load_small_tables() {
  const std::vector<uint8_t>& bytes = contents->small;
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  if (copy == nullptr) return fail(ErrorCode::kDenied, "not enough memory for the tables");
  std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  const unsigned flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE;
  if (sqlite3_deserialize(connection.get(), "main", copy, size, size, flags) != SQLITE_OK) return failed();
  return {};
}

Status Database::State::create_tables() {
  SEXTANT_TRY(execute("BEGIN"));
  for (const Table& table : contents->catalogue)
    SEXTANT_TRY(execute(
        fmt::format("CREATE VIRTUAL TABLE IF NOT EXISTS {} USING sextant", text::sql_quoted(table.name))));
  return execute("COMMIT");
}

/// SQLite makes tables of these when they are first used, which the guard would refuse.
void Database::State::connect_functions() {
  for (const char* name :
       {"json_each", "json_tree", "pragma_table_info", "pragma_table_xinfo", "pragma_table_list",
        "pragma_database_list", "pragma_function_list", "pragma_module_list"}) {
    size_t length = 0;
    (void)prepare(fmt::format("SELECT 1 FROM {}", name), &length);  // this SQLite may be built without it
  }
}

Status Database::State::open() {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(":memory:", &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, nullptr);
  connection.reset(opened);
  if (code != SQLITE_OK) return failed();
  sqlite3_extended_result_codes(opened, 0);
  sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(limits.memory_bytes));
  SEXTANT_ASSIGN(contents, Contents::make(source, limits.memory_bytes));
  if (!contents->small.empty()) SEXTANT_TRY(load_small_tables());
  std::shared_ptr<Tables> tables(contents, &contents->tables);
  add_table_module(opened,
                   [tables](std::span<const std::string>, std::string*, std::string*) { return tables; });
  add_report_functions(opened, tables);
  SEXTANT_TRY(create_tables());
  connect_functions();
  guard(opened, &tables->declaring);
  if (limits.time_ns > 0) {
    sqlite3_progress_handler(
        opened, kOperationsBetweenLooks,
        [](void* context) {
          auto* state = static_cast<State*>(context);
          state->out_of_time = static_cast<int64_t>(base::clock_ns(CLOCK_MONOTONIC)) > state->deadline;
          return state->out_of_time ? 1 : 0;
        },
        this);
  }
  return {};
}

/// An empty statement: only white space and comments.
Result<Statement> Database::State::prepare(std::string_view sql, size_t* length) {
  sqlite3_stmt* prepared = nullptr;
  const char* tail = nullptr;
  const int code =
      sqlite3_prepare_v2(connection.get(), sql.data(), static_cast<int>(sql.size()), &prepared, &tail);
  Statement statement(prepared);
  if (code != SQLITE_OK) return failed();
  *length = tail == nullptr ? sql.size() : static_cast<size_t>(tail - sql.data());
  return statement;
}

Status Database::State::bind_all(sqlite3_stmt* statement,
                                 const std::map<std::string, std::string>& parameters) {
  for (int at = 1; at <= sqlite3_bind_parameter_count(statement); ++at) {
    const char* name = sqlite3_bind_parameter_name(statement, at);
    if (name == nullptr || name[0] == '?')
      return fail(ErrorCode::kUsage,
                  "parameters must have names: write :NAME, and give it with --param NAME=VALUE");
    const auto given = parameters.find(name + 1);
    if (given == parameters.end())
      return fail(
          ErrorCode::kUsage,
          fmt::format("the parameter {0} has no value; --param {1}=VALUE gives it one", name, name + 1));
    used.insert(given->first);
    bind(statement, at, given->second);
  }
  return {};
}

Status Database::State::step_through(sqlite3_stmt* statement, const Receiver& to) {
  const int count = sqlite3_column_count(statement);
  if (count > 0) {
    std::vector<std::string> names;
    for (int c = 0; c < count; ++c) names.emplace_back(sqlite3_column_name(statement, c));
    to.begin(names);
  }
  std::vector<Datum> row(static_cast<size_t>(count));
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    for (int c = 0; c < count; ++c) row[static_cast<size_t>(c)] = datum(statement, c);
    if (!to.row(row)) break;
  }
  if (code != SQLITE_ROW && code != SQLITE_DONE) return failed();
  if (count > 0) to.end();
  return {};
}

void Database::State::list(const char* column, const std::vector<std::string>& lines,
                           const Receiver& to) const {
  to.begin({column});
  for (const std::string& line : lines) to.row({Datum{.kind = Datum::Kind::kText, .bytes = line}});
  to.end();
}

Status Database::State::run_command(std::string_view command, const Receiver& to) {
  const std::string_view name = first_word(command);
  const std::string_view table =
      first_word(command.substr(static_cast<size_t>(name.data() + name.size() - command.data())));
  if (to.command) {
    SEXTANT_ASSIGN(const Command done, to.command(command));
    quit = done == Command::kQuit;
    if (done != Command::kUnknown) return {};
  }
  if (name != ".tables" && name != ".schema")
    return fail(
        ErrorCode::kUsage,
        fmt::format(
            "there is no command {}; there are .tables and .schema [TABLE], and in `sextant sql` .help",
            name));
  size_t length = 0;
  SEXTANT_ASSIGN(const Statement names, prepare(kTablesQuery, &length));
  std::vector<std::string> lines;
  while (sqlite3_step(names.get()) == SQLITE_ROW) {
    const std::string found = reinterpret_cast<const char*>(sqlite3_column_text(names.get(), 0));
    if (name == ".tables") {
      lines.push_back(found);
    } else if (table.empty() || sqlite3_stricmp(found.c_str(), std::string(table).c_str()) == 0) {
      SEXTANT_ASSIGN(
          const Statement columns,
          prepare(fmt::format("SELECT name, type FROM pragma_table_info('{}')", escaped(found)), &length));
      Table shown{.name = found, .columns = {}, .layouts = {}, .parts = {}};
      while (sqlite3_step(columns.get()) == SQLITE_ROW)
        shown.columns.push_back({reinterpret_cast<const char*>(sqlite3_column_text(columns.get(), 0)),
                                 reinterpret_cast<const char*>(sqlite3_column_text(columns.get(), 1))});
      lines.push_back(shown.declaration());
    }
  }
  if (lines.empty() && !table.empty())
    return fail(ErrorCode::kNotFound, fmt::format("there is no table {}; .tables lists all", table));
  list(name == ".tables" ? "name" : "sql", lines, to);
  return {};
}

Result<size_t> Database::State::run_one(std::string_view sql,
                                        const std::map<std::string, std::string>& parameters,
                                        const Receiver& to) {
  const size_t begin = skip_space(sql);
  const std::string_view rest = sql.substr(begin);
  if (rest.starts_with('.')) {
    const size_t end = std::min(rest.find_first_of(";\n"), rest.size());
    SEXTANT_TRY(run_command(rest.substr(0, end), to));
    return begin + std::min(end + 1, rest.size());
  }
  size_t length = 0;
  auto statement = prepare(rest, &length);
  if (!statement && creates_index(rest)) {
    // scripts for nsys's exports make indexes before they ask
    const std::string message = sqlite3_errmsg(connection.get());
    if (sqlite3_errcode(connection.get()) == SQLITE_AUTH || message == "virtual tables may not be indexed") {
      to.note("CREATE INDEX was ignored: tables of a report need none");
      return begin + end_of_statement(rest);
    }
  }
  if (!statement) return tl::unexpected(statement.error());
  if (*statement) {
    SEXTANT_TRY(bind_all(statement->get(), parameters));
    SEXTANT_TRY(step_through(statement->get(), to));
  }
  return begin + length;
}

Result<Database> Database::open(const query::Source& source, const Limits& limits) {
  auto state = std::make_unique<State>(source, limits);
  SEXTANT_TRY(state->open());
  return Database(std::move(state));
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

void Database::interrupt() {
  sqlite3_interrupt(state_->connection.get());
}

bool Database::is_complete(const std::string& statements) {
  return sqlite3_complete(statements.c_str()) != 0;
}

const std::vector<report::Damage>& Database::skipped() const {
  return state_->contents->values.skipped();
}

Status Database::run(std::string_view statements, const std::map<std::string, std::string>& parameters,
                     const Receiver& to, Unused unused) {
  if (statements.find('\0') != std::string_view::npos)
    return fail(ErrorCode::kUsage, "the statement has a zero byte in it");
  if (statements.size() >= (size_t{1} << 30)) return fail(ErrorCode::kUsage, "the statement is too long");
  state_->used.clear();
  state_->quit = false;
  state_->out_of_time = false;
  state_->deadline = static_cast<int64_t>(base::clock_ns(CLOCK_MONOTONIC)) + state_->limits.time_ns;
  while (skip_space(statements) < statements.size()) {
    SEXTANT_ASSIGN(const size_t done, state_->run_one(statements, parameters, to));
    statements.remove_prefix(std::max<size_t>(done, 1));
    if (state_->quit) return {};
  }
  if (unused == Unused::kAllowed) return {};
  for (const auto& [name, value] : parameters)
    if (!state_->used.contains(name))
      return fail(ErrorCode::kUsage, fmt::format("no statement has the parameter :{}", name));
  return {};
}

}  // namespace sextant::sql
