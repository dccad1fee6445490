// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Durations: a bag of durations with exact figures at the end. Short ones, which come by the million, are counted by value; only
// longer ones are kept one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sextant::stats {

struct Figures {
  uint64_t count = 0;
  int64_t total = 0;
  double average = 0;
  double median = 0;      // mean of the middle two of an even count
  int64_t min = 0;
  int64_t max = 0;
  double deviation = 0;   // of a sample (n - 1); 0 for one
};

class Durations {
 public:
  void add(int64_t ns) {
    if (static_cast<uint64_t>(ns) < counted_.size()) {
      ++counted_[static_cast<size_t>(ns)];
    } else {
      add_other(ns);
    }
  }

  bool empty() const { return counted_.empty() && kept_.empty(); }

  /// Takes what `other` holds.
  void merge(Durations&& other);

  /// Not empty. Reorders what is kept.
  Figures figures();

 private:
  void add_other(int64_t ns);
  void start_counting();
  std::pair<int64_t, int64_t> middle(uint64_t count, bool any_negative);

  std::vector<uint64_t> counted_;  // [ns]: how many; empty while there are few durations
  std::vector<int64_t> kept_;
};

}  // namespace sextant::stats
