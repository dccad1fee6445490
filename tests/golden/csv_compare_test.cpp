// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "golden/csv_compare.h"

#include <gtest/gtest.h>

namespace golden {
namespace {

TEST(ParseCsv, QuotesLinesAndEmptyCells) {
  EXPECT_EQ(parse_csv("a,b\r\n\"x,\"\"y\"\"\nz\",\n\n,\n"), (Rows{{"a", "b"}, {"x,\"y\"\nz", ""}, {"", ""}}));
  EXPECT_EQ(parse_csv("a\nlast"), (Rows{{"a"}, {"last"}}));
  EXPECT_TRUE(parse_csv("\n\n").empty());
}

TEST(SameCell, DecimalsMayDifferByTheLastDigit) {
  EXPECT_TRUE(same_cell("12.3", "12.4"));
  EXPECT_FALSE(same_cell("12.3", "12.5"));
  EXPECT_TRUE(same_cell("0.004", "0.005"));
  EXPECT_FALSE(same_cell("0.004", "0.006"));
  EXPECT_FALSE(same_cell("12", "13"));
  EXPECT_FALSE(same_cell("v1.2", "v1.3"));
  EXPECT_FALSE(same_cell("", "0.0"));
}

TEST(Difference, RowsChangePlacesOnlyWhereTheyTie) {
  const Rows wanted = {{"total", "name"}, {"5", "a"}, {"3", "b"}, {"3", "c"}, {"1", "d"}};
  EXPECT_EQ(difference(wanted, wanted, -1), "");
  EXPECT_EQ(difference(wanted, {{"total", "name"}, {"5", "a"}, {"3", "c"}, {"3", "b"}, {"1", "d"}}, 0), "");
  EXPECT_NE(difference(wanted, {{"total", "name"}, {"5", "a"}, {"3", "c"}, {"3", "b"}, {"1", "d"}}, -1), "");
  EXPECT_NE(difference(wanted, {{"total", "name"}, {"3", "b"}, {"5", "a"}, {"3", "c"}, {"1", "d"}}, 0), "");
  EXPECT_NE(difference(wanted, {{"total", "name"}, {"5", "a"}, {"3", "b"}, {"3", "b"}, {"1", "d"}}, 0), "");
  EXPECT_NE(difference(wanted, {{"total", "name"}, {"5", "a"}, {"3", "b"}, {"3", "c"}}, 0), "");
  EXPECT_NE(difference(wanted, {{"total", "label"}, {"5", "a"}, {"3", "b"}, {"3", "c"}, {"1", "d"}}, 0), "");
  EXPECT_NE(difference(wanted, {}, 0), "");
}

}  // namespace
}  // namespace golden
