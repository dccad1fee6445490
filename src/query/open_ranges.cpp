// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/open_ranges.h"

#include <map>
#include <set>

namespace sextant::query {

namespace {

using Ring = std::pair<uint64_t, uint64_t>;  // instance, number

/// The newest group of each ring of `rings`.
Result<std::map<Ring, uint32_t>> newest_groups(Source::State& state, std::set<Ring> rings) {
  std::map<Ring, uint32_t> newest;
  const auto chunks = state.reader.chunks();
  for (size_t i = chunks.size(); i-- > 0 && !rings.empty();) {
    const report::ChunkRef& chunk = chunks[i];
    const bool is_end = chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kCheckpoint) ||
                        (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) &&
                         (chunk.header.flags & report::kGroupEnd) != 0);
    if (!is_end) continue;
    const auto provenance = state.reader.provenance(chunk);
    if (!provenance) {
      SEXTANT_TRY(state.skip(chunk, provenance.error()));
      continue;
    }
    for (const report::Provenance& p : *provenance) {
      const Ring ring{p.instance, p.ring};
      if (rings.erase(ring) != 0) newest.emplace(ring, chunk.header.group);
    }
  }
  return newest;
}

struct OpenChunk {
  uint32_t group;
  std::vector<std::vector<uint64_t>> columns;  // the wanted ones, then instance and ring
};

}  // namespace

Result<std::vector<std::vector<uint64_t>>> open_ranges(Source::State& state,
                                                       std::span<const uint16_t> columns) {
  std::vector<uint16_t> wanted(columns.begin(), columns.end());
  wanted.push_back(event::nvtx::kInstance);
  wanted.push_back(event::nvtx::kRing);
  std::vector<OpenChunk> chunks;
  std::set<Ring> rings;
  for (const report::ChunkRef& chunk : state.reader.chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData) ||
        chunk.header.table != event::kNvtxOpen)
      continue;
    OpenChunk open{chunk.header.group, std::vector<std::vector<uint64_t>>(wanted.size())};
    if (const Status status = state.reader.read_columns(chunk, wanted, open.columns); !status) {
      SEXTANT_TRY(state.skip(chunk, status.error()));
      continue;
    }
    for (size_t row = 0; row < open.columns[0].size(); ++row)
      rings.emplace(open.columns[columns.size()][row], open.columns[columns.size() + 1][row]);
    chunks.push_back(std::move(open));
  }
  SEXTANT_ASSIGN(const auto newest, newest_groups(state, std::move(rings)));
  std::vector<std::vector<uint64_t>> out(columns.size());
  for (const OpenChunk& open : chunks) {
    for (size_t row = 0; row < open.columns[0].size(); ++row) {
      const auto group =
          newest.find({open.columns[columns.size()][row], open.columns[columns.size() + 1][row]});
      if (group == newest.end() || group->second != open.group) continue;
      for (size_t c = 0; c < columns.size(); ++c) out[c].push_back(open.columns[c][row]);
    }
  }
  return out;
}

}  // namespace sextant::query
