// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/start_end.h"

#include <bit>

namespace sextant::query {

namespace {

constexpr uint64_t kEmpty = UINT64_MAX;  // no thread id

uint64_t hash(uint64_t process, uint64_t range_id) {
  uint64_t h = (range_id + process * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  return h ^ (h >> 32);
}

}  // namespace

Result<RangeEnds> RangeEnds::load(Source::State& state) {
  uint64_t rows = 0;
  for (const report::ChunkRef& chunk : state.reader.chunks())
    if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) &&
        chunk.header.table == event::kNvtxEnd)
      rows += chunk.header.rows;
  RangeEnds ends;
  if (rows == 0) return ends;
  ends.slots_.assign(std::bit_ceil(rows + rows / 2 + 1), End{0, 0, 0, kEmpty});
  ends.mask_ = ends.slots_.size() - 1;
  const uint16_t wanted[] = {event::nvtx::kProcessId, event::nvtx::kRangeId, event::nvtx::kStart,
                             event::nvtx::kTid};
  std::vector<std::vector<uint64_t>> c(4);
  for (const report::ChunkRef& chunk : state.reader.chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData) ||
        chunk.header.table != event::kNvtxEnd)
      continue;
    if (const Status status = state.reader.read_columns(chunk, wanted, c); !status) {
      SEXTANT_TRY(state.skip(chunk, status.error()));
      continue;
    }
    for (size_t i = 0; i < c[0].size(); ++i)
      if (c[3][i] != kEmpty) ends.insert({c[0][i], c[1][i], c[2][i], c[3][i]});
  }
  return ends;
}

void RangeEnds::insert(const End& end) {
  size_t at = hash(end.process, end.range_id) & mask_;
  for (;; at = (at + 1) & mask_) {
    End& slot = slots_[at];
    const bool same = slot.tid != kEmpty && slot.process == end.process && slot.range_id == end.range_id;
    if (same && slot.raw <= end.raw) return;
    if (same || slot.tid == kEmpty) {
      slot = end;
      return;
    }
  }
}

const RangeEnds::End* RangeEnds::find(uint64_t process, uint64_t range_id) const {
  if (slots_.empty()) return nullptr;
  for (size_t at = hash(process, range_id) & mask_; slots_[at].tid != kEmpty; at = (at + 1) & mask_)
    if (slots_[at].process == process && slots_[at].range_id == range_id) return &slots_[at];
  return nullptr;
}

}  // namespace sextant::query
