// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What busy.cpp and thread_time.cpp share: to divide a span of time among causes, the first one first.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/covered.h"
#include "serve/timeline.h"

namespace sextant::serve {

struct Cause {
  std::string_view name, text;
};

/// Time that one cause got.
struct CauseTime {
  int64_t ns = 0;
  query::Span longest{0, 0};

  void add(int64_t from, int64_t to) {
    ns += to - from;
    if (to - from > longest.end - longest.start) longest = {from, to};
  }
};

/// A call that waits for a device.
bool is_device_wait(std::string_view name);

/// Makes spans ascend, apart from each other.
void unite(std::vector<query::Span>* spans);

/// Takes out of `free` what `taken` covers, and calls give(from, to, index in taken) for each part. Both
/// ascend, apart from each other; so does what is left.
template <typename Taken, typename Give>
void take(std::vector<query::Span>* free, const std::vector<Taken>& taken, const Give& give) {
  std::vector<query::Span> left;
  size_t t = 0;
  for (const query::Span& span : *free) {
    int64_t at = span.start;
    while (t < taken.size() && taken[t].end <= at) ++t;
    for (size_t next = t; next < taken.size() && taken[next].start < span.end; ++next) {
      const int64_t from = std::max(taken[next].start, at), to = std::min(taken[next].end, span.end);
      if (from > at) left.push_back({at, from});
      if (to > from) give(from, to, next);
      at = std::max(at, to);
    }
    if (at < span.end) left.push_back({at, span.end});
  }
  *free = std::move(left);
}

/// Most events that are looked at for one answer.
inline constexpr uint64_t kMostBusyEvents = 3'000'000;

/// Reads tracks' events as parts of a span, up to a number of them.
class Reading {
 public:
  Reading(const Timeline& timeline, const query::Window& span) : timeline_(timeline), span_(span) {}

  /// kUnsupported: too many.
  Status read(const Track& track, const std::function<void(const Event&, const query::Span&)>& use);
  /// Counts an event that was read in another way.
  Status count();

 private:
  const Timeline& timeline_;
  query::Window span_;
  uint64_t read_ = 0;
};

}  // namespace sextant::serve
