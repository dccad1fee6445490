// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/reports.md has every report and rule with its arguments and columns, and no others.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "analysis/rule.h"
#include "query/report_for_tests.h"
#include "stats/registry.h"

namespace golden {
namespace {

using namespace sextant;

std::vector<std::string> page() {
  std::ifstream in(SEXTANT_REPORTS_PAGE);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string columns_of(const text::Table& table) {
  std::string columns;
  for (const text::TableColumn& column : table.columns)
    if (column.in_csv) columns += (columns.empty() ? "" : ", ") + column.header();
  for (const std::string count : {"Instances", "Num Calls", "Count"}) {
    const std::string summary =
        "Time (%), Total Time (ns), " + count + ", Avg (ns), Med (ns), Min (ns), Max (ns), StdDev (ns)";
    if (columns.starts_with(summary)) columns.replace(0, summary.size(), "S(" + count + ")");
  }
  return columns;
}

std::string code(std::string_view word) {
  return word.empty() ? "" : "`" + std::string(word) + "`";
}

TEST(ReportsPage, HasEveryReportAndRule) {
  query::testing::TestReport empty;
  auto source = query::Source::open(empty.finish());
  ASSERT_TRUE(source);
  std::vector<std::string> wanted;
  for (const stats::Report& report : stats::reports()) {
    const auto table = report.make(*source, {});
    ASSERT_TRUE(table);
    wanted.push_back(std::string("| ") + (report.by_default ? "+" : "") + " | " + code(report.name) + " | " +
                     code(report.arguments) + " | " + columns_of(*table) + " | ");
  }
  for (const analysis::Rule& rule : analysis::rules()) {
    const auto outcome = rule.run(*source, {});
    ASSERT_TRUE(outcome);
    wanted.push_back("| " + code(rule.name) + " | " + code(rule.arguments) + " | " +
                     columns_of(outcome->table) + " | ");
  }
  const std::vector<std::string> lines = page();
  ASSERT_FALSE(lines.empty()) << SEXTANT_REPORTS_PAGE;
  size_t at = 0, rows = 0;
  for (const std::string& line : wanted) {  // in the order of the program
    while (at < lines.size() && !lines[at].starts_with(line)) ++at;
    ASSERT_LT(at, lines.size()) << "docs/reports.md lacks, or has elsewhere: " << line;
    const std::string checked = lines[at].substr(line.size());
    EXPECT_TRUE((std::set<std::string>{"recordings |", "made rows |", "no |", "ours |"}.contains(checked)))
        << lines[at];
  }
  for (const std::string& line : lines)
    rows += line.starts_with("| + | `") || line.starts_with("|  | `") ? 1 : 0;
  EXPECT_EQ(rows, stats::reports().size()) << "docs/reports.md has rows of reports that are not there";
}

}  // namespace
}  // namespace golden
