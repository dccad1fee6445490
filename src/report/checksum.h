// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Checksums and magic numbers of the report's fixed structures (§1, §2, §8), for writer and reader alike.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "report/format.h"

namespace sextant::report {

inline uint64_t checksum(const void* data, size_t bytes) {
  return XXH3_64bits(data, bytes);
}

inline uint64_t checksum(const FileHeader& h) {
  return checksum(&h, offsetof(FileHeader, checksum));
}
inline uint64_t checksum(const ChunkHeader& h) {
  return checksum(&h, offsetof(ChunkHeader, header_checksum));
}

inline void set_trailer_magic(FileTrailer* t) {
  for (size_t i = 0; i < sizeof(t->magic); ++i) t->magic[i] = kFileMagic[sizeof(kFileMagic) - 1 - i];
}

inline uint64_t checksum(const FileTrailer& t) {
  uint8_t covered[24];
  std::memcpy(covered, &t, 16);
  std::memcpy(covered + 16, t.magic, 8);
  return checksum(covered, sizeof(covered));
}

/// Magic, checksum and bounds (§9) of a chunk header; says nothing about where the chunk ends in its file.
inline bool valid(const ChunkHeader& h) {
  return h.magic == kChunkMagic && h.header_checksum == checksum(h) && h.body_bytes <= kMaxBodyBytes &&
         ((h.kind != static_cast<uint16_t>(ChunkKind::kData) &&
           h.kind != static_cast<uint16_t>(ChunkKind::kSummary) &&
           h.kind != static_cast<uint16_t>(ChunkKind::kOverview)) ||
          (h.rows <= kMaxRows && h.columns <= kMaxColumns));
}

inline bool valid(const FileTrailer& t) {
  FileTrailer expected{};
  set_trailer_magic(&expected);
  return std::memcmp(t.magic, expected.magic, sizeof(t.magic)) == 0 && t.checksum == checksum(t);
}

inline uint64_t align_chunk(uint64_t offset) {
  return (offset + kChunkAlign - 1) / kChunkAlign * kChunkAlign;
}
inline uint64_t chunk_bytes(const ChunkHeader& h) {
  return align_chunk(sizeof(ChunkHeader) + h.body_bytes);
}

}  // namespace sextant::report
