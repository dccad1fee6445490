// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <functional>
#include <memory>

#include "sql/module.h"
#include "stats/registry.h"

namespace sextant::sql {

namespace {

using Make = std::function<Result<text::Table>(const query::Source&)>;

struct Function {
  std::shared_ptr<Tables> tables;
  std::string name;
  Make make;
};

Make report_named(std::string_view name) {
  return [report = stats::find_report(name)](const query::Source& source) {
    stats::ReportArguments arguments;
    arguments.for_people = false;
    return report->make(source, arguments);
  };
}

struct ReportTable {
  sqlite3_vtab base{};
  std::shared_ptr<Tables> tables;  // its text may point into the report
  text::Table rows;
  std::vector<size_t> shown;  // columns of `rows`
};

struct Cursor {
  sqlite3_vtab_cursor base{};
  uint64_t row = 0;
  uint64_t filled = UINT64_MAX;  // the row whose cells these are
  std::vector<text::Cell> cells;
};

ReportTable& table_of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<ReportTable*>(cursor->pVtab);
}
Cursor& of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<Cursor*>(cursor);
}

/// "Total Time (ns)" -> total_time_ns, "Time (%)" -> time_percent
std::string column_name(const text::TableColumn& column) {
  std::string out;
  for (const char c : column.header()) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == '%')
      out += "percent";
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

std::string declaration(const ReportTable& table) {
  std::string out = "CREATE TABLE report(";
  std::vector<std::string> used;
  for (const size_t c : table.shown) {
    const text::TableColumn& column = table.rows.columns[c];
    std::string name = column_name(column);
    while (std::find(used.begin(), used.end(), name) != used.end()) name += "_2";
    used.push_back(name);
    out += used.size() == 1 ? "\"" : ", \"";
    out += name + '"' +
           (column.type == text::CellType::kText   ? " TEXT"
            : column.type == text::CellType::kReal ? " REAL"
                                                   : " INTEGER");
  }
  return out + ")";
}

int connect(sqlite3* connection, void* context, int, const char* const*, sqlite3_vtab** out, char** error) {
  const auto* function = static_cast<const Function*>(context);
  auto rows = function->make(*function->tables->source);
  if (!rows) {
    *error = sqlite3_mprintf("%s: %s", function->name.c_str(), rows.error().message.c_str());
    return SQLITE_ERROR;
  }
  auto made = std::make_unique<ReportTable>();
  made->rows = std::move(*rows);
  made->tables = function->tables;
  for (size_t c = 0; c < made->rows.columns.size(); ++c)
    if (made->rows.columns[c].in_csv) made->shown.push_back(c);
  if (const int code = declare(connection, function->tables.get(), declaration(*made)); code != SQLITE_OK)
    return code;
  *out = &made.release()->base;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete reinterpret_cast<ReportTable*>(table);
  return SQLITE_OK;
}

int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
  const auto rows = reinterpret_cast<ReportTable*>(base)->rows.rows;
  info->estimatedCost = static_cast<double>(rows) * 2 + 10;
  info->estimatedRows = static_cast<sqlite3_int64>(rows);
  return SQLITE_OK;
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = &(new Cursor)->base;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
  delete &of(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
  of(cursor).row = 0;
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
  ++of(cursor).row;
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor* cursor) {
  return of(cursor).row >= table_of(cursor).rows.rows ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* out, int at) {
  const ReportTable& table = table_of(base);
  Cursor& cursor = of(base);
  if (cursor.filled != cursor.row) {
    cursor.cells.assign(table.rows.columns.size(), {});
    table.rows.fill(cursor.row, cursor.cells);
    cursor.filled = cursor.row;
  }
  const size_t place = table.shown[static_cast<size_t>(at)];
  const text::Cell& cell = cursor.cells[place];
  if (cell.empty) return sqlite3_result_null(out), SQLITE_OK;
  switch (table.rows.columns[place].type) {
    case text::CellType::kInteger:
      sqlite3_result_int64(out, cell.integer);
      break;
    case text::CellType::kReal:
      sqlite3_result_double(out, cell.real);
      break;
    case text::CellType::kText:
      sqlite3_result_text64(out, cell.text.data() == nullptr ? "" : cell.text.data(), cell.text.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(of(cursor).row) + 1;
  return SQLITE_OK;
}

/// Without xCreate: it is there without having been created.
constexpr sqlite3_module kModule = {
    .iVersion = 0,
    .xCreate = nullptr,
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = nullptr,
    .xOpen = open,
    .xClose = close,
    .xFilter = filter,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = row_id,
};

}  // namespace

void add_report_functions(sqlite3* connection, const std::shared_ptr<Tables>& tables) {
  const auto add = [&](std::string_view name, Make make) {
    sqlite3_create_module_v2(connection, std::string(name).c_str(), &kModule,
                             new Function{tables, std::string(name), std::move(make)},
                             [](void* function) { delete static_cast<Function*>(function); });
  };
  for (const stats::Report& report : stats::reports()) add(report.name, report_named(report.name));
  add("kern_sum", report_named("cuda_gpu_kern_sum"));
  add("api_sum", report_named("cuda_api_sum"));
  add("launch_latency", launch_latency);
}

}  // namespace sextant::sql
