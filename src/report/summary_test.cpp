// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Summaries of tables (§6.1).
#include "report/sample_test.h"

namespace sextant::report {
namespace {

using test::Folder;

std::vector<Writer::NamedDuration> summary(Writer& writer, size_t count) {
  std::vector<Writer::NamedDuration> rows;
  for (size_t i = 0; i < count; ++i)
    rows.push_back({writer.string_id("name " + std::to_string(i / 1000)), 500 + i % 1000 * 3, 1 + i % 77});
  return rows;
}

void write(const std::string& path, size_t count, std::vector<Writer::NamedDuration>* expected) {
  auto writer = Writer::create(path, {});
  ASSERT_TRUE(writer);
  *expected = summary(*writer, count);
  const Rows rows = test::ranges(&*writer, 10, 1);
  const Rows* parts[] = {&rows};
  ASSERT_TRUE(writer->write_group(parts, {}));
  ASSERT_TRUE(writer->write_summary(*event::find_table(event::kNvtxRange), *expected));
  ASSERT_TRUE(writer->write_summary(*event::find_table(event::kNvtxRange), {}));
  ASSERT_TRUE(writer->finish());
}

std::vector<ChunkRef> summaries(const Reader& reader) {
  std::vector<ChunkRef> found;
  for (const ChunkRef& chunk : reader.chunks())
    if (chunk.header.kind == static_cast<uint16_t>(ChunkKind::kSummary)) found.push_back(chunk);
  return found;
}

TEST(Summary, ComesBackAndIsNoData) {
  Folder folder;
  std::vector<Writer::NamedDuration> expected;
  write(folder.file("r"), kChunkRows + 1234, &expected);
  const auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->verify().empty());
  EXPECT_EQ(reader->unknown_chunks(), 0u);
  const auto chunks = summaries(*reader);
  ASSERT_EQ(chunks.size(), 2u);
  size_t at = 0;
  for (const ChunkRef& chunk : chunks) {
    EXPECT_EQ(chunk.header.table, event::kNvtxRange);
    constexpr uint16_t kColumns[] = {kSummaryName, kSummaryDuration, kSummaryCount};
    std::vector<uint64_t> columns[3];
    ASSERT_TRUE(reader->read_columns(chunk, kColumns, columns));
    for (size_t i = 0; i < columns[0].size(); ++i, ++at) {
      ASSERT_EQ(columns[0][i], expected[at].name);
      ASSERT_EQ(columns[1][i], expected[at].duration);
      ASSERT_EQ(columns[2][i], expected[at].count);
    }
  }
  EXPECT_EQ(at, expected.size());
}

TEST(Summary, DamageIsFoundAndCostsOnlyTheSummary) {
  Folder folder;
  std::vector<Writer::NamedDuration> expected;
  write(folder.file("r"), 5000, &expected);
  const ChunkRef chunk = summaries(*Reader::open(folder.file("r")))[0];
  std::string bytes = test::read_file(folder.file("r"));
  bytes[chunk.offset + sizeof(ChunkHeader) + chunk.header.body_bytes / 2] ^= 0x10;
  test::write_file(folder.file("r"), bytes);
  const auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->verify().size(), 1u);
  std::vector<uint64_t> counts;
  const Status read = reader->read_column(chunk, kSummaryCount, &counts);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ((test::content(*reader).columns[{event::kNvtxRange, event::nvtx::kStart}]).size(), 10u);
}

TEST(Summary, AFileThatIsAppendedToKeepsIt) {
  Folder folder;
  std::vector<Writer::NamedDuration> expected;
  write(folder.file("r"), 5000, &expected);
  std::vector<Provenance> done;
  auto writer = Writer::reopen(folder.file("r"), &done);
  ASSERT_TRUE(writer) << writer.error().message;
  const Rows rows = test::ranges(&*writer, 7, 2);
  const Rows* parts[] = {&rows};
  ASSERT_TRUE(writer->write_group(parts, {}));
  ASSERT_TRUE(writer->finish());
  const auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->verify().empty());
  EXPECT_EQ(summaries(*reader).size(), 1u);
  EXPECT_EQ((test::content(*reader).columns[{event::kNvtxRange, event::nvtx::kStart}]).size(), 17u);
}

}  // namespace
}  // namespace sextant::report
