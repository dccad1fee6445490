// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of importers/: a table that has no meaning here, kept as it is under its own name and with its own
// columns. Behind them stand columns `types:0`, `types:1`, ... with four bits for each column of the source
// (16 columns each): the kind of the value, where it is not the column's own: 0 the column's own, 1 none, 2
// integer, 3 real, 4 text, 5 blob. Integers are kept as they are, reals as bits of a double, texts and blobs
// as strings; but in a column of texts everything is kept as text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "importers/nsys_strings.h"
#include "importers/sqlite_database.h"
#include "nsys/tables.h"
#include "report/writer.h"

namespace sextant::importers {

class ForeignRows {
 public:
  /// Columns that a table may have to be kept.
  static constexpr size_t kMostColumns = 900;

  /// `number`: event::kFirstForeignTable or more, one for each table of the report.
  ForeignRows(const SourceTable& source, uint16_t number);

  Status import(const SqliteDatabase& database, NsysStrings& strings, report::Writer& writer);
  uint64_t rows() const { return rows_read_; }

 private:
  void add(std::span<const Value> row, NsysStrings& strings, report::Writer& writer);
  Status flush(report::Writer& writer);

  const SourceTable& source_;
  std::deque<std::string> names_;
  std::vector<event::Column> columns_;
  event::Table table_{};
  report::Rows batch_;
  std::vector<int> wanted_;
  uint64_t rows_read_ = 0;
};

}  // namespace sextant::importers
