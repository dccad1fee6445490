// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/range_sum.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "query/sums.h"

namespace sextant::serve {

namespace {

constexpr uint64_t kFewEvents = 200'000;
constexpr size_t kTopNames = 8;
constexpr int64_t kPiecesOfSpan = 4096;

struct NameTime {
  RangeSum::Name sum;
  int64_t covered_to;
};
using Names = std::unordered_map<uint32_t, NameTime>;

void take_top(const Names& names, RangeSum* sum) {
  for (const auto& [id, time] : names) sum->top.push_back(time.sum);
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
    NameTime& name = names.try_emplace(event.name, RangeSum::Name{event.name}, span.from_ns).first->second;
    name.sum.ns += std::max<int64_t>(to - std::max(from, name.covered_to), 0);
    name.covered_to = std::max(name.covered_to, to);
    ++name.sum.events;
    return true;
  }));
  take_top(names, &sum);
  return sum;
}

/// Pieces that reach beyond the span count by the part that is in it.
RangeSum from_pieces(const Timeline& timeline, const Track& track, const query::Window& span) {
  RangeSum sum;
  sum.exact = false;
  Names names;
  const int64_t width = std::max<int64_t>((span.to_ns - span.from_ns) / kPiecesOfSpan, 1);
  double events = 0, busy_ns = 0;
  std::vector<Piece> outer;  // of the rows that cover the track first
  timeline.pieces(track).visit(span.from_ns, span.to_ns, width, [&](uint32_t, const Piece& piece) {
    const int64_t from = std::max(piece.start_ns, span.from_ns), to = std::min(piece.end_ns, span.to_ns);
    const double part =
        piece.width_ns() == 0 ? 1 : static_cast<double>(to - from) / static_cast<double>(piece.width_ns());
    events += piece.events * part;
    RangeSum::Name& name =
        names.try_emplace(piece.name, RangeSum::Name{piece.name}, span.from_ns).first->second.sum;
    name.ns = query::sum(name.ns, static_cast<int64_t>(piece.busy_ns * part));
    name.events += static_cast<uint64_t>(std::llround(piece.events * part));
    outer.push_back({from, to, 0, 0, static_cast<float>(piece.busy_ns * part)});
  });
  busy_ns = covered_ns(std::move(outer), span.from_ns);
  sum.events = static_cast<uint64_t>(std::llround(events));
  sum.busy_ns = static_cast<int64_t>(busy_ns);
  for (auto& [id, time] : names) time.sum.ns = std::min(time.sum.ns, sum.busy_ns);
  take_top(names, &sum);
  return sum;
}

}  // namespace

Result<RangeSum> range_sum(const Timeline& timeline, const Track& track, const query::Window& span) {
  const bool few = timeline.nearby(track, span.from_ns, span.to_ns) <= kFewEvents &&
                   timeline.cheap(track, span.from_ns, span.to_ns);
  if (few) return from_events(timeline, track, span);
  return from_pieces(timeline, track, span);
}

}  // namespace sextant::serve
