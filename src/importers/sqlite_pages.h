// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of importers/: the rows of a table straight from the pages of an SQLite file
// (https://sqlite.org/fileformat2.html), several times faster than through SQL. Every length and page number
// is checked; cycles end; memory is bounded by the largest row.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "importers/sqlite_database.h"

namespace sextant::importers {

class SqlitePages {
 public:
  /// `fd` stays the caller's and open. Null where the header is beyond what is read here; SQLite may know
  /// more.
  static std::unique_ptr<SqlitePages> make(int fd, uint64_t file_bytes, uint64_t max_row_bytes);

  /// As SqliteDatabase::scan, for a table with row numbers and without defaults and generated columns. Errors
  /// name no file.
  Status scan(const SourceTable& table, std::span<const int> columns, const SqliteDatabase::GoOn& go_on,
              const std::function<bool(std::span<const Value>)>& use);

  /// Bytes of the pages that scans have gone through so far.
  uint64_t bytes_scanned() const { return bytes_scanned_; }

 private:
  struct Cell {
    int64_t rowid = 0;
    std::span<const uint8_t> payload;
  };
  struct Wanted;

  Result<const uint8_t*> page(uint32_t number);
  Status read(uint64_t offset, void* to, size_t bytes) const;
  Status descend(uint32_t number, int depth, Wanted* wanted);
  Status leaf(const uint8_t* page, uint32_t number, Wanted* wanted);
  Status parse_cell(const uint8_t* page, size_t at, Cell* cell);
  Status follow_overflow(uint32_t first, size_t done, std::vector<uint8_t>* payload) const;

  int fd_ = -1;
  uint64_t max_row_bytes_ = 0;
  uint32_t page_bytes_ = 0;
  uint32_t usable_ = 0;
  uint32_t page_count_ = 0;
  uint64_t bytes_scanned_ = 0;

  std::vector<uint8_t> window_;  // pages read ahead
  uint32_t window_first_ = 0;
  uint32_t window_pages_ = 0;
  std::vector<uint8_t> overflow_;
};

}  // namespace sextant::importers
