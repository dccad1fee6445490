// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/covered.h"

#include <algorithm>

namespace sextant::stats {

namespace {

constexpr size_t kNear = 32;  // places from the end at which a span is put where it belongs

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
  size_t behind = spans_.size();  // of those that begin after it ends
  while (behind > lowest && spans_[behind - 1].start > span.end) --behind;
  size_t from = behind;  // of those that it touches
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
  const auto at = static_cast<size_t>(touched - spans_.begin());
  std::vector<Span> all(static_cast<size_t>(spans_.end() - touched) + sorted->size());
  std::merge(touched, spans_.end(), sorted->begin(), sorted->end(), all.begin(), starts_earlier);
  spans_.resize(at);
  for (const Span& span : all) {
    if (spans_.size() > at && span.start <= spans_.back().end)
      spans_.back().end = std::max(spans_.back().end, span.end);
    else
      spans_.push_back(span);
  }
  sorted->clear();
}

void Covered::settle() {
  if (late_.empty()) return;
  std::sort(late_.begin(), late_.end(), starts_earlier);
  join(&late_);
}

void Covered::merge(Covered* other) {
  settle();
  other->settle();
  std::vector<Span>& spans = other->spans_;
  spans.erase(spans.begin(), spans.begin() + static_cast<ptrdiff_t>(other->first_));
  other->first_ = 0;
  const bool behind = spans.empty() || ((spans_.empty() || spans.front().start > spans_.back().end) &&
                                        spans.front().start >= counted_until_);
  if (behind) {
    spans_.insert(spans_.end(), spans.begin(), spans.end());
    spans.clear();
    return;
  }
  for (Span& span : spans) span.start = std::max(span.start, counted_until_);
  std::erase_if(spans, [](const Span& span) { return span.end <= span.start; });
  join(&spans);
}

void Covered::count_until(int64_t until) {
  settle();
  for (; first_ < spans_.size() && spans_[first_].end < until; ++first_)
    counted_ += static_cast<uint64_t>(spans_[first_].end) - static_cast<uint64_t>(spans_[first_].start);
  counted_until_ = std::max(counted_until_, until);
  if (first_ < spans_.size() / 2 && first_ < spans_.size()) return;
  spans_.erase(spans_.begin(), spans_.begin() + static_cast<ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace sextant::stats
