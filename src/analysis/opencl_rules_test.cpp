// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/rule.h"
#include "analysis/rules_for_tests.h"
#include "query/query.h"
#include "stats/opencl_for_tests.h"

namespace sextant::analysis {
namespace {

using stats::testing::kReadBuffer;
using stats::testing::kWriteBuffer;
using stats::testing::Lines;
using stats::testing::lines_of;
using stats::testing::OpenclReport;

constexpr int64_t kMs = 1'000'000;

using testing::run;

struct Planted : OpenclReport {
  Planted() {
    process(1, 100, "p");
    device(1, "Fast Card");
    uint64_t correlation = 1;
    for (int64_t i = 0; i < 20; ++i) {  // a wait after each kernel
      cl_call("clEnqueueNDRangeKernel", i * kMs, i * kMs + 1000, correlation);
      cl_kernel("step", i * kMs + 2000, i * kMs + 500'000, correlation++);
      cl_call("clFinish", i * kMs + 1000, i * kMs + 502'000);
    }
    cl_call("clEnqueueReadBuffer", 100 * kMs, 130 * kMs, correlation);
    cl_memory(kReadBuffer, 101 * kMs, 129 * kMs, correlation++, 1 << 20, true);
    cl_call("clEnqueueWriteBuffer", 200 * kMs, 210 * kMs, correlation);  // not blocking, and yet
    cl_memory(kWriteBuffer, 201 * kMs, 209 * kMs, correlation++, 1 << 20);
    cl_call("clEnqueueWriteBuffer", 220 * kMs, 220 * kMs + 2000, correlation);  // as it should be
    cl_memory(kWriteBuffer, 221 * kMs, 230 * kMs, correlation++, 1 << 20);
    cl_call("clEnqueueNDRangeKernel", 1000 * kMs, 1000 * kMs + 1000, correlation);
    cl_kernel("step", 1001 * kMs, 1002 * kMs, correlation++);
    finish(1'000'000'000);
  }
};

TEST(OpenclRules, FindWhatWasPlanted) {
  Planted report;
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  const Outcome waits = run(*source, "opencl_api_sync");
  ASSERT_EQ(waits.findings.size(), 1u);
  EXPECT_NE(waits.findings[0].what.find("20 times in a loop"), std::string::npos) << waits.findings[0].what;
  EXPECT_NE(waits.findings[0].evidence.find("one for every 1."), std::string::npos)
      << waits.findings[0].evidence;
  EXPECT_EQ(waits.findings[0].gain_ns, 20 * 501'000);
  EXPECT_EQ(waits.table.rows, 20u);
  ASSERT_EQ(waits.findings[0].places.size(), 2u);
  EXPECT_EQ(waits.findings[0].places[1].tid, 10u);
  EXPECT_EQ(waits.findings[0].places[1].to_ns - waits.findings[0].places[1].from_ns, 501'000);
  EXPECT_EQ(waits.findings[0].places[1].table, event::kOpenclApi);

  const Outcome blocking = run(*source, "opencl_memcpy_sync");
  EXPECT_EQ(lines_of(blocking.table),
            (Lines{"30000000|28000000|101000000|[OpenCL read buffer]|1.049|100|1|1|1|clEnqueueReadBuffer"}));
  EXPECT_EQ(blocking.findings[0].gain_ns, 30 * kMs);
  ASSERT_EQ(blocking.findings[0].places.size(), 2u);
  EXPECT_EQ(blocking.findings[0].where, "process 100, OpenCL device Fast Card (1), from 100 ms to 130 ms");

  const Outcome held_up = run(*source, "opencl_memcpy_async");
  EXPECT_EQ(lines_of(held_up.table),
            (Lines{"10000000|8000000|201000000|[OpenCL write buffer]|1.049|100|1|1|1|clEnqueueWriteBuffer"}));

  const Outcome gaps = run(*source, "gpu_gaps");
  EXPECT_EQ(lines_of(gaps.table), (Lines{"1|771000000|230000000|100|1|1"}));
  EXPECT_EQ(gaps.findings[0].what, "The device did nothing for 771 ms.");
  EXPECT_EQ(run(*source, "gpu_time_util").table.rows > 0, true);
}

TEST(OpenclRules, SayNothingWhereNothingIsWrong) {
  OpenclReport report;
  report.process(1, 100, "p");
  report.device(1, "Fast Card");
  for (uint64_t i = 1; i <= 30; ++i) {
    const auto at = static_cast<int64_t>(i) * 1000;
    report.cl_call("clEnqueueNDRangeKernel", at, at + 100, i);
    report.cl_kernel("step", at + 200, at + 1200, i);
  }
  report.cl_call("clFinish", 40'000, 50'000);
  report.cl_call("clEnqueueWriteBuffer", 60'000, 60'200, 31);
  report.cl_memory(kWriteBuffer, 60'100, 60'150, 31, 64);  // so short that it is not worth a word
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  EXPECT_EQ(run(*source, "opencl_memcpy_sync").table.rows, 0u);
  EXPECT_EQ(run(*source, "opencl_memcpy_async").table.rows, 0u);
  EXPECT_EQ(run(*source, "gpu_gaps").table.rows, 0u);
  const Outcome waits = run(*source, "opencl_api_sync");
  ASSERT_EQ(waits.findings.size(), 1u);
  EXPECT_EQ(waits.findings[0].what.find("loop"), std::string::npos);
}

}  // namespace
}  // namespace sextant::analysis
