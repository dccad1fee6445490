// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: a table of nsys as a view of a report's chunks. A table has columns; its rows lie in parts
// (a chunk, or rows made in memory); a part's layout tells for every column how its value comes out of the
// part. Not thread-safe.
#pragma once

#include "sql/sqlite_api.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/query.h"

namespace sextant::sql {

enum class Value : uint8_t {
  kNothing,   // NULL
  kConstant,  // Cell::constant
  kInteger,   // the bits as a signed integer
  kUint32,
  kInt32,
  kReal,     // the bits of a double
  kFloat,    // the bits of a float
  kText,     // the string
  kString,   // number of the string in StringIds
  kProcess,  // globalPid of a process number
  kThread,   // globalTid: `column` is the process number, `second` the thread id
  kTime,     // nanoseconds
  kEnd,      // nanoseconds: `column` is the duration, `second` the start
  kDomain,   // number of an NVTX domain, by its name
  kKept,  // of a table that was kept as it is: `second` is the word with its kind, `constant` the shift in it
};

/// When there is a value; otherwise NULL.
enum class Test : uint8_t { kAlways, kPresent, kNotZero, kBit, kNoBit, kEquals };

struct Cell {
  Value value = Value::kNothing;
  uint16_t column = 0;
  uint16_t second = 0;
  int64_t constant = 0;
  Test test = Test::kAlways;
  uint16_t test_column = 0;
  uint64_t test_value = 0;  // kPresent: number of the column in `nulls`
  std::string_view own;     // kKept: type of the column
};
using Layout = std::vector<Cell>;  // by column of the table

/// Columns that were read, by their number in the vocabulary. Stamps and ends are nanoseconds already.
struct Block {
  size_t rows = 0;
  std::vector<uint16_t> ids;
  std::vector<std::vector<uint64_t>> columns;

  std::vector<uint64_t>& column(uint16_t id);  // made if it is not there: what came before is moved
  const std::vector<uint64_t>* find(uint16_t id) const;
};

struct Part {
  const Layout* layout = nullptr;
  const report::ChunkRef* chunk = nullptr;  // nullptr: `memory`
  std::shared_ptr<const Block> memory;
  uint64_t rows = 0;
  int64_t first_row = 1;  // row id of its first row
};

struct Column {
  std::string name;
  std::string type;  // as declared
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::deque<Layout> layouts;
  std::vector<Part> parts;
  Cell row_number{};  // of a source that has numbers of its own; else rows are counted

  uint64_t rows() const {
    return parts.empty() ? 0 : static_cast<uint64_t>(parts.back().first_row) - 1 + parts.back().rows;
  }
  void add(Part part);
  int find(std::string_view column) const;  // -1: none
  std::string declaration() const;          // CREATE TABLE ...
};

/// Which columns are asked for; the last bit stands for all from there on.
using Columns = uint64_t;
inline constexpr size_t kLastColumnBit = 63;
constexpr bool has(Columns columns, size_t at) {
  return (columns >> (at < kLastColumnBit ? at : kLastColumnBit) & 1) != 0;
}

/// A column of a block whose values need no thought.
struct Access {
  bool plain = false;
  const uint64_t* values = nullptr;
  const uint64_t* nulls =
      nullptr;  // words in which `null_bit` says that there is no value; nullptr: there is
  uint64_t null_bit = 0;
  const std::vector<int64_t>* numbers = nullptr;  // by value; nullptr: the value itself
};

/// Reads parts and makes values of them: what all tables of a report share.
class Values {
 public:
  explicit Values(const query::Source& source);

  const query::Source& source() const { return source_; }

  /// nullptr: the chunk cannot be read; that is kept in skipped().
  std::shared_ptr<const Block> read(const Table& table, const Part& part, Columns columns);

  /// The column's values as they are handed out, for the usual case of a whole number that is stored as it
  /// is. Not plain: put() has to be asked for each.
  Access access(const Cell& cell, const Block& block) const;

  /// The value of a row, to SQLite. The text points into the report.
  void put(sqlite3_context* to, const Cell& cell, const Block& block, size_t row);
  /// The same where it is an integer. False: there is none.
  bool integer(const Cell& cell, const Block& block, size_t row, int64_t* out);

  /// False: no row of the part begins before `to` and ends at or after `from`.
  bool may_touch(const Part& part, int64_t from, int64_t to) const;

  /// Numbers of domains are given as they are asked for.
  int64_t domain(uint64_t name);
  int64_t global_pid(uint64_t process) const;

  const std::vector<report::Damage>& skipped() const { return skipped_; }

  /// By the report's number; the vector ends where they are the same.
  void set_string_numbers(std::vector<int64_t> numbers) { string_numbers_ = std::move(numbers); }

 private:
  bool there(const Cell& cell, const Block& block, size_t row) const;
  std::shared_ptr<Block> read_chunk(const Part& part, const std::vector<Cell>& cells);
  int64_t string_number(uint64_t string) const;
  void put_kept(sqlite3_context* to, const Cell& cell, uint64_t bits, uint64_t kind);
  void put_text(sqlite3_context* to, uint64_t string);

  struct Cached {
    const Part* part;
    Columns columns;
    std::shared_ptr<const Block> block;
  };
  const query::Source& source_;
  std::unordered_map<uint64_t, int64_t> globals_;  // process number -> globalPid
  std::unordered_map<uint64_t, int64_t> domains_;
  std::vector<int64_t> string_numbers_;  // empty: they are the report's own
  std::deque<Cached> cache_;             // the newest first
  uint64_t cached_bytes_ = 0;
  std::vector<report::Damage> skipped_;
};

}  // namespace sextant::sql
