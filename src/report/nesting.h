// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Nesting gives the events of a lane, in the order of their starts (of equal starts the longest first), the
// first row that is free: the depth where they nest, the least number of rows where they overlap. What does
// not fit goes to the last row. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sextant::report {

inline constexpr size_t kMostNestedRows = 256;

class Nesting {
 public:
  uint16_t place(uint64_t start, uint64_t end) {
    size_t row = 0;
    while (row < ends_.size() && ends_[row] > start) ++row;
    row = std::min(row, kMostNestedRows - 1);
    if (row == ends_.size()) ends_.push_back(0);
    ends_[row] = std::max(ends_[row], end);
    return static_cast<uint16_t>(row);
  }
  /// A row is taken until `end`, by an event that is not placed.
  void put(size_t row, uint64_t end) {
    row = std::min(row, kMostNestedRows - 1);
    if (ends_.size() <= row) ends_.resize(row + 1);
    ends_[row] = std::max(ends_[row], end);
  }
  const std::vector<uint64_t>& ends() const { return ends_; }  // of each row's last event

 private:
  std::vector<uint64_t> ends_;
};

}  // namespace sextant::report
