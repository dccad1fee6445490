// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every database written here is opened by SQLite itself: PRAGMA integrity_check must say "ok" and the rows
// must come back.
#include "exporters/sqlite_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>

#include "base/fd.h"
#include "exporters/database_test.h"

namespace sextant::exporters {
namespace {

using test::Database;
using test::TemporaryFile;

SqliteFile::Options with_page(uint32_t page_bytes) {
  SqliteFile::Options options;
  options.page_bytes = page_bytes;
  return options;
}

class PageSize : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(All, PageSize, testing::Values(512u, 4096u, 32768u, 65536u));

TEST_P(PageSize, EmptyTableIsKeptOrLeftOut) {
  TemporaryFile out;
  SqliteFile file(out.fd(), with_page(GetParam()));
  file.add_table("kept", "CREATE TABLE kept (a INTEGER)", SqliteFile::Empty::kKept);
  file.add_table("gone", "CREATE TABLE gone (a INTEGER)", SqliteFile::Empty::kLeftOut);
  ASSERT_TRUE(file.finish());
  Database db(out.path());
  EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.text("SELECT name FROM sqlite_master"), "kept");
  EXPECT_EQ(db.text("SELECT count(*) FROM kept"), "0");
  EXPECT_EQ(static_cast<off_t>(file.bytes()), ::lseek(out.fd(), 0, SEEK_END));
}

TEST_P(PageSize, NoTableAtAll) {
  TemporaryFile out;
  SqliteFile file(out.fd(), with_page(GetParam()));
  ASSERT_TRUE(file.finish());
  EXPECT_EQ(Database(out.path()).text("PRAGMA integrity_check"), "ok");
}

TEST_P(PageSize, ManyRowsGiveEveryDepth) {
  for (const int64_t rows : {1, 2, 30, 31, 1000, 200000}) {
    TemporaryFile out;
    SqliteFile file(out.fd(), with_page(GetParam()));
    SqliteTable& table = file.add_table("t", "CREATE TABLE t (a INTEGER, b TEXT)", SqliteFile::Empty::kKept);
    SqliteRecord record;
    for (int64_t i = 0; i < rows; ++i) {
      record.clear();
      record.integer(i * 7).text("row " + std::to_string(i));
      table.append(record);
    }
    ASSERT_TRUE(file.finish());
    Database db(out.path());
    EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok") << rows;
    EXPECT_EQ(db.text("SELECT count(*) FROM t"), std::to_string(rows));
    EXPECT_EQ(db.text("SELECT count(*) FROM t WHERE a != (rowid - 1) * 7 OR b != 'row ' || (rowid - 1)"), "0")
        << rows;
    for (int64_t i = 1; i < rows; i += 1 + rows / 50)  // searches go through the keys of the interior pages
      EXPECT_EQ(db.text("SELECT a FROM t WHERE rowid = " + std::to_string(i)), std::to_string((i - 1) * 7));
  }
}

TEST_P(PageSize, TextsOfEveryLengthAroundTheOverflowLimits) {
  TemporaryFile out;
  SqliteFile file(out.fd(), with_page(GetParam()));
  SqliteTable& table = file.add_table("t", "CREATE TABLE t (n INTEGER, b TEXT)", SqliteFile::Empty::kKept);
  const size_t page = GetParam();
  std::vector<size_t> lengths = {0, 1, 56, 57, 58, 10240, 1000000};
  for (size_t i = page > 100 ? page - 100 : 0; i < page + 100; ++i) lengths.push_back(i);
  for (size_t i = 2 * page - 60; i < 2 * page + 20; ++i) lengths.push_back(i);
  SqliteRecord record;
  for (const size_t length : lengths) {
    record.clear();
    record.integer(static_cast<int64_t>(length))
        .text(std::string(length, static_cast<char>('a' + length % 26)));
    table.append(record);
  }
  ASSERT_TRUE(file.finish());
  Database db(out.path());
  EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.text("SELECT count(*) FROM t WHERE length(b) = n AND trim(b, char(97 + n % 26)) = ''"),
            std::to_string(lengths.size()));
}

TEST(SqliteFile, EveryWidthOfIntegersAndReals) {
  std::vector<int64_t> values = {0, 1, 2, -1, -2};
  for (int bits = 1; bits < 64; ++bits)
    for (const int64_t delta : {-1, 0, 1}) {
      const int64_t power = static_cast<int64_t>(uint64_t{1} << bits);
      values.push_back(static_cast<int64_t>(static_cast<uint64_t>(power) + static_cast<uint64_t>(delta)));
      values.push_back(static_cast<int64_t>(0 - static_cast<uint64_t>(power) + static_cast<uint64_t>(delta)));
    }
  values.push_back(std::numeric_limits<int64_t>::min());
  values.push_back(std::numeric_limits<int64_t>::max());
  TemporaryFile out;
  SqliteFile file(out.fd(), {});
  SqliteTable& table = file.add_table("t", "CREATE TABLE t (a INTEGER, b REAL, c)", SqliteFile::Empty::kKept);
  SqliteRecord record;
  std::string expected;
  for (const int64_t value : values) {
    record.clear();
    record.integer(value).real(static_cast<double>(value) / 3).null();
    table.append(record);
    expected += (expected.empty() ? "" : "\n") + std::to_string(value);
  }
  record.clear();
  record.null().real(std::numeric_limits<double>::quiet_NaN());  // and the third column left out
  table.append(record);
  ASSERT_TRUE(file.finish());
  Database db(out.path());
  EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.text("SELECT a FROM t WHERE a NOT NULL ORDER BY rowid"), expected);
  EXPECT_EQ(db.text("SELECT count(*) FROM t WHERE b = CAST(a AS REAL) / 3"), std::to_string(values.size()));
  EXPECT_EQ(db.text("SELECT count(*) FROM t WHERE c NOT NULL"), "0");
  EXPECT_EQ(db.text("SELECT count(*) FROM t WHERE a IS NULL AND b IS NULL"), "1");
}

TEST(SqliteFile, BytesOfTextAreKept) {
  const std::string odd("a\0b\xff\xfe\"q\",\nz", 11);
  TemporaryFile out;
  SqliteFile file(out.fd(), with_page(4096));
  SqliteTable& table = file.add_table("t", "CREATE TABLE t (b TEXT)", SqliteFile::Empty::kKept);
  SqliteRecord record;
  record.text(odd);
  table.append(record);
  ASSERT_TRUE(file.finish());
  Database db(out.path());
  EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.text("SELECT b FROM t"), odd);
  EXPECT_EQ(db.text("SELECT typeof(b) FROM t"), "text");
}

TEST(SqliteFile, RowIdsMayBeSparseAndAreTheIntegerPrimaryKey) {
  TemporaryFile out;
  SqliteFile file(out.fd(), with_page(512));
  SqliteTable& table =
      file.add_table("t", "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)", SqliteFile::Empty::kKept);
  SqliteRecord record;
  int64_t id = -1000;
  for (int64_t i = 1; i < 2000; ++i, id += i * i) {
    record.clear();
    record.null().integer(i);
    table.append(id, record);
  }
  ASSERT_TRUE(file.finish());
  Database db(out.path());
  EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.text("SELECT id FROM t WHERE v = 3"), std::to_string(-1000 + 4 + 9));
  EXPECT_EQ(db.text("SELECT v FROM t WHERE id = " + std::to_string(-1000 + 4 + 9 + 16)), "4");
  EXPECT_EQ(db.text("SELECT count(*) FROM t"), "1999");
}

TEST(SqliteFile, TablesFilledInTurn) {
  TemporaryFile out;
  SqliteFile file(out.fd(), with_page(4096));
  std::vector<SqliteTable*> tables;
  for (int i = 0; i < 200; ++i) {  // more than one page of schema
    const std::string name = "table_" + std::to_string(i);
    tables.push_back(
        &file.add_table(name, "CREATE TABLE " + name + " (v INTEGER)", SqliteFile::Empty::kKept));
  }
  SqliteRecord record;
  for (int row = 0; row < 5000; ++row)
    for (size_t i = 0; i < tables.size(); i += 50) {
      record.clear();
      record.integer(row);
      tables[i]->append(record);
    }
  ASSERT_TRUE(file.finish());
  Database db(out.path());
  EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(db.text("SELECT count(*) FROM sqlite_master"), "200");
  EXPECT_EQ(db.text("SELECT sum(v) FROM table_150"), std::to_string(4999 * 5000 / 2));
  EXPECT_EQ(db.text("SELECT count(*) FROM table_199"), "0");
}

TEST(SqliteFile, OneTableWhoseStatementFillsTheFirstPage) {
  for (const size_t filler : {3800, 3870, 3900, 3920, 3940, 3960, 3980, 4000, 5000, 9000}) {
    TemporaryFile out;
    SqliteFile file(out.fd(), with_page(4096));
    file.add_table("t", "CREATE TABLE t (a INTEGER) --" + std::string(filler, 'x'), SqliteFile::Empty::kKept);
    ASSERT_TRUE(file.finish());
    Database db(out.path());
    EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok") << filler;
    EXPECT_EQ(db.text("SELECT count(*) FROM t"), "0") << filler;
  }
}

TEST(SqliteFile, ThePageOfTheLockByteIsNeverUsed) {
  for (const uint64_t lock_byte : {4096u, 8192u, 40960u, 409600u}) {
    sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, static_cast<unsigned>(lock_byte));
    TemporaryFile out;
    SqliteFile::Options options = with_page(4096);
    options.lock_byte = lock_byte;
    SqliteFile file(out.fd(), options);
    SqliteTable& table = file.add_table("t", "CREATE TABLE t (a TEXT)", SqliteFile::Empty::kKept);
    SqliteRecord record;
    for (int i = 0; i < 300; ++i) {
      record.clear();
      record.text(std::string(static_cast<size_t>(i) * 71, 'x'));  // leaves and overflow pages
      table.append(record);
    }
    ASSERT_TRUE(file.finish());
    Database db(out.path());
    EXPECT_EQ(db.text("PRAGMA integrity_check"), "ok") << lock_byte;
    EXPECT_EQ(db.text("SELECT sum(length(a)) FROM t"), std::to_string(299 * 300 / 2 * 71)) << lock_byte;
  }
  sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, 0x40000000u);
}

TEST(SqliteFile, AFullDiskIsAnError) {
  base::Fd full(::open("/dev/full", O_WRONLY));
  if (!full.valid()) GTEST_SKIP() << "no /dev/full";
  SqliteFile file(full.get(), {});
  file.add_table("t", "CREATE TABLE t (a TEXT)", SqliteFile::Empty::kKept);
  const Status status = file.finish();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace sextant::exporters
