// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sql/grouped.h"

#include <algorithm>
#include <numeric>

namespace sextant::sql {

namespace {

/// Numbers pairs of (number of a group so far, value) in the order in which they are first seen.
class PairNumbers {
 public:
  uint32_t number(uint32_t before, std::optional<int64_t> value) {
    if (!value) {
      // NULL is a value of its own here, as in GROUP BY
      if (before >= nulls_.size()) nulls_.resize(before + 1, kNone);
      if (nulls_[before] == kNone) nulls_[before] = add(before, value);
      return nulls_[before];
    }
    if (2 * (pairs_.size() + 1) > slots_.size()) grow();
    uint32_t& slot = slots_[place(before, *value)];
    if (slot == kNone) slot = add(before, value);
    return slot;
  }
  struct Pair {
    uint32_t before;
    std::optional<int64_t> value;
  };
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t add(uint32_t before, std::optional<int64_t> value) {
    pairs_.push_back({before, value});
    return static_cast<uint32_t>(pairs_.size() - 1);
  }
  size_t place(uint32_t before, int64_t value) const {
    uint64_t hash = (static_cast<uint64_t>(value) + before * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != kNone && (pairs_[slots_[at]].before != before || pairs_[slots_[at]].value != value))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    slots_.assign(std::max<size_t>(1024, 4 * slots_.size()), kNone);
    for (uint32_t i = 0; i < pairs_.size(); ++i)
      if (pairs_[i].value) slots_[place(pairs_[i].before, *pairs_[i].value)] = i;
  }
  std::vector<Pair> pairs_;
  std::vector<uint32_t> slots_, nulls_;
};

Columns bit(int column) {
  return Columns{1} << std::min(static_cast<size_t>(column), kLastColumnBit);
}

}  // namespace

bool Grouped::possible(const Table& table, int column) {
  if (table.layouts.size() != 1 || table.rows() >= UINT32_MAX || column < 0) return false;
  const Value value = table.layouts[0][static_cast<size_t>(column)].value;
  return value != Value::kReal && value != Value::kFloat && value != Value::kText && value != Value::kKept;
}

uint64_t Grouped::bytes(const Table& table, size_t keys, Columns used) {
  uint64_t columns = keys + 2;  // nulls, and a second column of what is made of two
  for (; used != 0; used &= used - 1) ++columns;
  return table.rows() * (4 + 8 * columns);
}

Grouped::Grouped(const Table& table, Values& values, const std::vector<Key>& keys, Columns used)
    : keys_(keys), used_(used) {
  left_out_.assign(table.parts.size(), false);
  for (const Part& part : table.parts) part_rows_.push_back(part.rows);
  do {
    number_groups(table, values);
  } while (!bring_together(table, values));
}

void Grouped::number_groups(const Table& table, Values& values) {
  group_of_row_.assign(table.rows(), 0);
  std::vector<std::optional<int64_t>> keys_of_groups;  // as many for each group as there have been keys
  for (size_t level = 0; level < keys_.size(); ++level) {
    const Key& key = keys_[level];
    PairNumbers numbers;
    size_t row_of_table = 0;
    for (size_t p = 0; p < table.parts.size(); ++p) {
      const Part& part = table.parts[p];
      const auto block = left_out_[p] ? nullptr : values.read(table, part, bit(key.column));
      if (!block) left_out_[p] = true;
      const Cell& cell = (*part.layout)[static_cast<size_t>(key.column)];
      for (size_t row = 0; block && row < part.rows; ++row) {
        int64_t value = 0;
        const bool known = values.integer(cell, *block, row, &value);
        uint32_t& group = group_of_row_[row_of_table + row];
        group = numbers.number(group, known ? std::optional(value) : std::nullopt);
      }
      row_of_table += part.rows;
    }
    std::vector<std::optional<int64_t>> now;
    now.reserve(numbers.pairs().size() * (level + 1));
    for (const auto& pair : numbers.pairs()) {
      const auto before = keys_of_groups.begin() + static_cast<ptrdiff_t>(pair.before * level);
      now.insert(now.end(), before, before + static_cast<ptrdiff_t>(level));
      now.push_back(pair.value);
    }
    keys_of_groups = std::move(now);
  }
  place_groups(keys_of_groups);
}

/// Where the rows of each group will be: groups in the order of their keys, NULL before everything.
void Grouped::place_groups(const std::vector<std::optional<int64_t>>& keys_of_groups) {
  const size_t count = keys_.size();
  std::vector<uint64_t> sizes(keys_of_groups.size() / count, 0);
  size_t at = 0;
  for (size_t p = 0; p < part_rows_.size(); ++p) {
    for (size_t row = 0; row < part_rows_[p]; ++row, ++at)
      if (!left_out_[p]) ++sizes[group_of_row_[at]];
  }
  std::vector<uint32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    for (size_t k = 0; k < count; ++k) {
      const auto &left = keys_of_groups[a * count + k], &right = keys_of_groups[b * count + k];
      if (left != right) return keys_[k].descending ? right < left : left < right;
    }
    return false;
  });
  groups_.clear();
  begins_.assign(sizes.size(), 0);
  uint64_t begin = 0;
  for (const uint32_t g : order) {
    begins_[g] = begin;
    groups_.push_back({keys_of_groups[g * count], begin, begin + sizes[g]});
    begin += sizes[g];
  }
}

bool Grouped::bring_together(const Table& table, Values& values) {
  auto together = std::make_shared<Block>();
  for (const Group& group : groups_) together->rows = std::max<size_t>(together->rows, group.end);
  Columns wanted = used_;
  for (const Key& key : keys_) wanted |= bit(key.column);
  std::vector<uint64_t> next = begins_;
  std::vector<uint64_t> places;
  size_t row_of_table = 0;
  for (size_t p = 0; p < table.parts.size(); ++p) {
    const Part& part = table.parts[p];
    const auto block = left_out_[p] ? nullptr : values.read(table, part, wanted);
    if (!block && !left_out_[p]) {
      left_out_[p] = true;
      return false;
    }
    if (block) {
      places.resize(part.rows);
      for (size_t row = 0; row < part.rows; ++row) places[row] = next[group_of_row_[row_of_table + row]]++;
      for (size_t c = 0; c < block->ids.size(); ++c) {
        std::vector<uint64_t>& to = together->column(block->ids[c]);
        to.resize(together->rows);
        const std::vector<uint64_t>& from = block->columns[c];
        for (size_t row = 0; row < from.size() && row < part.rows; ++row) to[places[row]] = from[row];
      }
    }
    row_of_table += part.rows;
  }
  block_ = std::move(together);
  return true;
}

Group Grouped::find(int64_t key) const {
  const auto found =
      std::lower_bound(groups_.begin(), groups_.end(), std::optional(key),
                       [](const Group& g, const std::optional<int64_t>& k) { return g.key < k; });
  return found != groups_.end() && found->key == key ? *found : Group{};
}

uint64_t Grouped::row_number(uint64_t at) {
  if (numbers_.empty()) {
    numbers_.resize(rows());
    std::vector<uint64_t> next = begins_;
    size_t row_of_table = 0;
    for (size_t p = 0; p < part_rows_.size(); ++p)
      for (size_t row = 0; row < part_rows_[p]; ++row, ++row_of_table)
        if (!left_out_[p]) numbers_[next[group_of_row_[row_of_table]]++] = row_of_table;
  }
  return numbers_[at];
}

}  // namespace sextant::sql
