// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns that go on in each process for itself (§6, within).
#include <cstring>
#include <random>

#include "event/schema_cuda.h"
#include "report/chunk_body.h"
#include "report/column_codec.h"
#include "report/sample_test.h"

namespace sextant::report {
namespace {

using test::Folder;
using namespace event::cuda_kernel;

/// Kernels of `processes` by time, each process with a loop and numbers of its own.
Rows kernels(Writer* writer, size_t count, size_t processes) {
  Rows rows(*event::find_table(event::kCudaKernel));
  std::mt19937_64 random(5);
  std::vector<uint64_t> launches(processes);
  uint64_t names[40];
  for (size_t i = 0; i < std::size(names); ++i) names[i] = writer->string_id("kernel " + std::to_string(i));
  for (size_t i = 0; i < count; ++i) {
    const size_t process = random() % processes;
    const uint64_t launch = ++launches[process];
    rows.column(kStart).push_back(i * 1000 + random() % 500);
    rows.column(kDuration).push_back(100 + random() % 300);
    rows.column(kProcess).push_back(process + 1);
    rows.column(kDevice).push_back(process % 8);
    rows.column(kCorrelation).push_back(process * 100'000'000 + launch * 3);
    rows.column(kName).push_back(names[launch % std::size(names)]);
    rows.column(kRegistersPerThread).push_back(launch % std::size(names) * 7 % 100);
    rows.column(kGridX).push_back(random() % 4);
  }
  return rows;
}

std::map<uint16_t, ColumnHeader> headers(const std::string& path, const ChunkRef& chunk) {
  const std::string bytes = test::read_file(path);
  std::map<uint16_t, ColumnHeader> found;
  for (size_t i = 0; i < chunk.header.columns; ++i) {
    ColumnHeader header;
    std::memcpy(&header, bytes.data() + chunk.offset + sizeof(ChunkHeader) + i * sizeof(header),
                sizeof(header));
    found[header.id] = header;
  }
  return found;
}

TEST(Within, NumbersOfSeveralProcessesCostLittleAndComeBack) {
  for (const size_t processes : {size_t{2}, size_t{8}, size_t{300}}) {
    Folder folder;
    auto writer = Writer::create(folder.file("r"), {});
    ASSERT_TRUE(writer);
    const Rows rows = kernels(&*writer, 50'000, processes);
    const Rows* parts[] = {&rows};
    ASSERT_TRUE(writer->write_group(parts, {}));
    ASSERT_TRUE(writer->finish());
    const auto reader = Reader::open(folder.file("r"));
    ASSERT_TRUE(reader);
    EXPECT_TRUE(reader->verify().empty());
    for (const ChunkRef& chunk : reader->chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
      const auto how = headers(folder.file("r"), chunk);
      for (const Col within : {kCorrelation, kName}) {
        EXPECT_EQ(how.at(within).transform, static_cast<uint8_t>(Transform::kWithin)) << within;
        EXPECT_EQ(how.at(within).partner, kProcess);
        EXPECT_LT(how.at(within).stored_bytes, 10'000u) << within;
      }
      EXPECT_EQ(how.at(kDevice).transform, static_cast<uint8_t>(Transform::kByPartner));
      EXPECT_EQ(how.at(kDevice).partner, kProcess);
      EXPECT_EQ(how.at(kRegistersPerThread).partner, kName);
      for (size_t c = 0; c < rows.columns.size(); ++c) {
        if (rows.columns[c].empty()) continue;
        std::vector<uint64_t> values;
        ASSERT_TRUE(reader->read_column(chunk, rows.table->columns[c].id, &values));
        EXPECT_EQ(values, rows.columns[c]) << rows.table->columns[c].name;
      }
    }
  }
}

/// Whatever follows from whatever: no column may need one that needs another by-partner.
TEST(Within, ColumnsThatFollowFromEachOtherInAnyWayComeBack) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    Folder folder;
    auto writer = Writer::create(folder.file("r"), {});
    ASSERT_TRUE(writer);
    Rows rows = kernels(&*writer, 4000, 2 + round % 5);
    const Col columns[] = {kName, kDevice, kCorrelation, kRegistersPerThread, kGridX};
    for (const Col column : columns) {
      const uint64_t kind = random() % 5;
      const Col other = columns[random() % std::size(columns)];
      const uint64_t factor = 1 + random() % 7;
      for (size_t i = 0; i < rows.column(kStart).size(); ++i) {
        uint64_t& value = rows.column(column)[i];
        if (kind == 0) value = rows.column(kProcess)[i] * factor;  // one value a process
        if (kind == 1) value = rows.column(other)[i];
        if (kind == 2) value = rows.column(other)[i] % factor;
        if (kind == 3) value = rows.column(kProcess)[i] * 1'000'000 + i * factor;
      }
    }
    const Rows* parts[] = {&rows};
    ASSERT_TRUE(writer->write_group(parts, {}));
    ASSERT_TRUE(writer->finish());
    const auto reader = Reader::open(folder.file("r"));
    ASSERT_TRUE(reader);
    for (const ChunkRef& chunk : reader->chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
      for (size_t c = 0; c < rows.columns.size(); ++c) {
        if (rows.columns[c].empty()) continue;
        std::vector<uint64_t> values;
        const auto read = reader->read_column(chunk, rows.table->columns[c].id, &values);
        ASSERT_TRUE(read) << round << " " << rows.table->columns[c].name << ": " << read.error().message;
        EXPECT_EQ(values, rows.columns[c]) << rows.table->columns[c].name;
      }
    }
  }
}

TEST(Within, OneProcessAndFewRowsGoWithout) {
  for (const auto& [count, processes] : {std::pair<size_t, size_t>{5000, 1}, {100, 3}, {1000, 500}}) {
    Folder folder;
    auto writer = Writer::create(folder.file("r"), {});
    ASSERT_TRUE(writer);
    const Rows rows = kernels(&*writer, count, processes);
    const Rows* parts[] = {&rows};
    ASSERT_TRUE(writer->write_group(parts, {}));
    const auto reader = Reader::open(folder.file("r"));
    ASSERT_TRUE(reader);
    for (const ChunkRef& chunk : reader->chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
      for (const auto& [id, header] : headers(folder.file("r"), chunk))
        EXPECT_NE(header.transform, static_cast<uint8_t>(Transform::kWithin)) << id;
    }
  }
}

TEST(Within, AnyValuesComeBackAndWhatDoesNotFitIsCorrupt) {
  const std::vector<uint64_t> origins = {4, 9, 4, UINT64_MAX, 9};
  // 10 + 1, 10 - 2, 11 + 3, 10 + 0, 8 - 1
  const uint8_t payload[] = {2, 3, 6, 0, 1};
  ColumnHeader header{};
  header.transform = static_cast<uint8_t>(Transform::kWithin);
  header.width = 1;
  header.base = 10;
  header.raw_bytes = header.stored_bytes = 5;
  std::vector<uint64_t> out;
  ASSERT_TRUE(decode_column(header, payload, 5, origins, &out));
  EXPECT_EQ(out, (std::vector<uint64_t>{11, 8, 14, 10, 7}));
  EXPECT_FALSE(decode_column(header, payload, 5, std::span(origins).first(4), &out));
  EXPECT_FALSE(decode_column(header, std::span(payload).first(4), 5, origins, &out));

  std::vector<uint64_t> many(kMostOrigins + 1);
  for (size_t i = 0; i < many.size(); ++i) many[i] = i;
  header.width = 0;
  header.raw_bytes = header.stored_bytes = 0;
  EXPECT_FALSE(decode_column(header, {}, static_cast<uint32_t>(many.size()), many, &out));
  many.back() = 0;
  EXPECT_TRUE(decode_column(header, {}, static_cast<uint32_t>(many.size()), many, &out));

  // a circle
  ChunkHeader chunk{};
  chunk.rows = 5;
  for (const Transform other : {Transform::kWithin, Transform::kByPartner}) {
    ColumnPart columns[] = {{header, {}}, {header, {}}};
    columns[0].header.width = columns[1].header.width = 1;
    columns[0].header.raw_bytes = columns[1].header.raw_bytes = 5;
    columns[0].header.stored_bytes = columns[1].header.stored_bytes = 5;
    columns[0].payload = columns[1].payload = payload;
    columns[1].header.transform = static_cast<uint8_t>(other);
    columns[0].header.id = columns[1].header.partner = 1;
    columns[1].header.id = columns[0].header.partner = 2;
    EXPECT_FALSE(decode_from(chunk, columns, 1, &out));
  }
}

}  // namespace
}  // namespace sextant::report
