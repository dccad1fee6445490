// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of a later release: additions are passed over and counted, a newer major version is refused in one
// line.
#include "report/checksum.h"
#include "report/sample_test.h"

namespace sextant::report {
namespace {

using test::Folder;

std::string bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

/// The file with another header.
std::string with_version(std::string bytes, uint16_t major, uint16_t minor) {
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.major = major;
  header.minor = minor;
  header.checksum = checksum(header);
  return bytes.replace(0, sizeof(header), bytes_of(header));
}

std::string chunk(ChunkHeader header, std::string body) {
  header.magic = kChunkMagic;
  header.body_bytes = body.size();
  header.body_checksum = checksum(body.data(), body.size());
  header.header_checksum = checksum(header);
  body.resize(align_chunk(body.size()));
  return bytes_of(header) + body;
}

ColumnHeader constant(uint16_t id, uint64_t value) {
  return {.id = id, .base = value};
}

TEST(Compatibility, LaterMinorVersion) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, false);
  const test::Content before = test::content(*Reader::open(path));
  std::string bytes = with_version(test::read_file(path), kFormatMajor, kFormatMinor + 7);
  bytes += chunk({.kind = static_cast<uint16_t>(ChunkKind::kSchema)},
                 "table\t900\tgpu_kernel\t0\tmore\ncolumn\t0\tgrid\tuint\tmore\nview\t1\tsomething\n"
                 "column\t1\ttensor\tquaternion\n");
  bytes += chunk({.kind = 77, .flags = kGroupEnd, .rows = 3}, "nobody knows");
  bytes += chunk(
      {.kind = static_cast<uint16_t>(ChunkKind::kData), .table = 900, .columns = 1, .rows = 2, .group = 90},
      bytes_of(constant(0, 42)));
  ColumnHeader strange = constant(event::thread::kName, 0);
  strange.codec = 9;
  strange.width = 1;
  strange.raw_bytes = strange.stored_bytes = 4;
  bytes += chunk({.kind = static_cast<uint16_t>(ChunkKind::kData),
                  .flags = kGroupEnd | 0x100,
                  .table = event::kThread,
                  .columns = 3,
                  .rows = 4,
                  .group = 90},
                 bytes_of(constant(event::thread::kTid, 5)) + bytes_of(strange) + bytes_of(constant(500, 6)) +
                     "????" + std::string(8, '\0'));
  test::write_file(path, bytes);

  auto reader = Reader::open(path);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_TRUE(reader->damage().empty());
  EXPECT_EQ(reader->unknown_chunks(), 2u);
  EXPECT_TRUE(reader->verify().empty());
  ASSERT_EQ(reader->tables().size(), 3u);  // nvtx_range, thread and the new one
  const TableInfo& table = reader->tables().back();
  EXPECT_EQ(table.name, "gpu_kernel");
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[1].type, "quaternion");

  const auto chunks = reader->chunks();
  std::vector<uint64_t> values;
  const ChunkRef& unknown_table = chunks[chunks.size() - 2];
  ASSERT_TRUE(reader->read_column(unknown_table, 0, &values));
  EXPECT_EQ(values, (std::vector<uint64_t>{42, 42}));
  const ChunkRef& extended = chunks.back();
  ASSERT_TRUE(reader->read_column(extended, event::thread::kTid, &values));
  EXPECT_EQ(values, std::vector<uint64_t>(4, 5));
  ASSERT_TRUE(reader->read_column(extended, 500, &values));
  EXPECT_EQ(values, std::vector<uint64_t>(4, 6));
  EXPECT_EQ(reader->read_column(extended, event::thread::kName, &values).error().code,
            ErrorCode::kUnsupported);
  EXPECT_EQ(before.meta, reader->meta());
}

TEST(Compatibility, LaterMajorVersion) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  test::write_file(path, with_version(test::read_file(path), kFormatMajor + 1, 3));
  auto reader = Reader::open(path);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(reader.error().message.find("1.3"), std::string::npos);
  EXPECT_EQ(reader.error().message.find('\n'), std::string::npos);
  std::vector<Provenance> done;
  EXPECT_FALSE(Writer::reopen(path, &done));
}

TEST(Compatibility, LongerFileHeader) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, false);
  std::string bytes = test::read_file(path);
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.header_bytes = 96;
  header.checksum = checksum(header);
  const test::Content before = test::content(*Reader::open(path));
  test::write_file(path, bytes_of(header) + std::string(32, 'n') + bytes.substr(sizeof(header)));
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->damage().empty());
  EXPECT_EQ(test::content(*reader), before);
}

}  // namespace
}  // namespace sextant::report
