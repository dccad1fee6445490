// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/osrt_details.h"

#include <gtest/gtest.h>

#include "event/schema_system.h"
#include "query/report_for_tests.h"

namespace sextant::serve {
namespace {

using query::testing::TestReport;

TEST(OsrtDetails, NumbersInWords) {
  TestReport report;
  report.process(1, 42, "prog");
  using namespace event::osrt_call;
  const uint64_t nulls = uint64_t{1} << kCallChain | uint64_t{1} << kArguments;
  report.row(event::kOsrtCall, {{kName, report.id("read")},
                                {kErrno, 11},
                                {kObject, 5},
                                {kObjectKind, 1},
                                {kFile, 3},
                                {kFamily, 1},
                                {kFlags, kWaits | kFailed | kUnfinished},
                                {kDetail, 4096},
                                {kDetailKind, 1},
                                {kNulls, nulls}});
  report.row(event::kOsrtCall, {{kName, report.id("open")},
                                {kErrno, 100'000},
                                {kFamily, 1},
                                {kFlags, kFailed},
                                {kText, report.id("/no\xff")},
                                {kNulls, nulls}});
  report.row(event::kOsrtCall, {{kName, report.id("pread64")}});  // imported
  report.row(event::kOsrtFile, {{event::osrt_file::kFile, 3}, {event::osrt_file::kPath, report.id("/data")}});
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source);
  const auto words = [&](uint64_t row) {
    std::string out;
    text::JsonWriter json(&out, 0);
    json.begin_object();
    auto stored = read_row(*source, event::kOsrtCall, row);
    EXPECT_TRUE(stored);
    EXPECT_TRUE(write_osrt_words(json, *source, *stored));
    json.end_object();
    return out;
  };
  EXPECT_EQ(words(0),
            R"({"state":"waiting","error":"EAGAIN: Resource temporarily unavailable","about":"descriptor 5",)"
            R"("detail":"4096 bytes asked for","returned":"never","file":"/data"})");
  EXPECT_EQ(words(1), "{\"state\":\"working\",\"error\":\"error 100000\",\"path\":\"/no\xEF\xBF\xBD\"}");
  EXPECT_EQ(words(2), R"({"state":"I/O"})");
  auto ours = read_row(*source, event::kOsrtCall, 0), imported = read_row(*source, event::kOsrtCall, 2);
  EXPECT_FALSE(told_in_words(*ours, kErrno));
  EXPECT_TRUE(told_in_words(*imported, kErrno));
  EXPECT_TRUE(told_in_words(*ours, kFlags));
  EXPECT_FALSE(told_in_words(*ours, kReturnValue));
}

}  // namespace
}  // namespace sextant::serve
