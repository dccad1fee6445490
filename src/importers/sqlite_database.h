// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A database made by others, read without trusting it: opened immutable and read-only, nothing of its own is
// ever executed (views, triggers, virtual tables, generated columns and indexes are passed over), every
// statement goes through an authorizer that knows only reading. Neither the file nor anything beside it is
// written or locked.
//
// Not thread-safe: one owner. Errors: kNotFound, kDenied, kIo; kCorrupt with the place; kUnsupported (being
// written, not merged).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sextant::importers {

/// One value of a row. Text and blobs are valid during the call that hands them over.
struct Value {
  enum class Kind : uint8_t { kNull = 0, kInt = 1, kReal = 2, kText = 3, kBlob = 4 };
  Kind kind = Kind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string_view bytes;
};

struct SourceColumn {
  std::string name;
  std::string declared_type;
  bool is_rowid = false;     // INTEGER PRIMARY KEY: another name of the row's number
  bool has_default = false;  // rows from before an ALTER TABLE read as that default
};

struct SourceTable {
  std::string name;
  std::vector<SourceColumn> columns;  // stored ones, in order; generated ones left out
  uint32_t root_page = 0;
  bool has_rowid = true;
  bool all_stored = true;  // no generated columns: positions are those of the stored records

  int find(std::string_view column) const;  // position, ignoring case; -1: none
};

class SqliteDatabase {
 public:
  /// Asked now and then during long work: false ends it with kUnsupported.
  using GoOn = std::function<bool()>;

  static Result<SqliteDatabase> open(const std::string& path, GoOn go_on = {});

  SqliteDatabase(SqliteDatabase&&) noexcept;
  SqliteDatabase& operator=(SqliteDatabase&&) noexcept;
  ~SqliteDatabase();

  const std::string& path() const;
  const std::vector<SourceTable>& tables() const;  // ordinary tables in the order of the file
  const SourceTable* find(std::string_view name) const;
  uint64_t passed_over() const;  // views, virtual tables, triggers

  /// Calls `use` for every row of a table in the order of its row numbers. `columns` are positions in
  /// table.columns; kRowid is the row's number. `use` returns false to stop.
  static constexpr int kRowid = -1;
  Status scan(const SourceTable& table, std::span<const int> columns,
              const std::function<bool(std::span<const Value>)>& use) const;

  /// The same by SQLite alone, slower; what scan() does where it cannot read the pages by itself.
  Status scan_by_sqlite(const SourceTable& table, std::span<const int> columns,
                        const std::function<bool(std::span<const Value>)>& use) const;

  uint64_t file_bytes() const;
  uint64_t bytes_scanned() const;  // of them, so far; what SQLite itself reads is not counted

  /// kUnsupported if the file has changed since it was opened.
  Status unchanged() const;

 private:
  struct State;
  explicit SqliteDatabase(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sextant::importers
