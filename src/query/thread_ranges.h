// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX ranges in memory, by thread: which of them were open around a span of time on a thread. Ranges that
// another thread closed are not of a thread and left out. About 50 bytes a range.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "query/query.h"

namespace sextant::query {

struct ThreadRange {
  int64_t start_ns, end_ns;
  uint64_t tid;
  uint32_t process;
  uint32_t name, domain;  // string ids
  bool start_end;         // else push/pop
  uint64_t row;           // its number: of the row in an imported source, else counted from 1 in file order
};

/// Ranges in the order they were scanned. kUnsupported: too many.
Result<std::vector<ThreadRange>> load_thread_ranges(const Source& source, bool push_pop = true,
                                                    bool start_end = true, Rows which = Rows::kInWindow);

/// A span of time on a thread, such as a call.
struct ThreadSpan {
  int64_t start_ns, end_ns;
  uint64_t tid;
  uint32_t process;
};

/// Calls use(span, ranges) for every span, in no particular order: numbers of the ranges that contain it, the
/// outermost (by start) first; of ranges that begin together the later one (by number) first. The span with
/// the ranges is valid during the call.
void find_enclosing(std::span<const ThreadRange> ranges, std::span<const ThreadSpan> spans,
                    const std::function<void(size_t span, std::span<const uint32_t> ranges)>& use);

/// The same question for spans that come one by one, in any order: an index of ranges. Const methods are
/// thread-safe. 8 bytes a range beside the ranges, which must outlive it.
class EnclosingRanges {
 public:
  explicit EnclosingRanges(std::span<const ThreadRange> ranges);

  static constexpr uint32_t kNone = UINT32_MAX;

  /// The innermost range around the span, kNone if there is none; then the next one around both. Of ranges
  /// that begin together the outer one is that with the later number.
  struct At {
    uint32_t range = kNone;  // its number in `ranges`
    uint32_t place = kNone;
  };
  At innermost(const ThreadSpan& span) const;
  At outside(At at, const ThreadSpan& span) const;

 private:
  At climb(uint32_t place, const ThreadSpan& span) const;

  std::span<const ThreadRange> ranges_;
  std::vector<uint32_t> order_;   // by thread and start, the outer one first
  std::vector<uint32_t> longer_;  // [place]: the last place before it, of its thread, that ends later
};

}  // namespace sextant::query
