// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/tile.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sextant::serve {

namespace {

constexpr size_t kTileBuckets = size_t{1} << kTileBits;
constexpr int64_t kCoarse = 2;  // what happens in so many buckets may be spread over them

/// As a share of 255; what is there is never nothing.
uint8_t eighth(double part) {
  return static_cast<uint8_t>(std::clamp(part * 255.0, 1.0, 255.0));
}

/// The buckets of a tile, filled by pieces.
class PieceSum {
 public:
  explicit PieceSum(TilePlace place) : place_(place) {}

  void add(uint32_t row, const Piece& piece) {
    if (rows_.size() <= row) rows_.resize(row + size_t{1});
    rows_[row].resize(kTileBuckets);
    const int64_t from = std::max(piece.start_ns, place_.start_ns()),
                  to = std::min(piece.end_ns, place_.end_ns());
    const double density = piece.width_ns() == 0
                               ? 0
                               : static_cast<double>(piece.busy_ns) / static_cast<double>(piece.width_ns());
    int64_t at = from;
    do {
      const auto bucket = static_cast<size_t>((at - place_.start_ns()) >> place_.level);
      if (bucket >= kTileBuckets) return;
      const int64_t next =
          std::min(to, place_.start_ns() + (static_cast<int64_t>(bucket + 1) << place_.level));
      rows_[row][bucket].add(piece.name, static_cast<double>(std::max<int64_t>(next - at, 0)) * density);
      if (at == from && piece.start_ns >= place_.start_ns()) rows_[row][bucket].events += piece.events;
      at = next;
    } while (at < to);
  }

  std::vector<TileBucket> buckets() const {
    std::vector<TileBucket> out;
    const auto width = static_cast<double>(int64_t{1} << place_.level);
    for (size_t r = 0; r < rows_.size(); ++r)
      for (size_t b = 0; b < rows_[r].size(); ++b)
        if (rows_[r][b].names > 0)
          out.push_back({static_cast<uint16_t>(r), static_cast<uint16_t>(b),
                         eighth(rows_[r][b].busy_ns / width), rows_[r][b].heaviest(), rows_[r][b].events});
    return out;
  }

 private:
  struct Cell {
    static constexpr size_t kNames = 4;  // a bucket has few pieces
    double busy_ns = 0;
    uint32_t events = 0, names = 0;
    std::array<std::pair<uint32_t, double>, kNames> times;

    void add(uint32_t name, double ns) {
      busy_ns += ns;
      size_t at = 0;
      while (at < names && times[at].first != name) ++at;
      if (at == names && names < kNames) times[names++] = {name, 0};
      if (at < names) times[at].second += ns;
    }
    uint32_t heaviest() const {
      return std::max_element(times.begin(), times.begin() + names,
                              [](const auto& a, const auto& b) { return a.second < b.second; })
          ->first;
    }
  };
  TilePlace place_;
  std::vector<std::vector<Cell>> rows_;
};

/// What the pieces of a tile's span say.
struct FromAfar {
  uint64_t events = 0;  // that begin in it, about
  bool coarse = false;  // some are too wide for the tile's buckets, of several events
  std::vector<TileBucket> buckets;
};

FromAfar from_afar(const Pieces& pieces, TilePlace place) {
  FromAfar out;
  PieceSum sum(place);
  const int64_t width = int64_t{1} << place.level;
  pieces.visit(place.start_ns(), place.end_ns(), width, [&](uint32_t row, const Piece& piece) {
    sum.add(row, piece);
    const bool whole = piece.start_ns >= place.start_ns() && piece.end_ns <= place.end_ns();
    const auto inside = static_cast<double>(std::min(piece.end_ns, place.end_ns()) -
                                            std::max(piece.start_ns, place.start_ns()));
    out.events +=
        whole ? piece.events
              : static_cast<uint64_t>(piece.events * inside / static_cast<double>(piece.width_ns())) + 1;
    out.coarse = out.coarse || (piece.events > 1 && piece.width_ns() / kCoarse > width);
  });
  out.buckets = sum.buckets();
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

/// From afar a tile is made of pieces; near by, where they are too coarse or the events can be given one by
/// one, of the events themselves, unless these lie in many chunks.
Result<std::string> make_tile(const Timeline& timeline, const Track& track, TilePlace place) {
  if (!place.valid()) return fail(ErrorCode::kUsage, "there is no such tile: its level or index is too high");
  if (track.curve != Track::kNone) return timeline.curves()[track.curve].tile(place);
  const uint32_t rows = timeline.sums(track).rows;
  const FromAfar far = from_afar(timeline.pieces(track), place);
  if (far.buckets.empty()) return encode_buckets(place, rows, {});
  const size_t most = place.level == 0 ? kMostTileEvents : kTileEvents;
  const bool near = far.coarse || far.events <= most || place.level == 0;
  if (!near || !timeline.cheap(track, place.start_ns(), place.end_ns()))
    return encode_buckets(place, rows, far.buckets);
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

}  // namespace sextant::serve
