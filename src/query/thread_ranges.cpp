// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/thread_ranges.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sextant::query {

namespace {

template <typename T>
std::tuple<uint32_t, uint64_t> thread_of(const T& x) {
  return {x.process, x.tid};
}

/// Numbers of `all`, by thread, start, and then: ranges by falling number, so that the first one is
/// innermost.
template <typename T>
std::vector<uint32_t> by_thread_and_start(std::span<const T> all) {
  std::vector<uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto x = thread_of(all[a]), y = thread_of(all[b]);
    if (x != y) return x < y;
    return all[a].start_ns != all[b].start_ns ? all[a].start_ns < all[b].start_ns : a > b;
  });
  return order;
}

}  // namespace

Result<std::vector<ThreadRange>> load_thread_ranges(const Source& source, bool push_pop, bool start_end,
                                                    Rows which) {
  std::vector<ThreadRange> ranges;
  NvtxScan scan;
  scan.push_pop = push_pop;
  scan.start_end = start_end;
  scan.with_attributes = start_end;  // end_tid
  scan.whole = which == Rows::kAll;
  uint64_t row = 0;
  SEXTANT_TRY(source.scan_nvtx(scan, [&](const NvtxBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) {
      ++row;
      const bool is_start_end = b.kind == NvtxBatch::Kind::kStartEnd;
      const uint64_t closed_by = !b.row.empty()                             ? b.closed_by[i]
                                 : is_start_end && b.end_tid[i] != b.tid[i] ? b.end_tid[i]
                                                                            : 0;
      if (closed_by != 0) continue;
      ranges.push_back({b.start_ns[i], b.end_ns[i], b.tid[i], static_cast<uint32_t>(b.process[i]),
                        static_cast<uint32_t>(b.name[i]), static_cast<uint32_t>(b.domain[i]), is_start_end,
                        b.row.empty() ? row : b.row[i]});
    }
  }));
  if (ranges.size() >= UINT32_MAX)
    return fail(ErrorCode::kUnsupported, "more than 4294967294 NVTX ranges cannot be joined");
  return ranges;
}

void find_enclosing(std::span<const ThreadRange> ranges, std::span<const ThreadSpan> spans,
                    const std::function<void(size_t, std::span<const uint32_t>)>& use) {
  const std::vector<uint32_t> range_order = by_thread_and_start(ranges),
                              span_order = by_thread_and_start(spans);
  std::vector<uint32_t> open, around;  // by start
  size_t next = 0;
  for (const uint32_t s : span_order) {
    const ThreadSpan& span = spans[s];
    const auto thread = thread_of(span);
    if (!open.empty() && thread_of(ranges[open.front()]) != thread) open.clear();
    for (; next < range_order.size(); ++next) {
      const ThreadRange& range = ranges[range_order[next]];
      if (thread_of(range) > thread || (thread_of(range) == thread && range.start_ns > span.start_ns)) break;
      if (thread_of(range) == thread) open.push_back(range_order[next]);
    }
    std::erase_if(open, [&](uint32_t r) { return ranges[r].end_ns < span.start_ns; });
    around.clear();
    for (const uint32_t r : open)
      if (ranges[r].end_ns >= span.end_ns) around.push_back(r);
    use(s, around);
  }
}

EnclosingRanges::EnclosingRanges(std::span<const ThreadRange> ranges)
    : ranges_(ranges), order_(by_thread_and_start(ranges)), longer_(ranges.size(), kNone) {
  for (uint32_t place = 1; place < order_.size(); ++place) {
    const ThreadRange& range = ranges_[order_[place]];
    uint32_t before = place - 1;
    if (thread_of(ranges_[order_[before]]) != thread_of(range)) continue;
    while (before != kNone && ranges_[order_[before]].end_ns <= range.end_ns) before = longer_[before];
    longer_[place] = before;
  }
}

/// What is skipped on the way ends before the span does.
EnclosingRanges::At EnclosingRanges::climb(uint32_t place, const ThreadSpan& span) const {
  while (place != kNone && ranges_[order_[place]].end_ns < span.end_ns) place = longer_[place];
  return place == kNone ? At() : At{order_[place], place};
}

EnclosingRanges::At EnclosingRanges::innermost(const ThreadSpan& span) const {
  const auto key = std::tuple_cat(thread_of(span), std::tuple(span.start_ns));
  const auto behind =
      std::upper_bound(order_.begin(), order_.end(), key, [&](const auto& wanted, uint32_t number) {
        const ThreadRange& range = ranges_[number];
        return wanted < std::tuple_cat(thread_of(range), std::tuple(range.start_ns));
      });
  if (behind == order_.begin() || thread_of(ranges_[behind[-1]]) != thread_of(span)) return {};
  return climb(static_cast<uint32_t>(behind - order_.begin()) - 1, span);
}

EnclosingRanges::At EnclosingRanges::outside(At at, const ThreadSpan& span) const {
  if (at.place == 0 || thread_of(ranges_[order_[at.place - 1]]) != thread_of(span)) return {};
  return climb(at.place - 1, span);
}

}  // namespace sextant::query
