// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Spans of time in the rows of a track. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/covered.h"

namespace sextant::serve {

class RowSpans {
 public:
  /// Of a row, by time and apart from each other. From the start on, before the end; one that has no length
  /// holds its start.
  void add(uint32_t row, int64_t start_ns, int64_t end_ns) {
    if (rows_.size() <= row) rows_.resize(row + size_t{1});
    rows_[row].spans.push_back({start_ns, std::max(end_ns, start_ns + 1)});
  }
  bool empty() const { return rows_.empty(); }

  /// Fast where one call after the other goes forward in time.
  bool holds(uint32_t row, int64_t at_ns) {
    if (row >= rows_.size() || rows_[row].spans.empty()) return false;
    Row& of = rows_[row];
    if (of.next > 0 && at_ns < of.spans[of.next - 1].end) of.next = 0;
    while (of.next < of.spans.size() && of.spans[of.next].end <= at_ns) ++of.next;
    return of.next < of.spans.size() && of.spans[of.next].start <= at_ns;
  }

 private:
  struct Row {
    std::vector<query::Span> spans;
    size_t next = 0;  // those before it end earlier than the last time that was asked for
  };
  std::vector<Row> rows_;
};

}  // namespace sextant::serve
