// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Real exports of nsys, where they are at hand: every cell of every table, and the number of rows of each.
#include "event/schema_target.h"
#include "importers/import_test.h"

namespace sextant::importers {
namespace {

std::vector<std::string> exports() {
  std::vector<std::string> files;
  const char* corpus = std::getenv("SEXTANT_CORPUS");
  if (corpus == nullptr) return files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(corpus) + "/nsys-sqlite"))
    if (entry.path().extension() == ".sqlite") files.push_back(entry.path().string());
  return files;
}

TEST(NsysCorpus, EveryCellComesBack) {
  const std::vector<std::string> files = exports();
  if (files.empty()) GTEST_SKIP() << "SEXTANT_CORPUS is not set";
  for (const std::string& path : files) {
    SCOPED_TRACE(path);
    test::Folder folder;
    const auto summary = import_nsys_sqlite(path, folder.file("r.sxt"), {});
    ASSERT_TRUE(summary) << summary.error().message;
    const auto reader = report::Reader::open(folder.file("r.sxt"));
    ASSERT_TRUE(reader);
    EXPECT_TRUE(reader->complete());
    EXPECT_EQ(reader->unknown_chunks(), 0u);
    EXPECT_TRUE(reader->verify().empty());
    const auto database = SqliteDatabase::open(path);
    ASSERT_TRUE(database);
    for (const auto& [name, rows] : summary->rows) {
      const int first[] = {0};
      uint64_t there = 0;
      ASSERT_TRUE(database->scan_by_sqlite(*database->find(name), first,
                                           [&](std::span<const Value>) { return ++there, true; }));
      EXPECT_EQ(rows, there) << name;
    }
    EXPECT_EQ(summary->rows.size(), database->tables().size());
    test::Comparison comparison(*database, *reader);
    comparison.run();
    EXPECT_GT(comparison.cells, 1000u);
    test::expect_export_like_source(*database, folder.file("r.sxt"), folder.file("exported.sqlite"));
    const test::ReportTable processes(*reader, event::kImportedProcess);
    EXPECT_GT(processes.rows(), 0u);
    for (size_t i = 0; i < processes.rows(); ++i)
      EXPECT_EQ(processes.at(event::imported_process::kGlobalId, i) & 0xFFFFFF, 0u)
          << "a thread was taken for a process";
    std::printf("%s: %llu cells, %llu bytes became %llu\n", std::filesystem::path(path).filename().c_str(),
                static_cast<unsigned long long>(comparison.cells),
                static_cast<unsigned long long>(std::filesystem::file_size(path)),
                static_cast<unsigned long long>(reader->file_bytes()));
  }
}

}  // namespace
}  // namespace sextant::importers
