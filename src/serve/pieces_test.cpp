// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/pieces.h"

#include <gtest/gtest.h>

#include <random>

namespace sextant::serve {
namespace {

Piece piece(int64_t start, int64_t end, uint32_t name = 1, uint32_t events = 1) {
  return {start, end, events, name, static_cast<float>(end - start)};
}

struct Sum {
  uint64_t events = 0;
  double busy_ns = 0;
  size_t pieces = 0;
  int64_t widest_ns = 0;
};

Sum sum_of(const Pieces& pieces, int64_t from, int64_t to, int64_t width) {
  Sum sum;
  pieces.visit(from, to, width, [&](uint32_t, const Piece& p) {
    sum.events += p.events, sum.busy_ns += p.busy_ns, ++sum.pieces;
    sum.widest_ns = std::max(sum.widest_ns, p.width_ns());
  });
  return sum;
}

TEST(Pieces, OnlyNeighboursInTimeBecomeOne) {
  Pieces pieces;  // two tables of one row, one behind the other
  for (const int64_t start : {0, 100, 900, 20, 120}) pieces.add(0, piece(start, start + 10));
  pieces.thin();
  pieces.finish();
  EXPECT_EQ(pieces.size(), 3u);
  const Sum sum = sum_of(pieces, 0, 1000, 0);
  EXPECT_EQ(sum.events, 5u);
  EXPECT_EQ(sum.widest_ns, 30);
}

TEST(Pieces, AnyWidthAddsUpToTheSame) {
  std::mt19937_64 random(1);
  Pieces pieces;
  int64_t at = 0;
  double busy = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto length = static_cast<int64_t>(1 + random() % 100);
    pieces.add(0, piece(at, at + length, 1 + random() % 3));
    busy += static_cast<double>(length);
    at += length + static_cast<int64_t>(random() % 50);
  }
  pieces.finish();
  size_t before = SIZE_MAX;
  for (const int64_t width : {0, 500, 5'000, 50'000, 10'000'000}) {
    const Sum sum = sum_of(pieces, 0, at, width);
    EXPECT_EQ(sum.events, 10'000u);
    EXPECT_NEAR(sum.busy_ns, busy, busy * 0.0001);
    EXPECT_LE(sum.widest_ns, std::max<int64_t>(width, 100));
    EXPECT_LT(sum.pieces, before);
    before = sum.pieces;
  }
  EXPECT_LE(before, 4u);
}

TEST(Pieces, OfASpanComeThoseThatTouchIt) {
  Pieces pieces;
  for (int64_t i = 0; i < 1000; ++i) pieces.add(0, piece(i * 10, i * 10 + 5));
  pieces.add(2, piece(5000, 5000));  // an instant, in a row of its own
  pieces.finish();
  EXPECT_EQ(pieces.rows(), 3u);
  EXPECT_EQ(sum_of(pieces, 100, 130, 0).events, 3u);
  EXPECT_EQ(sum_of(pieces, 104, 105, 0).events, 1u);
  EXPECT_EQ(sum_of(pieces, 105, 110, 0).events, 0u);
  EXPECT_EQ(sum_of(pieces, 5000, 5001, 0).events, 2u);
  EXPECT_EQ(sum_of(pieces, 4999, 5000, 0).events, 0u);
}

TEST(Pieces, TheNameWithMostTimeOfAllIsShown) {
  const Piece three[] = {piece(0, 10, 7), piece(20, 26, 8), piece(30, 36, 8)};
  const Piece one = merged(three, three + 3);
  EXPECT_EQ(one.name, 8u);
  EXPECT_EQ(one.events, 3u);
  EXPECT_EQ(one.start_ns, 0);
  EXPECT_EQ(one.end_ns, 36);
  EXPECT_FLOAT_EQ(one.busy_ns, 22);
}

TEST(Pieces, ThinnedTheyAddUpStill) {
  Pieces pieces;
  for (int64_t i = 0; i < 1001; ++i) pieces.add(i % 2, piece(i * 10, i * 10 + 5));
  pieces.thin();
  EXPECT_EQ(pieces.size(), 251u + 250u);
  pieces.finish();
  const Sum sum = sum_of(pieces, 0, 20'000, 0);
  EXPECT_EQ(sum.events, 1001u);
  EXPECT_FLOAT_EQ(static_cast<float>(sum.busy_ns), 5005);
}

}  // namespace
}  // namespace sextant::serve
