// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected rows are those that nsys 2023.4 prints for the same ranges (tests/golden/nsys_parity compares with
// the real one).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "query/report_for_tests.h"
#include "stats/durations.h"
#include "stats/registry.h"

namespace sextant::stats {
namespace {

using query::testing::kZero;
using query::testing::TestReport;

/// The rows of a report as "cell|cell|...".
std::vector<std::string> rows(const std::string& path, std::string_view name,
                              std::string* why_empty = nullptr) {
  auto source = query::Source::open(path);
  EXPECT_TRUE(source) << source.error().message;
  auto table = find_report(name)->make(*source, {});
  EXPECT_TRUE(table) << table.error().message;
  if (why_empty != nullptr) *why_empty = table->why_empty;
  std::vector<std::string> out;
  for (uint64_t row = 0; row < table->rows; ++row) {
    std::vector<text::Cell> cells(table->columns.size());
    table->fill(row, cells);
    std::string line;
    for (size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += '|';
      if (cells[c].empty) continue;
      switch (table->columns[c].type) {
        case text::CellType::kText:
          line += cells[c].text;
          break;
        case text::CellType::kInteger:
          line += std::to_string(cells[c].integer);
          break;
        case text::CellType::kReal:
          line += text::one_decimal(cells[c].real);
          break;
      }
    }
    out.push_back(std::move(line));
  }
  return out;
}

using Lines = std::vector<std::string>;

TEST(NvtxSum, GroupsByDisplayedNameAndStyle) {
  TestReport report;  // a tick is two nanoseconds
  report.process(1, 100, "p", kZero + 90'000);
  report.range("b", 0, 5);
  report.range("a", 100, 5);
  report.range("b", 200, 15);
  report.range("b", 300, 50, "dom");
  report.range("dom:b", 400, 50);
  report.range("Z", 500, 5);
  report.start_range("b", 1, 600);
  report.end_range(1, 610);
  report.group();
  report.range("b", 700, 25);
  EXPECT_EQ(rows(report.finish(), "nvtx_sum"),
            (Lines{"60.6|200|2|100.0|100.0|100|100|0.0|PushPop|dom:b",
                   "27.3|90|3|30.0|30.0|10|50|20.0|PushPop|b", "6.1|20|1|20.0|20.0|20|20|0.0|StartEnd|b",
                   "3.0|10|1|10.0|10.0|10|10|0.0|PushPop|Z", "3.0|10|1|10.0|10.0|10|10|0.0|PushPop|a"}));
  EXPECT_EQ(rows(report.path(), "nvtx_startend_sum"), (Lines{"100.0|20|1|20.0|20.0|20|20|0.0|b"}));
  EXPECT_EQ(rows(report.path(), "nvtx_pushpop_sum").size(), 4u);
}

TEST(NvtxSum, NamesThatLookTheSameAreOne) {
  TestReport report;
  report.range("bad\xFF", 0, 5);
  report.range("bad\xFE", 10, 5);
  EXPECT_EQ(rows(report.finish(), "nvtx_sum"),
            (Lines{"100.0|20|2|10.0|10.0|10|10|0.0|PushPop|bad\xEF\xBF\xBD"}));
}

TEST(NvtxSum, NoTimeNoPercentage) {
  TestReport report;
  report.range("z", 5, 0);
  report.range("y", 5, 0);
  EXPECT_EQ(rows(report.finish(), "nvtx_sum"),
            (Lines{"|0|1|0.0|0.0|0|0|0.0|PushPop|y", "|0|1|0.0|0.0|0|0|0.0|PushPop|z"}));
}

TEST(NvtxSum, UnfinishedRangesEndWithTheirProcess) {
  TestReport report;
  report.process(1, 100, "p", kZero + 1000);
  report.open("main", 100, 1, 1);
  report.start_range("job", 1, 900);
  EXPECT_EQ(rows(report.finish(), "nvtx_sum"), (Lines{"90.0|1800|1|1800.0|1800.0|1800|1800|0.0|PushPop|main",
                                                      "10.0|200|1|200.0|200.0|200|200|0.0|StartEnd|job"}));
}

TEST(NvtxSum, ManyNamesInManyChunks) {
  TestReport report;
  for (uint64_t i = 0; i < 6000; ++i) {
    report.range("name " + std::to_string(i % 3000), 100 * i, 5);
    if (i % 500 == 499) report.group();
  }
  const Lines lines = rows(report.finish(), "nvtx_sum");
  ASSERT_EQ(lines.size(), 3000u);
  for (const std::string& line : lines) EXPECT_TRUE(line.starts_with("0.0|20|2|10.0|")) << line;
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
}

TEST(NvtxSum, SaysWhyItIsEmpty) {
  std::string why;
  TestReport nothing;
  EXPECT_TRUE(rows(nothing.finish(), "nvtx_sum", &why).empty());
  EXPECT_NE(why.find("no process"), std::string::npos) << why;

  TestReport no_calls;
  no_calls.process(1, 100, "p", kZero + 1000);
  EXPECT_TRUE(rows(no_calls.finish(), "nvtx_sum", &why).empty());
  EXPECT_NE(why.find("none of 1 process called NVTX"), std::string::npos) << why;

  TestReport untraced;
  using namespace event::process;
  untraced.row(event::kProcess, {{kId, 1},
                                 {kPid, 7},
                                 {kName, untraced.id("tool")},
                                 {kTraced, 2},
                                 {kReason, untraced.id("a static program")}});
  EXPECT_TRUE(rows(untraced.finish(), "nvtx_pushpop_trace", &why).empty());
  EXPECT_NE(why.find("tool (7): a static program"), std::string::npos) << why;
}

TEST(PushPopTrace, ParentIsTheShortestThatContains) {
  TestReport report;
  report.process(1, 100, "p", kZero + 90'000);
  report.range("A", 0, 500);                        // 1
  report.range("B", 200, 450, "dom");               // 2: crosses A
  report.range("in A and B", 300, 10);              // 3
  report.range("in B", 550, 50);                    // 4
  report.range("other thread", 300, 10, "", 1, 7);  // 5
  report.range("inner", 1000, 25);                  // 6
  report.range("outer", 1000, 50);                  // 7
  EXPECT_EQ(
      rows(report.finish(), "nvtx_pushpop_trace"),
      (Lines{"0|1000|1000|0|1000|A|100|100|0|0|1||:1|A", "400|1300|900|120|780|dom:B|100|100|0|2|2||:2|dom:B",
             "600|620|20|0|20|other thread|100|7|0|0|5||:5|other thread",
             "600|620|20|0|20|in A and B|100|100|1|0|3|2|:2:3|--in A and B",
             "1100|1200|100|0|100|in B|100|100|1|0|4|2|:2:4|--in B",
             "2000|2050|50|0|50|inner|100|100|1|0|6|7|:7:6|--inner",
             "2000|2100|100|50|50|outer|100|100|0|1|7||:7|outer"}));
}

TEST(PushPopTrace, EqualRangesNestAsTheyClosed) {
  TestReport report;
  report.process(1, 100, "p", kZero + 90'000);
  report.range("first closed", 10, 5);
  report.range("second closed", 10, 5);
  report.range("empty inside", 12, 0);
  EXPECT_EQ(rows(report.finish(), "nvtx_pushpop_trace"),
            (Lines{"20|30|10|10|0|second closed|100|100|0|1|2||:2|second closed",
                   "20|30|10|0|10|first closed|100|100|1|1|1|2|:2:1|--first closed",
                   "24|24|0|0|0|empty inside|100|100|2|0|3|1|:2:1:3|----empty inside"}));
}

TEST(PushPopTrace, ParentsAgreeWithABruteForceSearch) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    TestReport report;
    struct R {
      int64_t start, end;
    };
    std::vector<R> ranges;
    for (int i = 0; i < 120; ++i) {
      const uint64_t start = random() % 400, duration = random() % 100;
      report.range("r", start, duration);
      ranges.push_back({static_cast<int64_t>(2 * start), static_cast<int64_t>(2 * (start + duration))});
    }
    const auto contains = [&](size_t outer, size_t inner) {
      const R &o = ranges[outer], &i = ranges[inner];
      if (outer == inner || o.start > i.start || o.end < i.end) return false;
      return o.start != i.start || o.end != i.end || outer > inner;
    };
    for (const std::string& line : rows(report.finish(), "nvtx_pushpop_trace")) {
      std::vector<std::string> cells(1);
      for (const char c : line) c == '|' ? (void)cells.emplace_back() : cells.back().push_back(c);
      const size_t id = std::stoul(cells[10]) - 1;
      size_t best = SIZE_MAX;
      for (size_t candidate = 0; candidate < ranges.size(); ++candidate) {
        if (!contains(candidate, id)) continue;
        const auto length = [&](size_t r) { return ranges[r].end - ranges[r].start; };
        if (best == SIZE_MAX || length(candidate) < length(best)) best = candidate;
      }
      EXPECT_EQ(cells[11], best == SIZE_MAX ? "" : std::to_string(best + 1)) << line;
    }
  }
}

TEST(ProcessTree, ChildrenBelowTheirParents) {
  TestReport report;
  report.process(1, 10, "root", kZero + 9000);
  report.process(2, 20, "second child", kZero + 800, 1);
  report.process(3, 30, "grandchild", kZero + 700, 2);
  report.process(4, 40, "other root", 0, 99);
  report.process(5, 50, "circle a", 0, 6);
  report.process(6, 60, "circle b", 0, 5);
  const Lines lines = rows(report.finish(), "process_tree");
  Lines trees;
  for (const std::string& line : lines) trees.push_back(line.substr(0, line.find('|')));
  EXPECT_EQ(trees,
            (Lines{"root", "--second child", "----grandchild", "other root", "circle a", "--circle b"}));
  EXPECT_EQ(lines[0], "root|10|0|20|17980|0|0|0|yes||root|root -x");
  EXPECT_NE(lines[3].find("|running|"), std::string::npos) << lines[3];
}

TEST(Durations, FiguresAreExact) {
  std::mt19937_64 random(3);
  for (const size_t count : {1u, 2u, 3u, 1000u, 1023u, 1024u, 1025u, 20001u}) {
    Durations bag, other;
    std::vector<int64_t> all;
    for (size_t i = 0; i < count; ++i) {
      const int64_t ns = static_cast<int64_t>(random() % (i % 5 == 0 ? 1'000'000'000 : 3000));
      (i % 3 == 0 ? other : bag).add(ns);
      all.push_back(ns);
    }
    bag.merge(std::move(other));
    const Figures f = bag.figures();
    std::sort(all.begin(), all.end());
    long double total = 0, squares = 0;
    for (const int64_t ns : all) total += static_cast<long double>(ns);
    for (const int64_t ns : all)
      squares += std::pow(static_cast<long double>(ns) - total / static_cast<long double>(count), 2.0L);
    EXPECT_EQ(f.count, count);
    EXPECT_EQ(f.total, static_cast<int64_t>(total));
    EXPECT_EQ(f.min, all.front());
    EXPECT_EQ(f.max, all.back());
    EXPECT_EQ(f.median, static_cast<double>(all[count / 2] + all[(count - 1) / 2]) / 2);
    EXPECT_NEAR(
        f.deviation,
        count < 2 ? 0.0 : static_cast<double>(std::sqrt(squares / static_cast<long double>(count - 1))),
        1e-3);
  }
}

TEST(Durations, FiguresOfLongAndFarOnesAreExact) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    Durations bag, other;
    std::vector<int64_t> all;
    const size_t count = 1 + random() % 6000;
    for (size_t i = 0; i < count; ++i) {
      int64_t ns = static_cast<int64_t>(random() % (round % 2 == 0 ? 100'000 : 5'000'000'000));
      if (round % 5 == 0 && i % 3 == 0) ns += int64_t{1} << 33;
      if (round % 7 == 0 && i % 4 == 0) ns = -ns;
      (i % 3 == 0 ? other : bag).add(ns);
      all.push_back(ns);
    }
    bag.merge(std::move(other));
    EXPECT_TRUE(other.empty());
    const Figures f = bag.figures();
    std::sort(all.begin(), all.end());
    EXPECT_EQ(f.count, count);
    EXPECT_EQ(f.min, all.front());
    EXPECT_EQ(f.max, all.back());
    EXPECT_EQ(f.median,
              (static_cast<double>(all[count / 2]) + static_cast<double>(all[(count - 1) / 2])) / 2);
  }
}

TEST(Durations, NegativeOnesDoNotBreakTheMedian) {
  Durations bag;
  for (int i = 0; i < 2000; ++i) bag.add(i % 2 == 0 ? -5 : 100);
  bag.add(-5);
  EXPECT_EQ(bag.figures().median, -5);
  EXPECT_EQ(bag.figures().min, -5);
}

TEST(Registry, NamesAreUniqueAndFound) {
  for (const Report& report : reports()) EXPECT_EQ(find_report(report.name), &report);
  EXPECT_EQ(find_report("nvtx"), nullptr);
}

}  // namespace
}  // namespace sextant::stats
