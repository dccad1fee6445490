// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns that depend on another one of their chunk (§6, by-partner).
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

/// Kernels whose short name and registers follow from the name, whose grid does so but for one row, and whose
/// stream does not.
Rows kernels(size_t count, size_t names) {
  Rows rows(*event::find_table(event::kCudaKernel));
  std::mt19937_64 random(7);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t name = 1 + random() % names;
    rows.column(kStart).push_back(i * 1000 + random() % 500);
    rows.column(kDuration).push_back(100 + random() % 300);
    rows.column(kName).push_back(name);
    rows.column(kShortName).push_back(1 + name * 7919 % names);
    rows.column(kRegistersPerThread).push_back(16 + name * 31 % 200);
    rows.column(kGridX).push_back(i == count / 2 ? 77 : name * 3);
    rows.column(kStream).push_back(random() % 4);
    rows.column(kSharedMemoryExecuted).push_back(8192);
  }
  return rows;
}

std::map<uint16_t, uint8_t> transforms(const Reader& reader, const std::string& path, const ChunkRef& chunk) {
  const std::string bytes = test::read_file(path);
  std::map<uint16_t, uint8_t> found;
  for (size_t i = 0; i < chunk.header.columns; ++i) {
    ColumnHeader header;
    std::memcpy(&header, bytes.data() + chunk.offset + sizeof(ChunkHeader) + i * sizeof(header),
                sizeof(header));
    found[header.id] = header.transform;
  }
  EXPECT_TRUE(reader.damage().empty());
  return found;
}

TEST(ByPartner, ColumnsThatFollowFromNamesCostLittleAndComeBack) {
  Folder folder;
  auto writer = Writer::create(folder.file("r"), {});
  ASSERT_TRUE(writer);
  for (int i = 1; i <= 300; ++i) writer->string_id("name " + std::to_string(i));
  const Rows rows = kernels(50000, 300);
  const Rows* parts[] = {&rows};
  ASSERT_TRUE(writer->write_group(parts, {}));
  ASSERT_TRUE(writer->finish());

  const auto reader = Reader::open(folder.file("r"));
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->verify().empty());
  for (const ChunkRef& chunk : reader->chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
    const auto how = transforms(*reader, folder.file("r"), chunk);
    EXPECT_EQ(how.at(kShortName), static_cast<uint8_t>(Transform::kByPartner));
    EXPECT_EQ(how.at(kRegistersPerThread), static_cast<uint8_t>(Transform::kByPartner));
    for (const Col other : {kName, kGridX, kStream, kDuration})
      EXPECT_NE(how.at(other), static_cast<uint8_t>(Transform::kByPartner)) << other;
    for (size_t c = 0; c < rows.columns.size(); ++c) {
      if (rows.columns[c].empty()) continue;
      std::vector<uint64_t> values;
      ASSERT_TRUE(reader->read_column(chunk, rows.table->columns[c].id, &values));
      EXPECT_EQ(values, rows.columns[c]) << rows.table->columns[c].name;
    }
  }
}

TEST(ByPartner, FewRowsAndManyNamesGoWithout) {
  for (const auto& [count, names] : {std::pair<size_t, size_t>{100, 5}, {5000, 4000}, {5000, 1}}) {
    Folder folder;
    auto writer = Writer::create(folder.file("r"), {});
    ASSERT_TRUE(writer);
    for (int i = 1; i <= 4000; ++i) writer->string_id("name " + std::to_string(i));
    const Rows rows = kernels(count, names);
    const Rows* parts[] = {&rows};
    ASSERT_TRUE(writer->write_group(parts, {}));
    ASSERT_TRUE(writer->finish());
    const auto reader = Reader::open(folder.file("r"));
    ASSERT_TRUE(reader);
    EXPECT_TRUE(reader->verify().empty());
    for (const ChunkRef& chunk : reader->chunks()) {
      if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
      for (const auto& [column, transform] : transforms(*reader, folder.file("r"), chunk))
        EXPECT_NE(transform, static_cast<uint8_t>(Transform::kByPartner)) << column;
    }
  }
}

TEST(ByPartner, WhatDoesNotFitItsPartnerIsCorrupt) {
  const std::vector<uint64_t> partner = {5, 5, 9, 5, 7};
  const std::vector<uint64_t> values = {100, 100, 300, 100, 200};
  FirstSeen seen;
  ASSERT_TRUE(seen.number(partner, 3));
  EXPECT_FALSE(FirstSeen().number(partner, 2));
  // by hand: the encoder finds it too small to be worth it
  ColumnHeader header{};
  header.transform = static_cast<uint8_t>(Transform::kByPartner);
  header.width = 1;
  header.base = 100;
  header.raw_bytes = header.stored_bytes = 3;
  const uint8_t payload[] = {0, 200, 100};
  std::vector<uint64_t> out;
  ASSERT_TRUE(decode_column(header, payload, 5, partner, &out));
  EXPECT_EQ(out, values);
  const std::vector<uint64_t> two = {5, 5, 9, 5, 5}, four = {5, 6, 9, 5, 7}, short_one = {5, 9, 7};
  for (const auto& other : {two, four, short_one, std::vector<uint64_t>()}) {
    const Status decoded = decode_column(header, payload, 5, other, &out);
    ASSERT_FALSE(decoded);
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
  }
  EXPECT_FALSE(
      decode_column(header, payload, 2, std::vector<uint64_t>{1, 2}, &out));  // more values than rows
  header.raw_bytes = header.stored_bytes = 2;
  EXPECT_FALSE(decode_column(header, std::span(payload).first(2), 5, partner, &out));

  // a circle
  ChunkHeader chunk{};
  chunk.rows = 5;
  header.raw_bytes = header.stored_bytes = 3;
  ColumnPart columns[] = {{header, payload}, {header, payload}};
  columns[0].header.id = columns[1].header.partner = 1;
  columns[1].header.id = columns[0].header.partner = 2;
  EXPECT_FALSE(decode_from(chunk, columns, 1, &out));
}

}  // namespace
}  // namespace sextant::report
