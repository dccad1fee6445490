// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports from a file's own summaries (docs/formats/report.md §6.1) and from rows are the same.
#include <map>
#include <random>

#include "report/sample_test.h"
#include "stats/registry.h"
#include "stats/rows_for_tests.h"

namespace sextant::stats {
namespace {

using testing::Lines;

constexpr size_t kRows = 3000;

/// Kernels and calls with few names, some long, one negative, and their summaries, whose durations are `off`.
/// `missing`: rows that the summaries leave out.
void write(const std::string& path, bool summed_up, uint64_t off = 0, uint64_t missing = 0) {
  auto writer = report::Writer::create(path, {.replace = true});
  ASSERT_TRUE(writer);
  std::mt19937_64 random(17);
  for (const uint16_t table : {event::kCudaKernel, event::kCudaApi}) {
    const bool kernel = table == event::kCudaKernel;
    report::Rows rows(*event::find_table(table));
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> counts;
    for (size_t i = 0; i < kRows; ++i) {
      // two versions of one function, one kernel that looks like another
      const std::string name = kernel ? "k" + std::to_string(random() % 7) + (random() % 2 ? "\xff" : "\xfe")
                                      : "cudaCall_v" + std::to_string(1000 + random() % 5);
      uint64_t duration = 500 + random() % 40;
      if (i % 100 == 0) duration = random() % 20'000'000'000;
      if (i == 77) duration = 0 - uint64_t{5};
      rows.column(event::cuda_kernel::kStart).push_back(1'000'000 + i * 1000);
      rows.column(event::cuda_kernel::kDuration).push_back(duration);
      const uint64_t id = writer->string_id(name);
      rows.column(kernel ? +event::cuda_kernel::kName : +event::cuda_api::kName).push_back(id);
      ++counts[{id, duration}];
    }
    const report::Rows* parts[] = {&rows};
    ASSERT_TRUE(writer->write_group(parts, {}));
    std::vector<report::Writer::NamedDuration> summary;
    for (const auto& [key, count] : counts) summary.push_back({key.first, key.second + off, count});
    if (missing > 0) summary.pop_back();
    if (summed_up) {
      ASSERT_TRUE(writer->write_summary(*rows.table, summary));
    }
  }
  ASSERT_TRUE(writer->finish());
}

Lines lines(const std::string& path, std::string_view report, const query::Window& window = {}) {
  auto source = query::Source::open(path);
  EXPECT_TRUE(source);
  source->set_window(window);
  const auto table = find_report(report)->make(*source, {});
  EXPECT_TRUE(table);
  EXPECT_GT(table->rows, 0u);
  return testing::lines_of(*table);
}

constexpr std::string_view kReports[] = {"cuda_gpu_kern_sum", "cuda_api_sum", "cuda_gpu_sum",
                                         "cuda_api_gpu_sum"};

TEST(SummedUp, IsTheSameAsByRows) {
  report::test::Folder folder;
  write(folder.file("rows"), false);
  write(folder.file("summed up"), true);
  for (const std::string_view report : kReports)
    EXPECT_EQ(lines(folder.file("summed up"), report), lines(folder.file("rows"), report)) << report;
}

TEST(SummedUp, IsTaken) {  // else the test above says nothing
  report::test::Folder folder;
  write(folder.file("rows"), false);
  write(folder.file("off"), true, 1000);
  for (const std::string_view report : kReports)
    EXPECT_NE(lines(folder.file("off"), report), lines(folder.file("rows"), report)) << report;
}

TEST(SummedUp, IsNotTakenForOtherRows) {
  report::test::Folder folder;
  write(folder.file("rows"), false);
  write(folder.file("off"), true, 1000, 1);
  for (const std::string_view report : kReports)
    EXPECT_EQ(lines(folder.file("off"), report), lines(folder.file("rows"), report)) << report;
  write(folder.file("off"), true, 1000);
  for (const std::string_view report : kReports)
    EXPECT_EQ(lines(folder.file("off"), report, {0, 2'000'000}),
              lines(folder.file("rows"), report, {0, 2'000'000}))
        << report << " in a window";
}

}  // namespace
}  // namespace sextant::stats
