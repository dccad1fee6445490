// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/range_sum.h"

#include <algorithm>
#include <unordered_map>

namespace sextant::serve {

namespace {

constexpr uint64_t kFewEvents = 200'000;
constexpr size_t kTopNames = 8;
constexpr int64_t kBucketsOfSpan = 4096;

using Names = std::unordered_map<uint32_t, RangeSum::Name>;

void take_top(const Names& names, RangeSum* sum) {
  for (const auto& [id, name] : names) sum->top.push_back(name);
  std::sort(sum->top.begin(), sum->top.end(),
            [](const auto& a, const auto& b) { return a.ns != b.ns ? a.ns > b.ns : a.name < b.name; });
  if (sum->top.size() > kTopNames) sum->top.resize(kTopNames);
}

Result<RangeSum> from_events(const Timeline& timeline, const Track& track, const query::Window& span) {
  RangeSum sum;
  Names names;
  int64_t covered_to = span.from_ns;
  SEXTANT_TRY(timeline.visit(track, span.from_ns, span.to_ns, [&](const Event& event) {
    const int64_t from = std::max(event.start_ns, span.from_ns), to = std::min(event.end_ns, span.to_ns);
    ++sum.events;
    sum.busy_ns += std::max<int64_t>(to - std::max(from, covered_to), 0);
    covered_to = std::max(covered_to, to);
    RangeSum::Name& name = names.try_emplace(event.name, RangeSum::Name{event.name}).first->second;
    name.ns += to - from;
    ++name.events;
    return true;
  }));
  take_top(names, &sum);
  return sum;
}

Result<RangeSum> from_buckets(const Timeline& timeline, const Track& track, const query::Window& span) {
  SEXTANT_ASSIGN(const Pyramid* pyramid, timeline.pyramid(track));
  int level = pyramid->base_level();
  while ((span.to_ns - span.from_ns) >> level > kBucketsOfSpan) ++level;
  RangeSum sum;
  sum.exact = false;
  Names names;
  const auto width = static_cast<double>(int64_t{1} << level);
  std::unordered_map<uint32_t, uint16_t> most;  // busy of the busiest row, by bucket
  pyramid->buckets(track.lane, level, std::max<int64_t>(span.from_ns, 0) >> level,
                   ((span.to_ns - 1) >> level) + 1, [&](uint16_t, const Bucket& bucket) {
                     sum.events += bucket.events;
                     uint16_t& busy = most[bucket.index];
                     busy = std::max(busy, bucket.busy);
                     RangeSum::Name& name =
                         names.try_emplace(bucket.name, RangeSum::Name{bucket.name}).first->second;
                     name.ns += static_cast<int64_t>(width * bucket.busy / kFull);
                     name.events += bucket.events;
                   });
  double busy_ns = 0;
  for (const auto& [index, busy] : most) busy_ns += width * busy / kFull;
  sum.busy_ns = static_cast<int64_t>(busy_ns);
  take_top(names, &sum);
  return sum;
}

}  // namespace

Result<RangeSum> range_sum(const Timeline& timeline, const Track& track, const query::Window& span) {
  const bool few = timeline.nearby(track, span.from_ns, span.to_ns) <= kFewEvents &&
                   timeline.cheap(track, span.from_ns, span.to_ns);
  if (few) return from_events(timeline, track, span);
  return from_buckets(timeline, track, span);
}

}  // namespace sextant::serve
