// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/tile.h"

#include <algorithm>

namespace sextant::serve {

namespace {

constexpr size_t kTileBuckets = size_t{1} << kTileBits;
constexpr int64_t kCoarse = 2;  // what happens in so many buckets may be spread over them
constexpr uint64_t kAboutTileEvents = 2 * kTileEvents;  // so many, counted by pieces, may be few enough

/// As a share of 255; what is there is never nothing.
uint8_t eighth(double part) {
  return static_cast<uint8_t>(std::clamp(part * 255.0, 1.0, 255.0));
}

/// What the pieces of a tile's span say.
struct FromAfar {
  uint64_t events = 0;  // that touch it, about
  bool empty = true;
  RowSpans coarse;            // of pieces of several events that are too wide for its buckets
  std::vector<Piece> pieces;  // the same, and their rows
  std::vector<uint32_t> rows;
  TileSum sum;  // of the others
};

FromAfar from_afar(const Pieces& pieces, TilePlace place) {
  FromAfar out{.sum = TileSum(place)};
  const int64_t width = int64_t{1} << place.level;
  pieces.visit(place.start_ns(), place.end_ns(), width, [&](uint32_t row, const Piece& piece) {
    out.empty = false;
    const bool whole = piece.start_ns >= place.start_ns() && piece.end_ns <= place.end_ns();
    const auto inside = static_cast<double>(std::min(piece.end_ns, place.end_ns()) -
                                            std::max(piece.start_ns, place.start_ns()));
    out.events +=
        whole ? piece.events
              : static_cast<uint64_t>(piece.events * inside / static_cast<double>(piece.width_ns())) + 1;
    if (piece.events > 1 && piece.width_ns() / kCoarse > width)
      out.coarse.add(row, piece.start_ns, piece.end_ns), out.pieces.push_back(piece), out.rows.push_back(row);
    else
      out.sum.add(row, piece);
  });
  return out;
}

/// Its events one by one, or in buckets where they are too many after all.
Result<std::string> from_near(const Timeline& timeline, const Track& track, TilePlace place) {
  const uint32_t rows = timeline.sums(track).rows;
  const size_t most = place.level == 0 ? kMostTileEvents : kTileEvents;
  std::vector<Event> events;
  TileSum sum(place);
  uint32_t count = 0;
  SEXTANT_TRY(timeline.visit(track, place.start_ns(), place.end_ns(), [&](const Event& event) {
    if (++count <= most) events.push_back(event);
    if (place.level > 0) sum.add(event);
    return true;
  }));
  if (count > most && place.level > 0) return encode_buckets(place, rows, sum.buckets());
  if (events.empty()) return encode_buckets(place, rows, {});
  return encode_events(place, rows, events, static_cast<uint32_t>(count - events.size()));
}

}  // namespace

void TileSum::Cell::add(uint32_t name, double ns) {
  busy_ns += ns;
  size_t at = 0;
  while (at < names && times[at].first != name) ++at;
  if (at < names) {
    times[at].second += ns;
  } else if (names < kNames) {
    times[names++] = {name, ns};
  } else {
    const auto least = std::min_element(times.begin(), times.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    if (ns > least->second) *least = {name, ns};
  }
}

uint32_t TileSum::Cell::heaviest() const {
  return std::max_element(times.begin(), times.begin() + names,
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

void TileSum::add(uint32_t row, const Piece& piece) {
  const bool instant = piece.width_ns() == 0;
  add(row, piece, instant ? 0 : static_cast<double>(piece.busy_ns) / static_cast<double>(piece.width_ns()));
}

void TileSum::add(uint32_t row, const Piece& piece, double density) {
  if (rows_.size() <= row) rows_.resize(row + size_t{1});
  rows_[row].resize(kTileBuckets);
  const int64_t from = std::max(piece.start_ns, place_.start_ns()),
                to = std::min(piece.end_ns, place_.end_ns());
  int64_t at = from;
  do {
    const auto bucket = static_cast<size_t>((at - place_.start_ns()) >> place_.level);
    if (bucket >= kTileBuckets) return;
    const int64_t next = std::min(to, place_.start_ns() + (static_cast<int64_t>(bucket + 1) << place_.level));
    Cell& cell = rows_[row][bucket];
    cell.add(piece.name, static_cast<double>(std::max<int64_t>(next - at, 0)) * density);
    if (at == piece.start_ns) cell.events += piece.events;
    at = next;
  } while (at < to);
}

std::vector<TileBucket> TileSum::buckets() const {
  std::vector<TileBucket> out;
  const auto width = static_cast<double>(int64_t{1} << place_.level);
  for (size_t r = 0; r < rows_.size(); ++r)
    for (size_t b = 0; b < rows_[r].size(); ++b) {
      const Cell& cell = rows_[r][b];
      if (cell.names > 0)
        out.push_back({static_cast<uint16_t>(r), static_cast<uint16_t>(b), eighth(cell.busy_ns / width),
                       cell.heaviest(), cell.events});
    }
  return out;
}

/// From afar a tile is made of pieces; near by of the events themselves; between the two of both: of the
/// events where pieces are too coarse. Events that lie in many chunks are left to their pieces.
Result<std::string> make_tile(const Timeline& timeline, const Track& track, TilePlace place) {
  if (!place.valid()) return fail(ErrorCode::kUsage, "there is no such tile: its level or index is too high");
  if (track.curve != Track::kNone) return timeline.curves()[track.curve].tile(place);
  const uint32_t rows = timeline.sums(track).rows;
  FromAfar far = from_afar(timeline.pieces(track), place);
  if (far.empty) return encode_buckets(place, rows, {});
  const bool cheap = timeline.cheap(track, place.start_ns(), place.end_ns());
  if (cheap && (place.level == 0 || far.events <= kAboutTileEvents)) return from_near(timeline, track, place);
  if (cheap && !far.coarse.empty()) {
    SEXTANT_TRY(timeline.visit_spans(track, place.start_ns(), place.end_ns(), &far.coarse,
                                     [&](const Event& event) { far.sum.add(event); }));
  } else {
    for (size_t i = 0; i < far.pieces.size(); ++i) far.sum.add(far.rows[i], far.pieces[i]);
  }
  return encode_buckets(place, rows, far.sum.buckets());
}

}  // namespace sextant::serve
