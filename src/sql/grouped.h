// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: the rows of a table with those next to each other that are equal in some columns. SQLite
// would sort them, row by row, for GROUP BY and DISTINCT (groups are in order, too, which ORDER BY by the
// same columns relies on); and a column with few different values has its rows in one place for each of them,
// as the inner side of a join with names wants it. 8 bytes a row and column that is used, and 4 a row.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sql/table.h"

namespace sextant::sql {

struct Key {
  int column = 0;
  bool descending = false;
  bool operator==(const Key&) const = default;
};

struct Group {
  std::optional<int64_t> key;  // value of the first key column; nothing: NULL
  uint64_t begin = 0, end = 0;
};

class Grouped {
 public:
  /// `keys`: columns of the table, integers. Parts that cannot be read are left out (Values::skipped).
  Grouped(const Table& table, Values& values, const std::vector<Key>& keys, Columns used);

  /// What one would need, at most.
  static uint64_t bytes(const Table& table, size_t keys, Columns used);

  /// Whether a table's rows can be grouped by a column at all.
  static bool possible(const Table& table, int column);

  const std::vector<Key>& keys() const { return keys_; }
  Columns used() const { return used_; }
  uint64_t rows() const { return block_->rows; }
  const std::shared_ptr<const Block>& block() const { return block_; }

  /// The rows with that value of the only key column, which is in ascending order.
  Group find(int64_t key) const;

  /// Number of the row in the table, from 0.
  uint64_t row_number(uint64_t at);

 private:
  void number_groups(const Table& table, Values& values);
  void place_groups(const std::vector<std::optional<int64_t>>& keys_of_groups);
  bool bring_together(const Table& table, Values& values);  // false: another part is left out, begin anew

  std::vector<Key> keys_;
  Columns used_;
  std::shared_ptr<const Block> block_;
  std::vector<uint32_t> group_of_row_;  // in the table's order
  std::vector<bool> left_out_;          // parts that cannot be read
  std::vector<uint64_t> part_rows_;
  std::vector<Group> groups_;      // in order
  std::vector<uint64_t> begins_;   // of each group, by its number
  std::vector<uint64_t> numbers_;  // made when they are first asked for
};

}  // namespace sextant::sql
