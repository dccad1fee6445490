// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "query/query.h"
#include "query/sums.h"

namespace sextant::query {

namespace {

// Each point is uncertain by some ten nanoseconds: points that are too close would make a crooked line.
constexpr uint64_t kClosestPointsNs = 10'000'000;

// Places of segments and distances from them, of damaged reports, too: what to_ns() promises.
constexpr int64_t kFarNs = TimeMap::kMostNs / 2;

using Point = std::pair<uint64_t, uint64_t>;

/// Points in order, both clocks ascending, none too close to the one before except that first and last are
/// always there.
std::vector<Point> thinned(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  std::vector<Point> kept;
  for (const Point& p : points) {
    if (!kept.empty() && (p.first <= kept.back().first || p.second <= kept.back().second)) continue;
    if (kept.size() >= 2 && kept.back().second - kept[kept.size() - 2].second < kClosestPointsNs)
      kept.pop_back();
    kept.push_back(p);
  }
  return kept;
}

}  // namespace

TimeMap TimeMap::make(std::vector<Point> points, uint64_t zero_ns) {
  points = thinned(std::move(points));
  const auto relative = [&](uint64_t ns) {
    return std::clamp(static_cast<int64_t>(ns - zero_ns), -kFarNs, kFarNs);
  };
  TimeMap map;
  if (points.size() < 2) {
    const Point only = points.empty() ? Point{zero_ns, zero_ns} : points[0];
    map.segments_.push_back({only.first, relative(only.second), 1.0});
    map.ticks_are_ns_ = true;
    return map;
  }
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const double slope = static_cast<double>(points[i + 1].second - points[i].second) /
                         static_cast<double>(points[i + 1].first - points[i].first);
    map.segments_.push_back({points[i].first, relative(points[i].second), slope});
  }
  return map;
}

void TimeMap::shift(int64_t ns) {
  for (Segment& segment : segments_) segment.ns = std::clamp(sum(segment.ns, ns), -kFarNs, kFarNs);
}

size_t TimeMap::find(uint64_t raw) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), raw,
                       [](uint64_t value, const Segment& segment) { return value < segment.raw; });
  return after == segments_.begin() ? 0 : static_cast<size_t>(after - segments_.begin()) - 1;
}

int64_t TimeMap::convert(const Segment& segment, uint64_t raw) {
  constexpr auto kFar = static_cast<double>(kFarNs);
  const double ns = static_cast<double>(static_cast<int64_t>(raw - segment.raw)) * segment.ns_per_tick;
  return segment.ns + static_cast<int64_t>(std::clamp(ns, -kFar, kFar));
}

void TimeMap::to_ns(std::span<const uint64_t> raw, std::span<int64_t> out) const {
  if (ticks_are_ns_) {
    // as convert() does it, without doubles, which are exact for such differences
    constexpr uint64_t kExact = uint64_t{1} << 52;
    const Segment& only = segments_[0];
    uint64_t far = 0;
    for (size_t i = 0; i < raw.size(); ++i) far |= raw[i] - only.raw + kExact;
    if (far < 2 * kExact) {
      const uint64_t zero = static_cast<uint64_t>(only.ns) - only.raw;
      for (size_t i = 0; i < raw.size(); ++i) out[i] = static_cast<int64_t>(raw[i] + zero);
      return;
    }
  }
  // [low, low + span): stamps of the segment at hand; the first and the last one reach to the ends of the
  // world
  Segment segment = segments_[0];
  uint64_t low = 0;
  uint64_t span = 0;
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] - low >= span) {
      const size_t index = find(raw[i]);
      segment = segments_[index];
      low = index == 0 ? 0 : segment.raw;
      span = (index + 1 < segments_.size() ? segments_[index + 1].raw : UINT64_MAX) - low;
    }
    out[i] = convert(segment, raw[i]);
  }
}

}  // namespace sextant::query
