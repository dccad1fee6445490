// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/durations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace sextant::stats {

namespace {

constexpr size_t kCountedBelow = 2048;  // ns
constexpr size_t kCountFrom = 1024;     // durations: a bag with fewer keeps them all
constexpr int kBucketBits = 12;

__extension__ typedef __int128 Wide;

}  // namespace

void Durations::add_other(int64_t ns) {
  if (static_cast<uint64_t>(ns) > UINT32_MAX) {
    far_.push_back(ns);
    return;
  }
  near_.push_back(static_cast<uint32_t>(ns));
  if (counted_.empty() && near_.size() >= kCountFrom) start_counting();
}

void Durations::start_counting() {
  counted_.assign(kCountedBelow, 0);
  const auto longer =
      std::partition(near_.begin(), near_.end(), [](uint32_t ns) { return ns < kCountedBelow; });
  for (auto at = near_.begin(); at != longer; ++at) ++counted_[*at];
  near_.erase(near_.begin(), longer);
}

void Durations::merge(Durations&& other) {
  if (near_.size() < other.near_.size()) std::swap(*this, other);  // the smaller one is copied
  if (counted_.empty() && !other.counted_.empty()) start_counting();
  for (size_t ns = 0; ns < other.counted_.size(); ++ns) counted_[ns] += other.counted_[ns];
  if (counted_.empty() == other.counted_.empty()) {
    near_.insert(near_.end(), other.near_.begin(), other.near_.end());
    if (counted_.empty() && near_.size() >= kCountFrom) start_counting();
  } else {
    for (const uint32_t ns : other.near_) add(ns);
  }
  far_.insert(far_.end(), other.far_.begin(), other.far_.end());
  repeated_.insert(repeated_.end(), other.repeated_.begin(), other.repeated_.end());
  other = {};
}

/// The durations in the middle: twice the same of an odd count. `low`, `high`: of the near ones.
double Durations::median(uint64_t count, uint32_t low, uint32_t high) {
  const auto negative =
      static_cast<uint64_t>(std::count_if(far_.begin(), far_.end(), [](int64_t ns) { return ns < 0; }));
  const uint64_t counted = count - near_.size() - far_.size();
  // in order: the negative ones, those counted, the near ones, the far ones
  const auto far_at = [&](uint64_t rank) {
    const auto nth = far_.begin() + static_cast<ptrdiff_t>(rank);
    std::nth_element(far_.begin(), nth, far_.end());
    return *nth;
  };
  const auto value_at = [&](uint64_t rank) -> int64_t {
    if (rank < negative) return far_at(rank);
    rank -= negative;
    if (rank < counted) {
      size_t ns = 0;
      for (uint64_t before = 0; before + counted_[ns] <= rank;) before += counted_[ns++];
      return static_cast<int64_t>(ns);
    }
    rank -= counted;
    return rank < near_.size() ? near_at(rank, rank, low, high).second
                               : far_at(negative + rank - near_.size());
  };
  const uint64_t upper = count / 2, lower = count % 2 == 0 ? upper - 1 : upper,
                 before_near = negative + counted;
  if (lower < before_near || upper >= before_near + near_.size())
    return (static_cast<double>(value_at(lower)) + static_cast<double>(value_at(upper))) / 2;
  const auto [a, b] = near_at(lower - before_near, upper - before_near, low, high);
  return (static_cast<double>(a) + static_cast<double>(b)) / 2;
}

/// The near ones with `lower` and with `upper` (the same, or one more) smaller ones before them: first the
/// buckets that hold them, then the places within.
std::pair<uint32_t, uint32_t> Durations::near_at(uint64_t lower, uint64_t upper, uint32_t low,
                                                 uint32_t high) const {
  const int shift = std::max(0, static_cast<int>(std::bit_width(high - low)) - kBucketBits);
  std::array<uint32_t, size_t{1} << kBucketBits> buckets{};
  for (const uint32_t ns : near_) ++buckets[(ns - low) >> shift];
  uint64_t before = 0;  // values in buckets below
  uint32_t first = 0;
  while (before + buckets[first] <= lower) before += buckets[first++];
  uint32_t last = first;
  for (uint64_t until = before + buckets[first]; until <= upper;) until += buckets[++last];
  if (shift == 0) return {low + first, low + last};
  std::vector<uint32_t> within;
  for (const uint32_t ns : near_)
    if (const uint32_t bucket = (ns - low) >> shift; bucket >= first && bucket <= last) within.push_back(ns);
  const auto at = within.begin() + static_cast<ptrdiff_t>(upper - before);
  std::nth_element(within.begin(), at, within.end());
  return {lower == upper ? *at : *std::max_element(within.begin(), at), *at};
}

/// Everything as repeated_, in order.
void Durations::repeat_all() {
  for (size_t ns = 0; ns < counted_.size(); ++ns)
    if (counted_[ns] != 0) repeated_.push_back({static_cast<int64_t>(ns), counted_[ns]});
  for (const uint32_t ns : near_) repeated_.push_back({ns, 1});
  for (const int64_t ns : far_) repeated_.push_back({ns, 1});
  counted_ = {}, near_ = {}, far_ = {};
  const auto less = [](const Repeated& a, const Repeated& b) { return a.ns < b.ns; };
  if (!std::is_sorted(repeated_.begin(), repeated_.end(), less))
    std::sort(repeated_.begin(), repeated_.end(), less);
}

Figures Durations::figures_of_repeated() const {
  Figures f;
  Wide total = 0;
  for (const Repeated& r : repeated_) {
    f.count += r.times;
    total += static_cast<Wide>(r.ns) * static_cast<Wide>(r.times);
  }
  f.min = repeated_.front().ns;
  f.max = repeated_.back().ns;
  f.total = static_cast<int64_t>(total);
  const long double average = static_cast<long double>(total) / static_cast<long double>(f.count);
  f.average = static_cast<double>(average);
  long double squares = 0;
  uint64_t before = 0;
  const uint64_t upper = f.count / 2, lower = f.count % 2 == 0 ? upper - 1 : upper;
  for (const Repeated& r : repeated_) {
    const long double off = static_cast<long double>(r.ns) - average;
    squares += off * off * static_cast<long double>(r.times);
    for (const uint64_t middle : {lower, upper})
      if (middle >= before && middle - before < r.times) f.median += static_cast<double>(r.ns) / 2;
    before += r.times;
  }
  if (f.count > 1)
    f.deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(f.count - 1)));
  return f;
}

Figures Durations::figures() {
  if (!repeated_.empty()) {
    repeat_all();
    return figures_of_repeated();
  }
  Figures f;
  f.min = INT64_MAX;
  f.max = INT64_MIN;
  Wide total = 0;
  const auto for_each_other = [&](auto use) {  // but the near ones, which are many
    for (size_t ns = 0; ns < counted_.size(); ++ns)
      if (counted_[ns] != 0) use(static_cast<int64_t>(ns), counted_[ns]);
    for (const int64_t ns : far_) use(ns, uint64_t{1});
  };
  for_each_other([&](int64_t ns, uint64_t times) {
    f.count += times;
    total += static_cast<Wide>(ns) * static_cast<Wide>(times);
    f.min = std::min(f.min, ns);
    f.max = std::max(f.max, ns);
  });
  uint32_t low = UINT32_MAX, high = 0;
  if (!near_.empty()) {
    uint64_t sum = 0;  // of fewer than 2^32 values
    for (const uint32_t ns : near_) sum += ns, low = std::min(low, ns), high = std::max(high, ns);
    f.count += near_.size();
    total += sum;
    f.min = std::min(f.min, int64_t{low});
    f.max = std::max(f.max, int64_t{high});
  }
  f.total = static_cast<int64_t>(total);
  const long double average = static_cast<long double>(total) / static_cast<long double>(f.count);
  f.average = static_cast<double>(average);
  long double squares = 0;
  for_each_other([&](int64_t ns, uint64_t times) {
    const long double off = static_cast<long double>(ns) - average;
    squares += off * off * static_cast<long double>(times);
  });
  double near_squares[4] =
      {};  // differences from the average are small numbers: doubles do, in four sums to be fast
  for (size_t i = 0; i < near_.size(); ++i) {
    const double off = static_cast<double>(near_[i]) - f.average;
    near_squares[i % 4] += off * off;
  }
  for (const double sum : near_squares) squares += static_cast<long double>(sum);
  f.deviation =
      f.count < 2 ? 0 : static_cast<double>(std::sqrt(squares / static_cast<long double>(f.count - 1)));
  f.median = median(f.count, low, high);
  return f;
}

}  // namespace sextant::stats
