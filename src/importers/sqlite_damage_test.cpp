// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The reader of pages against SQLite itself, and both of them against damage.
#include <fmt/format.h>

#include <bit>

#include "importers/import_test.h"

namespace sextant::importers {
namespace {

constexpr std::string_view kVaried =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE t (a INTEGER, b TEXT, r REAL, x BLOB, y);"
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999) INSERT INTO t SELECT "
    "(i * 2654435761) % 4294967291 * CASE i % 4 WHEN 0 THEN 1 WHEN 1 THEN -1 WHEN 2 THEN 2147483647 ELSE 0 "
    "END, "
    "substr('abcdefghijklmnopqrstuvwxyz', 1, i % 26) || i, i * 0.5, CASE WHEN i % 7 = 0 THEN randomblob(i % "
    "5000) END, "
    "CASE i % 5 WHEN 0 THEN i WHEN 1 THEN 'text' WHEN 2 THEN 1.25 WHEN 3 THEN NULL ELSE x'01' END FROM n;"
    "INSERT INTO StringIds SELECT rowid * 3, b FROM t;"
    "DELETE FROM t WHERE a % 11 = 3;";

std::string shown(std::span<const Value> row) {
  std::string out;
  for (const Value& v : row)
    out += fmt::format("{}:{}:{}:{}|", static_cast<int>(v.kind), v.integer, std::bit_cast<uint64_t>(v.real),
                       v.bytes);
  return out;
}

TEST(SqlitePages, AgreeWithSqlite) {
  for (const int page_bytes : {512, 1024, 4096, 65536}) {
    SCOPED_TRACE(page_bytes);
    test::Folder folder;
    test::execute(folder.file("d"), fmt::format("PRAGMA page_size = {};{}", page_bytes, kVaried));
    const auto database = SqliteDatabase::open(folder.file("d"));
    ASSERT_TRUE(database);
    for (const SourceTable& table : database->tables()) {
      std::vector<int> columns = {SqliteDatabase::kRowid};
      for (size_t i = table.columns.size(); i-- > 0;) columns.push_back(static_cast<int>(i));
      std::vector<std::string> rows;
      ASSERT_TRUE(database->scan_by_sqlite(
          table, columns, [&](std::span<const Value> row) { return rows.push_back(shown(row)), true; }));
      size_t at = 0;
      ASSERT_TRUE(database->scan(table, columns, [&](std::span<const Value> row) {
        EXPECT_LT(at, rows.size());
        EXPECT_EQ(shown(row), at < rows.size() ? rows[at] : "");
        return ++at < rows.size();
      }));
      EXPECT_EQ(at, rows.size());
      EXPECT_GT(at, 2000u);
    }
  }
}

/// Whatever was done to a file: an answer, within bounds, and nothing left behind.
void expect_an_answer(const test::Folder& folder, const std::vector<uint8_t>& bytes) {
  test::write_file(folder.file("bad"), bytes);
  const auto summary = import_nsys_sqlite(folder.file("bad"), folder.file("bad.sxt"), {});
  if (summary) {
    EXPECT_TRUE(report::Reader::open(folder.file("bad.sxt")));
  } else {
    EXPECT_NE(summary.error().message.find(folder.file("bad")), std::string::npos) << summary.error().message;
    EXPECT_FALSE(std::filesystem::exists(folder.file("bad.sxt")));
  }
  std::filesystem::remove(folder.file("bad.sxt"));
}

TEST(SqlitePages, CutFilesAreRefused) {
  test::Folder folder;
  test::execute(folder.file("d"), std::string("PRAGMA page_size = 4096;") + std::string(kVaried));
  const std::vector<uint8_t> whole = test::read_file(folder.file("d"));
  size_t refused = 0;
  size_t cuts = 0;
  for (size_t bytes = 0; bytes < whole.size(); bytes += 4096) {
    expect_an_answer(folder, {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(bytes)});
    test::write_file(folder.file("bad"), {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(bytes)});
    refused += import_nsys_sqlite(folder.file("bad"), folder.file("x.sxt"), {}) ? 0 : 1;
    ++cuts;
  }
  EXPECT_GT(refused, cuts * 9 / 10);  // pages at the very end may be unused ones
}

TEST(SqlitePages, FlippedBitsAreSurvived) {
  test::Folder folder;
  test::execute(folder.file("d"),
                "PRAGMA page_size = 512;"
                "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName INTEGER);"
                "CREATE TABLE other (a, b);"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO "
                "CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i + 5, i FROM n;"
                "INSERT INTO StringIds SELECT start, printf('%0900d', start) FROM CUPTI_ACTIVITY_KIND_KERNEL "
                "WHERE start < 9;"
                "INSERT INTO other SELECT start, x'00' FROM CUPTI_ACTIVITY_KIND_KERNEL;");
  const std::vector<uint8_t> whole = test::read_file(folder.file("d"));
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 1500; ++i) {
    std::vector<uint8_t> bytes = whole;
    for (int flips = 0; flips <= i % 3; ++flips) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      bytes[state / 8 % bytes.size()] ^= static_cast<uint8_t>(1u << (state & 7));
    }
    expect_an_answer(folder, bytes);
  }
}

TEST(SqlitePages, CirclesEnd) {
  test::Folder folder;
  test::execute(folder.file("d"), std::string("PRAGMA page_size = 512;") + std::string(kVaried));
  std::vector<uint8_t> bytes = test::read_file(folder.file("d"));
  size_t changed = 0;
  for (size_t page = 1; page * 512 < bytes.size();
       ++page) {  // every interior page names itself as its last child
    uint8_t* at = bytes.data() + page * 512;
    if (at[0] != 0x05) continue;
    const uint32_t number = static_cast<uint32_t>(page + 1);
    at[8] = static_cast<uint8_t>(number >> 24);
    at[9] = static_cast<uint8_t>(number >> 16);
    at[10] = static_cast<uint8_t>(number >> 8);
    at[11] = static_cast<uint8_t>(number);
    ++changed;
  }
  ASSERT_GT(changed, 0u);
  test::write_file(folder.file("bad"), bytes);
  const auto summary = import_nsys_sqlite(folder.file("bad"), folder.file("r.sxt"), {});
  ASSERT_FALSE(summary);
  EXPECT_NE(summary.error().message.find("circle"), std::string::npos) << summary.error().message;
}

}  // namespace
}  // namespace sextant::importers
