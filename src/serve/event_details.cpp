// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/event_details.h"

#include <algorithm>
#include <cstdlib>

#include "event/schema_cuda.h"
#include "event/schema_opencl.h"

namespace sextant::serve {

namespace {

constexpr size_t kMostChunks = 64, kMostLinks = 16;

const report::ChunkRef* chunk_of(const query::Source& source, uint16_t table, uint64_t* row) {
  for (const report::ChunkRef& chunk : source.reader().chunks()) {
    const report::ChunkHeader& h = chunk.header;
    if (h.kind != static_cast<uint16_t>(report::ChunkKind::kData) || h.table != table) continue;
    if (*row < h.rows) return &chunk;
    *row -= h.rows;
  }
  return nullptr;
}

/// Stamps to nanoseconds, durations as differences of mapped stamps.
void convert(const query::TimeMap& map, const event::Table& table, std::vector<uint64_t>* values) {
  std::optional<uint64_t> start;
  for (size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].type == event::Type::kTime) {
      if (!start) start = (*values)[c];
      (*values)[c] = static_cast<uint64_t>(map.to_ns((*values)[c]));
    }
  for (size_t c = 0; c < table.columns.size() && start; ++c)
    if (table.columns[c].type == event::Type::kDuration)
      (*values)[c] = static_cast<uint64_t>(map.to_ns(*start + (*values)[c]) - map.to_ns(*start));
}

/// Rows of a table with a process and correlation id, in chunks near a time.
struct Correlated {
  uint64_t row;
  LaneKey lane;
};

std::vector<Correlated> find_correlated(const query::Source& source, uint16_t table, uint64_t process,
                                        uint64_t correlation, int64_t near_ns) {
  struct Chunk {
    const report::ChunkRef* ref;
    uint64_t first_row;
    int64_t distance;
  };
  std::vector<Chunk> chunks;
  uint64_t row = 0;
  for (const report::ChunkRef& chunk : source.reader().chunks()) {
    const report::ChunkHeader& h = chunk.header;
    if (h.kind != static_cast<uint16_t>(report::ChunkKind::kData) || h.table != table) continue;
    const int64_t from = source.time_map().to_ns(h.time_min), to = source.time_map().to_ns(h.time_max);
    chunks.push_back({&chunk, row, near_ns < from ? from - near_ns : near_ns > to ? near_ns - to : 0});
    row += h.rows;
  }
  std::stable_sort(chunks.begin(), chunks.end(),
                   [](const Chunk& a, const Chunk& b) { return a.distance < b.distance; });
  const event::Table* known = event::find_table(table);
  std::vector<uint16_t> ids;
  for (const char* name : {"process", "correlation", "tid", "device", "context", "stream", "queue"})
    if (const event::Column* column = known->find(name)) ids.push_back(column->id);
  const bool of_thread = known->find("tid") != nullptr;
  std::vector<std::vector<uint64_t>> values(ids.size());
  std::vector<Correlated> found;
  for (size_t i = 0; i < chunks.size() && i < kMostChunks && found.empty(); ++i) {
    if (const Status read = source.reader().read_columns(*chunks[i].ref, ids, values); !read) {
      if (!source.skip(*chunks[i].ref, read.error())) break;
      continue;
    }
    for (size_t r = 0; r < values[1].size() && found.size() < kMostLinks; ++r)
      if (values[1][r] == correlation && values[0][r] == process)
        found.push_back({chunks[i].first_row + r,
                         of_thread ? LaneKey{process, values[2][r], 0, 0}
                                   : LaneKey{process, values[2][r], values[3][r], values[4][r]}});
  }
  return found;
}

}  // namespace

bool StoredRow::missing(uint16_t column) const {
  const event::Column* nulls = table->find("nulls");
  if (nulls == nullptr) return false;
  for (size_t c = 0; c < table->columns.size(); ++c)
    if (table->columns[c].id == nulls->id) return event::is_null(values[c], column);
  return false;
}

std::optional<uint64_t> StoredRow::value(std::string_view column) const {
  for (size_t c = 0; c < table->columns.size(); ++c)
    if (table->columns[c].name == column && !missing(table->columns[c].id)) return values[c];
  return std::nullopt;
}

struct KeptRows::Chunk {
  const report::ChunkRef* of = nullptr;
  std::vector<std::vector<uint64_t>> columns;
};

thread_local KeptRows* KeptRows::active_ = nullptr;

KeptRows::KeptRows() : chunk_(std::make_unique<Chunk>()) {
  active_ = this;
}
KeptRows::~KeptRows() {
  active_ = nullptr;
}

Result<StoredRow> read_row(const query::Source& source, uint16_t table, uint64_t row) {
  StoredRow out;
  out.table = event::find_table(table);
  const report::ChunkRef* chunk = out.table == nullptr ? nullptr : chunk_of(source, table, &row);
  if (chunk == nullptr) return fail(ErrorCode::kNotFound, "there is no event with this number");
  KeptRows::Chunk own;
  KeptRows::Chunk& kept = KeptRows::active_ != nullptr ? *KeptRows::active_->chunk_ : own;
  if (kept.of != chunk) {
    kept.of = nullptr;
    std::vector<uint16_t> ids;
    for (const event::Column& column : out.table->columns) ids.push_back(column.id);
    kept.columns.resize(ids.size());
    SEXTANT_TRY(source.reader().read_columns(*chunk, ids, kept.columns));
    kept.of = chunk;
  }
  for (const auto& column : kept.columns) out.values.push_back(column[row]);
  convert(source.time_map(), *out.table, &out.values);
  return out;
}

Result<Event> find_event(const Timeline& timeline, const Track& track, uint64_t id) {
  std::optional<int64_t> start;
  if (const Event* joined = timeline.layer_of(track).find_joined(id)) start = joined->start_ns;
  if (!start) {
    SEXTANT_ASSIGN(const StoredRow row, read_row(timeline.source(), table_of(id), row_of(id)));
    for (const char* column : {"start", "time"})
      if (const auto value = row.value(column); value && !start) start = static_cast<int64_t>(*value);
  }
  std::optional<Event> found;
  if (start)
    SEXTANT_TRY(timeline.visit(track, *start, *start + 1, [&](const Event& event) {
      if (event.id == id) found = event;
      return !found;
    }));
  if (!found) return fail(ErrorCode::kNotFound, "there is no event with this number in this track");
  return *found;
}

Result<std::vector<Placed>> ranges_around(const Timeline& timeline, uint64_t process, uint64_t tid,
                                          const Event& event) {
  std::vector<Placed> around;
  for (size_t t = 0; t < timeline.tracks().size(); ++t) {
    const Track& track = timeline.tracks()[t];
    if (track.kind != "nvtx" || track.process != process || track.tid != tid || track.layer == Track::kNone)
      continue;
    SEXTANT_TRY(timeline.visit(track, event.start_ns, event.start_ns + 1, [&](const Event& other) {
      if (other.id != event.id && other.start_ns <= event.start_ns && other.end_ns >= event.end_ns &&
          other.end_ns > other.start_ns)
        around.push_back({t, other});
      return true;
    }));
  }
  std::sort(around.begin(), around.end(), [](const Placed& a, const Placed& b) { return a.event < b.event; });
  return around;
}

Result<std::vector<Link>> links_of(const Timeline& timeline, const Track& track, const Event& event,
                                   const StoredRow& row) {
  std::vector<Link> links;
  const auto correlation = row.value("correlation");
  if (!correlation || *correlation == 0 || !track.process) return links;
  struct Other {
    uint16_t table;
    std::string_view kind;  // of tracks
  };
  constexpr Other kCalls[] = {{event::kCudaApi, "cuda_api"}},
                  kOpenclCalls[] = {{event::kOpenclApi, "opencl_api"}};
  constexpr Other kWork[] = {{event::kCudaKernel, "kernels"},
                             {event::kCudaMemcpy, "memory"},
                             {event::kCudaMemset, "memory"},
                             {event::kCudaGraphRun, "graphs"}};
  constexpr Other kOpenclWork[] = {{event::kOpenclKernel, "opencl_kernels"},
                                   {event::kOpenclMemory, "opencl_memory"},
                                   {event::kOpenclSync, "opencl_sync"}};
  const bool of_device = timeline.layer_of(track).kind().of_device();
  const bool opencl = track.kind.starts_with("opencl");
  const auto calls = opencl ? std::span<const Other>(kOpenclCalls) : std::span<const Other>(kCalls);
  const auto work = opencl ? std::span<const Other>(kOpenclWork) : std::span<const Other>(kWork);
  for (const Other& other : of_device ? calls : work) {
    for (const Correlated& at :
         find_correlated(timeline.source(), other.table, *track.process, *correlation, event.start_ns)) {
      const auto of = timeline.find_track(other.kind, at.lane);
      if (!of) continue;
      const auto found = find_event(timeline, timeline.tracks()[*of], event_id(other.table, at.row));
      if (!found) continue;
      const Event& call = of_device ? *found : event;
      const Event& done = of_device ? event : *found;
      links.push_back({of_device ? "launched_by" : "launches", {*of, *found}, done.start_ns - call.end_ns});
    }
  }
  return links;
}

}  // namespace sextant::serve
