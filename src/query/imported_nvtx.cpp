// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/imported_nvtx.h"

#include <array>

#include "event/schema_nvtx.h"

namespace sextant::query {

namespace {

using event::is_null;
namespace col = event::nvtx_event;

// What a chunk is read for; the place of a column in this list is its place in the buffers.
constexpr std::array<uint16_t, 13> kBasic = {
    col::kStart,          col::kDuration, col::kRow,       col::kType,   col::kText,
    col::kTextRegistered, col::kProcess,  col::kTid,       col::kEndTid, col::kDomain,
    col::kNulls,          col::kRangeId,  col::kEndProcess};
constexpr std::array<uint16_t, 8> kAttributes = {col::kColor,        col::kCategory,      col::kPayloadUint64,
                                                 col::kPayloadInt64, col::kPayloadDouble, col::kPayloadUint32,
                                                 col::kPayloadInt32, col::kPayloadFloat};

struct Chunk {
  std::vector<uint16_t> ids;
  std::vector<std::vector<uint64_t>> columns;

  uint64_t at(uint16_t id, size_t row) const {
    for (size_t c = 0; c < ids.size(); ++c)
      if (ids[c] == id) return columns[c][row];
    return 0;
  }
  const std::vector<uint64_t>& column(uint16_t id) const {
    size_t c = 0;
    while (ids[c] != id) ++c;
    return columns[c];
  }
};

bool wanted(const NvtxScan& what, NvtxBatch::Kind kind) {
  switch (kind) {
    case NvtxBatch::Kind::kPushPop:
      return what.push_pop;
    case NvtxBatch::Kind::kStartEnd:
      return what.start_end;
    case NvtxBatch::Kind::kMark:
      return what.marks;
  }
  return false;
}

constexpr std::array<std::pair<uint64_t, NvtxBatch::Kind>, 3> kKinds = {
    {{59, NvtxBatch::Kind::kPushPop}, {60, NvtxBatch::Kind::kStartEnd}, {34, NvtxBatch::Kind::kMark}}};

void add_attributes(NvtxBatch* batch, const Chunk& c, uint64_t nulls, size_t i) {
  const bool has_color = !is_null(nulls, col::kColor), registered = !is_null(nulls, col::kTextRegistered);
  batch->flags.push_back((has_color ? uint64_t{event::nvtx::kHasColor} : 0) |
                         (registered ? uint64_t{event::nvtx::kRegistered} : 0));
  batch->color.push_back(c.at(col::kColor, i));
  batch->category.push_back(c.at(col::kCategory, i));
  batch->level.push_back(0);
  batch->end_tid.push_back(c.at(col::kEndTid, i));
  batch->range_id.push_back(c.at(col::kRangeId, i));
  uint64_t type = 0, payload = 0;
  for (size_t p = 2; p < kAttributes.size() && type == 0; ++p) {
    if (is_null(nulls, kAttributes[p])) continue;
    type = p - 1;  // as event::nvtx::kPayloadType numbers them
    payload = c.at(kAttributes[p], i);
  }
  batch->payload_type.push_back(type);
  batch->payload.push_back(payload);
}

}  // namespace

Result<ImportedNvtx> ImportedNvtx::load(Source::State& state) {
  ImportedNvtx all;
  const uint16_t wanted_columns[] = {col::kType, col::kProcess,        col::kDomain,
                                     col::kText, col::kTextRegistered, col::kNulls};
  SEXTANT_ASSIGN(const auto c, read_table(state, event::kNvtxEvent, wanted_columns));
  for (size_t i = 0; i < c[0].size(); ++i)
    if (c[0][i] == 75)
      all.domains_.try_emplace({c[1][i], c[2][i]},
                               is_null(c[5][i], col::kTextRegistered) ? c[3][i] : c[4][i]);
  return all;
}

uint64_t ImportedNvtx::domain_name(uint64_t process, uint64_t number) const {
  if (number == 0) return 0;
  const auto at = domains_.find({process, number});
  return at == domains_.end() ? 0 : at->second;
}

Status ImportedNvtx::scan(Source::State& state, const report::ChunkRef& chunk, const NvtxScan& what,
                          const std::function<void(const NvtxBatch&)>& use) const {
  Chunk c;
  c.ids.assign(kBasic.begin(), kBasic.end());
  if (what.with_attributes) c.ids.insert(c.ids.end(), kAttributes.begin(), kAttributes.end());
  c.columns.resize(c.ids.size());
  if (const Status status = state.reader.read_columns(chunk, c.ids, c.columns); !status)
    return state.skip(chunk, status.error());

  const std::vector<uint64_t>&types = c.column(col::kType), &all_nulls = c.column(col::kNulls),
        &processes = c.column(col::kProcess), &starts = c.column(col::kStart),
        &durations = c.column(col::kDuration), &tids = c.column(col::kTid),
        &end_tids = c.column(col::kEndTid), &end_processes = c.column(col::kEndProcess),
        &texts = c.column(col::kText), &registered = c.column(col::kTextRegistered),
        &domain_numbers = c.column(col::kDomain), &source_rows = c.column(col::kRow);
  for (const auto& [type, kind] : kKinds) {
    if (!wanted(what, kind)) continue;
    NvtxBatch closed, open;
    open.unfinished = true;
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i] != type) continue;
      const uint64_t nulls = all_nulls[i], process = processes[i];
      const bool is_open = kind != NvtxBatch::Kind::kMark && is_null(nulls, col::kDuration);
      const int64_t start = state.time_map.to_ns(starts[i]);
      const int64_t end = is_open ? std::max(start, state.end_of_process(process))
                                  : state.time_map.to_ns(starts[i] + durations[i]);
      NvtxBatch& batch = is_open ? open : closed;
      ++batch.rows;
      batch.end_ns.push_back(what.with_times ? end : end - start);
      if (what.with_times) batch.start_ns.push_back(start);
      batch.name.push_back(is_null(nulls, col::kTextRegistered) ? texts[i] : registered[i]);
      batch.domain.push_back(domain_name(process, domain_numbers[i]));
      batch.row.push_back(source_rows[i]);
      const bool same_thread =
          is_null(nulls, col::kEndTid) || (end_tids[i] == tids[i] && end_processes[i] == process);
      batch.closed_by.push_back(same_thread ? 0 : end_tids[i]);
      if (what.with_origin) {
        batch.process.push_back(process);
        batch.tid.push_back(tids[i]);
      }
      if (what.with_attributes) add_attributes(&batch, c, nulls, i);
    }
    for (NvtxBatch* batch : {&closed, &open}) {
      batch->kind = kind;
      if (batch->rows > 0) use(*batch);
    }
  }
  return {};
}

}  // namespace sextant::query
