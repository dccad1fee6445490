// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected rows are those that nsys 2023.4.4 prints for the same events, but where a comment says otherwise.
#include <gtest/gtest.h>

#include "analysis/rule.h"
#include "event/schema_system.h"
#include "stats/rows_for_tests.h"

namespace sextant::analysis {
namespace {

using stats::testing::CudaReport;
using stats::testing::Lines;

constexpr int64_t kMs = 1'000'000;

Outcome run(const CudaReport& report, std::string_view word, bool like_nsys = false) {
  static std::vector<query::Source> open;  // texts of tables point into it
  auto source = query::Source::open(report.path());
  EXPECT_TRUE(source) << source.error().message;
  open.push_back(std::move(*source));
  auto choice = choose_rule(word);
  EXPECT_TRUE(choice && choice->rule != nullptr) << word;
  choice->arguments.like_nsys = like_nsys;
  auto outcome = choice->rule->run(open.back(), choice->arguments);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return std::move(*outcome);
}

Lines rows(const CudaReport& report, std::string_view word, bool like_nsys = false) {
  return stats::testing::lines_of(run(report, word, like_nsys).table);
}

void overhead(CudaReport* report, std::string_view name, int64_t start, int64_t end) {
  using namespace event::tool_overhead;
  report->row(event::kToolOverhead, {{kStart, CudaReport::raw(start)},
                                     {kDuration, CudaReport::ticks(end - start)},
                                     {kProcess, 1},
                                     {kTid, 10},
                                     {kName, report->id(name)}});
}

TEST(CudaApiSync, CallsThatWaitForTheGpu) {
  CudaReport report;
  report.process(1, 100, "p");
  report.process(2, 200, "q");
  report.api("cudaDeviceSynchronize_v3020", 1000, 1078, 1);
  report.api("cudaStreamSynchronize_ptsz_v7000", 1200, 1282, 2);
  report.api("cudaDeviceSynchronize_v3020", 1300, 1400, 3, 2, 20);
  for (const std::string_view other : {"cudaEventSynchronize_v3020", "cuCtxSynchronize",
                                       "cudaThreadSynchronize_v3020", "cudaStreamWaitEvent_v3020"})
    report.api(other, 2000, 2500, 4);
  report.finish();
  EXPECT_EQ(rows(report, "cuda_api_sync"), (Lines{"100|1300|200|20|cudaDeviceSynchronize_v3020",
                                                  "82|1200|100|10|cudaStreamSynchronize_ptsz_v7000",
                                                  "78|1000|100|10|cudaDeviceSynchronize_v3020"}));
  EXPECT_EQ(rows(report, "cuda_api_sync:rows=1").size(), 1u);
  EXPECT_EQ(rows(report, "cuda_api_sync:rows=-1:process=100").size(), 2u);
  EXPECT_EQ(rows(report, "cuda_api_sync:thread=20").size(), 1u);
  const Outcome outcome = run(report, "cuda_api_sync");
  ASSERT_EQ(outcome.findings.size(), 3u);
  EXPECT_EQ(outcome.findings[0].gain_ns, 100);
  EXPECT_EQ(outcome.findings[0].what, "cudaDeviceSynchronize kept a thread waiting for the GPU for 100 ns.");
  EXPECT_EQ(outcome.findings[0].where, "process 200, thread 20, from 1.3 us to 1.4 us");
  EXPECT_EQ(outcome.findings[0].evidence, "1 call, the longest 100 ns");
  ASSERT_EQ(outcome.findings[0].places.size(), 2u);
  const Place& longest = outcome.findings[0].places[1];
  EXPECT_EQ(longest.process, 2u);
  EXPECT_EQ(longest.tid, 20u);
  EXPECT_EQ(longest.from_ns, 1300);
  EXPECT_EQ(longest.to_ns, 1400);
  EXPECT_EQ(longest.table, event::kCudaApi);
  EXPECT_FALSE(outcome.findings[0].advice.empty());
}

TEST(CudaMemcpy, AsyncFromPageableMemoryAndSync) {
  CudaReport report;
  report.process(1, 100, "p");
  uint64_t correlation = 0;
  const auto call = [&](std::string_view name, int64_t duration, uint64_t bytes, uint64_t kind, uint64_t from,
                        uint64_t to) {
    const int64_t start = 1000 * static_cast<int64_t>(++correlation);
    report.api(name, start, start + 50, correlation);
    report.copy(start + 10, start + 10 + duration, correlation, bytes, kind, from, to);
  };
  call("cudaMemcpyAsync_v3020", 20, 100'000, 1, 0, 2);
  call("cudaMemcpyAsync_v3020", 30, 100'000, 2, 2, 0);
  call("cudaMemcpyAsync_v3020", 40, 100'000, 1, 1, 2);  // pinned
  call("cudaMemcpy2DAsync_ptsz_v7000", 24, 100'000, 1, 0, 2);
  call("cudaMemPrefetchAsync_v8000", 90, 100'000, 1, 0, 2);
  call("cuMemcpyHtoDAsync_v2", 90, 100'000, 1, 0, 2);
  call("cudaMemcpy_v3020", 22, 64'000, 1, 0, 2);  // small
  call("cudaMemcpy_v3020", 26, 64'001, 1, 0, 2);
  call("cudaMemcpyToSymbol_v3020", 28, 10, 2, 2, 1);
  report.finish();
  EXPECT_EQ(rows(report, "cuda_memcpy_async"),
            (Lines{"30|2010|Device|Pageable|0.100|100|0|1||7|cudaMemcpyAsync_v3020",
                   "24|4010|Pageable|Device|0.100|100|0|1||7|cudaMemcpy2DAsync_ptsz_v7000",
                   "20|1010|Pageable|Device|0.100|100|0|1||7|cudaMemcpyAsync_v3020"}));
  EXPECT_EQ(rows(report, "cuda_memcpy_sync"),
            (Lines{"28|9010|Device|Pinned|0.000|100|0|1||7|cudaMemcpyToSymbol_v3020",
                   "26|8010|Pageable|Device|0.064|100|0|1||7|cudaMemcpy_v3020"}));
  const Outcome outcome = run(report, "cuda_memcpy_async");
  ASSERT_EQ(outcome.findings.size(), 3u);
  EXPECT_EQ(outcome.findings[0].gain_ns, 30);
  EXPECT_NE(outcome.findings[0].evidence.find("Device to Pageable memory, 97.66 KiB, 30 ns"),
            std::string::npos)
      << outcome.findings[0].evidence;
  ASSERT_EQ(outcome.findings[0].places.size(), 2u);
  EXPECT_EQ(outcome.findings[0].places[1].device, 0u);
  EXPECT_EQ(outcome.findings[0].places[1].from_ns, 2010);
  EXPECT_EQ(outcome.findings[0].places[1].to_ns, 2040);
  EXPECT_EQ(outcome.findings[0].places[1].table, event::kCudaMemcpy);
}

TEST(CudaMemcpySync, NotWithinOneDevice) {
  CudaReport report;
  report.process(1, 100, "p");
  using namespace event::cuda_memcpy;
  const auto call = [&](int64_t start, uint64_t from, uint64_t to, uint64_t nulls) {
    report.api("cudaMemcpy_v3020", start, start + 50, static_cast<uint64_t>(start));
    report.row(event::kCudaMemcpy, {{kStart, CudaReport::raw(start)},
                                    {kDuration, 5},
                                    {kProcess, 1},
                                    {kCorrelation, static_cast<uint64_t>(start)},
                                    {kBytes, 100'000},
                                    {kKind, 8},
                                    {kSourceMemory, 2},
                                    {kTargetMemory, 2},
                                    {kSourceDevice, from},
                                    {kTargetDevice, to},
                                    {kNulls, nulls}});
  };
  call(1000, 0, 0, 0), call(2000, 0, 1, 0),
      call(3000, 0, 0, CudaReport::null({kSourceDevice, kTargetDevice}));
  report.finish();
  EXPECT_EQ(rows(report, "cuda_memcpy_sync"),
            (Lines{"10|2000|Device|Device|0.100|100|0|0||0|cudaMemcpy_v3020",
                   "10|3000|Device|Device|0.100|100|0|0||0|cudaMemcpy_v3020"}));
}

TEST(CudaMemsetSync, OfPinnedAndManagedMemory) {
  CudaReport report;
  report.process(1, 100, "p");
  uint64_t correlation = 0;
  for (const std::string_view name : {"cudaMemset_v3020", "cudaMemsetAsync_v3020", "cuMemsetD8_v2"})
    for (uint64_t memory = 0; memory < 8; ++memory) {
      const int64_t start = 1000 * static_cast<int64_t>(++correlation);
      report.api(name, start, start + 50, correlation);
      report.fill(start, start + 20 + 2 * static_cast<int64_t>(memory), correlation, 4000, memory);
    }
  report.finish();
  EXPECT_EQ(rows(report, "cuda_memset_sync"), (Lines{"28|5000|Managed|0.004|100|0|1||7|cudaMemset_v3020",
                                                     "22|2000|Pinned|0.004|100|0|1||7|cudaMemset_v3020"}));
}

struct GapReport : CudaReport {
  GapReport() {
    process(1, 10, "p");
    process(2, 20, "q");
    kernel("k", 600 * kMs, 610 * kMs, 1);
    kernel("k", 700 * kMs, 710 * kMs, 2, 1, 0, 2);
    kernel("k", 1300 * kMs, 1310 * kMs, 3);
    kernel("k", 1900 * kMs, 1950 * kMs, 4, 1, 1);
    copy(2000 * kMs, 2001 * kMs, 5, 4096);
    kernel("k", 2400 * kMs, 2401 * kMs, 6, 1, 1);
    kernel("k", 3000 * kMs, 3001 * kMs, 7);
    kernel("k", 500 * kMs, 501 * kMs, 1, 2);
    kernel("k", 1200 * kMs, 1201 * kMs, 2, 2);
    kernel("k", 5000 * kMs, 5001 * kMs, 8);
  }
};

TEST(GpuGaps, LongestFirst) {
  GapReport report;
  report.finish();
  EXPECT_EQ(rows(report, "gpu_gaps"),
            (Lines{"1|1999000000|3001000000|10|0|1", "2|999000000|2001000000|10|0|1",
                   "3|699000000|501000000|20|0|1", "4|690000000|1310000000|10|0|1",
                   "5|590000000|710000000|10|0|2"}));
  EXPECT_EQ(rows(report, "gpu_gaps:gap=1000:rows=7").size(), 1u);
  const Outcome outcome = run(report, "gpu_gaps");
  EXPECT_EQ(outcome.findings[0].gain_ns, 1999 * kMs);
  EXPECT_EQ(outcome.findings[0].where, "process 10, CUDA device 0, from 3.001 s to 5 s");
  ASSERT_EQ(outcome.findings[0].places.size(), 1u);
  EXPECT_EQ(outcome.findings[0].places[0].from_ns, 3'001 * kMs);
  EXPECT_EQ(outcome.findings[0].places[0].to_ns, 5'000 * kMs);
}

TEST(GpuTimeUtil, ChunksBelowTheThreshold) {
  GapReport report;
  report.finish();
  EXPECT_EQ(rows(report, "gpu_time_util"),
            (Lines{"1|0.2|450900000|1950100000|10|1|1", "2|0.3|701000000|500000000|20|0|1",
                   "3|0.7|4401000000|600000000|10|0|1"}));
}

TEST(GpuTimeUtil, ChunksAreRoundedUpAndTheLastOneIsCut) {
  CudaReport report;
  report.process(1, 10, "p");
  report.process(2, 20, "q");
  report.kernel("k", 2000, 2002, 1), report.kernel("k", 2188, 2190, 2), report.kernel("k", 2060, 2100, 3);
  report.kernel("k", 2000, 2060, 1, 2), report.kernel("k", 2000, 2060, 2, 2);  // at the same time: 200 %
  report.finish();
  EXPECT_EQ(rows(report, "gpu_time_util"), (Lines{"1|3.3|91|2098|10|0|1", "2|7.9|63|2000|10|0|1"}));
  EXPECT_EQ(rows(report, "gpu_time_util:threshold=1"),
            (Lines{"1|0.0|49|2007|10|0|1", "2|0.0|77|2105|10|0|1"}));
  EXPECT_EQ(rows(report, "gpu_time_util:chunks=1"), (Lines{"1|23.2|190|2000|10|0|1"}));
}

TEST(GpuGaps, WhatTheProfilerDidIsNoGap) {
  CudaReport report;
  report.process(1, 10, "p");
  report.kernel("k", 1000 * kMs, 1010 * kMs, 1), report.kernel("k", 2010 * kMs, 2020 * kMs, 2);
  overhead(&report, "CUDA profiling data flush overhead", 1500 * kMs, 1600 * kMs);
  overhead(&report, "CUDA profiling data flush overhead", 500 * kMs,
           1100 * kMs);  // not within the time of the GPU
  overhead(&report, "TLS allocation", 1700 * kMs, 1800 * kMs);
  report.finish();
  const Lines expected = {"1|490000000|1010000000|10|0|1", "2|410000000|1600000000|10|0|1"};
  EXPECT_EQ(rows(report, "gpu_gaps:gap=100", true), expected);
  EXPECT_EQ(rows(report, "gpu_gaps:gap=100"), expected);
}

TEST(GpuGaps, FlushesOfTodaysNameAndWholeGraphsAreNoGapsEither) {  // nsys knows neither
  CudaReport report;
  report.process(1, 10, "p");
  report.kernel("k", 1000 * kMs, 1010 * kMs, 1), report.kernel("k", 3000 * kMs, 3020 * kMs, 2);
  overhead(&report, "CUDA profiling data flush on process exit", 1500 * kMs, 1600 * kMs);
  using namespace event::cuda_graph_run;
  report.row(event::kCudaGraphRun, {{kStart, CudaReport::raw(2000 * kMs)},
                                    {kDuration, CudaReport::ticks(500 * kMs)},
                                    {kProcess, 1},
                                    {kContext, 4}});
  report.finish();
  EXPECT_EQ(rows(report, "gpu_gaps:gap=100"),
            (Lines{"1|500000000|2500000000|10|0|4", "2|490000000|1010000000|10|0|1",
                   "3|400000000|1600000000|10|0|1"}));
  EXPECT_EQ(rows(report, "gpu_gaps:gap=100", true), (Lines{"1|1990000000|1010000000|10|0|1"}));
}

TEST(EveryRule, OfAnEmptyRecordingSaysThatThereIsNoData) {
  CudaReport report;
  report.finish();
  for (const Rule& rule : rules()) {
    const Outcome outcome = run(report, rule.name);
    EXPECT_TRUE(outcome.no_data) << rule.name;
    EXPECT_TRUE(outcome.findings.empty());
    EXPECT_FALSE(outcome.table.why_empty.empty());
    EXPECT_EQ(find_rule(rule.name), &rule);
  }
}

TEST(ChooseRule, RefusesWrongArguments) {
  EXPECT_EQ(choose_rule("nothing")->rule, nullptr);
  EXPECT_EQ(choose_rule("gpu_gaps:gap=5:start=-3:end=9")->arguments.end_ns, 9);
  EXPECT_EQ(choose_rule("gpu_gaps:nvtx=a@b/2")->arguments.nvtx, "a@b/2");
  for (const std::string_view wrong :
       {"gpu_gaps:gap=x", "gpu_gaps:gap", "gpu_gaps:chunks=3", "gpu_time_util:chunks=0",
        "gpu_time_util:chunks=1001", "cuda_memcpy_sync:process=1", "gpu_gaps:", "gpu_gaps:rows=-2"})
    EXPECT_FALSE(choose_rule(wrong)) << wrong;
}

}  // namespace
}  // namespace sextant::analysis
