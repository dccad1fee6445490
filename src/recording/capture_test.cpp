// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/capture.h"

#include <gtest/gtest.h>

namespace sextant::recording {
namespace {

using spool::CaptureDomain;
using spool::DomainFilter;

CaptureOptions range(const std::string& text, const std::string& at_end = "") {
  CaptureOptions options;
  options.nvtx = true;
  options.range = text;
  options.at_end = at_end;
  return options;
}

TEST(Capture, NothingAskedForFiltersNothing) {
  const auto request = filter_request({});
  ASSERT_TRUE(request);
  EXPECT_FALSE(request->any());
}

TEST(Capture, RangesAndDomains) {
  struct {
    const char* given;
    const char* name;
    CaptureDomain kind;
    const char* domain;
  } cases[] = {
      {"step", "step", CaptureDomain::kDefault, ""},
      {"step@lib", "step", CaptureDomain::kNamed, "lib"},
      {"step@*", "step", CaptureDomain::kAny, ""},
      {"a\\@b@c@d", "a@b", CaptureDomain::kNamed, "c@d"},
      {"with blank@my lib", "with blank", CaptureDomain::kNamed, "my lib"},
      {"back\\slash", "back\\slash", CaptureDomain::kDefault, ""},
  };
  for (const auto& c : cases) {
    const auto request = filter_request(range(c.given));
    ASSERT_TRUE(request) << c.given;
    EXPECT_EQ(request->range, c.name);
    EXPECT_EQ(request->capture_domain, c.kind) << c.given;
    EXPECT_EQ(request->domain, c.domain);
    EXPECT_TRUE(request->any());
  }
  for (const char* wrong : {"", "@lib", "step@"}) EXPECT_FALSE(filter_request(range(wrong))) << wrong;
}

TEST(Capture, Ends) {
  struct {
    const char* given;
    uint32_t windows;
    bool to_the_end, repeats, shut_down, wait;
  } cases[] = {
      {"", 1, false, false, true, false},
      {"none", 1, true, false, false, false},
      {"stop", 1, false, false, false, false},
      {"stop-shutdown", 1, false, false, true, false},
      {"repeat", 0, false, true, false, false},
      {"repeat:3", 3, false, true, false, false},
      {"repeat:sync", 0, false, true, false, true},
      {"repeat:3:async", 3, false, true, false, false},
      {"repeat-shutdown:2", 2, false, true, true, false},
      {"repeat-shutdown:2:defer", 2, false, true, true, false},
      {"repeat-shutdown:2:sync", 2, false, true, true, true},
  };
  for (const auto& c : cases) {
    const auto request = filter_request(range("x", c.given));
    ASSERT_TRUE(request) << c.given;
    EXPECT_EQ(request->windows, c.windows) << c.given;
    EXPECT_EQ(request->to_the_end, c.to_the_end) << c.given;
    EXPECT_EQ(request->repeats, c.repeats) << c.given;
    EXPECT_EQ(request->shut_down, c.shut_down) << c.given;
    EXPECT_EQ(request->wait_for_report, c.wait) << c.given;
  }
  for (const char* wrong :
       {"never", "stop:2", "none:sync", "repeat:0", "repeat:x", "repeat:2:2x", "repeat:sync:async",
        "repeat:sync:3", "repeat-shutdown", "repeat-shutdown:sync", "repeat-more:2"})
    EXPECT_FALSE(filter_request(range("x", wrong))) << wrong;
}

TEST(Capture, DomainLists) {
  CaptureOptions options;
  options.include_given = true;
  options.include = "a,b\\,c,default,\\default";
  const auto request = filter_request(options);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->domains, DomainFilter::kInclude);
  EXPECT_EQ(request->listed, (std::vector<std::string>{"a", "b,c", "default"}));
  EXPECT_TRUE(request->default_listed);
  options.exclude_given = true;
  EXPECT_FALSE(filter_request(options)) << "both";
  options.include_given = false;
  EXPECT_FALSE(filter_request(options)) << "empty";
  options.exclude = "lib";
  ASSERT_TRUE(filter_request(options));
  EXPECT_EQ(filter_request(options)->domains, DomainFilter::kExclude);
}

TEST(Capture, OptionsThatNeedEachOther) {
  CaptureOptions options;
  options.range = "x";
  EXPECT_FALSE(filter_request(options));
  options.range.clear();
  options.at_end = "stop";
  EXPECT_FALSE(filter_request(options));
  options.at_end.clear();
  options.nvtx = true;
  EXPECT_FALSE(filter_request(options));
}

TEST(Capture, NamesOfReports) {
  EXPECT_EQ(numbered_report("run.sxt", 1), "run.1.sxt");
  EXPECT_EQ(numbered_report("a.b/run.x.sxt", 12), "a.b/run.x.12.sxt");
}

}  // namespace
}  // namespace sextant::recording
