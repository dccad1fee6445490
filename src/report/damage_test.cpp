// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever happened to a file: no crash, and never wrong content without saying so.
#include <random>

#include "report/checksum.h"
#include "report/sample_test.h"

namespace sextant::report {
namespace {

using test::Content;
using test::Folder;

/// Every value of `part` stands in `whole`, at the start of its column; and no provenance that is not there
/// either.
void expect_prefix(const Content& part, const Content& whole) {
  for (const auto& [key, values] : part.columns) {
    const auto& all = whole.columns.at(key);
    ASSERT_LE(values.size(), all.size());
    EXPECT_TRUE(std::equal(values.begin(), values.end(), all.begin()));
  }
  ASSERT_LE(part.provenance.size(), whole.provenance.size());
  EXPECT_TRUE(std::equal(part.provenance.begin(), part.provenance.end(), whole.provenance.begin()));
}

size_t rows_of(const Content& content) {
  size_t rows = 0;
  for (const auto& [key, values] : content.columns) rows += values.size();
  return rows;
}

TEST(Damage, TruncatedAtEveryByte) {
  Folder folder;
  const std::string path = folder.file("r"), cut = folder.file("cut");
  test::write_sample(path, true);
  const std::string bytes = test::read_file(path);
  const Content whole = test::content(*Reader::open(path));
  size_t opened = 0, last_rows = 0;
  for (size_t length = 0; length < bytes.size(); ++length) {
    test::write_file(cut, bytes.substr(0, length));
    auto reader = Reader::open(cut);
    ASSERT_EQ(reader.has_value(), length >= sizeof(FileHeader)) << length;
    if (!reader) {
      EXPECT_EQ(reader.error().code, ErrorCode::kCorrupt);
      continue;
    }
    ++opened;
    EXPECT_FALSE(reader->complete()) << length;
    EXPECT_TRUE(reader->damage().empty() || length > bytes.size() - sizeof(FileTrailer)) << length;
    EXPECT_TRUE(reader->verify().empty()) << length;
    const Content part = test::content(*reader);
    EXPECT_EQ(part.unreadable, 0u);
    expect_prefix(part, whole);
    EXPECT_GE(rows_of(part), last_rows) << length;
    last_rows = rows_of(part);
  }
  EXPECT_EQ(opened, bytes.size() - sizeof(FileHeader));
  EXPECT_EQ(last_rows, rows_of(whole));
}

/// Chunks of a group count only when the group's end is there: rows and provenance come together.
TEST(Damage, GroupsComeWholeOrNotAtAll) {
  Folder folder;
  const std::string path = folder.file("r"), cut = folder.file("cut");
  test::write_sample(path, false);
  const std::string bytes = test::read_file(path);
  const auto key = std::pair<int, int>{event::kNvtxRange, event::nvtx::kName};
  for (size_t length = sizeof(FileHeader); length < bytes.size(); ++length) {
    test::write_file(cut, bytes.substr(0, length));
    const Content part = test::content(*Reader::open(cut));
    const size_t groups = part.provenance.size() / 2;
    const size_t rows = part.columns.contains(key) ? part.columns.at(key).size() : 0;
    const size_t expected[] = {0, 5, 30, 75};
    EXPECT_EQ(rows, expected[std::min<size_t>(groups, 3)]) << length;
  }
}

void expect_honest(const std::string& path, const Content& whole, size_t at) {
  auto reader = Reader::open(path);
  if (!reader) {
    EXPECT_FALSE(reader.error().message.empty());
    return;
  }
  const Content found = test::content(*reader);
  const bool told = found.unreadable > 0 || !reader->damage().empty();
  EXPECT_TRUE(told || found == whole) << "at byte " << at;
  EXPECT_TRUE(!reader->verify().empty() || (found == whole && !reader->complete())) << "at byte " << at;
}

TEST(Damage, EveryByteFlipped) {
  for (bool finish : {true, false}) {
    Folder folder;
    const std::string path = folder.file("r"), bad = folder.file("bad");
    test::write_sample(path, finish);
    const std::string bytes = test::read_file(path);
    const Content whole = test::content(*Reader::open(path));
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
      test::write_file(bad, changed);
      expect_honest(bad, whole, at);
    }
  }
}

TEST(Damage, OneBadChunkCostsOneChunk) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  auto before = Reader::open(path);
  std::string bytes = test::read_file(path);
  const Content whole = test::content(*before);
  for (const ChunkRef& chunk : before->chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData)) continue;
    for (const size_t at : {chunk.offset + 20, chunk.offset + sizeof(ChunkHeader) + 3}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(~changed[at]);
      changed.resize(changed.size() - sizeof(FileTrailer));  // so that the reader has to walk
      test::write_file(path, changed);
      auto reader = Reader::open(path);
      ASSERT_TRUE(reader);
      const Content found = test::content(*reader);
      EXPECT_EQ(found.unreadable + reader->damage().size(), 1u);
      EXPECT_EQ(found.meta, whole.meta);
      size_t shorter = 0;
      for (const auto& [key, values] : whole.columns) {
        if (key.first == chunk.header.table && found.columns.contains(key))
          shorter += values.size() - found.columns.at(key).size() == chunk.header.rows;
      }
      EXPECT_GT(shorter, 0u);
    }
  }
}

TEST(Damage, RandomBytes) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  const std::string bytes = test::read_file(path);
  const Content whole = test::content(*Reader::open(path));
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string changed = bytes;
    const size_t from = round % 3 == 0 ? 0 : sizeof(FileHeader);  // behind a good header, mostly
    if (round % 2 == 0) {
      for (size_t i = from; i < changed.size(); ++i) changed[i] = static_cast<char>(random());
    } else {
      const size_t length = 1 + random() % 200, at = from + random() % (changed.size() - from - length);
      for (size_t i = 0; i < length; ++i) changed[at + i] = static_cast<char>(random());
    }
    test::write_file(path, changed);
    expect_honest(path, whole, static_cast<size_t>(round));
  }
}

TEST(Damage, NotAReport) {
  Folder folder;
  const std::string path = folder.file("r");
  EXPECT_EQ(Reader::open(path).error().code, ErrorCode::kNotFound);
  test::write_file(path, "");
  EXPECT_EQ(Reader::open(path).error().code, ErrorCode::kCorrupt);
  test::write_file(path, std::string(100'000, 'x'));
  EXPECT_EQ(Reader::open(path).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(Reader::open("/tmp").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(Reader::open("/dev/zero").error().code, ErrorCode::kCorrupt);
}

/// An index may be well formed and still lie.
TEST(Damage, LyingIndexIsNotBelieved) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, true);
  const std::string bytes = test::read_file(path);
  const Content whole = test::content(*Reader::open(path));
  FileTrailer trailer;
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof(trailer), sizeof(trailer));
  ChunkHeader index;
  std::memcpy(&index, bytes.data() + trailer.index_offset, sizeof(index));
  const auto with_entry = [&](size_t i, auto change) {
    std::string changed = bytes;
    char* body = changed.data() + trailer.index_offset + sizeof(ChunkHeader);
    IndexEntry entry;
    std::memcpy(&entry, body + i * sizeof(entry), sizeof(entry));
    change(&entry);
    std::memcpy(body + i * sizeof(entry), &entry, sizeof(entry));
    ChunkHeader header = index;
    header.body_checksum = checksum(body, header.body_bytes);
    header.header_checksum = checksum(header);
    std::memcpy(changed.data() + trailer.index_offset, &header, sizeof(header));
    test::write_file(path, changed);
    auto reader = Reader::open(path);
    ASSERT_TRUE(reader);
    EXPECT_TRUE(!reader->damage().empty() || !reader->verify().empty());
    EXPECT_FALSE(test::content(*reader) != whole && reader->damage().empty());
  };
  for (size_t i = 1; i < index.rows; ++i) {
    with_entry(i, [](IndexEntry* e) { e->offset += 8; });
    with_entry(i, [](IndexEntry* e) { e->offset = ~uint64_t{7}; });
    with_entry(i, [](IndexEntry* e) { e->offset = 0; });
    with_entry(i, [](IndexEntry* e) {
      e->header.body_bytes = kMaxBodyBytes;
      e->header.header_checksum = checksum(e->header);
    });
  }
}

/// Sparse files and headers that announce much must not cost memory or time.
TEST(Damage, AnnouncedLengthsAreNotAllocated) {
  Folder folder;
  const std::string path = folder.file("r");
  test::write_sample(path, false);
  const size_t bytes = test::read_file(path).size();
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(bytes + (64u << 20))), 0);
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->damage().empty());  // zeros: never written
  EXPECT_EQ(reader->unfinished_bytes(), 64u << 20);

  ChunkHeader header{.magic = kChunkMagic,
                     .kind = static_cast<uint16_t>(ChunkKind::kStrings),
                     .rows = UINT32_MAX,
                     .body_bytes = 40};
  std::string body(40, '\0');
  StringsHeader strings{1'000'000, UINT32_MAX, 24};
  std::memcpy(body.data(), &strings, sizeof(strings));
  header.body_checksum = checksum(body.data(), body.size());
  header.header_checksum = checksum(header);
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(bytes)), 0);
  std::ofstream(path, std::ios::binary | std::ios::app)
      << std::string(reinterpret_cast<const char*>(&header), sizeof(header)) << body;
  auto hostile = Reader::open(path);
  ASSERT_TRUE(hostile);
  EXPECT_EQ(hostile->damage().size(), 1u);
  EXPECT_EQ(hostile->string(1'000'000), "(unknown string)");
}

}  // namespace
}  // namespace sextant::report
