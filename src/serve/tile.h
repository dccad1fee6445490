// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles: what a track looks like in 1024 buckets of 2^level ns, as bytes for the viewer (docs/http-api.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "serve/tile_bytes.h"
#include "serve/timeline.h"

namespace sextant::serve {

/// kUsage: no such tile.
Result<std::string> make_tile(const Timeline& timeline, const Track& track, TilePlace place);

/// Events put into the buckets of a tile, in any order; those of a row do not overlap.
class TileSum {
 public:
  explicit TileSum(TilePlace place) : place_(place) {}
  void add(const Event& event);
  std::vector<TileBucket> buckets() const;  // by row, then bucket

 private:
  struct Cell {
    int64_t busy_ns = 0, most_ns = -1;
    uint32_t name = 0, events = 0;
  };
  TilePlace place_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace sextant::serve
