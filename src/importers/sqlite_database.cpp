// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/sqlite_database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cstring>

#include "base/fd.h"
#include "importers/sqlite_pages.h"
#include "text/sql_name.h"

namespace sextant::importers {

namespace {

constexpr char kMagic[] = "SQLite format 3";  // with the 0 behind it
constexpr int kMaxValueBytes = 128 << 20;     // a longer string or blob is refused
constexpr int kMaxTables = 20000;
constexpr int kStepsBetweenQuestions = 200000;

/// Everything but reading is refused, whatever a statement or a schema may try.
int allow_reading(void*, int action, const char* first, const char*, const char*, const char*) {
  if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
  if (action == SQLITE_PRAGMA && first != nullptr)
    for (const char* pragma : {"table_xinfo", "table_list", "encoding"})
      if (::strcasecmp(first, pragma) == 0) return SQLITE_OK;
  return SQLITE_DENY;
}

/// Percent-encodes what has a meaning in an SQLite URI.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  if (!path.starts_with('/')) uri += "./";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      constexpr char kHex[] = "0123456789abcdef";
      uri += '%';
      uri += kHex[static_cast<uint8_t>(c) >> 4];
      uri += kHex[c & 15];
    } else {
      uri += c;
    }
  }
  return uri + "?mode=ro&immutable=1";
}

/// A file beside the database that says that its content is not whole.
Status check_beside(const std::string& path) {
  struct stat status {};
  if (::stat((path + "-wal").c_str(), &status) == 0 && status.st_size > 0)
    return fail(
        ErrorCode::kUnsupported,
        path + " has changes that are not merged yet (" + path +
            "-wal): close the program that has it open, or run `sqlite3 FILE 'PRAGMA wal_checkpoint'`");
  if (::stat((path + "-journal").c_str(), &status) == 0 && status.st_size > 0)
    return fail(ErrorCode::kUnsupported, path + " is being written, or its export was interrupted (" + path +
                                             "-journal is there): wait, or export it again");
  return {};
}

struct Statement {
  sqlite3_stmt* handle = nullptr;
  ~Statement() { sqlite3_finalize(handle); }
};

std::string text_of(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return text == nullptr ? ""
                         : std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement, column)));
}

}  // namespace

int SourceTable::find(std::string_view column) const {
  for (size_t i = 0; i < columns.size(); ++i)
    if (text::same_sql_name(columns[i].name, column)) return static_cast<int>(i);
  return -1;
}

struct SqliteDatabase::State {
  std::string path;
  GoOn go_on;
  base::Fd fd;
  struct stat opened {};
  sqlite3* handle = nullptr;
  std::vector<SourceTable> tables;
  uint64_t passed_over = 0;
  std::unique_ptr<SqlitePages> pages;  // null: SQLite reads everything

  ~State() { sqlite3_close_v2(handle); }

  tl::unexpected<Error> failed(const std::string& where) const {
    const int code = sqlite3_errcode(handle) & 0xff;
    const std::string message = path + ": " + where + ": " + sqlite3_errmsg(handle);
    if (code == SQLITE_INTERRUPT)
      return fail(ErrorCode::kUnsupported, path + ": " + where + ": stopped: it takes too long");
    if (code == SQLITE_IOERR) return fail(ErrorCode::kIo, message);
    return fail(ErrorCode::kCorrupt, message + "; if it is cut or damaged, export it again");
  }

  Status prepare(const std::string& sql, const std::string& where, Statement* statement) const {
    if (sqlite3_prepare_v2(handle, sql.c_str(), static_cast<int>(sql.size()), &statement->handle, nullptr) !=
        SQLITE_OK)
      return failed(where);
    return {};
  }

  Status connect();
  Status load_tables();
  Status load_root_pages();
  Status load_columns(SourceTable* table) const;
};

Status SqliteDatabase::State::connect() {
  fd = base::Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) return fail_errno(errno, "cannot open " + path);
  if (::fstat(fd.get(), &opened) != 0) return fail_errno(errno, "cannot read " + path);
  if (!S_ISREG(opened.st_mode)) return fail(ErrorCode::kCorrupt, path + " is not a regular file");
  char magic[sizeof(kMagic)] = {};
  if (::pread(fd.get(), magic, sizeof(magic), 0) != sizeof(magic) ||
      std::memcmp(magic, kMagic, sizeof(kMagic)) != 0)
    return fail(ErrorCode::kCorrupt, path + " is no SQLite database");
  SEXTANT_TRY(check_beside(path));

  constexpr int kFlags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  if (sqlite3_open_v2(uri_of(path).c_str(), &handle, kFlags, nullptr) != SQLITE_OK)
    return failed("cannot open the database");
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_DQS_DML, 0}})
    sqlite3_db_config(handle, option, value, nullptr);
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, kMaxValueBytes},
                                     {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                     {SQLITE_LIMIT_COLUMN, 2000},
                                     {SQLITE_LIMIT_EXPR_DEPTH, 50},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}})
    sqlite3_limit(handle, limit, value);
  sqlite3_set_authorizer(handle, allow_reading, nullptr);
  sqlite3_progress_handler(
      handle, kStepsBetweenQuestions,
      [](void* state) {
        const GoOn& question = static_cast<State*>(state)->go_on;
        return question && !question() ? 1 : 0;
      },
      this);
  return {};
}

Status SqliteDatabase::State::load_columns(SourceTable* table) const {
  Statement info;
  const std::string where = "columns of table " + table->name;
  SEXTANT_TRY(prepare("PRAGMA table_xinfo(" + text::sql_quoted(table->name) + ")", where, &info));
  int keys = 0;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(info.handle)) == SQLITE_ROW) {
    if (sqlite3_column_int(info.handle, 6) != 0) {  // generated or hidden
      table->all_stored = false;
      continue;
    }
    SourceColumn column{text_of(info.handle, 1), text_of(info.handle, 2)};
    column.has_default = sqlite3_column_type(info.handle, 4) != SQLITE_NULL;
    const bool key = sqlite3_column_int(info.handle, 5) > 0;
    keys += key ? 1 : 0;
    column.is_rowid = key && text::same_sql_name(column.declared_type, "INTEGER");
    table->columns.push_back(std::move(column));
  }
  if (code != SQLITE_DONE) return failed(where);
  if (keys != 1 || !table->has_rowid)
    for (SourceColumn& column : table->columns) column.is_rowid = false;
  return {};
}

Status SqliteDatabase::State::load_root_pages() {
  Statement schema;
  SEXTANT_TRY(prepare("SELECT type, name, rootpage FROM sqlite_schema", "its schema", &schema));
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(schema.handle)) == SQLITE_ROW) {
    const std::string type = text_of(schema.handle, 0);
    if (type == "view" || type == "trigger") ++passed_over;
    if (type != "table") continue;
    const std::string name = text_of(schema.handle, 1);
    const int64_t root = sqlite3_column_int64(schema.handle, 2);
    if (root <= 0 || root > UINT32_MAX) {  // virtual
      ++passed_over;
      continue;
    }
    if (name.starts_with("sqlite_")) continue;
    if (tables.size() >= kMaxTables)
      return fail(ErrorCode::kUnsupported, path + " has more tables than any report of nsys");
    tables.push_back({.name = name, .root_page = static_cast<uint32_t>(root)});
  }
  if (code != SQLITE_DONE) return failed("its schema");
  return {};
}

Status SqliteDatabase::State::load_tables() {
  SEXTANT_TRY(load_root_pages());
  Statement list;
  SEXTANT_TRY(prepare("PRAGMA table_list", "its tables", &list));
  int code = SQLITE_ROW;
  std::vector<std::string> without_rowid;
  while ((code = sqlite3_step(list.handle)) == SQLITE_ROW)
    if (sqlite3_column_int(list.handle, 4) != 0) without_rowid.push_back(text_of(list.handle, 1));
  if (code != SQLITE_DONE) return failed("its tables");
  for (SourceTable& table : tables) {
    for (const std::string& name : without_rowid)
      if (text::same_sql_name(name, table.name)) table.has_rowid = false;
    SEXTANT_TRY(load_columns(&table));
  }
  Statement encoding;
  SEXTANT_TRY(prepare("PRAGMA encoding", "its encoding", &encoding));
  if (sqlite3_step(encoding.handle) == SQLITE_ROW && text_of(encoding.handle, 0) == "UTF-8")
    pages = SqlitePages::make(fd.get(), static_cast<uint64_t>(opened.st_size), kMaxValueBytes);
  return {};
}

SqliteDatabase::SqliteDatabase(std::unique_ptr<State> state) : state_(std::move(state)) {}
SqliteDatabase::SqliteDatabase(SqliteDatabase&&) noexcept = default;
SqliteDatabase& SqliteDatabase::operator=(SqliteDatabase&&) noexcept = default;
SqliteDatabase::~SqliteDatabase() = default;

Result<SqliteDatabase> SqliteDatabase::open(const std::string& path, GoOn go_on) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->go_on = std::move(go_on);
  SEXTANT_TRY(state->connect());
  SEXTANT_TRY(state->load_tables());
  return SqliteDatabase(std::move(state));
}

const std::string& SqliteDatabase::path() const {
  return state_->path;
}
const std::vector<SourceTable>& SqliteDatabase::tables() const {
  return state_->tables;
}
uint64_t SqliteDatabase::passed_over() const {
  return state_->passed_over;
}

const SourceTable* SqliteDatabase::find(std::string_view name) const {
  for (const SourceTable& table : state_->tables)
    if (text::same_sql_name(table.name, name)) return &table;
  return nullptr;
}

Status SqliteDatabase::scan(const SourceTable& table, std::span<const int> columns,
                            const std::function<bool(std::span<const Value>)>& use) const {
  bool by_pages = state_->pages != nullptr && table.has_rowid && table.all_stored;
  for (const int c : columns) by_pages = by_pages && (c == kRowid || !table.columns[c].has_default);
  if (!by_pages) return scan_by_sqlite(table, columns, use);
  const Status scanned = state_->pages->scan(table, columns, state_->go_on, use);
  if (!scanned) return tl::unexpected(Error(scanned.error()).with(state_->path + ": table " + table.name));
  return {};
}

Status SqliteDatabase::scan_by_sqlite(const SourceTable& table, std::span<const int> columns,
                                      const std::function<bool(std::span<const Value>)>& use) const {
  std::string_view rowid;
  for (const std::string_view name : {"_rowid_", "rowid", "oid"})
    if (rowid.empty() && table.has_rowid && table.find(name) < 0) rowid = name;
  std::string sql = "SELECT ";
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) sql += ", ";
    if (columns[i] != kRowid) {
      sql += text::sql_quoted(table.columns[columns[i]].name);
    } else {
      sql += rowid.empty() ? std::string_view("NULL") : rowid;
    }
  }
  sql += " FROM main." + text::sql_quoted(table.name) + " NOT INDEXED";
  const std::string where = "table " + table.name;
  Statement rows;
  SEXTANT_TRY(state_->prepare(sql, where, &rows));
  std::vector<Value> values(columns.size());
  int code = SQLITE_ROW;
  uint64_t count = 0;
  for (; (code = sqlite3_step(rows.handle)) == SQLITE_ROW; ++count) {
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
      Value& value = values[i];
      switch (sqlite3_column_type(rows.handle, i)) {
        case SQLITE_INTEGER:
          value = {.kind = Value::Kind::kInt, .integer = sqlite3_column_int64(rows.handle, i)};
          break;
        case SQLITE_FLOAT:
          value = {.kind = Value::Kind::kReal, .real = sqlite3_column_double(rows.handle, i)};
          break;
        case SQLITE_TEXT:
        case SQLITE_BLOB: {
          const bool text = sqlite3_column_type(rows.handle, i) == SQLITE_TEXT;
          const auto* data = static_cast<const char*>(
              text ? reinterpret_cast<const void*>(sqlite3_column_text(rows.handle, i))
                   : sqlite3_column_blob(rows.handle, i));
          value = {
              .kind = text ? Value::Kind::kText : Value::Kind::kBlob,
              .bytes = {data,
                        data == nullptr ? 0 : static_cast<size_t>(sqlite3_column_bytes(rows.handle, i))}};
          break;
        }
        default:
          value = {};
      }
    }
    if (!use(values)) return {};
  }
  if (code != SQLITE_DONE) return state_->failed(where + " after " + std::to_string(count) + " rows");
  return {};
}

uint64_t SqliteDatabase::file_bytes() const {
  return static_cast<uint64_t>(state_->opened.st_size);
}

uint64_t SqliteDatabase::bytes_scanned() const {
  return state_->pages == nullptr ? 0 : state_->pages->bytes_scanned();
}

Status SqliteDatabase::unchanged() const {
  struct stat now {};
  const bool same = ::stat(state_->path.c_str(), &now) == 0 && now.st_dev == state_->opened.st_dev &&
                    now.st_ino == state_->opened.st_ino && now.st_size == state_->opened.st_size &&
                    now.st_mtim.tv_sec == state_->opened.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == state_->opened.st_mtim.tv_nsec;
  if (!same)
    return fail(ErrorCode::kUnsupported,
                state_->path + " changed while it was read: try again when it is written");
  return {};
}

}  // namespace sextant::importers
