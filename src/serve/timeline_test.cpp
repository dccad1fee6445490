// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Tracks, events and tiles of made-up reports, compared with all events at once.
#include "serve/timeline.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "serve/range_sum.h"
#include "serve/tile.h"
#include "stats/rows_for_tests.h"

namespace sextant::serve {
namespace {

using stats::testing::CudaReport;

template <typename T>
T at(const std::string& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

const Track& find(const Timeline& timeline, std::string_view kind, size_t which = 0) {
  for (const Track& track : timeline.tracks())
    if (track.kind == kind && which-- == 0) return track;
  ADD_FAILURE() << "no track of kind " << kind;
  return timeline.tracks().front();
}

std::vector<Event> events(const Timeline& timeline, const Track& track, int64_t from = INT64_MIN / 4,
                          int64_t to = INT64_MAX / 4) {
  std::vector<Event> out;
  EXPECT_TRUE(timeline.visit(track, from, to, [&](const Event& event) {
    out.push_back(event);
    return true;
  }));
  return out;
}

TEST(Timeline, TheTreeAndItsSums) {
  CudaReport report;
  report.process(1, 4242, "train", CudaReport::raw(90'000));
  report.range("step", 50, 500, "", 1, 4242);    // ticks of two nanoseconds: 100 to 1100
  report.range("load", 100, 50, "", 1, 4242);    // 200 to 300
  report.range("load", 100, 10, "io", 1, 4242);  // of another domain
  report.start_range("async", 7, 200, 1, 4242);
  report.end_range(7, 1000, 1, 4242);
  report.open("unfinished", 30'000, 1, 1);
  report.api("cudaLaunchKernel", 400, 500, 11, 1, 4242);
  report.kernel("gemm(float*)", 600, 900, 11);
  report.copy(1000, 1200, 12, 4096);
  SliceCache cache;
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source);
  auto timeline = Timeline::make(*source, cache);
  ASSERT_TRUE(timeline) << timeline.error().message;

  std::vector<std::string> kinds;
  for (const Track& track : (*timeline)->tracks()) {
    kinds.emplace_back(track.kind);
    EXPECT_LT(track.parent.value_or(0), kinds.size());
  }
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"device", "context", "nvtx_gpu", "stream", "kernels", "memory",
                                      "process", "thread", "nvtx", "nvtx", "cuda_api", "thread", "nvtx"}));
  const Track& nvtx = find(**timeline, "nvtx");
  EXPECT_EQ(nvtx.name, "NVTX");
  const auto all = events(**timeline, nvtx);
  ASSERT_EQ(all.size(), 3u);  // step, load, async
  EXPECT_EQ(all[0].row, 0);
  EXPECT_EQ(all[1].row, 1);
  EXPECT_EQ(all[2].start_ns, 400);
  EXPECT_EQ(all[2].end_ns, 2000);
  EXPECT_EQ((*timeline)->sums(nvtx).busy_ns, 1900);
  const auto open = events(**timeline, find(**timeline, "nvtx", 2));
  ASSERT_EQ(open.size(), 1u);
  EXPECT_TRUE(open[0].unfinished);
  EXPECT_EQ(open[0].end_ns, 90'000);
  const Track& kernels = find(**timeline, "kernels");
  EXPECT_EQ((*timeline)->names().text(events(**timeline, kernels)[0].name), "gemm(float*)");
  EXPECT_EQ((*timeline)->names().text(events(**timeline, find(**timeline, "memory"))[0].name),
            "[CUDA memcpy Host-to-Device]");
}

TEST(Timeline, TilesOfFewEventsHoldThemAll) {
  CudaReport report;
  report.process(1, 4242, "train");
  report.range("a", 50, 50, "", 1, 4242);     // 100 to 200
  report.range("b", 600, 1000, "", 1, 4242);  // 1200 to 3200
  SliceCache cache;
  auto source = query::Source::open(report.finish());
  auto timeline = Timeline::make(*source, cache);
  ASSERT_TRUE(timeline);
  const Track& nvtx = find(**timeline, "nvtx");
  const auto second = make_tile(**timeline, nvtx, {0, 1});  // 1024 to 2048: only b
  ASSERT_TRUE(second);
  EXPECT_EQ(second->substr(0, 4), "SXT1");
  EXPECT_EQ(at<uint8_t>(*second, 5), 1);
  EXPECT_EQ(at<uint32_t>(*second, 8), 1u);
  EXPECT_EQ(at<int64_t>(*second, 16), 1024);
  EXPECT_EQ(at<int64_t>(*second, 32), 1200);
  EXPECT_EQ(at<int64_t>(*second, 40), 2000);
  EXPECT_EQ(second->size(), 32u + 8 + 8 + 8 + 8 + 8);  // columns are filled up to eight bytes
  const auto empty = make_tile(**timeline, nvtx, {0, 1000});
  EXPECT_EQ(at<uint32_t>(*empty, 8), 0u);
  EXPECT_EQ(empty->size(), 32u);
  EXPECT_FALSE(make_tile(**timeline, nvtx, {43, 0}));
  EXPECT_FALSE(make_tile(**timeline, nvtx, {0, INT64_MAX}));
  EXPECT_FALSE(make_tile(**timeline, nvtx, {-1, 0}));
}

/// A report of several slices: rows of events, tiles and sums must not depend on where it was cut.
class SlicedTimeline : public ::testing::Test {
 protected:
  static constexpr int64_t kCount = 300'000;
  void SetUp() override {
    report_.process(1, 4242, "train");
    std::mt19937_64 random(7);
    uint64_t at = 0;
    report_.range("whole run", 0, 40'000'000, "", 1, 1);
    for (int64_t i = 0; i < kCount; ++i) {
      const uint64_t length = 20 + random() % 100;
      report_.range(i % 3 == 0 ? "x" : "y", at, length, "", 1, 1);
      if (i % 10 == 0) report_.range("inner", at + 1, length / 2, "", 1, 1);
      if (i % 1000 == 0) report_.range("rare", at, 10, "", 1, 2);
      at += length + random() % 20;
      if (i % 50'000 == 49'999) report_.group();
    }
    source_.emplace(*query::Source::open(report_.finish(50'000'000)));
    auto timeline = Timeline::make(*source_, cache_);
    ASSERT_TRUE(timeline) << timeline.error().message;
    timeline_ = std::move(*timeline);
  }
  CudaReport report_;
  SliceCache cache_{1};  // keeps one slice
  std::optional<query::Source> source_;
  std::unique_ptr<Timeline> timeline_;
};

TEST_F(SlicedTimeline, AnySpanHasTheSameEventsInTheSameRows) {
  const Track& track = find(*timeline_, "nvtx");
  ASSERT_GT(timeline_->layer_of(track).overview().parts(track.lane).size(), 1u);
  const std::vector<Event> all = events(*timeline_, track);
  ASSERT_EQ(all.size(), static_cast<size_t>(kCount + kCount / 10 + 1));
  EXPECT_EQ(timeline_->sums(track).rows, 3u);
  EXPECT_EQ(*timeline_->count(track, 0, INT64_MAX / 4), all.size());
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    const auto from = static_cast<int64_t>(random() % 30'000'000),
               to = from + 1 + static_cast<int64_t>(random() % 100'000);
    std::vector<uint64_t> expected, found;
    for (const Event& event : all)
      if (event.touches(from, to)) expected.push_back(event.id << 4 | event.row);
    for (const Event& event : events(*timeline_, track, from, to)) found.push_back(event.id << 4 | event.row);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(*timeline_->count(track, from, to), expected.size());
    EXPECT_EQ(found, expected) << from << " to " << to;
  }
}

TEST_F(SlicedTimeline, OfAChunkNoMoreIsKeptThanWhatIsAroundTheSpansThatAreLookedAt) {
  const std::vector<Event> all = events(*timeline_, find(*timeline_, "nvtx"));
  std::mt19937_64 random(5);
  for (int i = 0; i < 10; ++i) {
    SliceCache large;
    const auto timeline = Timeline::make(*source_, large);
    ASSERT_TRUE(timeline);
    const Track& track = find(**timeline, "nvtx");
    const auto expect_same = [&](int64_t from, int64_t length) {
      std::vector<uint64_t> expected, found;
      for (const Event& event : all)
        if (event.touches(from, from + length)) expected.push_back(event.id);
      for (const Event& event : events(**timeline, track, from, from + length)) found.push_back(event.id);
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected) << from << " + " << length;
    };
    auto from = static_cast<int64_t>(random() % 20'000'000), length = int64_t{200'000};
    for (int zoom = 0; zoom < 12; ++zoom) {
      expect_same(from, length);
      from += length / 4 - static_cast<int64_t>(random() % 3) * length / 4;  // nearer, beside, on
      if (zoom % 3 == 2) length /= 2;
    }
    const size_t around = large.bytes();
    expect_same(from + 1'500'000, length);  // elsewhere in the chunk, or in the next
    expect_same(from + 700'000, length);
    (void)events(**timeline, track);
    EXPECT_LT(around, large.bytes() / 4);
  }
}

TEST(SliceCache, KeepsMostOfALittleMoreThanFits) {
  SliceCache cache(100 * sizeof(Event));
  const auto slice = [](query::Window span) {
    auto of = std::make_shared<Slice>();
    of->of_span = span;
    of->events.reserve(10);
    return of;
  };
  int found = 0;
  for (int round = 0; round < 50; ++round)
    for (size_t chunk = 0; chunk < 12; ++chunk) {
      if (cache.find({&cache, chunk}, {10, 20}))
        ++found;
      else
        cache.add({&cache, chunk}, slice({0, 100}));
      EXPECT_LE(cache.bytes(), 100 * sizeof(Event));
    }
  EXPECT_GT(found, 50 * 12 / 2) << "of those that go round, most are there the next time";
  cache.add({&cache, 3}, slice({200, 300}));
  EXPECT_EQ(cache.find({&cache, 3}, {10, 20}), nullptr) << "another span";
  EXPECT_NE(cache.find({&cache, 3}, {200, 300}), nullptr);
  cache.forget(&cache);
  EXPECT_EQ(cache.bytes(), 0u);
  EXPECT_EQ(cache.find({&cache, 3}, {200, 300}), nullptr);
}

TEST_F(SlicedTimeline, BucketsSumUpTheEvents) {
  const Track& track = find(*timeline_, "nvtx");
  const std::vector<Event> all = events(*timeline_, track);
  for (const int level : {8, 12, 16, 20}) {
    const TilePlace place{level, 0};
    const auto tile = make_tile(*timeline_, track, place);
    ASSERT_TRUE(tile);
    uint64_t begin = 0, touch = 0;
    for (const Event& event : all) {
      begin += event.start_ns >= 0 && event.start_ns < place.end_ns() ? 1 : 0;
      touch += event.touches(0, place.end_ns()) ? 1 : 0;
    }
    const auto count = at<uint32_t>(*tile, 8);
    if (at<uint8_t>(*tile, 5) == 1) {
      EXPECT_EQ(count, touch);
      continue;
    }
    const auto padded = [](size_t bytes) { return (bytes + 7) & ~size_t{7}; };
    const size_t names = 32 + 2 * padded(2 * count) + padded(count), counts = names + padded(4 * count);
    ASSERT_EQ(tile->size(), counts + padded(4 * count));
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) sum += at<uint32_t>(*tile, counts + 4 * i);
    EXPECT_EQ(sum, begin) << level;
    EXPECT_EQ(timeline_->names().text(at<uint32_t>(*tile, names)), "whole run") << level;
  }
}

TEST_F(SlicedTimeline, TracksOfFewEventsAreGivenOneByOneWhereverTheyAre) {
  const Track& rare = find(*timeline_, "nvtx", 1);
  const auto tile = make_tile(*timeline_, rare, {20, 0});
  ASSERT_TRUE(tile);
  EXPECT_EQ(at<uint8_t>(*tile, 5), 1);
  EXPECT_EQ(at<uint32_t>(*tile, 8), static_cast<uint32_t>(kCount / 1000));
}

/// Row, bucket, busy, name and events of a tile's first row, and the buckets of the others.
using Buckets = std::vector<std::array<uint64_t, 5>>;
Buckets buckets_of(const std::string& tile) {
  EXPECT_EQ(at<uint8_t>(tile, 5), 2);
  const auto count = at<uint32_t>(tile, 8);
  const auto padded = [](size_t bytes) { return (bytes + 7) & ~size_t{7}; };
  const size_t bucket = 32 + padded(2 * count), busy = bucket + padded(2 * count),
               name = busy + padded(count), events = name + padded(4 * count);
  Buckets out;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t row = at<uint16_t>(tile, 32 + 2 * i);
    out.push_back({row, at<uint16_t>(tile, bucket + 2 * i), 0, 0, 0});
    if (row == 0)
      out.back() = {row, out.back()[1], at<uint8_t>(tile, busy + i), at<uint32_t>(tile, name + 4 * i),
                    at<uint32_t>(tile, events + 4 * i)};
  }
  return out;
}

TEST(Timeline, WherePiecesAreTooCoarseBucketsAreMadeOfEvents) {
  using namespace event::nvtx;
  CudaReport report;
  report.process(1, 4242, "train");
  std::mt19937_64 random(7);
  uint64_t now = CudaReport::raw(100);
  const auto range = [&](std::string_view name, uint64_t start, uint64_t level) {
    report.row(event::kNvtxRange, {{kProcessId, 1},
                                   {kTid, 1},
                                   {kStart, start},
                                   {kDuration, now - start},
                                   {kName, report.id(name)},
                                   {kLevel, level}});
  };
  for (int step = 0; step < 6'000; ++step) {
    const uint64_t step_begin = now;
    for (int i = 0; i < 20; ++i) {
      const uint64_t begin = ++now;
      now += 20 + random() % 80;
      range("inner", begin, 1);
    }
    range(step % 3 == 0 ? "even" : "odd", step_begin, 0);
    now += step % 100 == 10 ? 200'000 : 5;  // a pause, after few events
    if (step == 3'000) report.group();
  }
  SliceCache cache;
  const auto source = query::Source::open(report.finish(now));
  const auto timeline = Timeline::make(*source, cache);
  ASSERT_TRUE(timeline) << timeline.error().message;
  const Track& track = find(**timeline, "nvtx");
  const std::vector<Event> all = events(**timeline, track);
  ASSERT_EQ(all.size(), 6'000u * 21);
  for (const int64_t index : {0, 1, 2}) {
    const TilePlace place{12, index};
    TileSum expected(place);
    for (const Event& event : all)
      if (event.touches(place.start_ns(), place.end_ns())) expected.add(event);
    const Buckets made_of_events = buckets_of(encode_buckets(place, 2, expected.buckets()));
    ASSERT_GT(made_of_events.size(), 500u);
    SliceCache empty;
    const auto again = Timeline::make(*source, empty);
    for (const Timeline* from : {timeline->get(), again->get()}) {  // with and without slices in memory
      const auto tile = make_tile(*from, find(*from, "nvtx"), place);
      ASSERT_TRUE(tile);
      EXPECT_EQ(buckets_of(*tile), made_of_events) << index;
    }
  }
}

TEST(Timeline, ANameWithinItselfIsBusyOnce) {
  CudaReport report;
  report.process(1, 4242, "recursive");
  for (uint64_t depth = 0; depth < 50; ++depth) report.range("deep", 1000 + depth, 900 - 2 * depth, "", 1, 1);
  report.range("other", 3000, 100, "", 1, 1);
  SliceCache cache;
  const auto source = query::Source::open(report.finish());
  const auto timeline = Timeline::make(*source, cache);
  ASSERT_TRUE(timeline) << timeline.error().message;
  const auto sum = range_sum(**timeline, find(**timeline, "nvtx"), {0, 6300});
  ASSERT_TRUE(sum);
  EXPECT_TRUE(sum->exact);
  EXPECT_EQ(sum->busy_ns, 2000);  // ticks of two nanoseconds
  ASSERT_EQ(sum->top.size(), 2u);
  EXPECT_EQ((*timeline)->names().text(sum->top[0].name), "deep");
  EXPECT_EQ(sum->top[0].ns, 1800);
  EXPECT_EQ(sum->top[0].events, 50u);
  EXPECT_EQ(sum->top[1].ns, 200);
}

TEST(Timeline, AReportWithoutEvents) {
  CudaReport report;
  report.process(1, 4242, "idle");
  SliceCache cache;
  auto source = query::Source::open(report.finish());
  auto timeline = Timeline::make(*source, cache);
  ASSERT_TRUE(timeline) << timeline.error().message;

  ASSERT_EQ((*timeline)->tracks().size(), 1u);
  EXPECT_EQ((*timeline)->tracks()[0].kind, "process");
}

}  // namespace
}  // namespace sextant::serve
