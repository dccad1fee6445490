// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the tests of importers/: databases made by SQL, and the way back from a report to the cells of
// its source.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "event/schema.h"
#include "importers/nsys_sqlite.h"
#include "importers/sqlite_database.h"
#include "nsys/tables.h"
#include "report/reader.h"

namespace sextant::importers::test {

/// A folder that goes away with its owner.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sextant-import-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Makes (or changes) a database.
inline void execute(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  char* message = nullptr;
  const std::string quick = "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;";
  EXPECT_EQ(sqlite3_exec(handle, (quick + sql).c_str(), nullptr, nullptr, &message), SQLITE_OK)
      << (message != nullptr ? message : "");
  sqlite3_free(message);
  sqlite3_close(handle);
}

inline std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Whole columns of a table of a report, by column number.
class ReportTable {
 public:
  ReportTable(const report::Reader& reader, uint16_t table) {
    for (const report::TableInfo& info : reader.tables())
      if (info.id == table)
        for (const report::ColumnInfo& column : info.columns) load(reader, table, column.id);
  }
  uint64_t at(uint16_t column, size_t row) const { return columns_.at(column).at(row); }
  size_t rows() const { return columns_.empty() ? 0 : columns_.begin()->second.size(); }

 private:
  void load(const report::Reader& reader, uint16_t table, uint16_t column) {
    std::vector<uint64_t>& all = columns_[column];
    std::vector<uint64_t> part;
    for (const report::ChunkRef& chunk : reader.chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData) || chunk.header.table != table)
        continue;
      ASSERT_TRUE(reader.read_column(chunk, column, &part));
      all.insert(all.end(), part.begin(), part.end());
    }
  }
  std::map<uint16_t, std::vector<uint64_t>> columns_;
};

/// Number and text of all of StringIds.
std::map<int64_t, std::string> strings_of(const SqliteDatabase& database);
/// A value with its kind, to be compared.
std::string shown(const Value& value);
/// The same, as far as the report can keep it in this column; strings by their text.
std::string meaning(const Value& value, const nsys::Column& column,
                    const std::map<int64_t, std::string>& strings);

/// Exports a report as a database, and compares every cell with the database that it was made of.
void expect_export_like_source(const SqliteDatabase& source, const std::string& report,
                               const std::string& output);

/// Compares every cell of a database with what can be got back from its report.
class Comparison {
 public:
  Comparison(const SqliteDatabase& database, const report::Reader& reader);
  void run();
  uint64_t cells = 0;  // compared

 private:
  void compare_known(const SourceTable& table, const nsys::Target& target);
  void compare_foreign(const SourceTable& table, uint16_t number);
  std::string got(const ReportTable& rows, const nsys::Table& table, const nsys::Column& column, size_t row);
  std::string string_of(int64_t id) const;

  const SqliteDatabase& database_;
  const report::Reader& reader_;
  std::map<int64_t, std::string> strings_;
  std::map<uint64_t, uint64_t> globals_;   // process number -> packed id
  std::map<uint16_t, size_t> rows_taken_;  // by table of the vocabulary
  std::map<uint16_t, ReportTable> tables_;
};

}  // namespace sextant::importers::test
