// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Overviews of data chunks (§6.2).
#include "report/overview.h"

#include "event/schema_cuda.h"
#include "report/overview_maker.h"
#include "report/sample_test.h"

namespace sextant::report {
namespace {

using test::Folder;

/// Two threads: one with steps of 20 layers each, one with one call after the other.
struct TwoThreads {
  std::vector<uint64_t> start, duration, tid, name, level;
  void add(uint64_t from, uint64_t to, uint64_t thread, uint64_t what, uint64_t depth) {
    start.push_back(from), duration.push_back(to - from), tid.push_back(thread), name.push_back(what),
        level.push_back(depth);
  }
  explicit TwoThreads(size_t steps) {
    for (uint64_t s = 0; s < steps; ++s) {
      for (uint64_t l = 0; l < 20; ++l)
        add(s * 3000 + l * 100 + 10, s * 3000 + l * 100 + 60, 1, 5 + l % 2, 1);
      add(s * 3000, s * 3000 + 2000, 1, 4, 0);
    }
    for (uint64_t i = 0; i < steps; ++i) add(i * 1000, i * 1000 + 500, 2, 9, 0);
  }
  EventColumns columns() const {
    return {.start = start, .duration = duration, .lane = {{{}, tid, {}, {}}}, .name = name, .level = level};
  }
};

Overview overview_of(const EventColumns& columns, uint16_t table = event::kNvtxRange) {
  OverviewMaker maker(*event::track_table(table));
  Overview overview;
  EXPECT_TRUE(maker.make(columns, &overview));
  return overview;
}

TEST(Overview, AddsUpToWhatTheRowsAre) {
  const TwoThreads rows(300);
  const Overview overview = overview_of(rows.columns());
  ASSERT_EQ(overview.lanes.size(), 2u);
  EXPECT_TRUE(overview.all_names);
  const LaneOverview& first = overview.lanes[0];
  EXPECT_EQ(first.key[1], 1u);
  EXPECT_EQ(first.events, 300u * 21);
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(first.last, 299u * 3000 + 2000);
  EXPECT_EQ(first.shortest, 50u);
  EXPECT_EQ(first.longest, 2000u);
  EXPECT_EQ(first.covered, 300u * 2000);
  ASSERT_EQ(first.names.size(), 3u);
  for (const NameTotal& name : first.names) {
    EXPECT_EQ(name.events, name.name == 4 ? 300u : 3000u);
    EXPECT_EQ(name.total, name.name == 4 ? 300u * 2000 : 3000u * 50);
    EXPECT_EQ(name.outer, name.name == 4 ? 300u * 2000 : 0u);
    EXPECT_EQ(rows.start[name.row], name.first);
  }
  ASSERT_EQ(first.rows.size(), 2u);
  for (size_t r = 0; r < 2; ++r) {
    uint64_t events = 0, end = 0;
    for (const EventRun& run : first.rows[r]) {
      EXPECT_GE(run.start, end);
      EXPECT_LE(run.events, kRunEvents);
      EXPECT_EQ(first.names[run.name].name == 4, r == 0);
      // 2000 of 3000 and 50 of 100, but for the gaps between steps
      EXPECT_NEAR(run.busy, r == 0 ? 170 : 85, r == 0 ? 4 : 45);
      end = run.end, events += run.events;
    }
    EXPECT_EQ(events, r == 0 ? 300u : 6000u);
  }
}

TEST(Overview, RowsFollowFromTimesAcrossChunks) {
  OverviewMaker maker(*event::track_table(event::kCudaKernel));
  Overview overview;
  const std::vector<uint64_t> start = {100, 150}, duration = {1000, 10};
  ASSERT_TRUE(maker.make({.start = start, .duration = duration}, &overview));
  EXPECT_EQ(overview.lanes.at(0).rows.size(), 2u);
  EXPECT_EQ(overview.lanes.at(0).covered, 1000u);
  EXPECT_TRUE(overview.lanes.at(0).open.empty());
  const std::vector<uint64_t> later = {900, 1200}, length = {100, 100};
  ASSERT_TRUE(maker.make({.start = later, .duration = length}, &overview));
  const LaneOverview& lane = overview.lanes.at(0);
  const std::vector<std::pair<uint16_t, uint64_t>> open = {{0, 1100}};
  EXPECT_EQ(lane.open, open);
  EXPECT_EQ(lane.covered, 100u) << "what the earlier event covers is not counted again";
  ASSERT_EQ(lane.rows.size(), 2u);
  EXPECT_EQ(lane.rows[0].at(0).start, 1200u);
  EXPECT_EQ(lane.rows[1].at(0).start, 900u);
}

TEST(Overview, WhatWasNeverClosedIsCountedOnly) {
  const std::vector<uint64_t> start = {100, 200}, duration = {10, 0},
                              nulls = {0, uint64_t{1} << event::cuda_api::kDuration};
  const Overview overview =
      overview_of({.start = start, .duration = duration, .nulls = nulls}, event::kCudaApi);
  EXPECT_EQ(overview.unfinished, 1u);
  ASSERT_EQ(overview.lanes.size(), 1u);
  EXPECT_EQ(overview.lanes[0].events, 1u);
}

TEST(Overview, RunsEndAtGaps) {
  std::vector<uint64_t> start, duration;
  for (uint64_t burst = 0; burst < 10; ++burst)
    for (uint64_t i = 0; i < 640; ++i) start.push_back(burst * 1'000'000'000 + i * 10), duration.push_back(5);
  const Overview overview = overview_of({.start = start, .duration = duration}, event::kCudaApi);
  const std::vector<EventRun>& runs = overview.lanes.at(0).rows.at(0);
  EXPECT_EQ(runs.size(), 10 * 640 / kRunEvents);
  for (const EventRun& run : runs) EXPECT_LT(run.end - run.start, 2000u);
}

TEST(Overview, ANameForEveryEventCostsLittle) {
  std::vector<uint64_t> start, duration, name;
  for (uint64_t i = 0; i < kChunkRows; ++i) {
    start.push_back(i * 100), duration.push_back(i % 90), name.push_back(i + 1);
  }
  const Overview overview =
      overview_of({.start = start, .duration = duration, .name = name}, event::kCudaApi);
  EXPECT_FALSE(overview.all_names);
  std::vector<uint8_t> bytes;
  encode_overview(overview, 1, &bytes);
  EXPECT_LT(bytes.size(), kChunkRows * 3 / 10);
}

void expect_same(const Overview& a, const Overview& b) {
  std::vector<uint8_t> x, y;
  encode_overview(a, 1, &x);
  encode_overview(b, 1, &y);
  EXPECT_EQ(x, y);
}

TEST(Overview, IsReadAsItWasWrittenAndWhateverIsBrokenIsRefused) {
  const TwoThreads rows(100);
  const auto count = static_cast<uint32_t>(rows.start.size());
  const Overview overview = overview_of(rows.columns());
  std::vector<uint8_t> bytes;
  encode_overview(overview, 1, &bytes);
  const auto back = decode_overview(bytes, event::kNvtxRange, count);
  ASSERT_TRUE(back) << back.error().message;
  expect_same(overview, *back);
  EXPECT_FALSE(decode_overview(bytes, event::kNvtxRange, 5)) << "more events than rows";
  for (size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_FALSE(decode_overview(std::span(bytes).first(cut), event::kNvtxRange, count)) << cut;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {  // any answer, but no crash and no endless memory
    std::vector<uint8_t> flipped = bytes;
    flipped[bit / 8] = static_cast<uint8_t>(flipped[bit / 8] ^ 1 << bit % 8);
    (void)decode_overview(flipped, event::kNvtxRange, count);
  }
}

/// A chunk whose overview is there already counts for the next one as if it had been made here.
TEST(Overview, FollowsAnotherOne) {
  const std::vector<uint64_t> start = {100, 150}, duration = {1000, 10};
  const std::vector<uint64_t> later = {900, 1200}, length = {100, 100};
  OverviewMaker of_both(*event::track_table(event::kCudaKernel)),
      of_second(*event::track_table(event::kCudaKernel));
  Overview first, second, following;
  ASSERT_TRUE(of_both.make({.start = start, .duration = duration}, &first));
  ASSERT_TRUE(of_both.make({.start = later, .duration = length}, &second));
  of_second.follow(first);
  ASSERT_TRUE(of_second.make({.start = later, .duration = length}, &following));
  ASSERT_FALSE(second.lanes.at(0).open.empty());
  expect_same(second, following);
}

TEST(Overview, ThereIsNoneOfTooManyLanes) {
  const std::vector<uint64_t> start = {1, 2, 3}, stream = {7, 8, 9}, same = {7, 7, 7};
  Overview overview;
  OverviewMaker maker(*event::track_table(event::kCudaKernel), 2);
  EXPECT_FALSE(maker.make({.start = start, .lane = {{{}, {}, {}, stream}}}, &overview));
  EXPECT_TRUE(maker.make({.start = start, .lane = {{{}, {}, {}, same}}}, &overview));
}

/// What is read takes no more memory than the rows do, whatever it says.
TEST(Overview, HasNoMoreNamesAndRunsThanEvents) {
  const TwoThreads rows(100);
  const auto count = static_cast<uint32_t>(rows.start.size());
  const auto refused = [&](const Overview& overview) {
    std::vector<uint8_t> bytes;
    encode_overview(overview, 1, &bytes);
    return !decode_overview(bytes, event::kNvtxRange, count).has_value();
  };
  const Overview good = overview_of(rows.columns());
  EXPECT_FALSE(refused(good));
  Overview names = good, runs = good, events = good, lanes = good;
  names.lanes[1].names.resize(names.lanes[1].events + 1);
  EXPECT_TRUE(refused(names));
  runs.lanes[1].rows[0].back().events += 1;
  EXPECT_TRUE(refused(runs)) << "more events in runs than in the lane";
  events.lanes[1].rows[0].push_back({events.lanes[1].last, events.lanes[1].last, 0, 0, 1});
  EXPECT_TRUE(refused(events)) << "a run without events";
  lanes.lanes[1].names[0].events = lanes.lanes[1].events + 1;
  EXPECT_TRUE(refused(lanes)) << "more events of a name than in the lane";
}

TEST(Overview, StandsBeforeItsChunkWhereThatIsLarge) {
  Folder folder;
  auto writer = Writer::create(folder.file("r"), {});
  ASSERT_TRUE(writer);
  for (const size_t count : {size_t{100}, size_t{kChunkRows} + 5000}) {
    const Rows rows = test::ranges(&*writer, count, 3);
    const Rows* parts[] = {&rows};
    const Provenance from[] = {{1, 2, count, 5}};
    ASSERT_TRUE(writer->write_group(parts, from));
  }
  ASSERT_TRUE(writer->finish());
  const auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->verify().empty());
  EXPECT_EQ(reader->unknown_chunks(), 0u);
  size_t with = 0, without = 0;
  for (const ChunkRef& chunk : reader->chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
    const ChunkRef* of = reader->overview_of(chunk);
    ++(of != nullptr ? with : without);
    if (of == nullptr) continue;
    const auto overview = reader->read_overview(*of);
    ASSERT_TRUE(overview) << overview.error().message;
    ASSERT_EQ(overview->lanes.size(), 1u);
    EXPECT_EQ(overview->lanes[0].events, chunk.header.rows);
    EXPECT_EQ(overview->lanes[0].first, chunk.header.time_min);
    EXPECT_EQ(overview->lanes[0].last, chunk.header.time_max);
  }
  EXPECT_EQ(with, 2u);
  EXPECT_EQ(without, 1u);
}

TEST(Overview, DamageCostsTheOverviewOnly) {
  Folder folder;
  {
    auto writer = Writer::create(folder.file("r"), {});
    ASSERT_TRUE(writer);
    const Rows rows = test::ranges(&*writer, 10'000, 3);
    const Rows* parts[] = {&rows};
    ASSERT_TRUE(writer->write_group(parts, {}));
    ASSERT_TRUE(writer->finish());
  }
  ChunkRef overview;
  {
    const auto reader = Reader::open(folder.file("r"));
    for (const ChunkRef& chunk : reader->chunks())
      if (chunk.header.kind == static_cast<uint16_t>(ChunkKind::kOverview)) overview = chunk;
  }
  ASSERT_NE(overview.offset, 0u);
  std::string bytes = test::read_file(folder.file("r"));
  bytes[overview.offset + sizeof(ChunkHeader) + overview.header.body_bytes / 2] ^= 0x10;
  test::write_file(folder.file("r"), bytes);
  const auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->verify().size(), 1u);
  EXPECT_EQ(reader->read_overview(overview).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ((test::content(*reader).columns[{event::kNvtxRange, event::nvtx::kStart}]).size(), 10'000u);
}

}  // namespace
}  // namespace sextant::report
