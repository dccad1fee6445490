// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/durations.h"

#include <algorithm>
#include <cmath>

namespace sextant::stats {

namespace {

constexpr size_t kCountedBelow = 2048;    // ns
constexpr size_t kCountFrom = 1024;       // durations: a bag with fewer keeps them all

__extension__ typedef __int128 Wide;

}  // namespace

void Durations::add_other(int64_t ns) {
  kept_.push_back(ns);
  if (counted_.empty() && kept_.size() >= kCountFrom) start_counting();
}

void Durations::start_counting() {
  counted_.assign(kCountedBelow, 0);
  const auto longer = std::partition(kept_.begin(), kept_.end(), [](int64_t ns) { return static_cast<uint64_t>(ns) < kCountedBelow; });
  for (auto at = kept_.begin(); at != longer; ++at) ++counted_[static_cast<size_t>(*at)];
  kept_.erase(kept_.begin(), longer);
}

void Durations::merge(Durations&& other) {
  if (counted_.empty() && !other.counted_.empty()) start_counting();
  for (size_t ns = 0; ns < other.counted_.size(); ++ns) counted_[ns] += other.counted_[ns];
  if (counted_.empty() && kept_.empty()) {
    kept_ = std::move(other.kept_);
  } else {
    for (const int64_t ns : other.kept_) add(ns);
  }
  other = {};
}

/// The duration with `rank` smaller ones before it. Durations that are kept although they are countable are negative (damaged
/// stamps) or all there are.
int64_t Durations::value_at(uint64_t rank) {
  const auto negative = static_cast<uint64_t>(std::count_if(kept_.begin(), kept_.end(), [](int64_t ns) { return ns < 0; }));
  uint64_t counted = 0;
  if (rank >= negative) {
    uint64_t before = negative;
    for (size_t ns = 0; ns < counted_.size(); ++ns) {
      before += counted_[ns];
      if (before > rank) return static_cast<int64_t>(ns);
    }
    counted = before - negative;
  }
  const auto nth = kept_.begin() + static_cast<ptrdiff_t>(rank - counted);
  std::nth_element(kept_.begin(), nth, kept_.end());
  return *nth;
}

Figures Durations::figures() {
  Figures f;
  f.min = INT64_MAX;
  f.max = INT64_MIN;
  Wide total = 0;
  const auto for_each = [&](auto use) {
    for (size_t ns = 0; ns < counted_.size(); ++ns)
      if (counted_[ns] != 0) use(static_cast<int64_t>(ns), counted_[ns]);
    for (const int64_t ns : kept_) use(ns, uint64_t{1});
  };
  for_each([&](int64_t ns, uint64_t times) {
    f.count += times;
    total += static_cast<Wide>(ns) * static_cast<Wide>(times);
    f.min = std::min(f.min, ns);
    f.max = std::max(f.max, ns);
  });
  f.total = static_cast<int64_t>(total);
  const long double average = static_cast<long double>(total) / static_cast<long double>(f.count);
  long double squares = 0;
  for_each([&](int64_t ns, uint64_t times) {
    const long double off = static_cast<long double>(ns) - average;
    squares += off * off * static_cast<long double>(times);
  });
  f.average = static_cast<double>(average);
  f.deviation = f.count < 2 ? 0 : static_cast<double>(std::sqrt(squares / static_cast<long double>(f.count - 1)));
  const int64_t upper = value_at(f.count / 2);
  const int64_t lower = f.count % 2 == 0 ? value_at(f.count / 2 - 1) : upper;
  f.median = (static_cast<double>(lower) + static_cast<double>(upper)) / 2;
  return f;
}

}  // namespace sextant::stats
