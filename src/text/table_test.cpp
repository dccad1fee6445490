// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The expected texts are what nsys 2023.4 prints for the same values, but for the escapes.
#include "text/table.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "text/testing.h"

namespace sextant::text {
namespace {

struct Row {
  double percent;
  int64_t total;
  std::string style, name;
};

Table sample(const std::vector<Row>& rows) {
  Table table;
  table.name = "nvtx_sum";
  table.title = "NVTX Range Summary";
  table.columns = {{"Time", "%", CellType::kReal},
                   {"Total Time", "ns", CellType::kInteger},
                   {"Style", "", CellType::kText},
                   {"Range", "", CellType::kText}};
  table.rows = rows.size();
  table.why_empty = "Nothing was seen.";
  table.fill = [&rows](uint64_t i, std::span<Cell> cells) {
    if (rows[i].percent >= 0) cells[0].set(rows[i].percent);
    cells[1].set(rows[i].total);
    cells[2].set(std::string_view(rows[i].style));
    cells[3].set(std::string_view(rows[i].name));
  };
  return table;
}

std::string printed(const std::vector<Row>& rows, TableFormat format) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  Output out(ends[1]);
  print_table(&out, sample(rows), format);
  EXPECT_TRUE(out.finish());
  ::close(ends[1]);
  std::string text(1 << 16, '\0');
  text.resize(static_cast<size_t>(std::max<ssize_t>(0, ::read(ends[0], text.data(), text.size()))));
  ::close(ends[0]);
  return text;
}

const std::vector<Row> kRows = {
    {50, 5000195, "StartEnd", "se"}, {6.25, 19, "PushPop", "q\"uo\"te"}, {-1, 0, "PushPop", "x,y"}};

TEST(TablePrinter, Columns) {
  EXPECT_EQ(printed(kRows, TableFormat::kColumn),
            "\n ** NVTX Range Summary (nvtx_sum):\n\n"
            " Time (%)  Total Time (ns)   Style     Range \n"
            " --------  ---------------  --------  -------\n"
            "     50.0          5000195  StartEnd  se     \n"
            "      6.3               19  PushPop   q\"uo\"te\n"
            "                         0  PushPop   x,y    \n"
            "\n");
}

TEST(TablePrinter, Csv) {
  EXPECT_EQ(printed(kRows, TableFormat::kCsv),
            "Time (%),Total Time (ns),Style,Range\n"
            "50.0,5000195,StartEnd,se\n"
            "6.3,19,PushPop,\"q\"\"uo\"\"te\"\n"
            ",0,PushPop,\"x,y\"\n"
            "\n");
}

TEST(TablePrinter, Boxes) {
  EXPECT_EQ(printed(kRows, TableFormat::kTable),
            "\n ** NVTX Range Summary (nvtx_sum):\n\n"
            "+----------+-----------------+----------+---------+\n"
            "| Time (%) | Total Time (ns) |  Style   |  Range  |\n"
            "+----------+-----------------+----------+---------+\n"
            "|     50.0 |         5000195 | StartEnd | se      |\n"
            "|      6.3 |              19 | PushPop  | q\"uo\"te |\n"
            "|          |               0 | PushPop  | x,y     |\n"
            "+----------+-----------------+----------+---------+\n"
            "\n");
}

TEST(TablePrinter, Tabs) {
  EXPECT_EQ(printed({{50, 1, "StartEnd", "a\tb\nc\\d\"e"}}, TableFormat::kTsv),
            "Time (%)\tTotal Time (ns)\tStyle\tRange\n"
            "50.0\t1\tStartEnd\ta\\tb\\nc\\\\d\"e\n"
            "\n");
}

TEST(TablePrinter, Markdown) {
  EXPECT_EQ(printed({{50, 1, "StartEnd", "a|b_<c>\n"}}, TableFormat::kMarkdown),
            "### NVTX Range Summary (nvtx_sum)\n\n"
            "| Time (%) | Total Time (ns) | Style | Range |\n"
            "|---:|---:|---|---|\n"
            "| 50.0 | 1 | StartEnd | a\\|b\\_\\<c>\\\\n |\n"
            "\n");
}

TEST(TablePrinter, Json) {
  EXPECT_EQ(printed({kRows[0], kRows[2]}, TableFormat::kJson),
            "[\n"
            "  {\n    \"Time (%)\": 50.0,\n    \"Total Time (ns)\": 5000195,\n    \"Style\": \"StartEnd\",\n "
            "   \"Range\": \"se\"\n  },\n"
            "  {\n    \"Time (%)\": \"\",\n    \"Total Time (ns)\": 0,\n    \"Style\": \"PushPop\",\n    "
            "\"Range\": \"x,y\"\n  }\n"
            "]\n\n");
}

TEST(TablePrinter, NoRows) {
  EXPECT_EQ(printed({}, TableFormat::kColumn),
            "\n ** NVTX Range Summary (nvtx_sum):\n\nNothing was seen.\n\n");
  EXPECT_EQ(printed({}, TableFormat::kCsv), "Time (%),Total Time (ns),Style,Range\n\n");
  EXPECT_EQ(printed({}, TableFormat::kJson), "[\n]\n\n");
}

TEST(TablePrinter, LongNamesAreCutForPeople) {
  const std::string text =
      printed({{1, 1, "s", std::string(101, 'z')}, {1, 1, "s", std::string(100, 'y')}}, TableFormat::kColumn);
  EXPECT_NE(text.find("  " + std::string(99, 'z') + "…\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  " + std::string(100, 'y') + "\n"), std::string::npos) << text;
  EXPECT_NE(printed({{1, 1, "s", std::string(10240, 'z')}}, TableFormat::kCsv).find(std::string(10240, 'z')),
            std::string::npos);
}

TEST(TablePrinter, WideCharactersCountOnce) {
  const std::string text =
      printed({{1, 1, "s", "\xC3\xBC\xE6\xBC\xA2"}, {1, 1, "s", "abcdef"}}, TableFormat::kColumn);
  EXPECT_NE(text.find("\xC3\xBC\xE6\xBC\xA2    \n"), std::string::npos) << text;
}

const std::vector<std::string> kHostile = {"new\nline",
                                           "cr\r\nlf",
                                           "quote\"",
                                           ",",
                                           "",
                                           " lead",
                                           "=1+1",
                                           "\x1b[31m\x07",
                                           "bad\xFF\xC0utf",
                                           "\xE2\x80\xAE",
                                           std::string(10240, 'x') + "\"\n,\xFF",
                                           "\t"};

TEST(TablePrinter, HostileNamesReadBack) {
  std::vector<Row> rows;
  for (const std::string& name : kHostile) rows.push_back({1, 1, "s", name});
  const auto csv = testing::parse_csv(printed(rows, TableFormat::kCsv));
  ASSERT_TRUE(csv);
  const std::string json_text = printed(rows, TableFormat::kJson);
  testing::JsonParser parser(json_text);
  const auto json = parser.next();
  ASSERT_TRUE(json && parser.at_end());
  ASSERT_EQ(csv->size(), rows.size() + 2);  // header, and the empty line
  ASSERT_EQ(json->items.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string wanted = rows[i].name;
    for (size_t at; (at = wanted.find_first_of("\xFF\xC0")) != std::string::npos;)
      wanted.replace(at, 1, "\xEF\xBF\xBD");
    EXPECT_EQ((*csv)[i + 1][3], wanted);
    EXPECT_EQ(json->items[i].members.at("Range").text, wanted);
  }
  for (const char c : printed(rows, TableFormat::kColumn))
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST(TablePrinter, OneDecimalRoundsAsSqliteDoes) {
  EXPECT_EQ(one_decimal(1.25), "1.3");
  EXPECT_EQ(one_decimal(1.05), "1.1");
  EXPECT_EQ(one_decimal(1.15), "1.2");  // a little less than 1.15, but SQLite helps
  EXPECT_EQ(one_decimal(0.75), "0.8");
  EXPECT_EQ(one_decimal(57351.95), "57352.0");
  EXPECT_EQ(one_decimal(99.96), "100.0");
  EXPECT_EQ(one_decimal(-1.25), "-1.3");
  EXPECT_EQ(one_decimal(-0.01), "0.0");
  EXPECT_EQ(one_decimal(12345678901234), "12345678901234.0");
}

TEST(Output, FullDiskIsAnError) {
  const int fd = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  Output out(fd);
  out.write("something");
  EXPECT_FALSE(out.finish());
  EXPECT_FALSE(out.broken_pipe());
  ::close(fd);
}

}  // namespace
}  // namespace sextant::text
