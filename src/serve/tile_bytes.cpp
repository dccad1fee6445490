// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/tile_bytes.h"

#include <cstring>

namespace sextant::serve {

namespace {

enum class TileKind : uint8_t { kEvents = 1, kBuckets = 2, kCurve = 3 };

template <typename T>
void put(std::string* out, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));  // this program runs on little-endian machines only
  out->append(bytes, sizeof(T));
}

void pad(std::string* out) {
  out->resize((out->size() + 7) & ~size_t{7});
}

template <typename Rows, typename Value>
void column(std::string* out, const Rows& rows, Value value) {
  for (const auto& row : rows) put(out, value(row));
  pad(out);
}

std::string header(TilePlace place, TileKind kind, uint32_t rows, size_t count, uint32_t left_out) {
  std::string out = "SXT1";
  put(&out, uint8_t{1});
  put(&out, static_cast<uint8_t>(kind));
  put(&out, static_cast<uint16_t>(rows));
  put(&out, static_cast<uint32_t>(count));
  put(&out, left_out);
  put(&out, place.start_ns());
  put(&out, int64_t{0});
  return out;
}

}  // namespace

std::string encode_events(TilePlace place, uint32_t rows, std::span<const Event> events, uint32_t left_out) {
  std::string out = header(place, TileKind::kEvents, rows, events.size(), left_out);
  column(&out, events, [](const Event& e) { return e.start_ns; });
  column(&out, events, [](const Event& e) { return e.unfinished ? int64_t{-1} : e.end_ns - e.start_ns; });
  column(&out, events, [](const Event& e) { return e.name; });
  column(&out, events, [](const Event& e) { return e.row; });
  column(&out, events, [](const Event& e) { return e.id; });
  return out;
}

std::string encode_buckets(TilePlace place, uint32_t rows, std::span<const TileBucket> buckets) {
  std::string out = header(place, TileKind::kBuckets, rows, buckets.size(), 0);
  column(&out, buckets, [](const TileBucket& b) { return b.row; });
  column(&out, buckets, [](const TileBucket& b) { return b.bucket; });
  column(&out, buckets, [](const TileBucket& b) { return b.busy; });
  column(&out, buckets, [](const TileBucket& b) { return b.name; });
  column(&out, buckets, [](const TileBucket& b) { return b.events; });
  return out;
}

std::string encode_curve(TilePlace place, std::span<const CurvePoint> points) {
  std::string out = header(place, TileKind::kCurve, 0, points.size(), 0);
  column(&out, points, [](const CurvePoint& p) { return p.least; });
  column(&out, points, [](const CurvePoint& p) { return p.greatest; });
  column(&out, points, [](const CurvePoint& p) { return p.mean; });
  column(&out, points, [](const CurvePoint& p) { return p.bucket; });
  return out;
}

}  // namespace sextant::serve
