// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "query/report_for_tests.h"

namespace sextant::exporters {
namespace {

using query::testing::kZero;
using query::testing::TestReport;
using Lines = std::vector<std::string>;

/// "name start..end", "?" behind those that were never closed, of all ranges and marks that touch the window.
Lines events(query::Source& source, const query::Window& window) {
  source.set_window(window);
  Lines lines;
  query::NvtxScan scan;
  scan.marks = true;
  EXPECT_TRUE(source.scan_nvtx(scan, [&](const query::NvtxBatch& batch) {
    for (size_t i = 0; i < batch.rows; ++i)
      lines.push_back(std::string(source.reader().string(batch.name[i])) + " " +
                      std::to_string(batch.start_ns[i]) + ".." + std::to_string(batch.end_ns[i]) +
                      (batch.unfinished ? "?" : ""));
  }));
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// A report whose ranges of every kind lie before, in, around and behind 1000..2000 ns.
void fill(TestReport& report) {
  report.process(1, 100, "p", kZero + 5000);
  report.range("before", 10, 20);
  report.range("touches the start", 100, 400);
  report.open("open", 300, 1, 1);
  report.open("closed later", 310, 1, 1);
  report.group();
  report.range("closed later", 310, 700);
  report.range("around", 200, 4000);
  report.range("in it", 600, 5);
  report.range("behind", 1000, 5);
  report.start_range("crosses", 7, 100);
  report.start_range("early", 8, 50);
  report.end_range(8, 60);
  report.open("open", 300, 1, 1);
  report.group();
  report.end_range(7, 3000);
  report.start_range("never ends", 9, 900);
  report.open("open", 300, 1, 1);
  report.group();
}

const query::Window kWindow{1000, 2000};

TEST(Part, HoldsWhatTouchesTheWindowAndNothingElse) {
  TestReport report;
  fill(report);
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source);
  const std::string output = report.path() + ".part.sxt";
  const auto outcome = write_part(&*source, kWindow, output, {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_LT(outcome->rows, outcome->of_rows);
  EXPECT_EQ(outcome->left_out, 0u);
  auto part = query::Source::open(output);
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->reader().complete());
  EXPECT_TRUE(part->reader().verify().empty());
  const Lines wanted = events(*source, kWindow);
  EXPECT_EQ(wanted,
            (Lines{"around 400..8400", "closed later 620..2020", "crosses 200..6000", "in it 1200..1210",
                   "never ends 1800..10000?", "open 600..10000?", "touches the start 200..1000"}));
  EXPECT_EQ(events(*part, {}), wanted);  // whole, and with the same times
  EXPECT_EQ(part->processes().size(), 1u);
  EXPECT_EQ(part->duration_ns(), source->duration_ns());
  ASSERT_EQ(part->diagnostics().size(), 1u);
  EXPECT_EQ(part->diagnostics()[0].code, "cut");
  EXPECT_NE(0, std::memcmp(part->reader().header().run_id, source->reader().header().run_id, 16));
  std::filesystem::remove(output);
}

TEST(Part, LeavesOtherFilesAlone) {
  TestReport report;
  fill(report);
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source);
  const std::string output = report.path() + ".other";
  std::ofstream(output) << "precious";
  EXPECT_FALSE(write_part(&*source, kWindow, output, {}));
  EXPECT_EQ(std::filesystem::file_size(output), 8u);
  ExportOptions options;
  options.replace = true;
  EXPECT_TRUE(write_part(&*source, kWindow, output, options));
  EXPECT_GT(std::filesystem::file_size(output), 8u);
  std::filesystem::remove(output);
  EXPECT_FALSE(write_part(&*source, kWindow, "/nonexistent/x.sxt", {}));
  // nothing but the report itself is left
  const auto folder = std::filesystem::path(report.path()).parent_path();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace sextant::exporters
