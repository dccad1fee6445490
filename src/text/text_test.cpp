// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "text/json_writer.h"
#include "text/log.h"
#include "text/testing.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::text {
namespace {

TEST(Utf8, ValidSequencesAreKept) {
  const std::string good = "a\xC3\xA9\xE2\x9C\x93\xF0\x9F\x98\x80\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF";
  EXPECT_EQ(valid_utf8(good), good);
  EXPECT_EQ(code_points(good), 7u);
}

TEST(Utf8, InvalidBytesBecomeReplacements) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("a\xFFz"), "a" + r + "z");
  EXPECT_EQ(valid_utf8("\xC0\x80"), r + r);                  // overlong NUL
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), r + r + r);          // surrogate
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), r + r + r + r);  // beyond U+10FFFF
  EXPECT_EQ(valid_utf8("\xE2\x9C"), r + r);                  // cut
  EXPECT_EQ(valid_utf8("\xE0\x80\x80"), r + r + r);          // overlong
  EXPECT_EQ(valid_utf8("\xC3(\x80"), r + "(" + r);
}

TEST(Utf8, EveryByteStringBecomesValid) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (int i = 0; i < 256; ++i) {
    const std::string fixed = valid_utf8(bytes.substr(static_cast<size_t>(i)) + bytes);
    for (size_t at = 0; at < fixed.size();) {
      const size_t n = utf8_sequence(std::string_view(fixed).substr(at));
      ASSERT_NE(n, 0u);
      at += n;
    }
  }
}

TEST(Utf8, PrintableHasNoControlCharacters) {
  EXPECT_EQ(printable("a\nb\tc\rd\x1b[31m\x7f\x01"), "a\\nb\\tc\\rd\\x1b[31m\\x7f\\x01");
  EXPECT_EQ(printable("x\xC2\x85y\xE2\x80\xAEz"), "x\\u0085y\\u202ez");
  EXPECT_EQ(printable("\xE6\xBC\xA2 ok"), "\xE6\xBC\xA2 ok");
}

TEST(Json, StringsReadBackAsWritten) {
  std::string all;
  for (int i = 1; i < 128; ++i) all += static_cast<char>(i);
  std::string out;
  append_json_string(&out, all + "\xC3\xA9");
  const auto back = testing::JsonParser(out).next();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, all + "\xC3\xA9");
}

TEST(Json, NestingCommasAndNumbers) {
  std::string out;
  JsonWriter json(&out, 0);
  json.begin_object();
  json.key("a").begin_array();
  json.number(1);
  json.number(uint64_t{18446744073709551615u});
  json.number(-1.5);
  json.number(std::numeric_limits<double>::infinity());
  json.end_array();
  json.key("b").begin_object();
  json.end_object();
  json.key("c").boolean(false);
  json.end_object();
  EXPECT_EQ(out, R"({"a":[1,18446744073709551615,-1.5,null],"b":{},"c":false})");
}

TEST(Units, Durations) {
  EXPECT_EQ(duration(0), "0 ns");
  EXPECT_EQ(duration(1234), "1.234 us");
  EXPECT_EQ(duration(12'345'678), "12.35 ms");
  EXPECT_EQ(duration(2'000'000'000), "2 s");
  EXPECT_EQ(duration(125'000'000'000), "2 min 05 s");
  EXPECT_EQ(duration(3'720'000'000'000), "1 h 02 min");
  EXPECT_EQ(duration(-1500), "-1.5 us");
}

TEST(Units, Bytes) {
  EXPECT_EQ(bytes(1023), "1023 B");
  EXPECT_EQ(bytes(1536), "1.5 KiB");
  EXPECT_EQ(bytes(256u << 20), "256 MiB");
  EXPECT_EQ(*parse_bytes("256M"), 256u << 20);
  EXPECT_EQ(*parse_bytes("1.5k"), 1536u);
  EXPECT_EQ(*parse_bytes("4096"), 4096u);
  for (const char* bad : {"", "-3", "x", "3 M", "1e3", "12XB", "nan", "inf", "99999999999T"})
    EXPECT_FALSE(parse_bytes(bad)) << bad;
}

TEST(Units, ParsedDurations) {
  EXPECT_EQ(*parse_duration("0.5"), 500'000'000);
  EXPECT_EQ(*parse_duration("250ms"), 250'000'000);
  EXPECT_EQ(*parse_duration("2m"), 120'000'000'000);
  for (const char* bad : {"", "soon", "-1", "-0", "5x", "1e9"}) EXPECT_FALSE(parse_duration(bad)) << bad;
}

TEST(Units, UtcTime) {
  EXPECT_EQ(utc_time(1'700'000'000'123'456'789u), "2023-11-14 22:13:20.123 UTC");
}

TEST(Log, LevelNames) {
  EXPECT_EQ(parse_log_level("warning"), LogLevel::kWarning);
  EXPECT_FALSE(parse_log_level("Warning"));
}

TEST(Log, LinesAreEscapedAndFiltered) {
  const LogLevel before = log_level();
  set_log_level(LogLevel::kWarning);
  ::testing::internal::CaptureStderr();
  warn("odd {}", "a\x1b[2Jb");
  info("not shown");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "sextant: warning: odd a\\x1b[2Jb\n");
  set_log_level(before);
}

}  // namespace
}  // namespace sextant::text
