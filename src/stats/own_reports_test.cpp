// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_tree, nvtx_hist and thread_sum, which nsys does not have.
#include <gtest/gtest.h>

#include "query/report_for_tests.h"
#include "stats/registry.h"

namespace sextant::stats {
namespace {

using query::testing::kZero;
using query::testing::TestReport;
using Lines = std::vector<std::string>;

/// The rows of a report as "cell|cell|...", without the last `left_out` columns.
Lines rows(const std::string& path, std::string_view name) {
  auto source = query::Source::open(path);
  EXPECT_TRUE(source) << source.error().message;
  auto table = find_report(name)->make(*source, {});
  EXPECT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->rows == 0, !table->why_empty.empty());
  Lines out;
  for (uint64_t row = 0; row < table->rows; ++row) {
    std::vector<text::Cell> cells(table->columns.size());
    table->fill(row, cells);
    std::string line;
    for (size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += '|';
      if (cells[c].empty) continue;
      if (table->columns[c].type == text::CellType::kText) line += cells[c].text;
      if (table->columns[c].type == text::CellType::kInteger) line += std::to_string(cells[c].integer);
      if (table->columns[c].type == text::CellType::kReal) line += text::one_decimal(cells[c].real);
    }
    out.push_back(std::move(line));
  }
  return out;
}

TEST(NvtxTree, SumsByPathOverThreads) {
  TestReport report;  // a tick is two nanoseconds
  report.process(1, 100, "p", kZero + 90'000);
  report.range("inner", 10, 5);
  report.range("inner", 20, 10);
  report.range("other", 40, 1, "d");
  report.range("outer", 0, 50);
  report.range("inner", 15, 5, "", 1, 200);  // another thread, with the same path
  report.range("outer", 10, 20, "", 1, 200);
  report.range("inner", 60, 7);  // not within anything
  EXPECT_EQ(rows(report.finish(), "nvtx_tree"), (Lines{"90.9|140|63.6|98|2|70.0|40|100|0|outer|outer",
                                                       "26.0|40|26.0|40|3|13.3|10|20|1|--inner|outer/inner",
                                                       "1.3|2|1.3|2|1|2.0|2|2|1|--d:other|outer/d:other",
                                                       "9.1|14|9.1|14|1|14.0|14|14|0|inner|inner"}));
}

TEST(NvtxHist, StepsOfOneTwoFive) {
  TestReport report;
  report.process(1, 100, "p", kZero + 90'000);
  for (const uint64_t ticks : {0u, 5u, 5u, 9u, 10u, 2500u})
    report.range("a", 100, ticks);  // 0 10 10 18 20 5000 ns
  report.range("b", 100, 50'000);
  EXPECT_EQ(
      rows(report.finish(), "nvtx_hist"),
      (Lines{"b|100000|200000|1|100.0|100000|########################################",
             "a|0|1|1|16.7|0|#############", "a|10|20|3|50.0|38|########################################",
             "a|20|50|1|16.7|20|#############", "a|5000|10000|1|16.7|5000|#############"}));
}

TEST(ThreadSum, TimeThatAnyRangeWasOpen) {
  TestReport report;
  report.process(1, 100, "p", kZero + 10 + 1000);  // lives 2000 ns
  report.range("inner", 100, 50);
  report.range("outer", 100, 100);
  report.range("later", 150, 150);  // overlaps: together 100 to 300
  report.range("alone", 400, 100);
  report.range("elsewhere", 0, 10, "", 1, 200);
  EXPECT_EQ(rows(report.finish(), "thread_sum"),
            (Lines{"30.0|600|4|200|1000|100|100||p", "1.0|20|1|0|20|100|200||p"}));
}

TEST(OwnReports, SayWhyTheyAreEmpty) {
  for (const char* name : {"nvtx_tree", "nvtx_hist", "thread_sum"}) {
    TestReport report;
    report.process(1, 100, "p", kZero + 10 + 1000);
    EXPECT_EQ(rows(report.finish(), name), Lines{});
  }
}

}  // namespace
}  // namespace sextant::stats
