// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "report/checksum.h"
#include "report/chunk_body.h"
#include "report/reader_state.h"

namespace sextant::report {

namespace {

/// Decodes every column and looks up every string id.
Status check_columns(const Dictionary& strings, const ChunkHeader& chunk, std::span<const uint8_t> body) {
  size_t end = 0;
  SEXTANT_ASSIGN(const std::vector<ColumnPart> columns, split_columns(chunk, body, &end));
  std::vector<uint64_t> values;
  for (const ColumnPart& column : columns) {
    Status decoded = decode_from(chunk, columns, column.header.id, &values);
    if (!decoded && decoded.error().code == ErrorCode::kUnsupported) continue;
    SEXTANT_TRY(decoded);
    if (static_cast<event::Type>(column.header.type) != event::Type::kString) continue;
    uint64_t last = 0;
    for (uint64_t id : values) {
      if (id == last) continue;
      if (!strings.has(id))
        return fail(ErrorCode::kCorrupt, "a row names a string that the file does not have");
      last = id;
    }
  }
  return {};
}

Status check_chunk(const Reader::State& s, const ChunkRef& chunk, std::vector<uint8_t>* body) {
  SEXTANT_TRY(read_body(s.fd.get(), chunk, body));
  uint8_t padding[kChunkAlign] = {};
  const uint64_t behind = sizeof(ChunkHeader) + chunk.header.body_bytes;
  const size_t padded = chunk_bytes(chunk.header) - behind;
  SEXTANT_TRY(read_exactly(s.fd.get(), chunk.offset + behind, padding, padded));
  if (std::any_of(padding, padding + padded, [](uint8_t b) { return b != 0; }))
    return fail(ErrorCode::kCorrupt, "padding that is not zero");
  if (has_columns(chunk.header)) SEXTANT_TRY(check_columns(s.dictionary, chunk.header, *body));
  if (chunk.header.kind == static_cast<uint16_t>(ChunkKind::kOverview))
    SEXTANT_TRY(decode_overview(*body, chunk.header.table, chunk.header.rows));
  if (ends_group(chunk.header)) SEXTANT_TRY(parse_provenance(chunk.header, *body));
  return {};
}

bool same(const ChunkRef& a, const ChunkRef& b) {
  return a.offset == b.offset && std::memcmp(&a.header, &b.header, sizeof(a.header)) == 0;
}

}  // namespace

std::vector<Damage> Reader::verify() const {
  const State& s = *state_;
  std::vector<Damage> found(s.directory.damage);
  if (s.directory.by_index) {  // the headers in the file were not looked at so far
    Result<Directory> walk = read_directory(s.fd.get(), s.path, Lookup::kWalk);
    if (!walk) {
      add_damage(&found, 0, 0, walk.error().message);
      return found;
    }
    if (!std::equal(walk->chunks.begin(), walk->chunks.end(), s.directory.chunks.begin(),
                    s.directory.chunks.end(), same)) {
      for (Damage& d : walk->damage) add_damage(&found, d.offset, d.bytes, std::move(d.what));
      add_damage(&found, s.directory.content_end, 0, "the index names other chunks than the file has");
    }
  }
  std::vector<uint8_t> body;
  for (const ChunkRef& chunk : s.directory.chunks) {
    if (Status checked = check_chunk(s, chunk, &body); !checked)
      add_damage(&found, chunk.offset, chunk_bytes(chunk.header), checked.error().message);
  }
  return found;
}

}  // namespace sextant::report
