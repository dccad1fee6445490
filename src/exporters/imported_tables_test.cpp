// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of tables that no import has written: refused, or made harmless. What imports do write is tested in
// importers/, which has the way there and back.
#include "exporters/imported_tables.h"

#include <gtest/gtest.h>

#include "event/schema_cuda.h"
#include "event/schema_target.h"
#include "exporters/database_test.h"
#include "exporters/sqlite.h"
#include "report/writer.h"

namespace sextant::exporters {
namespace {

struct Claimed {
  std::string name;
  uint64_t table;
  uint64_t rows;
  std::vector<std::pair<std::string, std::string>> columns;  // name and type
  bool first_is_rowid = false;
};

class ImportedList : public testing::Test {
 protected:
  /// A report with two kernels that claims to come of these tables.
  Status write(const std::vector<Claimed>& claims) {
    const std::string report = folder_.file(std::to_string(++count_) + ".sxt");
    auto writer = report::Writer::create(report, {});
    report::Rows tables(*event::find_table(event::kImportedTable));
    report::Rows columns(*event::find_table(event::kImportedColumn));
    for (const Claimed& claim : claims) {
      tables.column(event::imported_table::kName).push_back(writer->string_id(claim.name));
      tables.column(event::imported_table::kTable).push_back(claim.table);
      tables.column(event::imported_table::kRows).push_back(claim.rows);
      for (const auto& [name, type] : claim.columns) {
        const bool is_rowid = claim.first_is_rowid && &name == &claim.columns[0].first;
        columns.column(event::imported_column::kTable).push_back(writer->string_id(claim.name));
        columns.column(event::imported_column::kName).push_back(writer->string_id(name));
        columns.column(event::imported_column::kType).push_back(writer->string_id(type));
        columns.column(event::imported_column::kIsRowNumber).push_back(is_rowid ? 1 : 0);
      }
    }
    report::Rows kernels(*event::find_table(event::kCudaKernel));
    kernels.column(event::cuda_kernel::kGridX) = {7, 7};
    kernels.column(event::cuda_kernel::kName) = {9999, 0};   // a string that was never written
    kernels.column(event::cuda_kernel::kProcess) = {31, 0};  // a process that is not there
    kernels.column(event::kNullsColumn) = {0, 0};
    const report::Rows* parts[] = {&tables, &columns, &kernels};
    EXPECT_TRUE(writer->write_group(parts, {}));
    EXPECT_TRUE(writer->finish());
    const auto source = query::Source::open(report);
    EXPECT_TRUE(source);
    EXPECT_TRUE(is_imported(source->reader()));
    return export_sqlite(*source, output(), {});
  }

  std::string output() { return folder_.file(std::to_string(count_) + ".sqlite"); }
  std::string ask(const std::string& sql) { return test::Database(output()).text(sql); }

  void expect_refused(const std::vector<Claimed>& claims) {
    const Status written = write(claims);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(::access(output().c_str(), F_OK), 0) << "nothing is left behind";
  }

  test::Folder folder_;
  int count_ = 0;
};

const std::string kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";

TEST_F(ImportedList, NamesThatNoDatabaseCanHave) {
  expect_refused({{"T", 0, 0, {{"a", ""}}}, {"t", 0, 0, {{"a", ""}}}});
  expect_refused({{"stringids", 0, 0, {{"a", ""}}}});
  expect_refused({{"sqlite_sequence", 0, 0, {{"a", ""}}}});
  expect_refused({{"", 0, 0, {{"a", ""}}}});
  expect_refused({{std::string("a\0b", 3), 0, 0, {{"a", ""}}}});
  expect_refused({{"T", 0, 0, {{"a", ""}, {"A", ""}}}});
  expect_refused({{"T", 0, 0, {{"a\n", ""}}}});
  expect_refused({{"T", 0, 0, {}}});
  std::vector<std::pair<std::string, std::string>> many;
  for (int i = 0; i < 2000; ++i) many.emplace_back("c" + std::to_string(i), "");
  expect_refused({{"T", 0, 0, many}});
}

TEST_F(ImportedList, TablesThatAreElsewhere) {
  expect_refused({{kKernels, event::kCudaMemcpy, 2, {{"start", "INTEGER"}}}});
  expect_refused({{"UNKNOWN", event::kCudaKernel, 2, {{"start", "INTEGER"}}}});
  expect_refused({{"UNKNOWN", event::kFirstForeignTable, 2, {{"a", "INTEGER"}}}});
}

TEST_F(ImportedList, SqlInNamesAndTypesIsNone) {
  ASSERT_TRUE(
      write({{"a\"; DROP", 0, 0, {{"b\") --", "TEXT PRIMARY KEY"}, {"c", "INT UNIQUE"}, {"d", "x"}}}}));
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(ask("SELECT name, type, pk FROM pragma_table_info('a\"; DROP')"),
            "b\") --|TEXT|0\nc|INTEGER|0\nd||0");
}

TEST_F(ImportedList, RowsAreWrittenOnceWhateverIsClaimed) {
  ASSERT_TRUE(write({{kKernels,
                      event::kCudaKernel,
                      UINT64_MAX,
                      {{"gridX", "INTEGER"}, {"demangledName", "INTEGER"}, {"globalPid", "INTEGER"}},
                      true}}));
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok");
  // row numbers that do not ascend are counted on
  EXPECT_EQ(ask("SELECT gridX, value, globalPid FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = "
                "demangledName"),
            "7|(unknown string)|0\n8||0");
}

}  // namespace
}  // namespace sextant::exporters
