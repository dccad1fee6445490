// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "query/report_for_tests.h"

namespace sextant::query {
namespace {

using testing::kZero;
using testing::TestReport;

struct Seen {
  NvtxBatch::Kind kind;
  bool unfinished;
  std::string name;
  int64_t start_ns, end_ns;
  auto operator<=>(const Seen&) const = default;
};

std::vector<Seen> scan(const Source& source, NvtxScan what = {}, size_t workers = 1) {
  std::vector<Seen> seen;
  std::mutex mutex;
  EXPECT_TRUE(source.scan_nvtx_parallel(what, workers, [&](size_t, const NvtxBatch& b) {
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(b.name.size(), b.rows);
    EXPECT_EQ(b.process.size(), what.with_origin ? b.rows : 0);
    for (size_t i = 0; i < b.rows; ++i)
      seen.push_back({b.kind, b.unfinished, std::string(source.reader().string(b.name[i])),
                      b.start_ns.empty() ? 0 : b.start_ns[i], b.end_ns[i]});
  }));
  return seen;
}

Source opened(const std::string& path) {
  auto source = Source::open(path);
  EXPECT_TRUE(source) << source.error().message;
  return std::move(*source);
}

TEST(TimeMap, StraightLineBetweenAndBeyondPoints) {
  const TimeMap map = TimeMap::make({{1000, 500}, {2000, 100'000'500}, {3000, 300'000'500}}, 500);
  EXPECT_EQ(map.to_ns(1000), 0);
  EXPECT_EQ(map.to_ns(1500), 50'000'000);
  EXPECT_EQ(map.to_ns(2000), 100'000'000);
  EXPECT_EQ(map.to_ns(2500), 200'000'000);
  EXPECT_EQ(map.to_ns(4000), 500'000'000);
  EXPECT_EQ(map.to_ns(900), -10'000'000);
}

TEST(TimeMap, OrderAndNonsenseDoNotMatter) {
  const TimeMap map = TimeMap::make({{3000, 300'000'500}, {1000, 500}, {2500, 400}, {1000, 900}}, 500);
  EXPECT_EQ(map.to_ns(2000), 150'000'000);
}

TEST(TimeMap, PointsThatAreTooCloseAreLeftOutButForTheLast) {
  // 1 ns of error 10 us behind the first point must not tilt what follows
  const TimeMap map = TimeMap::make({{0, 0}, {10'000, 10'001}, {100'000'000, 100'000'000}}, 0);
  EXPECT_EQ(map.to_ns(50'000'000), 50'000'000);
}

TEST(TimeMap, OnePointOrNone) {
  EXPECT_EQ(TimeMap::make({{1000, 7000}}, 7000).to_ns(1500), 500);
  EXPECT_EQ(TimeMap::make({}, 7000).to_ns(7001), 1);
}

TEST(TimeMap, DifferencesOfTimesNeverOverflow) {
  constexpr uint64_t kHalf = uint64_t{1} << 63;
  for (const auto& points : {std::vector<std::pair<uint64_t, uint64_t>>{{0, kHalf}, {1, kHalf + 1}},
                             {{0, 0}, {1, kHalf - 1}},
                             {{kHalf, 1}, {kHalf + 2, UINT64_MAX}},
                             {{5, kHalf}},
                             {}}) {
    TimeMap map = TimeMap::make(points, 0);
    for (const int64_t by : {INT64_C(0), INT64_MAX, INT64_MIN}) {
      map.shift(by);
      for (const uint64_t raw : {UINT64_C(0), kHalf - 1, kHalf, UINT64_MAX}) {
        EXPECT_LE(map.to_ns(raw), TimeMap::kMostNs);
        EXPECT_GE(map.to_ns(raw), -TimeMap::kMostNs);
      }
    }
  }
}

TEST(TimeMap, BulkAgreesWithSingleAndNeverGoesBack) {
  const TimeMap map = TimeMap::make({{1000, 0}, {100'000'000, 47'000'000}, {200'000'000, 96'123'456}}, 0);
  std::vector<uint64_t> raw;
  for (uint64_t r = 0; r < 300'000'000; r += 70'001) raw.push_back(r);
  std::vector<int64_t> ns(raw.size());
  map.to_ns(raw, ns);
  for (size_t i = 0; i < raw.size(); ++i) ASSERT_EQ(ns[i], map.to_ns(raw[i]));
  EXPECT_TRUE(std::is_sorted(ns.begin(), ns.end()));
  std::reverse(raw.begin(), raw.end());
  map.to_ns(raw, ns);
  for (size_t i = 0; i < raw.size(); ++i) ASSERT_EQ(ns[i], map.to_ns(raw[i]));
}

TEST(TimeMap, AbsurdStampsStayInRange) {
  const TimeMap map = TimeMap::make({{1, 0}, {2, UINT64_MAX / 2}}, 0);
  EXPECT_GT(map.to_ns(UINT64_MAX / 2), 0);
  EXPECT_LT(map.to_ns(UINT64_MAX), 0);  // read as before the first point
}

TEST(Source, TimesCountFromTheFirstClockPoint) {
  TestReport report;
  report.range("a", 100, 50);
  const Source source = opened(report.finish());
  EXPECT_EQ(source.start_realtime_ns(), testing::kRealtimeZero);
  EXPECT_EQ(source.duration_ns(), 20'000'000);
  const auto seen = scan(source);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0], (Seen{NvtxBatch::Kind::kPushPop, false, "a", 200, 300}));
}

TEST(Source, LastRowOfAKeyCounts) {
  TestReport report;
  report.process(2, 20, "early");
  report.group();
  report.process(1, 10, "one", kZero + 500);
  report.process(2, 20, "late", kZero + 900);
  report.group();
  using namespace event::diagnostic;
  report.row(event::kDiagnostic, {{kCode, report.id("lost")}, {kProcessId, 1}, {kCount, 3}});
  report.row(event::kDiagnostic,
             {{kCode, report.id("lost")}, {kProcessId, 1}, {kCount, 7}, {kFirst, kZero + 5}});
  const Source source = opened(report.finish());
  ASSERT_EQ(source.processes().size(), 2u);
  EXPECT_EQ(source.processes()[0].pid, 10u);
  EXPECT_EQ(source.processes()[1].name, "late");
  EXPECT_EQ(source.processes()[1].end_ns, 1800);
  EXPECT_FALSE(source.processes()[1].running);
  ASSERT_EQ(source.diagnostics().size(), 1u);
  EXPECT_EQ(source.diagnostics()[0].count, 7u);
  EXPECT_EQ(source.diagnostics()[0].first_ns, 10);
}

TEST(Source, StartAndEndAreJoinedWithinTheProcess) {
  TestReport report;
  report.process(1, 10, "p", kZero + 5000);
  report.process(2, 11, "q", kZero + 7000);
  report.end_range(5, 400, 1, 101);  // in the file before its start
  report.group(1, 2);
  report.start_range("crosses threads", 5, 100);
  report.start_range("same id, other process", 5, 100, 2);
  report.end_range(5, 600, 2);
  report.end_range(99, 600, 2);  // of nothing
  report.start_range("never ended", 6, 200, 2);
  const Source source = opened(report.finish());
  NvtxScan what;
  what.with_attributes = true;
  std::vector<uint64_t> end_tids;
  ASSERT_TRUE(source.scan_nvtx(what, [&](const NvtxBatch& b) {
    end_tids.insert(end_tids.end(), b.end_tid.begin(), b.end_tid.end());
  }));
  EXPECT_EQ(end_tids, (std::vector<uint64_t>{101, 100, 0}));
  const auto seen = scan(source);
  using K = NvtxBatch::Kind;
  EXPECT_EQ(seen, (std::vector<Seen>{{K::kStartEnd, false, "crosses threads", 200, 800},
                                     {K::kStartEnd, false, "same id, other process", 200, 1200},
                                     {K::kStartEnd, true, "never ended", 400, 14000}}));
}

TEST(Source, OnlyTheNewestStackOfARingIsOpen) {
  TestReport report;
  report.process(1, 10, "p", kZero + 5000);
  report.range("x", 10, 5);
  report.open("closed later", 1, 1, 1);
  report.group(1, 1);
  report.range("y", 20, 5);
  report.group(1, 1);  // nothing is open any more
  report.range("z", 30, 5);
  report.open("outer", 2, 1, 2);
  report.group(1, 2);
  report.range("z", 40, 5);
  report.open("outer", 2, 1, 2);
  report.open("inner", 45, 1, 2);
  report.group(1, 2);
  report.range("w", 50, 5);
  report.group(2, 2);  // the same number in another instance
  std::vector<Seen> unfinished;
  for (const Seen& s : scan(opened(report.finish())))
    if (s.unfinished) unfinished.push_back(s);
  using K = NvtxBatch::Kind;
  EXPECT_EQ(unfinished, (std::vector<Seen>{{K::kPushPop, true, "outer", 4, 10000},
                                           {K::kPushPop, true, "inner", 90, 10000}}));
}

TEST(Source, OpenRangesOfARunningProcessEndWithTheSession) {
  TestReport report;
  report.process(1, 10, "p");
  report.open("main", 1, 1, 1);
  const auto seen = scan(opened(report.finish()));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].end_ns, 20'000'000);
}

TEST(Source, ParallelScansSeeTheSame) {
  TestReport report;
  report.process(1, 10, "p", kZero + 9'000'000);
  for (uint64_t i = 0; i < 300; ++i) {
    report.range("r" + std::to_string(i % 7), 1000 * i, 10 + i);
    report.start_range("s", i, 1000 * i + 1);
    if (i % 3 != 0) report.end_range(i, 1000 * i + 500);
    if (i % 10 == 9) report.group();
  }
  const Source source = opened(report.finish());
  auto one = scan(source, {}, 1);
  auto four = scan(source, {}, 4);
  EXPECT_EQ(one.size(), 600u);
  std::sort(one.begin(), one.end());
  std::sort(four.begin(), four.end());
  EXPECT_EQ(one, four);
}

TEST(Source, DurationsAreDifferencesOfMappedStamps) {
  TestReport report;
  for (uint64_t i = 0; i < 1000; ++i) report.range("r", 1013 * i, 7 + i % 13);
  const Source source = opened(report.finish(kZero + 3'333'333));
  NvtxScan only_durations;
  only_durations.with_times = false;
  only_durations.with_origin = false;
  const auto full = scan(source);
  const auto brief = scan(source, only_durations);
  ASSERT_EQ(full.size(), brief.size());
  for (size_t i = 0; i < full.size(); ++i) EXPECT_EQ(brief[i].end_ns, full[i].end_ns - full[i].start_ns);
}

TEST(Source, MissingFileIsNotFound) {
  const auto source = Source::open("/nonexistent/r.sxt");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace sextant::query
