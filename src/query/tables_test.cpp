// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>

#include "event/schema_cuda.h"
#include "query/launches.h"
#include "query/report_for_tests.h"
#include "query/thread_ranges.h"

namespace sextant::query {
namespace {

using testing::kZero;
using testing::TestReport;

Source opened(const std::string& path) {
  auto source = Source::open(path);
  EXPECT_TRUE(source) << source.error().message;
  return std::move(*source);
}

void add_call(TestReport* report, uint64_t start, uint64_t duration, uint64_t process, uint64_t correlation,
              bool has_correlation = true) {
  using namespace event::cuda_api;
  report->row(event::kCudaApi, {{kStart, kZero + start},
                                {kDuration, duration},
                                {kProcess, process},
                                {kTid, 7},
                                {kCorrelation, correlation},
                                {kName, report->id("f")},
                                {kNulls, has_correlation ? 0 : uint64_t{1} << kCorrelation}});
}

TEST(ScanTable, TimesAreNanosecondsAndColumnsAsAsked) {
  TestReport report;  // a tick is two nanoseconds
  add_call(&report, 100, 30, 1, 5);
  report.group();
  add_call(&report, 200, 40, 2, 6);
  const Source source = opened(report.finish());
  using namespace event::cuda_api;
  const uint16_t columns[] = {kCorrelation, kDuration, kProcess};  // the start is needed, but not asked for
  const auto table = source.read_table(event::kCudaApi, columns);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows, 2u);
  EXPECT_EQ(table->columns, (std::vector<std::vector<uint64_t>>{{5, 6}, {60, 80}, {1, 2}}));
  EXPECT_EQ(source.rows(event::kCudaApi), 2u);
  EXPECT_EQ(source.rows(event::kCudaKernel), 0u);
  EXPECT_EQ(source.read_table(event::kCudaKernel, columns)->rows, 0u);
}

TEST(ScanTable, WorkersSeeEveryRowOnce) {
  TestReport report;
  for (uint64_t i = 0; i < 1000; ++i) {
    add_call(&report, 10 * i, 1, 1, i);
    if (i % 37 == 0) report.group();
  }
  const Source source = opened(report.finish());
  std::vector<uint64_t> seen;
  std::mutex mutex;
  const uint16_t columns[] = {event::cuda_api::kCorrelation};
  ASSERT_TRUE(source.scan_table(event::kCudaApi, columns, 4, [&](size_t, TableBatch& b) {
    const std::scoped_lock lock(mutex);
    seen.insert(seen.end(), b.columns[0].begin(), b.columns[0].end());
  }));
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), 1000u);
  for (uint64_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i);
}

TEST(ScanTable, AWindowKeepsWhatTouchesIt) {
  TestReport report;
  add_call(&report, 0, 50, 1, 1);    // 0 to 100 ns
  add_call(&report, 50, 50, 1, 2);   // 100 to 200
  add_call(&report, 100, 50, 1, 3);  // 200 to 300
  add_call(&report, 0, 1000, 1, 4);  // 0 to 2000
  report.range("in", 60, 5);
  report.range("out", 500, 5);
  Source source = opened(report.finish());
  source.set_window({100, 200});  // 200 itself is outside
  const uint16_t columns[] = {event::cuda_api::kCorrelation};
  EXPECT_EQ(source.read_table(event::kCudaApi, columns)->columns[0], (std::vector<uint64_t>{1, 2, 4}));
  size_t all = 0;
  ASSERT_TRUE(source.scan_table(
      event::kCudaApi, columns, 1, [&](size_t, TableBatch& b) { all += b.rows; }, Rows::kAll));
  EXPECT_EQ(all, 4u);
  EXPECT_EQ(load_thread_ranges(source)->size(), 1u);
  EXPECT_EQ(load_thread_ranges(source, true, true, Rows::kAll)->size(), 2u);
  NvtxScan durations;
  durations.with_times = false;
  ASSERT_TRUE(source.scan_nvtx(durations, [&](const NvtxBatch& b) {
    ASSERT_EQ(b.rows, 1u);
    EXPECT_EQ(b.end_ns[0], 10);
    EXPECT_TRUE(b.start_ns.empty());
  }));
}

TEST(Launches, ByProcessAndCorrelation) {
  TestReport report;
  add_call(&report, 0, 1, 1, 100);
  add_call(&report, 10, 1, 2, 100);
  add_call(&report, 20, 1, 1, 100);       // the first one counts
  add_call(&report, 30, 1, 1, 0, false);  // no correlation
  add_call(&report, 40, 1, 3, 5);
  add_call(&report, 50, 1, 3, 5'000'000'000'000'000);  // far apart: not by a dense index
  const Source source = opened(report.finish());
  const auto launches = Launches::load(source);
  ASSERT_TRUE(launches);
  EXPECT_EQ(launches->size(), 6u);
  EXPECT_EQ(launches->find(1, 100), 0u);
  EXPECT_EQ(launches->find(2, 100), 1u);
  EXPECT_EQ(launches->find(3, 5), 4u);
  EXPECT_EQ(launches->find(3, 5'000'000'000'000'000), 5u);
  for (const auto& [process, correlation] :
       {std::pair<uint64_t, uint64_t>{1, 0}, {1, 99}, {1, 101}, {3, 6}, {4, 5}, {2, UINT64_MAX}})
    EXPECT_EQ(launches->find(process, correlation), Launches::kNone) << process << " " << correlation;
}

TEST(Launches, AProcessThatFollowsACallWithoutCorrelation) {
  TestReport report;
  add_call(&report, 0, 1, 1, 10);
  add_call(&report, 10, 1, 2, 0, false);
  add_call(&report, 20, 1, 2, 10);
  const Source source = opened(report.finish());
  const auto launches = Launches::load(source);
  ASSERT_TRUE(launches);
  EXPECT_EQ(launches->find(1, 10), 0u);
  EXPECT_EQ(launches->find(2, 10), 2u);
}

TEST(Launches, OfManyChunksInFileOrderWithoutThoseOutsideOfTheWindow) {
  TestReport report;
  for (uint64_t i = 0; i < 2000; ++i) {
    add_call(&report, 10 * i, 1, 1 + i % 3, i);  // 20 * i to 20 * i + 2 ns
    if (i % 41 == 0) report.group();
  }
  Source source = opened(report.finish());
  source.set_window({1000, 30'000});
  for (const Rows which : {Rows::kAll, Rows::kInWindow}) {
    const auto launches = Launches::load(source, which);
    ASSERT_TRUE(launches);
    const uint64_t first = which == Rows::kAll ? 0 : 50, behind = which == Rows::kAll ? 2000 : 1500;
    ASSERT_EQ(launches->size(), behind - first);
    for (uint64_t i = first; i < behind; ++i) {
      ASSERT_EQ(launches->start_ns[i - first], static_cast<int64_t>(20 * i));
      ASSERT_EQ(launches->end_ns[i - first], static_cast<int64_t>(20 * i + 2));
      ASSERT_EQ(launches->process[i - first], 1 + i % 3);
      ASSERT_EQ(launches->find(1 + i % 3, i), i - first);
    }
  }
}

TEST(ScanByTime, ChunksOfAllTablesInTheOrderOfTheirFirstRows) {
  TestReport report;
  for (const uint64_t at : {500u, 100u, 900u, 300u}) {
    add_call(&report, at, 1, 1, at);
    report.group();
    report.row(event::kCudaKernel,
               {{event::cuda_kernel::kStart, kZero + at + 50}, {event::cuda_kernel::kDuration, 7}});
    report.group();
  }
  const Source source = opened(report.finish());
  constexpr uint16_t kTables[] = {event::kCudaApi, event::kCudaKernel};
  constexpr uint16_t kColumns[] = {event::cuda_api::kStart};
  std::vector<uint64_t> prepared(3);  // by worker
  std::vector<uint64_t> starts;
  std::vector<int64_t> until;
  ASSERT_TRUE(source.scan_by_time(
      kTables, kColumns, prepared.size(),
      [&](size_t worker, TableBatch& b) { prepared[worker] = b.columns[0][0]; },
      [&](size_t worker, int64_t next) {
        starts.push_back(prepared[worker]);
        until.push_back(next);
      }));
  EXPECT_EQ(starts, (std::vector<uint64_t>{200, 300, 600, 700, 1000, 1100, 1800, 1900}));
  EXPECT_EQ(until, (std::vector<int64_t>{300, 600, 700, 1000, 1100, 1800, 1900, INT64_MAX}));
  int64_t first = 0, last = 0;
  EXPECT_TRUE(source.extent(event::kCudaApi, &first, &last));
  EXPECT_EQ(first, 200);
  EXPECT_EQ(last, 1802);
  EXPECT_FALSE(source.extent(event::kCudaMemcpy, &first, &last));
}

TEST(FindEnclosing, AgreesWithABruteForceSearch) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<ThreadRange> ranges;
    for (int i = 0; i < 60; ++i) {
      const auto start = static_cast<int64_t>(random() % 200);
      ranges.push_back({start, start + static_cast<int64_t>(random() % 80), random() % 2,
                        static_cast<uint32_t>(random() % 2), 0, 0, false, 0});
    }
    std::vector<ThreadSpan> spans;
    for (int i = 0; i < 60; ++i) {
      const auto start = static_cast<int64_t>(random() % 250);
      spans.push_back({start, start + static_cast<int64_t>(random() % 10), random() % 3,
                       static_cast<uint32_t>(random() % 2)});
    }
    const EnclosingRanges index(ranges);
    std::vector<int> calls(spans.size());
    find_enclosing(ranges, spans, [&](size_t s, std::span<const uint32_t> around) {
      ++calls[s];
      std::vector<uint32_t> expected;
      for (uint32_t r = 0; r < ranges.size(); ++r)
        if (ranges[r].process == spans[s].process && ranges[r].tid == spans[s].tid &&
            ranges[r].start_ns <= spans[s].start_ns && ranges[r].end_ns >= spans[s].end_ns)
          expected.push_back(r);
      std::sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
        return ranges[a].start_ns != ranges[b].start_ns ? ranges[a].start_ns < ranges[b].start_ns : a > b;
      });
      EXPECT_EQ(std::vector<uint32_t>(around.begin(), around.end()), expected);
      std::vector<uint32_t> outwards;
      for (auto at = index.innermost(spans[s]); at.range != EnclosingRanges::kNone;
           at = index.outside(at, spans[s]))
        outwards.push_back(at.range);
      EXPECT_EQ(std::vector<uint32_t>(outwards.rbegin(), outwards.rend()), expected);
    });
    EXPECT_EQ(calls, std::vector<int>(spans.size(), 1));
  }
}

}  // namespace
}  // namespace sextant::query
