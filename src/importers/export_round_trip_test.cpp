// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// From nsys's database to a report, and by the export to a database again.
#include <sys/stat.h>

#include "exporters/sqlite.h"
#include "importers/import_test.h"

namespace sextant::importers::test {

namespace {

using Cells = std::vector<std::vector<std::string>>;

/// What `show` makes of each cell of a table, row by row; the row's number in front where there is one.
template <typename Show>
Cells read_cells(const SqliteDatabase& database, const SourceTable& table, bool with_numbers, Show show) {
  std::vector<int> wanted;
  if (with_numbers) wanted.push_back(SqliteDatabase::kRowid);
  for (size_t i = 0; i < table.columns.size(); ++i) wanted.push_back(static_cast<int>(i));
  Cells cells;
  EXPECT_TRUE(database.scan_by_sqlite(table, wanted, [&](std::span<const Value> row) {
    std::vector<std::string>& shown_row = cells.emplace_back();
    if (with_numbers) shown_row.push_back(shown(row[0]));
    for (size_t i = 0; i < table.columns.size(); ++i)
      shown_row.push_back(show(i, row[i + (with_numbers ? 1 : 0)]));
    return true;
  }));
  return cells;
}

void expect_same_rows(const SqliteDatabase& source, const SourceTable& from, const SqliteDatabase& exported,
                      const SourceTable& to) {
  const nsys::Target target =
      nsys::find_target(from.name, [&](std::string_view column) { return from.find(column) >= 0; });
  const auto meaning_in = [&](const std::map<int64_t, std::string>& strings) {
    return [&](size_t at, const Value& value) -> std::string {
      if (target.table == nullptr) return shown(value);
      std::string all;  // a globalTid has two places
      for (const nsys::Column& column : target.table->columns)
        if (!column.source.empty() && from.find(column.source) == static_cast<int>(at))
          all += meaning(value, column, strings) + " ";
      return all;
    };
  };
  const bool numbered = from.has_rowid && from.name == "NVTX_EVENTS";
  const Cells want = read_cells(source, from, numbered, meaning_in(strings_of(source)));
  const Cells have = read_cells(exported, to, numbered, meaning_in(strings_of(exported)));
  ASSERT_EQ(want.size(), have.size()) << from.name;
  for (size_t row = 0; row < want.size(); ++row) {
    for (size_t c = 0; c < want[row].size(); ++c) {
      if (want[row][c] == have[row][c] || want[row][c].starts_with("any")) continue;
      ADD_FAILURE() << from.name << " row " << row << " cell " << c << ": " << want[row][c] << " became "
                    << have[row][c];
      return;
    }
  }
}

}  // namespace

void expect_export_like_source(const SqliteDatabase& source, const std::string& report,
                               const std::string& output) {
  const auto opened = query::Source::open(report);
  ASSERT_TRUE(opened) << opened.error().message;
  const Status written = exporters::export_sqlite(*opened, output, {});
  ASSERT_TRUE(written) << written.error().message;
  const auto exported = SqliteDatabase::open(output);
  ASSERT_TRUE(exported) << exported.error().message;
  for (const SourceTable& from : source.tables()) {
    const SourceTable* to = exported->find(from.name);
    if (from.name == "StringIds") continue;
    ASSERT_NE(to, nullptr) << from.name;
    ASSERT_EQ(from.columns.size(), to->columns.size()) << from.name;
    for (size_t i = 0; i < from.columns.size(); ++i) {
      EXPECT_EQ(from.columns[i].name, to->columns[i].name) << from.name;
      EXPECT_EQ(from.columns[i].is_rowid, to->columns[i].is_rowid) << from.name;
    }
    expect_same_rows(source, from, *exported, *to);
  }
}

namespace {

constexpr std::string_view kStrings =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (3, 'three'), (5, 'five'), (9, 'nothing names it');";

/// Imports `sql`, exports, and returns what SQLite says to `question` then.
std::string ask_export(const std::string& sql, const std::string& question) {
  Folder folder;
  execute(folder.file("a.sqlite"), std::string(kStrings) + sql);
  const auto imported = import_nsys_sqlite(folder.file("a.sqlite"), folder.file("r.sxt"), {});
  EXPECT_TRUE(imported) << imported.error().message;
  const auto source = SqliteDatabase::open(folder.file("a.sqlite"));
  expect_export_like_source(*source, folder.file("r.sxt"), folder.file("b.sqlite"));
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(folder.file("b.sqlite").c_str(), &handle), SQLITE_OK);
  std::string answer;
  const auto take = [](void* out, int count, char** values, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(out) += std::string(values[i] == nullptr ? "-" : values[i]) + "|";
    return 0;
  };
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, ("PRAGMA integrity_check;" + question).c_str(), take, &answer, &message),
            SQLITE_OK)
      << (message != nullptr ? message : "");
  sqlite3_free(message);
  sqlite3_close(handle);
  return answer;
}

TEST(ExportRoundTrip, IdsTimesAndNamesComeBack) {
  EXPECT_EQ(
      ask_export("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, "
                 "nameId INTEGER, correlationId INTEGER);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (-5, 7, 281476838981743, 5, 1), "
                 "(10, NULL, NULL, 77, 2);",
                 "SELECT start, end, globalTid, value, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME "
                 "LEFT JOIN StringIds ON id = nameId; SELECT count(*) FROM StringIds"),
      "ok|-5|7|281476838981743|five|1|10|-|-|-|2|1|");
}

TEST(ExportRoundTrip, SourcesOfOneTableAreKeptApart) {
  EXPECT_EQ(
      ask_export("CREATE TABLE MPI_P2P_EVENTS (start INTEGER, end INTEGER, textId INTEGER);"
                 "CREATE TABLE MPI_OTHER_EVENTS (start INTEGER, end INTEGER, textId INTEGER);"
                 "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER, end INTEGER, textId INTEGER);"
                 "CREATE TABLE ENUM_A (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
                 "CREATE TABLE ENUM_B (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
                 "INSERT INTO MPI_P2P_EVENTS VALUES (1, 2, 3); INSERT INTO MPI_OTHER_EVENTS VALUES (4, 5, 5);"
                 "INSERT INTO ENUM_A VALUES (7, 'a', 'A'); INSERT INTO ENUM_B VALUES (2, 'b', 'B');",
                 "SELECT * FROM MPI_P2P_EVENTS; SELECT * FROM MPI_COLLECTIVES_EVENTS; SELECT start FROM "
                 "MPI_OTHER_EVENTS; SELECT * FROM ENUM_A; SELECT * FROM ENUM_B"),
      "ok|1|2|" + std::string("1|4|7|a|A|2|b|B|"));
}

TEST(ExportRoundTrip, TablesThatAreNotKnownComeBackWithTheNumbersOfTheirStrings) {
  EXPECT_EQ(
      ask_export(
          "CREATE TABLE SOMEBODYS (\"a \"\"b\" INTEGER, key INTEGER PRIMARY KEY, t TEXT, r REAL, any);"
          "INSERT INTO SOMEBODYS VALUES (9, 40, 'x', 1.5, X'00ff'), ('text', 41, 12, 2, 0.25), "
          "(NULL, 50, NULL, 'no', NULL);",
          "SELECT \"a \"\"b\", key, t, r, typeof(any), value FROM SOMEBODYS LEFT JOIN StringIds ON id = "
          "\"a \"\"b\""),
      "ok|9|40|x|1.5|blob|nothing names it|text|41|12|2.0|real|-|-|50|-|no|null|-|");
}

TEST(ExportRoundTrip, RowNumbersOfNvtxEventsAndBlobsComeBack) {
  EXPECT_EQ(
      ask_export(
          "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, binaryData "
          "BLOB);"
          "INSERT INTO NVTX_EVENTS (rowid, start, end, eventType, text, binaryData) VALUES (4, 1, 2, 59, "
          "'a', X'0001'), (90, 3, NULL, 34, 'b', NULL);",
          "SELECT rowid, start, end, text, hex(binaryData), typeof(binaryData) FROM NVTX_EVENTS"),
      "ok|4|1|2|a|0001|blob|90|3|-|b||null|");
}

TEST(ExportRoundTrip, WideTables) {
  std::string columns, values;
  for (int i = 0; i < 900; ++i) {
    columns += (i > 0 ? ", c" : "c") + std::to_string(i) + " INTEGER";
    values += (i > 0 ? ", " : "") + std::to_string(int64_t{1000000007} * i * i);
  }
  EXPECT_EQ(ask_export("CREATE TABLE WIDE (" + columns + "); INSERT INTO WIDE VALUES (" + values + ");",
                       "SELECT c0, c899 FROM WIDE"),
            "ok|0|" + std::to_string(int64_t{1000000007} * 899 * 899) + "|");
}

}  // namespace

}  // namespace sextant::importers::test
