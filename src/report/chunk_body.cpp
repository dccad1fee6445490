// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/chunk_body.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "report/column_codec.h"

namespace sextant::report {

namespace {

const ColumnPart* find(std::span<const ColumnPart> columns, uint16_t id) {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnPart& c) { return c.header.id == id; });
  return at == columns.end() ? nullptr : &*at;
}

/// Starts of ranges, for which their durations are needed.
bool is_start(Transform transform) {
  return transform == Transform::kAfterEnd || transform == Transform::kAfter;
}
bool needs_partner(Transform transform) {
  return is_start(transform) || transform == Transform::kByPartner || transform == Transform::kWithin;
}

/// Columns of one chunk, each decoded once, also those that others need.
struct Decoding {
  const ChunkHeader& chunk;
  std::span<const ColumnPart> columns;
  std::span<const uint16_t> ids;
  std::span<std::vector<uint64_t>> out;
  std::vector<bool> done;

  Status asked(size_t i) {
    if (done[i]) return {};
    SEXTANT_TRY(decode(ids[i], &out[i], 0));
    done[i] = true;
    return {};
  }

  Status decode(uint16_t id, std::vector<uint64_t>* to, size_t depth) {
    const ColumnPart* column = find(columns, id);
    if (column == nullptr) {
      to->assign(chunk.rows, 0);
      return {};
    }
    std::span<const uint64_t> partner;
    if (needs_partner(static_cast<Transform>(column->header.transform))) {
      SEXTANT_ASSIGN(partner, partner_of(*column, depth));
    }
    return decode_column(column->header, column->payload, chunk.rows, partner, to);
  }

  Result<std::span<const uint64_t>> partner_of(const ColumnPart& column, size_t depth) {
    const uint16_t id = column.header.partner;
    if (const ColumnPart* partner = find(columns, id)) {
      // no circles: starts need durations, which may depend on names, these on origins, and those on nothing
      const auto transform = static_cast<Transform>(column.header.transform),
                 other = static_cast<Transform>(partner->header.transform);
      if (is_start(other) || (transform == Transform::kByPartner && other == Transform::kByPartner) ||
          (transform == Transform::kWithin && needs_partner(other)))
        return fail(ErrorCode::kCorrupt, "a column that needs another one that needs another one");
    }
    const auto at = static_cast<size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
    if (at < ids.size()) {
      SEXTANT_TRY(asked(at));
      return std::span<const uint64_t>(out[at]);
    }
    thread_local std::array<std::vector<uint64_t>, 3> kept;  // as deep as it goes without circles
    SEXTANT_TRY(decode(id, &kept[depth], depth + 1));
    return std::span<const uint64_t>(kept[depth]);
  }
};

}  // namespace

Result<std::vector<ColumnPart>> split_columns(const ChunkHeader& chunk, std::span<const uint8_t> body,
                                              size_t* end) {
  const size_t headers = size_t{chunk.columns} * sizeof(ColumnHeader);
  if (chunk.rows > kMaxRows || chunk.columns > kMaxColumns || headers > body.size())
    return fail(ErrorCode::kCorrupt, "a chunk with more rows or columns than it can have");
  std::vector<ColumnPart> columns(chunk.columns);
  size_t at = headers;
  for (size_t i = 0; i < columns.size(); ++i) {
    ColumnHeader& header = columns[i].header;
    std::memcpy(&header, body.data() + i * sizeof(header), sizeof(header));
    if (header.stored_bytes > body.size() - at)
      return fail(ErrorCode::kCorrupt, "a column longer than its chunk");
    columns[i].payload = body.subspan(at, header.stored_bytes);
    at += header.stored_bytes;
  }
  *end = at;
  return columns;
}

Result<std::vector<Provenance>> parse_provenance(const ChunkHeader& chunk, std::span<const uint8_t> body) {
  size_t at = 0;
  if (!ends_group(chunk)) return fail(ErrorCode::kCorrupt, "a chunk that does not end its group");
  if (chunk.kind == static_cast<uint16_t>(ChunkKind::kData)) SEXTANT_TRY(split_columns(chunk, body, &at));
  uint32_t counts[2];
  if (body.size() - at < sizeof(counts)) return fail(ErrorCode::kCorrupt, "a group without provenance");
  std::memcpy(counts, body.data() + at, sizeof(counts));
  at += sizeof(counts);
  if (counts[0] > (body.size() - at) / sizeof(Provenance))
    return fail(ErrorCode::kCorrupt, "a provenance table longer than its chunk");
  std::vector<Provenance> entries(counts[0]);
  if (!entries.empty()) std::memcpy(entries.data(), body.data() + at, entries.size() * sizeof(Provenance));
  return entries;
}

Status decode_columns(const ChunkHeader& chunk, std::span<const ColumnPart> columns,
                      std::span<const uint16_t> ids, std::span<std::vector<uint64_t>> out) {
  Decoding decoding{chunk, columns, ids, out, std::vector<bool>(ids.size())};
  for (size_t i = 0; i < ids.size(); ++i) SEXTANT_TRY(decoding.asked(i));
  return {};
}

}  // namespace sextant::report
