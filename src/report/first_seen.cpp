// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/first_seen.h"

#include <algorithm>
#include <bit>

namespace sextant::report {

bool FirstSeen::number(std::span<const uint64_t> values, size_t most) {
  numbers_.resize(values.size());
  first_rows_.clear();
  const size_t bits = std::bit_width(std::min(most, values.size()) * 2 + 1);
  slots_.assign(size_t{1} << bits, 0);
  const size_t mask = slots_.size() - 1;
  for (size_t row = 0; row < values.size(); ++row) {
    if (row > 0 && values[row] == values[row - 1]) {
      numbers_[row] = numbers_[row - 1];
      continue;
    }
    size_t at = (values[row] * 0x9E3779B97F4A7C15u) >> (64 - bits);
    while (slots_[at] != 0 && values[first_rows_[slots_[at] - 1]] != values[row]) at = (at + 1) & mask;
    if (slots_[at] == 0) {
      if (first_rows_.size() == most) return false;
      first_rows_.push_back(static_cast<uint32_t>(row));
      slots_[at] = static_cast<uint32_t>(first_rows_.size());
    }
    numbers_[row] = slots_[at] - 1;
  }
  return true;
}

}  // namespace sextant::report
