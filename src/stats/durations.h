// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Durations: a bag of durations with exact figures at the end. Short ones, which come by the million, are
// counted by value; only longer ones are kept one by one, in four bytes where they fit.
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
  double median = 0;  // mean of the middle two of an even count
  int64_t min = 0;
  int64_t max = 0;
  double deviation = 0;  // of a sample (n - 1); 0 for one
};

class Durations {
 public:
  void add(int64_t ns) {
    if (static_cast<uint64_t>(ns) < counted_.size()) {
      ++counted_[static_cast<size_t>(ns)];
    } else if (!counted_.empty() && static_cast<uint64_t>(ns) <= UINT32_MAX) {
      near_.push_back(static_cast<uint32_t>(ns));
    } else {
      add_other(ns);
    }
  }

  /// So many times the same. Meant for few, in ascending order.
  void add(int64_t ns, uint64_t times) { repeated_.push_back({ns, times}); }

  bool empty() const { return counted_.empty() && near_.empty() && far_.empty() && repeated_.empty(); }

  /// Takes what `other` holds.
  void merge(Durations&& other);

  /// Not empty.
  Figures figures();

 private:
  struct Repeated {
    int64_t ns;
    uint64_t times;
  };

  void add_other(int64_t ns);
  void start_counting();
  void repeat_all();
  Figures figures_of_repeated() const;
  double median(uint64_t count, uint32_t low, uint32_t high);
  std::pair<uint32_t, uint32_t> near_at(uint64_t lower, uint64_t upper, uint32_t low, uint32_t high) const;

  std::vector<uint64_t> counted_;  // [ns]: how many; empty while there are few durations
  std::vector<uint32_t> near_;     // below 2^32; longer than all counted ones once there are any
  std::vector<Repeated> repeated_;
  std::vector<int64_t> far_;  // the others: longer, or negative (damaged stamps)
};

}  // namespace sextant::stats
