// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What was written is what is read: every type, edge values, strings, meta, provenance.
#include <cstdint>
#include <limits>
#include <random>

#include "report/sample_test.h"

namespace sextant::report {
namespace {

using test::Folder;

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

/// Writes `values` as one column of a table with all others empty, reads it back.
void expect_round_trip(const std::vector<uint64_t>& values, uint16_t table_id, uint16_t column) {
  Folder folder;
  auto writer = Writer::create(folder.file("r"), {});
  ASSERT_TRUE(writer);
  Rows rows(*event::find_table(table_id));
  rows.column(column) = values;
  const Rows* parts[] = {&rows};
  ASSERT_TRUE(writer->write_group(parts, {}));
  ASSERT_TRUE(writer->finish());
  auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_TRUE(reader->complete());
  std::vector<uint64_t> all, part;
  for (const ChunkRef& chunk : reader->chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
    ASSERT_TRUE(reader->read_column(chunk, column, &part));
    all.insert(all.end(), part.begin(), part.end());
  }
  EXPECT_EQ(all, values);
}

TEST(RoundTrip, EdgeValues) {
  std::mt19937_64 random(1);
  std::vector<std::vector<uint64_t>> cases = {
      {},
      {0},
      {kMax},
      {5},
      {0, 0, 0},
      {7, 7, 7},
      {1, 2},
      {2, 1},
      {0, kMax, 0, kMax},
      {kMax, kMax - 1, kMax - 2},
      {static_cast<uint64_t>(-1), 1, static_cast<uint64_t>(-128), 127}};
  for (unsigned bits = 1; bits <= 64; bits += 3) {
    std::vector<uint64_t> noise(301), falling(301), rising(301);
    uint64_t sum = 0;
    for (size_t i = 0; i < noise.size(); ++i) {
      noise[i] = random() >> (64 - bits);
      sum += noise[i];
      rising[i] = sum;
      falling[i] = 0 - sum;
    }
    cases.insert(cases.end(), {noise, rising, falling});
  }
  for (const auto& values : cases) {
    for (uint16_t c :
         {event::process::kId, event::process::kStart, event::process::kExitCode, event::process::kTraced})
      expect_round_trip(values, event::kProcess, c);
    expect_round_trip(values, event::kNvtxRange, event::nvtx::kDuration);
    expect_round_trip(values, event::kNvtxMark, event::nvtx::kPayload);
  }
}

TEST(RoundTrip, StartsWithDurations) {
  std::mt19937_64 random(2);
  for (int kind = 0; kind < 4; ++kind) {
    Folder folder;
    auto writer = Writer::create(folder.file("r"), {});
    ASSERT_TRUE(writer);
    Rows rows(*event::find_table(event::kNvtxRange));
    auto& start = rows.column(event::nvtx::kStart);
    auto& duration = rows.column(event::nvtx::kDuration);
    uint64_t end = kind == 3 ? kMax - 1000 : 1'000'000;  // 3: stamps that wrap around
    for (int i = 0; i < 70'000; ++i) {
      uint64_t length = random() % 1000;
      if (kind == 1 && i % 4 == 3) length += 3000;  // encloses the three before
      if (kind == 2) length = random();
      end += kind == 1 && i % 4 == 3 ? 10 : length + random() % 4;
      start.push_back(end - length);
      duration.push_back(length);
    }
    const Rows* parts[] = {&rows};
    ASSERT_TRUE(writer->write_group(parts, {}));
    auto reader = Reader::open(folder.file("r"));
    ASSERT_TRUE(reader);
    std::vector<uint64_t> starts, durations, part[2];
    for (const ChunkRef& chunk : reader->chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
      const uint16_t columns[] = {event::nvtx::kStart, event::nvtx::kDuration};
      ASSERT_TRUE(reader->read_columns(chunk, columns, part));
      starts.insert(starts.end(), part[0].begin(), part[0].end());
      durations.insert(durations.end(), part[1].begin(), part[1].end());
    }
    EXPECT_EQ(starts, start);
    EXPECT_EQ(durations, duration);
    EXPECT_TRUE(reader->verify().empty());
  }
}

TEST(RoundTrip, TimesAndGroupsInHeaders) {
  Folder folder;
  auto writer = Writer::create(folder.file("r"), {});
  ASSERT_TRUE(writer);
  Rows rows(*event::find_table(event::kNvtxRange));
  rows.column(event::nvtx::kStart) = {50, 10, 30};
  rows.column(event::nvtx::kDuration) = {1, 100, 2};
  Rows thread(*event::find_table(event::kThread));
  thread.column(event::thread::kTid) = {1};
  const Rows* parts[] = {&rows, &thread};
  const Provenance from[] = {{4, 5, 6, 7}};
  ASSERT_TRUE(writer->write_group(parts, from));
  auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->complete());
  EXPECT_EQ(reader->unfinished_bytes(), 0u);
  ASSERT_EQ(reader->chunks().size(), 3u);
  const ChunkRef& data = reader->chunks()[1];
  EXPECT_EQ(data.header.time_min, 10u);
  EXPECT_EQ(data.header.time_max, 110u);
  EXPECT_EQ(data.header.clock, 1u);
  EXPECT_EQ(data.header.flags, 0u);
  EXPECT_FALSE(reader->provenance(data));
  const ChunkRef& last = reader->chunks()[2];
  EXPECT_EQ(last.header.group, data.header.group);
  EXPECT_EQ(last.header.clock, 0u);
  auto entries = reader->provenance(last);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ((*entries)[0].instance, 4u);
  EXPECT_EQ((*entries)[0].ring, 5u);
  EXPECT_EQ((*entries)[0].first_sequence, 6u);
  EXPECT_EQ((*entries)[0].count, 7u);
}

TEST(RoundTrip, Strings) {
  Folder folder;
  auto writer = Writer::create(folder.file("r"), {});
  ASSERT_TRUE(writer);
  std::string bytes(256, '\0');
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<char>(i);
  const std::vector<std::string> texts = {"a",
                                          std::string(10'240, 'x'),
                                          bytes,
                                          "\xff\xfe bad utf-8",
                                          "\"quoted\",\n",
                                          std::string(5'000'000, 'y'),
                                          std::string("\0", 1)};
  std::vector<uint32_t> ids;
  EXPECT_EQ(writer->string_id(""), 0u);
  for (const auto& t : texts) ids.push_back(writer->string_id(t));
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(writer->string_id(texts[i]), ids[i]);
  ASSERT_TRUE(writer->write_meta("key", bytes));
  ASSERT_TRUE(writer->write_meta("key", "later"));
  ASSERT_TRUE(writer->write_meta("", bytes));
  ASSERT_TRUE(writer->finish());
  auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->string_count(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(reader->string(ids[i]), texts[i]);
  EXPECT_EQ(reader->string(0), "");
  EXPECT_EQ(reader->string(999), "(unknown string)");
  EXPECT_EQ(reader->string(kMax), "(unknown string)");
  EXPECT_EQ(reader->meta().at("key"), "later");
  EXPECT_EQ(reader->meta().at(""), bytes);
  EXPECT_TRUE(reader->damage().empty());
  EXPECT_TRUE(reader->verify().empty());
}

TEST(RoundTrip, Sample) {
  for (bool finish : {false, true}) {
    Folder folder;
    test::write_sample(folder.file("r"), finish);
    auto reader = Reader::open(folder.file("r"));
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->complete(), finish);
    EXPECT_TRUE(reader->damage().empty());
    EXPECT_TRUE(reader->verify().empty());
    const test::Content all = test::content(*reader);
    EXPECT_EQ(all.columns.at({event::kNvtxRange, event::nvtx::kName}).size(), 75u);
    EXPECT_EQ(all.columns.at({event::kNvtxRange, event::nvtx::kName})[1], "range 7");
    EXPECT_EQ(all.columns.at({event::kThread, event::thread::kName})[2], "thread 2");
    EXPECT_EQ(all.provenance.size(), 7u);
    EXPECT_EQ(all.meta.at("state"), "done");
  }
}

TEST(RoundTrip, TablesAreDescribedOnceBeforeTheirRows) {
  Folder folder;
  auto writer = Writer::create(folder.file("r"), {});
  ASSERT_TRUE(writer);
  std::vector<Rows> rows;
  for (const event::Table& table : event::tables()) {
    rows.emplace_back(table);
    for (auto& column : rows.back().columns) column = {1, 2};
  }
  std::vector<const Rows*> parts;
  for (const Rows& r : rows) parts.push_back(&r);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(writer->write_group(parts, {}));
  ASSERT_TRUE(writer->finish());
  auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->chunks()[0].header.kind, static_cast<uint16_t>(ChunkKind::kSchema));
  for (const ChunkRef& chunk : reader->chunks().subspan(1))
    EXPECT_NE(chunk.header.kind, static_cast<uint16_t>(ChunkKind::kSchema));
  ASSERT_EQ(reader->tables().size(), event::tables().size());
  for (const TableInfo& table : reader->tables()) {
    const event::Table* own = event::find_table(table.id);
    ASSERT_NE(own, nullptr);
    EXPECT_EQ(table.name, own->name);
    EXPECT_EQ(table.key_columns, own->key_columns);
    ASSERT_EQ(table.columns.size(), own->columns.size());
    for (size_t i = 0; i < table.columns.size(); ++i) {
      EXPECT_EQ(table.columns[i].id, own->columns[i].id);
      EXPECT_EQ(table.columns[i].name, own->columns[i].name);
      EXPECT_FALSE(table.columns[i].type.empty());
    }
  }
}

TEST(RoundTrip, RaggedRowsAreRefused) {
  Folder folder;
  auto writer = Writer::create(folder.file("r"), {});
  ASSERT_TRUE(writer);
  Rows rows(*event::find_table(event::kThread));
  rows.column(event::thread::kTid) = {1, 2};
  rows.column(event::thread::kName) = {0};
  const Rows* parts[] = {&rows};
  EXPECT_FALSE(writer->write_group(parts, {}));
}

}  // namespace
}  // namespace sextant::report
