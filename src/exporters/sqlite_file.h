// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes an SQLite database page by page, without SQLite (docs/adr/0003-direct-sqlite-pages.md). Rows come in
// ascending row id order; leaf pages go to the file as they fill, the pages above them and the schema when
// the file is finished, so memory holds one page a table plus 16 bytes a leaf page. Any number of tables may
// be filled at the same time. No indexes: nsys's schema has none. The format is
// https://sqlite.org/fileformat2.html; sections are cited as §.
//
// The file is a database only after finish(). Not thread-safe. Errors of the file are kept and reported by
// finish() and status().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exporters/sqlite_record.h"

namespace sextant::exporters {

/// Pages in the order of their numbers, from 2 on; buffered.
class SqlitePages {
 public:
  /// `fd` stays the caller's. `lock_byte`: the offset whose page SQLite never uses (§1.6).
  SqlitePages(int fd, uint32_t page_bytes, uint64_t lock_byte);

  uint32_t page_bytes() const { return page_bytes_; }
  uint32_t next() const { return next_; }  // the number that add() takes
  uint32_t after(uint32_t page) const { return page + 1 == lock_page_ ? page + 2 : page + 1; }
  uint8_t* add();  // memory of the next page, to be filled before the next call; not zeroed
  uint32_t count() const { return next_ - 1; }  // pages of the file so far
  void finish(const uint8_t* first_page);       // writes what is buffered, and page 1
  Status status() const { return status_; }

 private:
  void flush();
  void write_at(const uint8_t* data, size_t bytes, uint64_t offset);

  int fd_;
  uint32_t page_bytes_;
  uint32_t lock_page_;
  uint32_t next_ = 2;
  uint32_t buffer_first_ = 2;  // number of the first page in the buffer
  size_t buffer_used_ = 0;
  std::vector<uint8_t> buffer_;
  Status status_;
};

/// One table's b-tree, from its leaves up.
class SqliteTable {
 public:
  /// `reserved`: bytes at the start of the root page that are not the tree's (100 in page 1).
  explicit SqliteTable(SqlitePages& pages, uint32_t reserved = 0);

  /// Row ids must ascend.
  void append(int64_t rowid, const SqliteRecord& record);
  void append(const SqliteRecord& record) { append(last_rowid_ + 1, record); }
  uint64_t rows() const { return rows_; }

  /// Writes what is left; the number of the root page.
  uint32_t finish();
  /// The same, but the root page is built in `page` (page_bytes, its first `reserved` bytes are left alone).
  void finish_into(uint8_t* page);

 private:
  struct Child {
    uint32_t page;
    int64_t last_rowid;
  };

  size_t room() const;
  void flush_leaf();
  void build_leaf(uint8_t* page, uint32_t offset) const;
  void build_interior(uint8_t* page, uint32_t offset, const Child* children, size_t count) const;
  void collapse_levels();
  void append_long(int64_t rowid, const SqliteRecord& record, uint64_t payload, uint64_t header_bytes);

  SqlitePages& pages_;
  uint32_t reserved_;
  std::vector<uint8_t> cells_;  // of the leaf being filled, in order
  size_t cells_used_ = 0;
  std::vector<uint16_t> offsets_;  // of its cells in cells_
  std::vector<Child> children_;    // leaves written so far, then pages of the level above
  int64_t last_rowid_ = 0;
  uint64_t rows_ = 0;
};

class SqliteFile {
 public:
  struct Options {
    // A power of two, 512 to 65536. Larger pages than SQLite's own default were measured not to be faster,
    // neither to write nor to read, and each of some 50 small tables takes at least one.
    uint32_t page_bytes = 4096;
    uint64_t lock_byte = 0x40000000;  // only tests change it
  };
  enum class Empty { kLeftOut, kKept };  // what happens to a table without rows

  SqliteFile(int fd, const Options& options);

  /// `sql`: the whole CREATE TABLE statement, whose name is `name`. The table lives as long as the file.
  SqliteTable& add_table(std::string name, std::string sql, Empty empty);

  /// Writes everything that is left. Call once.
  Status finish();
  /// The first error so far.
  Status status() const { return pages_.status(); }
  uint64_t bytes() const { return uint64_t{pages_.count()} * pages_.page_bytes(); }

 private:
  struct Entry {
    std::string name;
    std::string sql;
    Empty empty;
    std::unique_ptr<SqliteTable> table;
  };

  SqlitePages pages_;
  std::vector<Entry> tables_;
};

}  // namespace sextant::exporters
