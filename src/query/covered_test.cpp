// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/covered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sextant::query {
namespace {

/// Moment by moment.
int64_t by_hand(const std::vector<Span>& spans, int64_t most) {
  std::vector<bool> covered(static_cast<size_t>(most), false);
  for (const Span& span : spans)
    for (int64_t t = span.start; t < span.end; ++t) covered[static_cast<size_t>(t)] = true;
  return std::count(covered.begin(), covered.end(), true);
}

int64_t count(const std::vector<Span>& spans) {
  Covered covered;
  for (const Span& span : spans) covered.add(span);
  covered.count_until(INT64_MAX);
  return covered.counted();
}

std::vector<Span> some(std::mt19937& random, int number, int most) {
  std::vector<Span> spans;
  for (int i = 0; i < number; ++i) {
    const auto start = static_cast<int64_t>(random() % static_cast<unsigned>(most - 50));
    spans.push_back({start, start + static_cast<int64_t>(random() % 40)});
  }
  return spans;
}

TEST(Covered, CountsEveryMomentOnceInAnyOrder) {
  std::mt19937 random(3);
  for (const int number : {1, 5, 40, 400, 3000}) {
    std::vector<Span> spans = some(random, number, 20000);
    const int64_t expected = by_hand(spans, 20000);
    EXPECT_EQ(count(spans), expected) << number << " in no order";
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.end < b.end; });
    EXPECT_EQ(count(spans), expected) << number << " by end";
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
    EXPECT_EQ(count(spans), expected) << number << " by start";
    std::reverse(spans.begin(), spans.end());
    EXPECT_EQ(count(spans), expected) << number << " backwards";
  }
}

TEST(Covered, PartsAreMergedAndCountedInBetween) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    std::vector<Span> spans = some(random, 2000, 30000);
    const int64_t expected = by_hand(spans, 30000);
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
    Covered all;
    for (size_t first = 0; first < spans.size(); first += 100) {
      Covered part;
      std::vector<Span> mixed(spans.begin() + static_cast<ptrdiff_t>(first),
                              spans.begin() + static_cast<ptrdiff_t>(first) + 100);
      std::shuffle(mixed.begin(), mixed.end(), random);
      for (const Span& span : mixed) part.add(span);
      all.merge(&part);
      if (first + 100 < spans.size()) all.count_until(spans[first + 100].start);
    }
    all.count_until(INT64_MAX);
    EXPECT_EQ(all.counted(), expected);
  }
}

TEST(Covered, WhatLiesOrEndsInThePastIsLeftOut) {
  Covered covered;
  covered.add({10, 20});
  covered.count_until(30);
  covered.add({5, 15});
  covered.add({15, 40});
  covered.add({50, 45});
  covered.add({60, 60});
  covered.count_until(INT64_MAX);
  EXPECT_EQ(covered.counted(), 10 + 10);
}

TEST(Covered, KnowsWhereItBeginsAndItsLongestGap) {
  std::mt19937 random(11);
  for (const int number : {1, 5, 40}) {
    const std::vector<Span> spans = some(random, number, 20000);
    Covered covered;
    for (const Span& span : spans) covered.add(span);
    covered.count_until(10'000);
    covered.count_until(INT64_MAX);
    std::vector<Span> sorted;
    for (const Span& span : spans)
      if (span.end > span.start) sorted.push_back(span);
    std::sort(sorted.begin(), sorted.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
    if (sorted.empty()) continue;
    int64_t end = sorted[0].end, longest = 0;
    for (const Span& span : sorted) {
      longest = std::max(longest, span.start - end);
      end = std::max(end, span.end);
    }
    EXPECT_EQ(covered.longest_gap().end - covered.longest_gap().start, longest) << number;
    EXPECT_EQ(covered.extent().start, sorted[0].start);
    EXPECT_EQ(covered.extent().end, end);
  }
  EXPECT_GT(Covered().extent().start, Covered().extent().end);
}

}  // namespace
}  // namespace sextant::query
