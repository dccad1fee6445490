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

/// The durations in the middle: twice the same of an odd count. Durations that are kept although they are countable are negative
/// (damaged stamps) or all there are.
std::pair<int64_t, int64_t> Durations::middle(uint64_t count, bool any_negative) {
  const uint64_t upper = count / 2, lower = count % 2 == 0 ? upper - 1 : upper;
  const uint64_t negative =
      any_negative ? static_cast<uint64_t>(std::count_if(kept_.begin(), kept_.end(), [](int64_t ns) { return ns < 0; })) : 0;
  const uint64_t counted = count - kept_.size();
  const auto in_order = [&](uint64_t rank) -> int64_t {  // of those counted
    uint64_t before = negative;
    size_t ns = 0;
    while (before + counted_[ns] <= rank) before += counted_[ns++];
    return static_cast<int64_t>(ns);
  };
  const auto is_counted = [&](uint64_t rank) { return rank >= negative && rank < negative + counted; };
  const auto place = [&](uint64_t rank) { return kept_.begin() + static_cast<ptrdiff_t>(rank < negative ? rank : rank - counted); };
  if (is_counted(lower) && is_counted(upper)) return {in_order(lower), in_order(upper)};
  if (is_counted(lower) || is_counted(upper)) {
    const uint64_t kept = is_counted(lower) ? upper : lower;
    std::nth_element(kept_.begin(), place(kept), kept_.end());
    return is_counted(lower) ? std::pair(in_order(lower), *place(kept)) : std::pair(*place(kept), in_order(upper));
  }
  std::nth_element(kept_.begin(), place(upper), kept_.end());
  const int64_t high = *place(upper);
  return {lower == upper ? high : *std::max_element(kept_.begin(), place(upper)), high};
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
  const auto [lower, upper] = middle(f.count, f.min < 0);
  f.median = (static_cast<double>(lower) + static_cast<double>(upper)) / 2;
  return f;
}

}  // namespace sextant::stats
