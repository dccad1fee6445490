// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "http/url.h"

#include <gtest/gtest.h>

namespace sextant::http {
namespace {

TEST(Url, PathsAreDecodedOnceAndNeverLeaveTheRoot) {
  EXPECT_EQ(path_of("/a%20b/c?x=1"), "/a b/c");
  EXPECT_EQ(path_of("/"), "/");
  EXPECT_EQ(path_of("/a/"), "/a/");
  EXPECT_EQ(path_of("/%252e%252e/x"), "/%2e%2e/x");
  for (const char* bad : {"", "x", "*", "http://h/x", "//h/x", "/../x", "/a/..", "/a/./b", "/%2e%2e/x",
                          "/a%2f..%2fb", "/a//b", "/a%5c..%5cb", "/a%00b", "/a%0ab", "/%", "/%4", "/%zz"})
    EXPECT_EQ(path_of(bad), std::nullopt) << bad;
}

TEST(Url, Parameters) {
  const Parameters p("a=1&b=x%20y+z&a=2&bad=%zz&empty=&alone");
  EXPECT_EQ(p.text("a"), "2");
  EXPECT_EQ(p.text("b"), "x y z");
  EXPECT_FALSE(p.has("bad"));
  EXPECT_TRUE(p.has("empty") && p.has("alone"));
  EXPECT_EQ(p.integer("a", 7, 0, 9), 2);
  EXPECT_EQ(p.integer("none", 7, 0, 9), 7);
  EXPECT_EQ(p.integer("a", 7, 5, 9), std::nullopt);
  EXPECT_EQ(p.integer("b", 7, 0, 9), std::nullopt);
  EXPECT_EQ(parse_integer("99999999999999999999", 0, INT64_MAX), std::nullopt);
  EXPECT_EQ(parse_integer("1 ", 0, 9), std::nullopt);
}

TEST(Url, CookiesByTheirWholeName) {
  EXPECT_EQ(cookie("xsid=1; sid=2; other=3", "sid"), "2");
  EXPECT_EQ(cookie("sid=", "sid"), "");
  EXPECT_EQ(cookie("sidx=1", "sid"), std::nullopt);
  EXPECT_EQ(cookie("", "sid"), std::nullopt);
}

}  // namespace
}  // namespace sextant::http
