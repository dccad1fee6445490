// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a data chunk's body (§6, §7), found and checked but not decoded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "report/format.h"

namespace sextant::report {

struct ColumnPart {
  ColumnHeader header;
  std::span<const uint8_t> payload;
};

/// The columns of a kData body; the parts point into `body`. `end` receives the offset behind the last
/// payload. Errors: kCorrupt.
Result<std::vector<ColumnPart>> split_columns(const ChunkHeader& chunk, std::span<const uint8_t> body,
                                              size_t* end);

/// Whether the body holds columns (§6).
inline bool has_columns(const ChunkHeader& chunk) {
  return chunk.kind == static_cast<uint16_t>(ChunkKind::kData) ||
         chunk.kind == static_cast<uint16_t>(ChunkKind::kSummary);
}

/// Whether the chunk ends a group and so carries provenance; only data and checkpoint chunks do (§7).
inline bool ends_group(const ChunkHeader& chunk) {
  return (chunk.flags & kGroupEnd) != 0 && (chunk.kind == static_cast<uint16_t>(ChunkKind::kData) ||
                                            chunk.kind == static_cast<uint16_t>(ChunkKind::kCheckpoint));
}

/// The provenance of a chunk that ends a group. Errors: kCorrupt.
Result<std::vector<Provenance>> parse_provenance(const ChunkHeader& chunk, std::span<const uint8_t> body);

/// Decodes columns, out[i] becomes that of ids[i]; zeros where the chunk does not store it. What one column
/// needs of another is decoded once. Errors: kCorrupt, kUnsupported. Thread-safe.
Status decode_columns(const ChunkHeader& chunk, std::span<const ColumnPart> columns,
                      std::span<const uint16_t> ids, std::span<std::vector<uint64_t>> out);

/// The same of one column.
inline Status decode_from(const ChunkHeader& chunk, std::span<const ColumnPart> columns, uint16_t id,
                          std::vector<uint64_t>* out) {
  return decode_columns(chunk, columns, {&id, 1}, {out, 1});
}

}  // namespace sextant::report
