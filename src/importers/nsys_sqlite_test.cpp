// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports of databases made here: every table and column that is known, and what must not be believed.
#include "importers/nsys_sqlite.h"

#include <fmt/format.h>

#include <set>

#include "event/schema_cuda.h"
#include "event/schema_nvtx.h"
#include "event/schema_system.h"
#include "importers/import_test.h"

namespace sextant::importers {
namespace {

constexpr std::string_view kStringIds =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (0, ''), (1, 'one'), (2, 'two'), (7, 'sev''en'), (900000000000, 'far');";

constexpr std::string_view kKernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId "
    "INTEGER, globalPid INTEGER, "
    "demangledName INTEGER, gridX INTEGER);";

Result<NsysImportSummary> import(const std::string& database, const std::string& report) {
  return import_nsys_sqlite(database, report, {});
}

/// code -> count
std::map<std::string, uint64_t> diagnostics(const report::Reader& reader) {
  const test::ReportTable rows(reader, event::kDiagnostic);
  std::map<std::string, uint64_t> found;
  for (size_t i = 0; i < rows.rows(); ++i)
    found[std::string(reader.string(rows.at(event::diagnostic::kCode, i)))] =
        rows.at(event::diagnostic::kCount, i);
  return found;
}

/// Imports and compares every cell. Returns the reader.
std::optional<report::Reader> check(const test::Folder& folder, const std::string& database) {
  const auto summary = import(database, folder.file("r.sxt"));
  EXPECT_TRUE(summary) << summary.error().message;
  if (!summary) return std::nullopt;
  auto reader = report::Reader::open(folder.file("r.sxt"));
  EXPECT_TRUE(reader);
  EXPECT_TRUE(reader->verify().empty());
  const auto source = SqliteDatabase::open(database);
  EXPECT_TRUE(source);
  test::Comparison comparison(*source, *reader);
  comparison.run();
  EXPECT_GT(comparison.cells, 0u);
  if (diagnostics(*reader).count("tables-left-out") == 0)
    test::expect_export_like_source(*source, folder.file("r.sxt"), folder.file("exported.sqlite"));
  return std::move(*reader);
}

std::vector<nsys::Table> all_tables() {
  std::vector<nsys::Table> all;
  for (const auto part : {nsys::nvtx_tables(), nsys::cuda_tables(), nsys::system_tables(),
                          nsys::target_tables(), nsys::parallel_tables()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// SQL for a table of nsys with all columns that are known, and rows with every kind of value that belongs
/// there.
std::string all_columns(const nsys::Table& table, std::string_view name) {
  std::vector<std::pair<std::string, nsys::From>> columns;
  std::set<std::string_view> seen;
  for (const nsys::Column& column : table.columns)
    if (!column.source.empty() && seen.insert(column.source).second)
      columns.emplace_back(column.source, column.from);
  std::string sql = fmt::format("CREATE TABLE \"{}\" (", name);
  for (size_t i = 0; i < columns.size(); ++i)
    sql += fmt::format("{}\"{}\" {}", i > 0 ? ", " : "", columns[i].first,
                       columns[i].second == nsys::From::kText   ? "TEXT"
                       : columns[i].second == nsys::From::kReal ? "REAL"
                                                                : "INTEGER");
  sql += ");";
  for (int row = 0; row < 6; ++row) {
    sql += fmt::format("INSERT INTO \"{}\" VALUES (", name);
    for (size_t i = 0; i < columns.size(); ++i) {
      constexpr std::string_view kTexts[] = {"NULL",      "''", "'text'", "CAST(X'41ff0042' AS TEXT)",
                                             "'tab\t\"'", "'ä'"};
      constexpr std::string_view kReals[] = {"NULL", "0", "-1.5", "1e300", "3", "0.1"};
      constexpr std::string_view kStrings[] = {"NULL", "0", "1", "2", "7", "900000000000"};
      constexpr std::string_view kNumbers[] = {
          "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "281476838981743"};
      sql += i > 0 ? ", " : "";
      const size_t pick = (static_cast<size_t>(row) + i * (row > 3 ? 1 : 0)) % 6;
      switch (columns[i].second) {
        case nsys::From::kText:
          sql += kTexts[pick];
          break;
        case nsys::From::kReal:
          sql += kReals[pick];
          break;
        case nsys::From::kStringId:
          sql += kStrings[pick];
          break;
        default:
          sql += kNumbers[pick];
      }
    }
    sql += ");";
  }
  return sql;
}

TEST(NsysSqlite, EveryTableAndColumnThatIsKnownComesBack) {
  std::multiset<std::string> times;
  for (int round = 0; round < 2; ++round) {  // CUDA_GRAPH_EVENTS goes to one of two places
    test::Folder folder;
    std::string sql(kStringIds);
    std::set<std::string> made;
    for (const nsys::Table& table : all_tables()) {
      for (const nsys::Source& source : table.sources) {
        const std::string name = source.table.ends_with('*') ? "ENUM_OF_TEST" : std::string(source.table);
        if (round == 0 ? !made.insert(name).second : times.count(name) < 2) {
          times.insert(name);
          continue;
        }
        times.insert(name);
        if (round == 1 && !made.insert(name).second) continue;
        sql += all_columns(table, name);
      }
    }
    test::execute(folder.file("d"), sql);
    EXPECT_TRUE(check(folder, folder.file("d")));
  }
}

/// What only recordings of our own know of a call of the C library.
bool only_recorded(uint16_t table, uint16_t column) {
  switch (table) {
    case event::kOsrtCall:
      return column >= event::osrt_call::kErrno;
    case event::kOsrtFileAccess:
      return column >= event::osrt_file_access::kProcess;
    case event::kOsrtFile:
      return column >= event::osrt_file::kProcess;
    default:
      return false;
  }
}

TEST(NsysSqlite, MappingsNameColumnsOfTheVocabulary) {
  std::set<uint16_t> targets;
  for (const nsys::Table& table : all_tables()) {
    const event::Table* target = event::find_table(table.to);
    ASSERT_NE(target, nullptr);
    EXPECT_TRUE(targets.insert(table.to).second) << target->name;
    std::set<uint16_t> columns;
    for (const nsys::Column& column : table.columns)
      EXPECT_TRUE(columns.insert(column.to).second) << target->name;
    for (const event::Column& column : target->columns)
      EXPECT_TRUE(column.id == event::kNullsColumn || only_recorded(table.to, column.id) ||
                  columns.contains(column.id))
          << target->name << "." << column.name;
  }
}

TEST(NsysSqlite, UnknownTablesAreKeptAsTheyAre) {
  test::Folder folder;
  std::string wide = "CREATE TABLE wide (c0 INTEGER";
  for (int i = 1; i < 40; ++i) wide += fmt::format(", c{}", i);
  wide += "); INSERT INTO wide (c0, c17, c39) VALUES (1, 'x', 2.5), (NULL, NULL, X'00ff');";
  test::execute(folder.file("d"),
                std::string(kStringIds) + wide +
                    "CREATE TABLE \"odd \"\" name; ü\" (\"a b\" TEXT, b REAL, c BLOB, d);"
                    "INSERT INTO \"odd \"\" name; ü\" VALUES ('t', 1, X'0102', 'text in d'), (12, 2.25, 7, "
                    "8), (NULL, 'no number', NULL, "
                    "9.5), (X'ff', -0.0, '', NULL);"
                    "CREATE TABLE empty (a INTEGER);"
                    "CREATE TABLE DYNAMIC_NVTXPAYLOAD_DATATYPE_1_2_3 (eventId INTEGER, \"size\" INTEGER);"
                    "INSERT INTO DYNAMIC_NVTXPAYLOAD_DATATYPE_1_2_3 VALUES (4, 5);");
  const auto reader = check(folder, folder.file("d"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(diagnostics(*reader)["tables-kept-as-they-are"], 3u);
  EXPECT_EQ(reader->unknown_chunks(), 0u);
}

TEST(NsysSqlite, OldAndAlteredTablesAreTakenByWhatTheyHave) {
  test::Folder folder;
  test::execute(
      folder.file("d"),
      std::string(kStringIds) + std::string(kKernels) +
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 9, 0, 281476838981632, 1, 64), (3, 4, 1, NULL, "
          "99, 1);"
          "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN name TEXT DEFAULT 'added';"
          "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN streamId INTEGER DEFAULT 7;"
          "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN blockX INTEGER;"
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 281476838981632, 2, 'many', 'n', 8, 128);"
          // an index that covers every column must not change the order
          "CREATE INDEX i ON CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, globalPid, demangledName, "
          "gridX, name, streamId, blockX);");
  const auto reader = check(folder, folder.file("d"));
  ASSERT_TRUE(reader);
  using namespace event::cuda_kernel;
  const test::ReportTable rows(*reader, event::kCudaKernel);
  ASSERT_EQ(rows.rows(), 3u);
  EXPECT_EQ(rows.at(kDuration, 0), 4u);
  EXPECT_EQ(rows.at(kStream, 0), 7u);
  EXPECT_EQ(rows.at(kStream, 2), 8u);
  EXPECT_TRUE(event::is_null(rows.at(kNulls, 0), kBlockX));
  EXPECT_EQ(reader->string(rows.at(kName, 0)), "one");
  EXPECT_TRUE(event::is_null(rows.at(kNulls, 1), kName));
  EXPECT_TRUE(event::is_null(rows.at(kNulls, 2), kGridX));
  auto told = diagnostics(*reader);
  EXPECT_EQ(told["columns-left-out"], 1u);
  EXPECT_EQ(told["strings-missing"], 1u);
  EXPECT_EQ(told["values-of-wrong-type"], 1u);
}

TEST(NsysSqlite, NothingOfTheDatabaseIsExecuted) {
  test::Folder folder;
  test::execute(
      folder.file("d"),
      std::string(kStringIds) + std::string(kKernels) +
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 9, 0, 1, 1, 64);" +
          "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS WITH RECURSIVE r(start) AS (SELECT 1 UNION ALL SELECT "
          "start FROM r) SELECT * FROM r;"
          "CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; END;"
          "CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_MEMSET USING rtree(id, start, end);"
          "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, "
          "nameId INTEGER AS (length(zeroblob(1000000000))) VIRTUAL, returnValue INTEGER);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 3);"
          "CREATE TABLE CUDA_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, unresolved INTEGER, "
          "originalIP INTEGER, "
          "stackDepth INTEGER, PRIMARY KEY (id, stackDepth)) WITHOUT ROWID;"
          "INSERT INTO CUDA_CALLCHAINS VALUES (2, 1, 1, 0, 5, 0), (1, 2, 2, 0, 6, 0);");
  const auto before = test::read_file(folder.file("d"));
  const auto reader = check(folder, folder.file("d"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(test::read_file(folder.file("d")), before);
  EXPECT_EQ(diagnostics(*reader)["not-tables"], 3u);
  EXPECT_EQ(test::ReportTable(*reader, event::kCudaMemcpy).rows(), 0u);
  const test::ReportTable calls(*reader, event::kCudaApi);
  ASSERT_EQ(calls.rows(), 1u);
  EXPECT_TRUE(event::is_null(calls.at(event::kNullsColumn, 0), event::cuda_api::kName));
  EXPECT_EQ(calls.at(event::cuda_api::kReturnValue, 0), 3u);
}

TEST(NsysSqlite, RowsOfManyChunksKeepTheirOrder) {
  test::Folder folder;
  test::execute(
      folder.file("d"),
      std::string(kStringIds) + std::string(kKernels) +
          "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 149999) INSERT INTO "
          "CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 7919 % 150001, i * 7919 % 150001 + i % 13, i % 3, "
          "(i % 5 + 1) * 16777216, i % 3, i FROM n;");
  EXPECT_TRUE(check(folder, folder.file("d")));
}

TEST(NsysSqlite, NvtxDomainsAndCategoriesAreKnownToEveryReport) {
  test::Folder folder;
  test::execute(
      folder.file("d"),
      std::string(kStringIds) +
          "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, category INTEGER, text "
          "TEXT, globalTid INTEGER, "
          "textId INTEGER, domainId INTEGER);"
          "INSERT INTO NVTX_EVENTS VALUES (1, NULL, 75, NULL, 'lib', 281476838981743, NULL, 3), "
          "(2, NULL, 33, 9, NULL, 281476838981743, 7, 3), (-5, 8, 59, 9, 'r', 281476838981743, NULL, 3);"
          "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT);"
          "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, 'then');"
          "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
          "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.1.2.3');");
  const auto reader = check(folder, folder.file("d"));
  ASSERT_TRUE(reader);
  const test::ReportTable domains(*reader, event::kNvtxDomain);
  ASSERT_EQ(domains.rows(), 1u);
  EXPECT_EQ(reader->string(domains.at(event::nvtx_domain::kName, 0)), "lib");
  const test::ReportTable categories(*reader, event::kNvtxCategory);
  ASSERT_EQ(categories.rows(), 1u);
  EXPECT_EQ(reader->string(categories.at(event::nvtx_category::kName, 0)), "sev'en");
  EXPECT_EQ(reader->string(categories.at(event::nvtx_category::kDomain, 0)), "lib");
  const test::ReportTable clock(*reader, event::kClockSync);
  ASSERT_EQ(clock.rows(), 1u);
  EXPECT_EQ(clock.at(event::clock_sync::kRealtime, 0), 1700000000000000000u);
  const test::ReportTable events(*reader, event::kNvtxEvent);
  EXPECT_LT(events.at(event::nvtx_event::kStart, 2),
            events.at(event::nvtx_event::kStart, 0));  // before the session's start
  const test::ReportTable processes(*reader, event::kProcess);
  ASSERT_EQ(processes.rows(), 1u);
  EXPECT_EQ(processes.at(event::process::kPid, 0), 281476838981743u >> 24 & 0xFFFFFF);
  EXPECT_EQ(reader->meta().at("source.nsys_version"), "2025.1.2.3");
}

TEST(NsysSqlite, WhatIsNoExportIsRefusedWithItsReason) {
  test::Folder folder;
  const auto message = [&](const std::string& path) {
    const auto summary = import(path, folder.file("r.sxt"));
    EXPECT_FALSE(summary) << path;
    EXPECT_FALSE(std::filesystem::exists(folder.file("r.sxt")));
    return summary ? "" : summary.error().message;
  };
  EXPECT_NE(message(folder.file("missing")).find("missing"), std::string::npos);
  test::write_file(folder.file("empty"), {});
  EXPECT_NE(message(folder.file("empty")).find("no SQLite database"), std::string::npos);
  std::filesystem::create_directory(folder.file("folder"));
  EXPECT_NE(message(folder.file("folder")).find("not a regular file"), std::string::npos);
  test::execute(folder.file("other"), "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1);");
  EXPECT_NE(message(folder.file("other")).find("no export of nsys"), std::string::npos);

  test::execute(folder.file("d"), std::string(kStringIds));
  EXPECT_TRUE(import(folder.file("d"), folder.file("good.sxt")));
  test::write_file(folder.file("d-journal"), {1});
  EXPECT_NE(message(folder.file("d")).find("interrupted"), std::string::npos);
  std::filesystem::remove(folder.file("d-journal"));
  test::write_file(folder.file("d-wal"), {1});
  EXPECT_NE(message(folder.file("d")).find("not merged"), std::string::npos);
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("")))
    files += entry.path().string().find(".part-") != std::string::npos ? 1 : 0;
  EXPECT_EQ(files, 0u);
}

TEST(NsysSqlite, LockedDatabasesAreRead) {
  test::Folder folder;
  test::execute(folder.file("d"), std::string(kStringIds));
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(folder.file("d").c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_TRUE(import(folder.file("d"), folder.file("r.sxt")));
  sqlite3_close(writer);
}

TEST(NsysSqlite, AQuestionCanEndIt) {
  test::Folder folder;
  test::execute(folder.file("d"),
                std::string(kStringIds) + std::string(kKernels) +
                    "PRAGMA page_size = 512; WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n "
                    "WHERE i < 99999) "
                    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i, i, i, 1, i FROM n; VACUUM;");
  NsysImportOptions options;
  options.go_on = [] { return false; };
  const auto summary = import_nsys_sqlite(folder.file("d"), folder.file("r.sxt"), options);
  ASSERT_FALSE(summary);
  EXPECT_NE(summary.error().message.find("too long"), std::string::npos) << summary.error().message;
}

}  // namespace
}  // namespace sextant::importers
