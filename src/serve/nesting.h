// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Nesting gives the events of one track, in the order of Event::operator<, the first row that is free: the
// depth where they nest, the least number of rows where they overlap. What does not fit goes to the last row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "serve/event.h"

namespace sextant::serve {

class Nesting {
 public:
  static constexpr size_t kMostRows = 256;

  uint16_t place(const Event& event) {
    size_t row = 0;
    while (row < ends_.size() && ends_[row] > event.start_ns) ++row;
    row = std::min(row, kMostRows - 1);
    if (row == ends_.size()) ends_.push_back(INT64_MIN);
    ends_[row] = std::max(ends_[row], event.end_ns);
    return static_cast<uint16_t>(row);
  }
  /// An event that has its row already and is still open.
  void put(const Event& event) {
    if (ends_.size() <= event.row) ends_.resize(event.row + size_t{1}, INT64_MIN);
    ends_[event.row] = std::max(ends_[event.row], event.end_ns);
  }
  size_t rows() const { return ends_.size(); }

 private:
  std::vector<int64_t> ends_;  // of each row's last event
};

}  // namespace sextant::serve
