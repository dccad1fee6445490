// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/curves.h"

#include <gtest/gtest.h>

#include <cstring>

#include "event/schema_cuda.h"
#include "event/schema_system.h"
#include "stats/rows_for_tests.h"

namespace sextant::serve {
namespace {

struct Point {
  double least, greatest, mean;
  int bucket;
};

std::vector<Point> points(const std::string& tile) {
  uint32_t count;
  std::memcpy(&count, tile.data() + 8, 4);
  EXPECT_EQ(tile[5], 3);
  std::vector<Point> out(count);
  for (uint32_t i = 0; i < count; ++i) {
    uint16_t bucket;
    std::memcpy(&out[i].least, tile.data() + 32 + 8 * i, 8);
    std::memcpy(&out[i].greatest, tile.data() + 32 + 8 * (count + i), 8);
    std::memcpy(&out[i].mean, tile.data() + 32 + 8 * (2 * count + i), 8);
    std::memcpy(&bucket, tile.data() + 32 + 24 * count + 2 * i, 2);
    out[i].bucket = bucket;
  }
  return out;
}

TEST(Curve, LeastGreatestAndMeanOfBuckets) {
  Curve curve;
  for (int i = 0; i < 8; ++i) curve.add(i * 100, i);
  curve.finish();
  const auto all = points(curve.tile({20, 0}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].least, 0);
  EXPECT_EQ(all[0].greatest, 7);
  EXPECT_EQ(all[0].mean, 3.5);
  const auto some = points(curve.tile({0, 0}));  // 0 to 1024 ns, one by one
  ASSERT_EQ(some.size(), 8u);
  EXPECT_EQ(some[3].bucket, 300);
  EXPECT_EQ(some[3].mean, 3);
  EXPECT_TRUE(points(curve.tile({0, 7})).empty());
}

TEST(Curve, ManySamplesStayWithinTheBound) {
  Curve curve;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) curve.add(int64_t{i} * 1000, i % 2);
  curve.finish();
  EXPECT_GT(curve.level(), 0);
  const auto all = points(curve.tile({18, 0}));
  ASSERT_GT(all.size(), 500u);
  for (const Point& point : all) EXPECT_NEAR(point.mean, 0.5, 0.01);
  const auto fine = points(curve.tile({4, 100}));  // finer than what is kept
  EXPECT_LE(fine.size(), 1024u);
}

TEST(Curve, MemoryInUseAndMetricsOfAReport) {
  stats::testing::CudaReport report;
  report.process(1, 10, "train");
  using namespace event;
  for (const auto& [at, bytes, freed] : {std::tuple{100, 64u, 0u}, {200, 36u, 0u}, {300, 64u, 1u}})
    report.row(kGpuMemoryUsage, {{gpu_memory_usage::kTime, report.raw(at)},
                                 {gpu_memory_usage::kProcess, 1},
                                 {gpu_memory_usage::kMemory, 2},
                                 {gpu_memory_usage::kBytes, bytes},
                                 {gpu_memory_usage::kOperation, freed}});
  report.row(kMetric, {{metric::kType, 0x200},
                       {metric::kMetric, 5},
                       {metric::kTypeName, report.id("H100")},
                       {metric::kName, report.id("SM Active [Throughput %]")}});
  report.row(kMetricSample, {{metric_sample::kTime, report.raw(400)},
                             {metric_sample::kType, 0x200},
                             {metric_sample::kMetric, 5},
                             {metric_sample::kValue, 42}});
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source);
  const auto curves = load_curves(*source);
  ASSERT_TRUE(curves) << curves.error().message;
  ASSERT_EQ(curves->size(), 2u);
  EXPECT_EQ((*curves)[0].group, "Memory of GPU 0 in use");
  EXPECT_EQ((*curves)[0].name, "device");
  const auto in_use = points((*curves)[0].tile({0, 0}));
  ASSERT_EQ(in_use.size(), 3u);
  EXPECT_EQ(in_use[1].mean, 100);
  EXPECT_EQ(in_use[2].mean, 36);
  EXPECT_EQ((*curves)[1].group, "GPU 0 metrics: H100");
  EXPECT_EQ((*curves)[1].name, "SM Active");
  EXPECT_EQ((*curves)[1].unit, "Throughput %");
}

}  // namespace
}  // namespace sextant::serve
