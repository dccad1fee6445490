// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Covered: how much time spans cover together, each moment counted once. Fast where spans come in about the
// order of their starts or of their ends; right in any order. Memory is bounded by what is not counted yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sextant::query {

struct Span {
  int64_t start, end;
};

class Covered {
 public:
  void add(const Span& span) {
    if (span.end <= span.start) return;
    if (!spans_.empty() && span.start <= spans_.back().end) return add_earlier(span);
    if (span.start >= counted_until_) return spans_.push_back(span);
    add_late(span);
  }

  /// Takes what `other` covers and has not counted, which is empty then.
  void merge(Covered* other);

  /// Counts what ends before `until` and forgets it. No span that begins before may be added from now on (if
  /// one is, its part before is left out).
  void count_until(int64_t until);

  /// Nanoseconds counted so far.
  int64_t counted() const { return static_cast<int64_t>(counted_); }

  /// Of what is counted: where it begins and ends (first > last: nothing is), and the longest time between
  /// two spans.
  Span extent() const { return {counted_from_, counted_to_}; }
  Span longest_gap() const { return gap_; }

 private:
  void add_earlier(const Span& span);
  void add_late(Span span);
  void settle();
  void join(std::vector<Span>* sorted);

  std::vector<Span> spans_;  // ascending, apart from each other; those before first_ are counted
  std::vector<Span> late_;   // in any order, still to be joined with them
  size_t first_ = 0;
  uint64_t counted_ = 0;
  int64_t counted_until_ = INT64_MIN;
  int64_t counted_from_ = INT64_MAX, counted_to_ = INT64_MIN;
  Span gap_{0, 0};
};

}  // namespace sextant::query
