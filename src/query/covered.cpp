// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/covered.h"

#include <algorithm>

#include "query/sums.h"

namespace sextant::query {

namespace {

constexpr size_t kNear = 1024;  // places from the end at which a span is put where it belongs

bool starts_earlier(const Span& a, const Span& b) {
  return a.start < b.start;
}

}  // namespace

/// Begins before the last one ends.
void Covered::add_earlier(const Span& span) {
  Span& last = spans_.back();
  if (span.start >= last.start && spans_.size() > first_) {
    last.end = std::max(last.end, span.end);
    return;
  }
  const size_t lowest = std::max(first_, spans_.size() > kNear ? spans_.size() - kNear : 0);
  const auto later = std::upper_bound(spans_.begin() + static_cast<ptrdiff_t>(lowest), spans_.end(), span.end,
                                      [](int64_t end, const Span& other) { return end < other.start; });
  const auto behind = static_cast<size_t>(later - spans_.begin());  // of those that begin after it ends
  size_t from = behind;                                             // of those that it touches
  Span whole = span;
  while (from > lowest && spans_[from - 1].end >= span.start) {
    --from;
    whole = {std::min(whole.start, spans_[from].start), std::max(whole.end, spans_[from].end)};
  }
  if (from == lowest && lowest > first_) return add_late(span);  // it may touch others
  if (from == behind) {
    spans_.insert(spans_.begin() + static_cast<ptrdiff_t>(from), span);
    return;
  }
  spans_[from] = whole;
  spans_.erase(spans_.begin() + static_cast<ptrdiff_t>(from) + 1,
               spans_.begin() + static_cast<ptrdiff_t>(behind));
}

void Covered::add_late(Span span) {
  span.start = std::max(span.start, counted_until_);
  if (span.end > span.start) late_.push_back(span);
}

/// Joins spans in the order of their starts with those that are there, from the first one that they may
/// touch.
void Covered::join(std::vector<Span>* sorted) {
  if (sorted->empty()) return;
  const auto touched =
      std::lower_bound(spans_.begin() + static_cast<ptrdiff_t>(first_), spans_.end(), sorted->front().start,
                       [](const Span& span, int64_t start) { return span.end < start; });
  if (touched == spans_.end() || touched->start > sorted->back().end) {  // all in one gap
    spans_.insert(touched, sorted->begin(), sorted->end());
    sorted->clear();
    return;
  }
  const auto at = static_cast<size_t>(touched - spans_.begin());
  std::vector<Span> all(static_cast<size_t>(spans_.end() - touched) + sorted->size());
  auto ours = touched;
  auto theirs = sorted->begin();
  size_t last = 0;
  all[0] = ours->start < theirs->start ? *ours++ : *theirs++;
  while (ours != spans_.end() || theirs != sorted->end()) {
    const bool take_ours = theirs == sorted->end() || (ours != spans_.end() && ours->start < theirs->start);
    const Span& next = take_ours ? *ours++ : *theirs++;
    if (next.start <= all[last].end)
      all[last].end = std::max(all[last].end, next.end);
    else
      all[++last] = next;
  }
  spans_.resize(at);
  spans_.insert(spans_.end(), all.begin(), all.begin() + static_cast<ptrdiff_t>(last) + 1);
  sorted->clear();
}

void Covered::settle() {
  if (late_.empty()) return;
  std::sort(late_.begin(), late_.end(), starts_earlier);
  size_t last = 0;
  for (const Span& span : late_) {
    if (span.start <= late_[last].end)
      late_[last].end = std::max(late_[last].end, span.end);
    else
      late_[++last] = span;
  }
  late_.resize(last + 1);
  join(&late_);
}

void Covered::merge(Covered* other) {
  settle();
  other->settle();
  std::vector<Span>& spans = other->spans_;
  spans.erase(spans.begin(), spans.begin() + static_cast<ptrdiff_t>(other->first_));
  other->first_ = 0;
  if (!spans.empty() && spans.front().start < counted_until_) {
    for (Span& span : spans) span.start = std::max(span.start, counted_until_);
    std::erase_if(spans, [](const Span& span) { return span.end <= span.start; });
  }
  join(&spans);
}

void Covered::count_until(int64_t until) {
  settle();
  for (; first_ < spans_.size() && spans_[first_].end < until; ++first_) {
    const Span& span = spans_[first_];
    counted_ += static_cast<uint64_t>(span.end) - static_cast<uint64_t>(span.start);
    if (counted_from_ > span.start) counted_from_ = span.start;
    const bool behind = counted_to_ != INT64_MIN && span.start > counted_to_;
    if (behind && difference(span.start, counted_to_) > difference(gap_.end, gap_.start))
      gap_ = {counted_to_, span.start};
    counted_to_ = std::max(counted_to_, span.end);
  }
  counted_until_ = std::max(counted_until_, until);
  if (first_ < spans_.size() / 2 && first_ < spans_.size()) return;
  spans_.erase(spans_.begin(), spans_.begin() + static_cast<ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace sextant::query
