// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/tile.h"

#include <algorithm>

namespace sextant::serve {

namespace {

constexpr size_t kTileBuckets = size_t{1} << kTileBits;

/// As a share of 255; what is there is never nothing.
uint8_t eighth(double part) {
  return static_cast<uint8_t>(std::clamp(part * 255.0, 1.0, 255.0));
}

std::vector<TileBucket> from_pyramid(const Pyramid& pyramid, size_t lane, TilePlace place) {
  std::vector<TileBucket> out;
  const int64_t first = place.index << kTileBits;
  pyramid.buckets(
      lane, place.level, first, first + static_cast<int64_t>(kTileBuckets),
      [&](uint16_t row, const Bucket& bucket) {
        out.push_back({row, static_cast<uint16_t>(bucket.index - first),
                       eighth(static_cast<double>(bucket.busy) / kFull), bucket.name, bucket.events});
      });
  return out;
}

}  // namespace

void TileSum::add(const Event& event) {
  const int64_t from = std::max(event.start_ns, place_.start_ns());
  const int64_t to = std::min(event.end_ns, place_.end_ns());
  if (rows_.size() <= event.row) rows_.resize(event.row + size_t{1});
  std::vector<Cell>& row = rows_[event.row];
  row.resize(kTileBuckets);
  int64_t at = from;
  do {
    const auto bucket = static_cast<size_t>((at - place_.start_ns()) >> place_.level);
    if (bucket >= kTileBuckets) return;
    const int64_t next = std::min(to, place_.start_ns() + (static_cast<int64_t>(bucket + 1) << place_.level));
    Cell& cell = row[bucket];
    const int64_t busy = std::max<int64_t>(next - at, 0);
    cell.busy_ns += busy;
    if (at == event.start_ns) ++cell.events;
    if (busy > cell.most_ns) cell.most_ns = busy, cell.name = event.name;
    at = next;
  } while (at < to);
}

std::vector<TileBucket> TileSum::buckets() const {
  std::vector<TileBucket> out;
  const auto width = static_cast<double>(int64_t{1} << place_.level);
  for (size_t r = 0; r < rows_.size(); ++r)
    for (size_t b = 0; b < rows_[r].size(); ++b) {
      const Cell& cell = rows_[r][b];
      if (cell.most_ns < 0) continue;
      out.push_back({static_cast<uint16_t>(r), static_cast<uint16_t>(b),
                     eighth(static_cast<double>(cell.busy_ns) / width), cell.name, cell.events});
    }
  return out;
}

Result<std::string> make_tile(const Timeline& timeline, const Track& track, TilePlace place) {
  if (!place.valid()) return fail(ErrorCode::kUsage, "there is no such tile: its level or index is too high");
  if (track.curve != Track::kNone) return timeline.curves()[track.curve].tile(place);
  SEXTANT_ASSIGN(const TrackSums* sums, timeline.sums(track));
  SEXTANT_ASSIGN(const Pyramid* pyramid, timeline.pyramid(track));
  const bool in_pyramid = place.level >= pyramid->base_level();
  std::vector<TileBucket> buckets;
  if (in_pyramid) {
    buckets = from_pyramid(*pyramid, track.lane, place);
    uint64_t begin = 0;
    for (const TileBucket& bucket : buckets) begin += bucket.events;
    if (begin > kTileEvents || !timeline.cheap(track, place.start_ns(), place.end_ns()))
      return encode_buckets(place, sums->rows, buckets);
  }
  const size_t most = place.level == 0 ? kMostTileEvents : kTileEvents;
  std::vector<Event> events;
  TileSum sum(place);
  uint32_t more = 0;
  SEXTANT_TRY(timeline.visit(track, place.start_ns(), place.end_ns(), [&](const Event& event) {
    if (events.size() < most)
      events.push_back(event);
    else
      ++more;
    if (more == 1 && place.level > 0)
      for (const Event& earlier : events) sum.add(earlier);
    if (more > 0 && place.level > 0) sum.add(event);
    return !(more > 0 && in_pyramid);
  }));
  if (more > 0 && in_pyramid) return encode_buckets(place, sums->rows, buckets);
  if (more > 0 && place.level > 0) return encode_buckets(place, sums->rows, sum.buckets());
  if (events.empty()) return encode_buckets(place, sums->rows, {});
  std::sort(events.begin(), events.end());
  return encode_events(place, sums->rows, events, more);
}

}  // namespace sextant::serve
