// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of tiles (docs/http-api.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "serve/event.h"

namespace sextant::serve {

inline constexpr int kTileBits = 10, kMostLevel = 42;
inline constexpr size_t kTileEvents = 4096;        // up to so many are given one by one
inline constexpr size_t kMostTileEvents = 65'536;  // at level 0 up to so many

/// Which tile; its span of time.
struct TilePlace {
  int level = 0;
  int64_t index = 0;

  int64_t start_ns() const { return index << (level + kTileBits); }
  int64_t end_ns() const { return (index + 1) << (level + kTileBits); }
  /// Whether its times can be told in 62 bits.
  bool valid() const {
    return level >= 0 && level <= kMostLevel && index >= 0 && index < int64_t{1} << (62 - kTileBits - level);
  }
};

/// An entry of a tile of buckets.
struct TileBucket {
  uint16_t row, bucket;
  uint8_t busy;
  uint32_t name, events;
};

/// An entry of a tile of a curve.
struct CurvePoint {
  double least, greatest, mean;
  uint16_t bucket;
};

std::string encode_events(TilePlace place, uint32_t rows, std::span<const Event> events, uint32_t left_out);
std::string encode_buckets(TilePlace place, uint32_t rows, std::span<const TileBucket> buckets);

std::string encode_curve(TilePlace place, std::span<const CurvePoint> points);

}  // namespace sextant::serve
