// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/imported_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "event/schema_target.h"
#include "exporters/imported_rows.h"
#include "exporters/report_rows.h"
#include "text/sql_name.h"

namespace sextant::exporters {

namespace {

constexpr std::string_view kStringIds = "StringIds";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// The source's type where it is a single plain word of the usual ones: more would be SQL of a stranger.
std::string plain_type(const std::string& type) {
  const std::string word = lower(type);
  for (const std::string_view known :
       {"integer", "int", "bigint", "real", "double", "float", "text", "varchar", "blob", "numeric"})
    if (word == known) return " " + type;
  const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
  if (has("int")) return " INTEGER";
  if (has("char") || has("clob") || has("text")) return " TEXT";
  return has("real") || has("floa") || has("doub") ? " REAL" : "";
}

std::string create_statement(const ImportedTable& table) {
  std::string sql = "CREATE TABLE " + text::sql_quoted(table.name) + " (";
  for (const ImportedColumn& column : table.columns) {
    if (&column != &table.columns.front()) sql += ", ";
    sql +=
        text::sql_quoted(column.name) + (column.is_rowid ? " INTEGER PRIMARY KEY" : plain_type(column.type));
  }
  return sql + ")";
}

bool is_name(std::string_view name) {
  return !name.empty() &&
         std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// Names that are none, or that come twice, would make a database that nobody can open.
Status check(const std::vector<ImportedTable>& tables) {
  const auto wrong = [](std::string_view what) {
    return fail(ErrorCode::kCorrupt, fmt::format("the report's list of the source's tables has {}", what));
  };
  std::set<std::string> names{lower(kStringIds)};
  for (const ImportedTable& table : tables) {
    const std::string name = lower(table.name);
    if (!is_name(name) || name.starts_with("sqlite_")) return wrong("a name that no table can have");
    if (!names.insert(name).second) return wrong("a table twice: " + table.name);
    if (table.columns.empty() || table.columns.size() > SqliteRecord::kMaxColumns)
      return wrong("a table with an impossible number of columns: " + table.name);
    std::set<std::string> columns;
    int row_numbers = 0;
    for (const ImportedColumn& column : table.columns) {
      if (!is_name(column.name)) return wrong("a name that no column can have");
      row_numbers += column.is_rowid ? 1 : 0;
      if (!columns.insert(lower(column.name)).second || row_numbers > 1)
        return wrong("a table with a column twice: " + table.name);
    }
  }
  return {};
}

std::vector<ImportedTable> list_tables(const report::Reader& reader) {
  std::vector<ImportedTable> tables;
  std::unordered_map<uint64_t, size_t> places;  // by string of the name
  {
    using namespace event::imported_table;
    for_each_row(reader, event::kImportedTable, std::array<uint16_t, 3>{kName, kTable, kRows},
                 [&](const auto& row) {
                   places.emplace(row[0], tables.size());
                   tables.push_back({std::string(reader.string(row[0])), row[1], row[2], {}});
                 });
  }
  using namespace event::imported_column;
  for_each_row(reader, event::kImportedColumn, std::array<uint16_t, 4>{kTable, kName, kType, kIsRowNumber},
               [&](const auto& row) {
                 const auto place = places.find(row[0]);
                 if (place == places.end()) return;
                 tables[place->second].columns.push_back(
                     {std::string(reader.string(row[1])), std::string(reader.string(row[2])), row[3] != 0});
               });
  return tables;
}

Status write_table(ImportedSource& source, const ImportedTable& table, SqliteFile& file) {
  SqliteTable& to = file.add_table(table.name, create_statement(table), SqliteFile::Empty::kKept);
  if (table.table == 0) return {};
  if (table.table >= event::kFirstForeignTable) return write_kept_rows(source, table, to);
  const nsys::Target target = nsys::find_target(table.name, [&](std::string_view column) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [&](const ImportedColumn& c) { return lower(c.name) == lower(column); });
  });
  if (target.table == nullptr || target.table->to != table.table)
    return fail(ErrorCode::kCorrupt,
                fmt::format("the report has the rows of {} where this release has others", table.name));
  return write_mapped_rows(source, table, target, to);
}

}  // namespace

bool is_imported(const report::Reader& reader) {
  return std::any_of(reader.chunks().begin(), reader.chunks().end(), [](const report::ChunkRef& chunk) {
    return chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) &&
           chunk.header.table == event::kImportedTable;
  });
}

Status write_imported_tables(const report::Reader& reader, SqliteFile& file,
                             const std::function<void(uint64_t, uint64_t)>& progress) {
  const std::vector<ImportedTable> tables = list_tables(reader);
  SEXTANT_TRY(check(tables));
  uint64_t total = 0;
  for (const ImportedTable& table : tables) total += table.rows;
  ImportedSource source(reader);
  source.progress = [&](uint64_t rows) -> Status {
    if (progress) progress(std::min(rows, total), total);
    return file.status();
  };
  SqliteTable& string_ids =
      file.add_table(std::string(kStringIds),
                     "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
                     SqliteFile::Empty::kKept);
  for (const ImportedTable& table : tables) SEXTANT_TRY(write_table(source, table, file));
  source.strings.write(string_ids);
  return {};
}

}  // namespace sextant::exporters
