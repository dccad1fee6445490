// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sqlite_extension/small_tables.h"

#include <cstring>

#include "text/sql_name.h"

namespace sextant::sqlite_extension {

namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Statement prepare(sqlite3* connection, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

struct Proxy {
  sqlite3_vtab base{};
  std::shared_ptr<SmallTables> tables;
  std::string select;  // SELECT rowid, * FROM ...
  std::vector<std::string> columns;
};

struct Cursor {
  sqlite3_vtab_cursor base{};
  Statement statement;
  bool at_row = false;
};

Proxy& table_of(sqlite3_vtab* table) {
  return *reinterpret_cast<Proxy*>(table);
}
Cursor& of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<Cursor*>(cursor);
}

int connect(sqlite3* connection, void* context, int argc, const char* const* argv, sqlite3_vtab** out,
            char** error) {
  std::string name = argc > 2 ? argv[2] : "", why;
  const std::vector<std::string> arguments(argv + std::min(argc, 3), argv + argc);
  auto made = std::make_unique<Proxy>();
  made->tables = (*static_cast<FindSmallTables*>(context))(arguments, &name, &why);
  if (!made->tables) {
    *error = sqlite3_mprintf("%s", why.c_str());
    return SQLITE_ERROR;
  }
  std::string declaration;
  const Statement info = prepare(made->tables->connection(), "SELECT name, type FROM pragma_table_info(?)");
  if (info) sqlite3_bind_text(info.get(), 1, name.c_str(), -1, SQLITE_TRANSIENT);
  while (info && sqlite3_step(info.get()) == SQLITE_ROW) {
    const std::string column = reinterpret_cast<const char*>(sqlite3_column_text(info.get(), 0));
    declaration += (declaration.empty() ? "" : ", ") + text::sql_quoted(column) + " " +
                   reinterpret_cast<const char*>(sqlite3_column_text(info.get(), 1));
    made->columns.push_back(column);
  }
  if (made->columns.empty()) {
    *error = sqlite3_mprintf("the report has no table %s", name.c_str());
    return SQLITE_ERROR;
  }
  made->select = "SELECT rowid, * FROM " + text::sql_quoted(name);
  const int code = sqlite3_declare_vtab(connection, ("CREATE TABLE x(" + declaration + ")").c_str());
  if (code == SQLITE_OK) *out = &made.release()->base;
  return code;
}

int disconnect(sqlite3_vtab* table) {
  delete &table_of(table);
  return SQLITE_OK;
}

/// Equality goes to the database in memory, which has keys.
int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
  const Proxy& table = table_of(base);
  std::string where;
  int arguments = 0;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (!constraint.usable || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    const std::string column = constraint.iColumn < 0
                                   ? "rowid"
                                   : text::sql_quoted(table.columns[static_cast<size_t>(constraint.iColumn)]);
    where += (arguments == 0 ? " WHERE " : " AND ") + column + " = ?";
    info->aConstraintUsage[i].argvIndex = ++arguments;
  }
  info->estimatedCost = arguments > 0 ? 20 : 1000;
  info->estimatedRows = arguments > 0 ? 2 : 100;
  info->idxStr = sqlite3_mprintf("%s%s", table.select.c_str(), where.c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = &(new Cursor)->base;
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete &of(cursor);
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
  const int code = sqlite3_step(of(cursor).statement.get());
  of(cursor).at_row = code == SQLITE_ROW;
  return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int filter(sqlite3_vtab_cursor* cursor, int, const char* plan, int argc, sqlite3_value** argv) {
  of(cursor).statement = prepare(table_of(cursor->pVtab).tables->connection(), plan);
  if (!of(cursor).statement) return SQLITE_ERROR;
  for (int i = 0; i < argc; ++i) sqlite3_bind_value(of(cursor).statement.get(), i + 1, argv[i]);
  return next(cursor);
}

int eof(sqlite3_vtab_cursor* cursor) {
  return of(cursor).at_row ? 0 : 1;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* out, int at) {
  sqlite3_result_value(out, sqlite3_column_value(of(cursor).statement.get(), at + 1));
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
  *out = sqlite3_column_int64(of(cursor).statement.get(), 0);
  return SQLITE_OK;
}

constexpr sqlite3_module kModule = {
    .iVersion = 0,
    .xCreate = connect,
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = row_id,
};

}  // namespace

SmallTables::~SmallTables() {
  sqlite3_close_v2(connection_);
}

Status SmallTables::load(const std::vector<uint8_t>& database) {
  if (database.empty()) return {};
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(database.size()));
  if (copy == nullptr) return fail(ErrorCode::kDenied, "not enough memory for the small tables");
  std::memcpy(copy, database.data(), database.size());
  const auto size = static_cast<sqlite3_int64>(database.size());
  if (sqlite3_open_v2(":memory:", &connection_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr) !=
          SQLITE_OK ||
      sqlite3_deserialize(connection_, "main", copy, size, size, SQLITE_DESERIALIZE_FREEONCLOSE) != SQLITE_OK)
    return fail(ErrorCode::kUnsupported,
                "this SQLite cannot hold the report's small tables: it was built without "
                "sqlite3_deserialize");
  const Statement tables = prepare(connection_, "SELECT name FROM sqlite_master WHERE type = 'table'");
  while (tables && sqlite3_step(tables.get()) == SQLITE_ROW)
    names_.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(tables.get(), 0)));
  return {};
}

void add_small_module(sqlite3* connection, FindSmallTables find) {
  sqlite3_create_module_v2(connection, "sextant_small", &kModule, new FindSmallTables(std::move(find)),
                           [](void* context) { delete static_cast<FindSmallTables*>(context); });
}

}  // namespace sextant::sqlite_extension
