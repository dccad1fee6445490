// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/pyramid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "serve/nesting.h"

namespace sextant::serve {
namespace {

struct Seen {
  double busy = 0;  // shares
  uint64_t events = 0;
};

Event event(int64_t start, int64_t end, uint32_t name = 1, uint16_t row = 0) {
  return {start, end, 0, name, row, false};
}

std::map<std::pair<int, int64_t>, Bucket> all(const Pyramid& pyramid, size_t track, int level) {
  std::map<std::pair<int, int64_t>, Bucket> out;
  pyramid.buckets(track, level, 0, INT64_MAX >> level, [&](uint16_t row, const Bucket& bucket) {
    EXPECT_TRUE(out.emplace(std::pair(row, bucket.index), bucket).second) << "a bucket came twice";
  });
  return out;
}

TEST(Pyramid, SharesNamesAndCounts) {
  Pyramid pyramid(1000, 2, 1 << 20);
  ASSERT_EQ(pyramid.base_level(), 0);
  pyramid.add(0, event(0, 8, 5));
  pyramid.add(0, event(8, 10, 6));
  pyramid.add(0, event(12, 13, 7));
  pyramid.add(1, event(999, 999, 9));  // a mark, in the last bucket
  pyramid.finish();
  const auto by16 = all(pyramid, 0, 4);
  ASSERT_EQ(by16.size(), 1u);
  const Bucket& bucket = by16.begin()->second;
  EXPECT_EQ(bucket.name, 5u);
  EXPECT_EQ(bucket.events, 3u);
  EXPECT_NEAR(bucket.busy / static_cast<double>(kFull), 11.0 / 16, 0.001);
  const auto mark = all(pyramid, 1, 0);
  ASSERT_EQ(mark.size(), 1u);
  EXPECT_EQ(mark.begin()->first.second, 999);
  EXPECT_GE(mark.begin()->second.busy, 1);
}

TEST(Pyramid, OutsideOfTheReportIsPutToItsEnds) {
  Pyramid pyramid(1000, 1, 1 << 20);
  pyramid.add(0, event(-50, -40));
  pyramid.add(0, event(900, 5000, 2));
  pyramid.finish();
  const auto top = all(pyramid, 0, 9);
  EXPECT_EQ(top.size(), 2u);
  EXPECT_EQ(top.begin()->second.events, 1u);
}

/// Whatever the bound: sums over buckets are those of the events.
TEST(Pyramid, SumsHoldWhenBucketsAreMerged) {
  for (const size_t most : {size_t{1} << 20, size_t{500}, size_t{16}}) {
    std::mt19937_64 random(most);
    constexpr int64_t kLength = 1'000'000;
    Pyramid pyramid(kLength, 1, most);
    Nesting nesting;
    int64_t at = 0;
    std::map<int, Seen> rows;
    while (at < kLength - 2000) {
      Event outer = event(at, at + 20 + static_cast<int64_t>(random() % 1500), 1 + random() % 5);
      outer.row = nesting.place(outer);
      Event inner = event(outer.start_ns + 5, outer.end_ns - 5, 9);
      inner.row = nesting.place(inner);
      for (const Event& e : {outer, inner}) {
        pyramid.add(0, e);
        rows[e.row].busy += static_cast<double>(e.end_ns - e.start_ns);
        ++rows[e.row].events;
      }
      at = outer.end_ns + static_cast<int64_t>(random() % 500);
    }
    pyramid.finish();
    ASSERT_EQ(rows.size(), 2u);
    for (int level = pyramid.base_level(); level < 24; level += 3) {
      std::map<int, Seen> found;
      for (const auto& [place, bucket] : all(pyramid, 0, level)) {
        found[place.first].busy += std::ldexp(bucket.busy / static_cast<double>(kFull), level);
        found[place.first].events += bucket.events;
      }
      for (const auto& [row, seen] : rows) {
        EXPECT_EQ(found[row].events, seen.events) << most << " " << level;
        // shares are rounded to 1/65535 of a bucket, at each merge
        EXPECT_NEAR(found[row].busy, seen.busy, seen.busy * 0.01 + std::ldexp(24.0 / kFull, level))
            << most << " " << level;
      }
    }
  }
}

TEST(Pyramid, AnyPartOfTime) {
  Pyramid pyramid(1 << 20, 1, 1 << 20);
  for (int64_t i = 0; i < 1024; ++i) pyramid.add(0, event(i * 1024, i * 1024 + 1));
  pyramid.finish();
  std::vector<uint32_t> indices;
  pyramid.buckets(0, 12, 10, 14, [&](uint16_t, const Bucket& b) { indices.push_back(b.index); });
  EXPECT_EQ(indices, (std::vector<uint32_t>{10, 11, 12, 13}));
  pyramid.buckets(0, 12, 5000, 6000, [&](uint16_t, const Bucket&) { FAIL(); });
}

TEST(Nesting, FirstFreeRow) {
  Nesting nesting;
  EXPECT_EQ(nesting.place(event(0, 100)), 0);
  EXPECT_EQ(nesting.place(event(0, 50)), 1);
  EXPECT_EQ(nesting.place(event(10, 20)), 2);
  EXPECT_EQ(nesting.place(event(20, 30)), 2);
  EXPECT_EQ(nesting.place(event(60, 120)), 1);  // overlaps the outermost one
  EXPECT_EQ(nesting.place(event(100, 110)), 0);
  EXPECT_EQ(nesting.rows(), 3u);
  Nesting again;  // from what is open at 60
  Event open = event(0, 100);
  again.put(open);
  EXPECT_EQ(again.place(event(60, 120)), 1);
  Nesting deep;
  for (int i = 0; i < 1000; ++i) EXPECT_LT(deep.place(event(i, 5000)), Nesting::kMostRows);
}

}  // namespace
}  // namespace sextant::serve
