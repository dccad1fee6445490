// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles: what a track looks like in 1024 buckets of 2^level ns, as bytes for the viewer (docs/http-api.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "serve/tile_bytes.h"
#include "serve/timeline.h"

namespace sextant::serve {

/// kUsage: no such tile.
Result<std::string> make_tile(const Timeline& timeline, const Track& track, TilePlace place);

/// What lies in the buckets of a tile, put in as events and as pieces, in any order; those of a row do not
/// overlap.
class TileSum {
 public:
  explicit TileSum(TilePlace place) : place_(place) {}
  void add(const Event& event) { add(event.row, {event.start_ns, event.end_ns, 1, event.name}, 1); }
  void add(uint32_t row, const Piece& piece);
  std::vector<TileBucket> buckets() const;  // by row, then bucket

 private:
  struct Cell {
    static constexpr size_t kNames = 4;  // of more, those with least time give way
    double busy_ns = 0;
    uint32_t events = 0, names = 0;
    std::array<std::pair<uint32_t, double>, kNames> times;

    void add(uint32_t name, double ns);
    uint32_t heaviest() const;
  };
  void add(uint32_t row, const Piece& piece, double density);

  TilePlace place_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace sextant::serve
