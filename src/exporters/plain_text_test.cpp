// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A report with every kind of value, as JSON lines and as CSV.
#include "exporters/plain_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "event/schema_cuda.h"
#include "event/schema_nvtx.h"
#include "exporters/database_test.h"
#include "report/writer.h"

namespace sextant::exporters {
namespace {

constexpr uint64_t kZero = uint64_t{1} << 62;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

class PlainText : public testing::Test {
 protected:
  PlainText() {
    auto created = report::Writer::create(report_, {});
    EXPECT_TRUE(created);
    writer_.emplace(std::move(*created));
    add(event::kClockSync, {{event::clock_sync::kRaw, kZero}});
  }

  uint32_t string(std::string_view text) { return writer_->string_id(text); }

  void add(const event::Table& table, const std::vector<std::pair<uint16_t, uint64_t>>& values) {
    report::Rows rows(table);
    for (size_t c = 0; c < rows.columns.size(); ++c) {
      uint64_t value = 0;
      for (const auto& [column, v] : values)
        if (table.columns[c].id == column) value = v;
      rows.columns[c].push_back(value);
    }
    const report::Rows* parts[] = {&rows};
    EXPECT_TRUE(writer_->write_group(parts, {}));
  }
  void add(uint16_t table, const std::vector<std::pair<uint16_t, uint64_t>>& values) {
    add(*event::find_table(table), values);
  }

  query::Source finish() {
    EXPECT_TRUE(writer_->finish());
    auto source = query::Source::open(report_);
    EXPECT_TRUE(source);
    return std::move(*source);
  }

  /// The lines of one table.
  std::string json(const std::string& table) {
    const query::Source source = finish();
    EXPECT_TRUE(export_jsonlines(source, folder_.file("out"), {}));
    std::istringstream in(read_file(folder_.file("out")));
    std::string lines;
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("{\"table\":\"" + table + "\"")) lines += line + "\n";
    return lines;
  }

  test::Folder folder_;
  std::string report_ = folder_.file("r.sxt");
  std::optional<report::Writer> writer_;
};

/// All columns of nvtx_event but these are missing.
uint64_t nulls_but(std::initializer_list<uint16_t> columns) {
  uint64_t nulls = ~uint64_t{0} >> 1;
  for (const uint16_t column : columns) nulls &= ~(uint64_t{1} << column);
  return nulls;
}

TEST_F(PlainText, JsonHasTimesInNanosecondsAndLeavesOutWhatIsMissing) {
  using namespace event::nvtx_event;
  add(event::kNvtxEvent, {{kStart, kZero + 100},
                          {kDuration, 50},
                          {kText, string("a \"b\"\n\xff")},
                          {kPayloadUint64, UINT64_MAX},
                          {kPayloadDouble, std::bit_cast<uint64_t>(-0.5)},
                          {event::kNullsColumn, nulls_but({kStart, kDuration, kText, kPayloadDouble})}});
  EXPECT_EQ(json("nvtx_event"),
            "{\"table\":\"nvtx_event\",\"start\":100,\"duration\":50,\"text\":\"a \\\"b\\\"\\n\xEF\xBF\xBD\","
            "\"payload_double\":-0.5}\n");
}

TEST_F(PlainText, OnlyTheLastRowOfAKeyCounts) {
  using namespace event::process;
  add(event::kProcess, {{kId, 1}, {kPid, 70}, {kName, string("first")}});
  add(event::kProcess, {{kId, 2}, {kPid, 80}, {kName, string("other")}});
  add(event::kProcess, {{kId, 1}, {kPid, 70}, {kName, string("last")}, {kStart, kZero + 3}});
  const std::string lines = json("process");
  EXPECT_NE(lines.find("\"start\":3"), std::string::npos) << lines;
  EXPECT_EQ(lines.find("\"end\""), std::string::npos) << "a time that is not known: " << lines;
  EXPECT_EQ(lines.find("first"), std::string::npos) << lines;
  EXPECT_LT(lines.find("other"), lines.find("last")) << lines;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
}

TEST_F(PlainText, TablesThatWereKeptAsTheyAreHaveTheirOwnValues) {
  const event::Column columns[] = {{0, "number", event::Type::kInt, ""},
                                   {1, "table", event::Type::kString, ""},
                                   {2, "types:0", event::Type::kBits, ""}};
  const event::Table table{event::kFirstForeignTable, "../theirs", 0, columns, ""};
  add(table, {{0, static_cast<uint64_t>(-4)}, {1, string("x,y")}, {2, 0}});
  add(table, {{0, string("word")}, {1, 0}, {2, 0x14}});                          // a text, nothing
  add(table, {{0, std::bit_cast<uint64_t>(2.5)}, {1, string("7")}, {2, 0x23}});  // a real, a number
  const query::Source source = finish();
  EXPECT_TRUE(export_jsonlines(source, folder_.file("out"), {}));
  EXPECT_NE(read_file(folder_.file("out"))
                .find("{\"table\":\"../theirs\",\"number\":-4,\"table_\":\"x,y\"}\n"
                      "{\"table\":\"../theirs\",\"number\":\"word\"}\n"
                      "{\"table\":\"../theirs\",\"number\":2.5,\"table_\":\"7\"}\n"),
            std::string::npos)
      << read_file(folder_.file("out"));
  EXPECT_TRUE(export_csv(source, folder_.file("csv"), {}));
  EXPECT_EQ(read_file(folder_.file("csv/___theirs.csv")), "number,table\n-4,\"x,y\"\nword,\n2.5,7\n");
}

TEST_F(PlainText, CsvKeepsFilesThatAreThere) {
  add(event::kThread, {{event::thread::kTid, 5}, {event::thread::kName, string("=a\n\"b\"")}});
  const query::Source source = finish();
  ASSERT_TRUE(export_csv(source, folder_.file("csv"), {}));
  const std::string thread = read_file(folder_.file("csv/thread.csv"));
  EXPECT_NE(thread.find(",5,\"=a\n\"\"b\"\"\"\n"), std::string::npos) << thread;
  const Status again = export_csv(source, folder_.file("csv"), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
  ExportOptions replace;
  replace.replace = true;
  EXPECT_TRUE(export_csv(source, folder_.file("csv"), replace));
  EXPECT_EQ(read_file(folder_.file("csv/thread.csv")), thread);
  EXPECT_FALSE(export_csv(source, report_, replace)) << "a file is no folder";
  EXPECT_FALSE(export_jsonlines(source, folder_.file("csv"), replace)) << "a folder is no file";
}

}  // namespace
}  // namespace sextant::exporters
