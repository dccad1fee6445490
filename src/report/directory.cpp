// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "report/checksum.h"

namespace sextant::report {

namespace {

constexpr size_t kFirstSearchBytes =
    4096;  // doubled up to kSearchBytes, so that much small damage costs little
constexpr size_t kSearchBytes = 256u << 10;
constexpr uint32_t kMaxHeaderBytes = 4096;

ChunkKind kind_of(const ChunkHeader& h) {
  return static_cast<ChunkKind>(h.kind);
}

Status read_file_header(int fd, const std::string& path, Directory* d) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return fail_errno(errno, "cannot read " + path);
  if (!S_ISREG(status.st_mode)) return fail(ErrorCode::kCorrupt, path + " is no report: not a regular file");
  d->file_bytes = static_cast<uint64_t>(status.st_size);
  if (d->file_bytes == 0) return fail(ErrorCode::kCorrupt, path + " is no report: the file is empty");
  FileHeader& h = d->header;
  if (d->file_bytes < sizeof(h)) {
    return fail(ErrorCode::kCorrupt, path + " is no report, or only the first bytes of one (" +
                                         std::to_string(d->file_bytes) + " bytes)");
  }
  SEXTANT_TRY(read_exactly(fd, 0, &h, sizeof(h)));
  if (std::memcmp(h.magic, kFileMagic, sizeof(kFileMagic)) != 0)
    return fail(ErrorCode::kCorrupt, path + " is no Sextant report");
  if (h.major > kFormatMajor) {
    return fail(ErrorCode::kUnsupported, path + " has report format " + std::to_string(h.major) + "." +
                                             std::to_string(h.minor) + ", this release reads up to " +
                                             std::to_string(kFormatMajor) + ".x: use a newer sextant");
  }
  if (h.checksum != checksum(h) || h.header_bytes < sizeof(h) || h.header_bytes > kMaxHeaderBytes)
    return fail(ErrorCode::kCorrupt, path + " is damaged: its first 64 bytes do not fit their checksum");
  if (d->file_bytes < align_chunk(h.header_bytes))
    return fail(ErrorCode::kCorrupt, path + " is only the first bytes of a report");
  return {};
}

/// A trailer that ends where the file says it ends.
std::optional<FileTrailer> trailer_at(int fd, uint64_t offset, uint64_t file_bytes) {
  FileTrailer trailer;
  if (offset + sizeof(trailer) > file_bytes) return std::nullopt;
  if (!read_exactly(fd, offset, &trailer, sizeof(trailer))) return std::nullopt;
  if (!valid(trailer) || trailer.file_bytes != offset + sizeof(trailer)) return std::nullopt;
  return trailer;
}

/// Offset of the next valid chunk header at or behind `from`, or `end`.
uint64_t next_chunk(int fd, uint64_t from, uint64_t end) {
  std::vector<uint8_t> window;
  size_t step = kFirstSearchBytes;
  uint64_t base = align_chunk(from);
  while (base + sizeof(ChunkHeader) <= end) {
    const size_t bytes = std::min<uint64_t>(step + sizeof(ChunkHeader), end - base);
    window.resize(bytes);
    if (!read_exactly(fd, base, window.data(), bytes)) return end;
    for (size_t i = 0; i < step && i + sizeof(ChunkHeader) <= bytes; i += kChunkAlign) {
      ChunkHeader header;
      std::memcpy(&header, window.data() + i, sizeof(header));
      if (header.magic == kChunkMagic && valid(header)) return base + i;
    }
    base += step;
    step = std::min(step * 2, kSearchBytes);
  }
  return end;
}

bool all_zero(int fd, uint64_t from, uint64_t end) {
  std::vector<uint8_t> window(kSearchBytes);
  for (; from < end; from += window.size()) {
    const size_t bytes = std::min<uint64_t>(window.size(), end - from);
    if (!read_exactly(fd, from, window.data(), bytes)) return false;
    if (std::any_of(window.begin(), window.begin() + bytes, [](uint8_t b) { return b != 0; })) return false;
  }
  return true;
}

/// Walks from header to header. Stops before a tail that a write left unfinished.
void walk(int fd, Directory* d) {
  uint64_t offset = align_chunk(d->header.header_bytes);
  while (offset < d->file_bytes) {
    if (trailer_at(fd, offset, d->file_bytes)) {
      d->complete = offset + sizeof(FileTrailer) == d->file_bytes;
      offset += sizeof(FileTrailer);
      continue;
    }
    ChunkHeader header;
    const uint64_t left = d->file_bytes - offset;
    const bool readable =
        left >= sizeof(header) && read_exactly(fd, offset, &header, sizeof(header)).has_value();
    if (readable && valid(header)) {
      if (chunk_bytes(header) > left) break;
      d->chunks.push_back({offset, header});
      offset += chunk_bytes(header);
      continue;
    }
    const uint64_t next = next_chunk(fd, offset + 1, d->file_bytes);
    if (next == d->file_bytes) {
      const bool after_index = !d->chunks.empty() && kind_of(d->chunks.back().header) == ChunkKind::kIndex;
      if (left < sizeof(header) && !(after_index && left >= sizeof(FileTrailer))) break;
      if (all_zero(fd, offset, d->file_bytes)) break;  // room that a machine which lost power never filled
    }
    add_damage(&d->damage, offset, next - offset, "bytes that are no chunk");
    offset = next;
  }
  d->content_end = std::min(offset, d->file_bytes);
}

/// Takes the directory from the index. False: there is none, or it cannot be trusted.
bool take_index(int fd, Directory* d) {
  const uint64_t first = align_chunk(d->header.header_bytes);
  if (d->file_bytes < first + sizeof(FileTrailer)) return false;
  const auto trailer = trailer_at(fd, d->file_bytes - sizeof(FileTrailer), d->file_bytes);
  if (!trailer) return false;
  const uint64_t index_end = d->file_bytes - sizeof(FileTrailer);
  const uint64_t at = trailer->index_offset;
  if (at % kChunkAlign != 0 || at < first || at > index_end || index_end - at < sizeof(ChunkHeader))
    return false;
  ChunkRef index{.offset = at};
  if (!read_exactly(fd, at, &index.header, sizeof(index.header))) return false;
  if (!valid(index.header) || kind_of(index.header) != ChunkKind::kIndex) return false;
  if (at + chunk_bytes(index.header) != index_end) return false;
  if (index.header.body_bytes != uint64_t{index.header.rows} * sizeof(IndexEntry)) return false;
  std::vector<uint8_t> body;
  if (!read_body(fd, index, &body)) return false;

  uint64_t expected = first;
  std::vector<Damage> gaps;
  std::vector<ChunkRef> chunks;
  chunks.reserve(index.header.rows + 1);
  for (uint32_t i = 0; i < index.header.rows; ++i) {
    IndexEntry entry;
    std::memcpy(&entry, body.data() + i * sizeof(entry), sizeof(entry));
    if (!valid(entry.header) || entry.offset % kChunkAlign != 0 || entry.offset < expected ||
        entry.offset > at || chunk_bytes(entry.header) > at - entry.offset)
      return false;
    if (entry.offset > expected)
      add_damage(&gaps, expected, entry.offset - expected, "bytes that are no chunk");
    chunks.push_back({entry.offset, entry.header});
    expected = entry.offset + chunk_bytes(entry.header);
  }
  if (expected < at) add_damage(&gaps, expected, at - expected, "bytes that are no chunk");
  d->content_end = expected;
  chunks.push_back(index);
  d->chunks = std::move(chunks);
  d->damage = std::move(gaps);
  d->complete = true;
  d->by_index = true;
  return true;
}

/// Drops the chunks of a last group whose end was never written (§7): recovery writes its records again.
/// Where damage lies behind them, the end was written once.
void drop_open_group(Directory* d) {
  if (d->chunks.empty()) return;
  const ChunkRef& last = d->chunks.back();
  const uint32_t group = last.header.group;
  if (group == 0 || (last.header.flags & kGroupEnd) != 0) return;
  if (!d->damage.empty() && d->damage.back().offset > last.offset) return;
  while (!d->chunks.empty() && d->chunks.back().header.group == group) {
    d->content_end = d->chunks.back().offset;
    d->chunks.pop_back();
  }
}

}  // namespace

void add_damage(std::vector<Damage>* list, uint64_t offset, uint64_t bytes, std::string what) {
  if (list->size() < kMaxDamageEntries) {
    list->push_back({offset, bytes, std::move(what)});
    return;
  }
  list->back().bytes += bytes;
  list->back().what = "this and further damage, no longer listed one by one";
}

Status read_exactly(int fd, uint64_t offset, void* to, size_t bytes) {
  auto* at = static_cast<uint8_t*>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(fd, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno(errno, "read error");
    if (got == 0) return fail(ErrorCode::kIo, "the file has become shorter");
    at += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return {};
}

Status read_body(int fd, const ChunkRef& chunk, std::vector<uint8_t>* body) {
  if (chunk.header.body_bytes > kMaxBodyBytes) return fail(ErrorCode::kCorrupt, "chunk larger than allowed");
  body->resize(chunk.header.body_bytes);
  SEXTANT_TRY(read_exactly(fd, chunk.offset + sizeof(ChunkHeader), body->data(), body->size()));
  if (checksum(body->data(), body->size()) != chunk.header.body_checksum)
    return fail(ErrorCode::kCorrupt, "a chunk's content does not fit its checksum");
  return {};
}

Result<Directory> read_directory(int fd, const std::string& path, Lookup lookup) {
  Directory d;
  if (Status read = read_file_header(fd, path, &d); !read) return tl::unexpected(std::move(read).error());
  if (lookup == Lookup::kIndexThenWalk && take_index(fd, &d)) return d;
  walk(fd, &d);
  drop_open_group(&d);
  if (d.complete && lookup == Lookup::kIndexThenWalk) {
    d.complete = false;
    add_damage(&d.damage, d.file_bytes - sizeof(FileTrailer), 0,
               "the index is missing or damaged; the chunks were found without it");
  }
  if (!d.complete) d.unfinished_bytes = d.file_bytes - d.content_end;
  return d;
}

}  // namespace sextant::report
