// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of exporters/: the rows of one table of nsys out of the report that they were imported to.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "event/schema.h"
#include "exporters/imported_strings.h"
#include "exporters/sqlite_file.h"
#include "nsys/tables.h"
#include "report/reader.h"

namespace sextant::exporters {

/// A table of the source as the report remembers it.
struct ImportedColumn {
  std::string name;
  std::string type;
  bool is_rowid = false;
};
struct ImportedTable {
  std::string name;
  uint64_t table = 0;  // of the report; 0: it had no rows
  uint64_t rows = 0;
  std::vector<ImportedColumn> columns;
};

/// What all tables of one export share.
struct ImportedSource {
  const report::Reader& reader;
  ImportedStrings strings;
  std::unordered_map<uint64_t, uint64_t> global_ids;         // by number of the process
  std::unordered_map<uint64_t, std::vector<size_t>> chunks;  // positions in reader.chunks(), by table
  std::unordered_map<uint64_t, size_t> chunks_taken;         // by table: sources follow each other
  std::function<Status(uint64_t rows)> progress;             // rows written so far; an error ends the work
  uint64_t rows_written = 0;

  explicit ImportedSource(const report::Reader& reader);
};

/// Adds rows in the order of the source, with its row numbers where they are known.
class RowNumbers {
 public:
  explicit RowNumbers(SqliteTable& table) : table_(table) {}
  void append(const SqliteRecord& record) { append(last_ + 1, record); }
  void append(int64_t wanted, const SqliteRecord& record);

 private:
  SqliteTable& table_;
  int64_t last_ = 0;
  bool any_ = false;
};

/// A table that has a meaning in the report.
Status write_mapped_rows(ImportedSource& source, const ImportedTable& from, const nsys::Target& target,
                         SqliteTable& to);

/// A table that was kept as it is.
Status write_kept_rows(ImportedSource& source, const ImportedTable& from, SqliteTable& to);

}  // namespace sextant::exporters
