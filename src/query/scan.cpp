// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Scanning NVTX events: chunks into batches, by one thread or several.
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "query/imported_nvtx.h"
#include "query/open_ranges.h"
#include "query/source.h"
#include "query/start_end.h"

namespace sextant::query {

namespace {

using event::nvtx::Col;

/// Which columns of a table a scan reads, and where they go.
struct Projection {
  std::vector<uint16_t> ids;

  Projection(const NvtxScan& what, uint16_t table, bool with_process) {
    using namespace event::nvtx;
    ids = {kStart, kName, kDomain};
    if (table == event::kNvtxRange) ids.push_back(kDuration);
    if (what.with_origin || with_process) ids.push_back(kProcessId);
    if (what.with_origin) ids.push_back(kTid);
    if (table == event::kNvtxStart) ids.push_back(kRangeId);
    if (!what.with_attributes) return;
    for (const Col c : {kFlags, kColor, kCategory, kPayloadType, kPayload}) ids.push_back(c);
    if (table == event::kNvtxRange || table == event::kNvtxOpen) ids.push_back(kLevel);
  }
};

/// A worker's buffers, kept from chunk to chunk.
struct Buffers {
  std::vector<std::vector<uint64_t>> columns;
  std::vector<uint64_t> end_raw;
  std::vector<uint64_t> processes;   // to see whether the chunk is wanted at all
  std::vector<uint64_t> still_open;  // rows of a kNvtxStart chunk without an end
  NvtxBatch batch;
};

/// The buffer of a column that was read; the batch takes it and gives its old one back for the next chunk.
void take(Buffers* b, const Projection& p, Col id, std::vector<uint64_t>* to) {
  const auto at = std::find(p.ids.begin(), p.ids.end(), id);
  if (at == p.ids.end()) {
    to->clear();
  } else {
    to->swap(b->columns[static_cast<size_t>(at - p.ids.begin())]);
  }
}

std::vector<uint64_t>& column(Buffers* b, const Projection& p, Col id) {
  return b->columns[static_cast<size_t>(std::find(p.ids.begin(), p.ids.end(), id) - p.ids.begin())];
}

void take_common(Buffers* b, const Projection& p, const NvtxScan& what) {
  using namespace event::nvtx;
  NvtxBatch& batch = b->batch;
  take(b, p, kName, &batch.name);
  take(b, p, kDomain, &batch.domain);
  take(b, p, kProcessId, &batch.process);
  take(b, p, kTid, &batch.tid);
  batch.end_tid.clear();
  batch.range_id.clear();
  if (!what.with_attributes) return;
  take(b, p, kFlags, &batch.flags);
  take(b, p, kColor, &batch.color);
  take(b, p, kCategory, &batch.category);
  take(b, p, kPayloadType, &batch.payload_type);
  take(b, p, kPayload, &batch.payload);
  take(b, p, kLevel, &batch.level);
  batch.level.resize(batch.rows);
}

/// start_ns and end_ns of the batch, as the scan wants them.
void set_times(Buffers* b, const TimeMap& map, const NvtxScan& what, std::span<const uint64_t> start,
               std::span<const uint64_t> end) {
  NvtxBatch& batch = b->batch;
  batch.start_ns.resize(batch.rows);
  batch.end_ns.resize(batch.rows);
  map.to_ns(start, batch.start_ns);
  map.to_ns(end, batch.end_ns);
  if (what.with_times) return;
  for (size_t i = 0; i < batch.rows; ++i) batch.end_ns[i] -= batch.start_ns[i];
  batch.start_ns.clear();
}

/// The same for ranges that were never closed: they end with their process.
void set_open_times(Buffers* b, const Source::State& state, const NvtxScan& what,
                    std::span<const uint64_t> start) {
  NvtxBatch& batch = b->batch;
  batch.start_ns.resize(batch.rows);
  batch.end_ns.resize(batch.rows);
  state.time_map.to_ns(start, batch.start_ns);
  for (size_t i = 0; i < batch.rows; ++i) {
    batch.end_ns[i] = std::max(batch.start_ns[i], state.end_of_process(batch.process[i]));
    if (!what.with_times) batch.end_ns[i] -= batch.start_ns[i];
  }
  if (!what.with_times) batch.start_ns.clear();
}

using Use = std::function<void(size_t, const NvtxBatch&)>;

/// One scan: the chunks it has to read, and how.
class Scan {
 public:
  Scan(Source::State& state, const NvtxScan& what, const Use& use)
      : state_(state),
        what_(what),
        use_(use),
        ranges_(what, event::kNvtxRange, false),
        starts_(what, event::kNvtxStart, true),
        marks_(what, event::kNvtxMark, false) {
    for (const report::ChunkRef& chunk : state.reader.chunks())
      if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) && wanted(chunk.header.table))
        chunks_.push_back(&chunk);
  }

  Status run(size_t workers) {
    if (what_.start_end) {
      SEXTANT_ASSIGN(ends_, RangeEnds::load(state_));
    }
    if (what_.with_imported) {
      SEXTANT_ASSIGN(imported_, ImportedNvtx::load(state_));
    }
    const size_t threads = std::clamp<size_t>(std::min(workers, chunks_.size()), 1, 64);
    open_starts_.resize(threads);
    std::vector<Status> results(threads);
    {
      std::vector<std::jthread> helpers;
      for (size_t w = 1; w < threads; ++w)
        helpers.emplace_back([this, w, &results] { results[w] = work(w); });
      results[0] = work(0);
    }
    for (Status& result : results) SEXTANT_TRY(result);
    return unfinished();
  }

 private:
  struct OpenStarts {  // rows of kNvtxStart without an end, by column of `starts_`
    std::vector<std::vector<uint64_t>> columns;
  };

  bool wanted(uint16_t table) const {
    return (table == event::kNvtxRange && what_.push_pop && what_.closed_push_pop) ||
           (table == event::kNvtxStart && what_.start_end) || (table == event::kNvtxMark && what_.marks) ||
           (table == event::kNvtxEvent && what_.with_imported);
  }

  Status work(size_t worker) {
    Buffers buffers;
    for (size_t i = next_++; i < chunks_.size(); i = next_++) {
      const report::ChunkRef& chunk = *chunks_[i];
      const uint16_t table = chunk.header.table;
      if (table == event::kNvtxEvent) {
        SEXTANT_TRY(
            imported_.scan(state_, chunk, what_, [&](const NvtxBatch& batch) { use_(worker, batch); }));
        continue;
      }
      if (!what_.whole && !state_.touches_scope(chunk, Col::kProcessId, &buffers.processes)) continue;
      const Projection& p = table == event::kNvtxRange   ? ranges_
                            : table == event::kNvtxStart ? starts_
                                                         : marks_;
      buffers.columns.resize(p.ids.size());
      if (const Status status = state_.reader.read_columns(chunk, p.ids, buffers.columns); !status) {
        SEXTANT_TRY(state_.skip(chunk, status.error()));
        continue;
      }
      buffers.batch.unfinished = false;
      if (table == event::kNvtxRange) {
        push_pop(&buffers);
      } else if (table == event::kNvtxStart) {
        start_end(&buffers, worker);
      } else {
        mark(&buffers);
      }
      if (buffers.batch.rows > 0) use_(worker, buffers.batch);
    }
    return {};
  }

  void push_pop(Buffers* b) {
    const std::vector<uint64_t>& start = column(b, ranges_, Col::kStart);
    const std::vector<uint64_t>& duration = column(b, ranges_, Col::kDuration);
    b->batch.kind = NvtxBatch::Kind::kPushPop;
    b->batch.rows = start.size();
    b->end_raw.resize(start.size());
    for (size_t i = 0; i < start.size(); ++i) b->end_raw[i] = start[i] + duration[i];
    set_times(b, state_.time_map, what_, start, b->end_raw);
    take_common(b, ranges_, what_);
  }

  void mark(Buffers* b) {
    const std::vector<uint64_t>& start = column(b, marks_, Col::kStart);
    b->batch.kind = NvtxBatch::Kind::kMark;
    b->batch.rows = start.size();
    set_times(b, state_.time_map, what_, start, start);
    take_common(b, marks_, what_);
  }

  /// Joins starts with their ends. Rows without an end are put aside for unfinished().
  void start_end(Buffers* b, size_t worker) {
    std::vector<uint64_t>& process = column(b, starts_, Col::kProcessId);
    std::vector<uint64_t>& id = column(b, starts_, Col::kRangeId);
    OpenStarts& open = open_starts_[worker];
    open.columns.resize(starts_.ids.size());
    b->end_raw.clear();
    b->batch.end_tid.clear();
    std::vector<uint64_t> end_tid;
    size_t kept = 0;
    for (size_t i = 0; i < process.size(); ++i) {
      const RangeEnds::End* end = ends_.find(process[i], id[i]);
      for (size_t c = 0; c < b->columns.size(); ++c) {
        if (end == nullptr) {
          open.columns[c].push_back(b->columns[c][i]);
        } else {
          b->columns[c][kept] = b->columns[c][i];
        }
      }
      if (end == nullptr) continue;
      b->end_raw.push_back(end->raw);
      if (what_.with_attributes) end_tid.push_back(end->tid);
      ++kept;
    }
    for (auto& values : b->columns) values.resize(kept);
    b->batch.kind = NvtxBatch::Kind::kStartEnd;
    b->batch.rows = kept;
    set_times(b, state_.time_map, what_, column(b, starts_, Col::kStart), b->end_raw);
    finish_start_end(b, std::move(end_tid));
  }

  void finish_start_end(Buffers* b, std::vector<uint64_t> end_tid) {
    std::vector<uint64_t> id =
        what_.with_attributes ? column(b, starts_, Col::kRangeId) : std::vector<uint64_t>();
    take_common(b, starts_, what_);
    if (!what_.with_origin) b->batch.process.clear();
    b->batch.range_id = std::move(id);
    b->batch.end_tid = std::move(end_tid);
  }

  /// Everything that was never closed, in the calling thread.
  Status unfinished() {
    Buffers b;
    b.batch.unfinished = true;
    if (what_.push_pop) SEXTANT_TRY(unfinished_push_pop(&b));
    for (OpenStarts& open : open_starts_) {
      if (open.columns.empty() || open.columns[0].empty()) continue;
      b.columns = std::move(open.columns);
      b.batch.kind = NvtxBatch::Kind::kStartEnd;
      b.batch.rows = b.columns[0].size();
      b.batch.process = column(&b, starts_, Col::kProcessId);
      set_open_times(&b, state_, what_, column(&b, starts_, Col::kStart));
      const std::vector<uint64_t> nobody(what_.with_attributes ? b.batch.rows : 0, 0);
      finish_start_end(&b, nobody);
      use_(0, b.batch);
    }
    return {};
  }

  Status unfinished_push_pop(Buffers* b) {
    const Projection open(what_, event::kNvtxOpen, true);
    SEXTANT_ASSIGN(b->columns, open_ranges(state_, open.ids));
    b->batch.kind = NvtxBatch::Kind::kPushPop;
    b->batch.rows = b->columns[0].size();
    if (b->batch.rows == 0) return {};
    b->batch.process = column(b, open, Col::kProcessId);
    set_open_times(b, state_, what_, column(b, open, Col::kStart));
    take_common(b, open, what_);
    if (!what_.with_origin) b->batch.process.clear();
    use_(0, b->batch);
    return {};
  }

  Source::State& state_;
  const NvtxScan& what_;
  const Use& use_;
  Projection ranges_, starts_, marks_;
  std::vector<const report::ChunkRef*> chunks_;
  RangeEnds ends_;
  ImportedNvtx imported_;
  std::vector<OpenStarts> open_starts_;
  std::atomic<size_t> next_{0};
};

/// The rows that touch the window and belong to the scope, as the scan wants their times.
NvtxBatch within(const NvtxBatch& batch, const Window& window, const Scope& scope, bool with_times) {
  NvtxBatch in = batch;
  std::vector<size_t> kept;
  for (size_t i = 0; i < batch.rows; ++i)
    if (window.holds(batch.start_ns[i], batch.end_ns[i]) &&
        (scope.everybody() || scope.holds(batch.process[i])))
      kept.push_back(i);
  const auto keep = [&](auto& column) {
    if (column.empty()) return;
    for (size_t i = 0; i < kept.size(); ++i) column[i] = column[kept[i]];
    column.resize(kept.size());
  };
  for (auto* column :
       {&in.process, &in.tid, &in.name, &in.domain, &in.level, &in.flags, &in.color, &in.category,
        &in.payload_type, &in.payload, &in.end_tid, &in.range_id, &in.row, &in.closed_by})
    keep(*column);
  keep(in.start_ns);
  keep(in.end_ns);
  in.rows = kept.size();
  if (with_times) return in;
  for (size_t i = 0; i < in.rows; ++i) in.end_ns[i] -= in.start_ns[i];
  in.start_ns.clear();
  return in;
}

}  // namespace

Status Source::scan_nvtx(const NvtxScan& what, const std::function<void(const NvtxBatch&)>& use) const {
  return scan_nvtx_parallel(what, 1, [&](size_t, const NvtxBatch& batch) { use(batch); });
}

Status Source::scan_nvtx_parallel(const NvtxScan& what, size_t workers, const Use& use) const {
  if (what.whole || !limited()) return Scan(*state_, what, use).run(workers);
  NvtxScan whole = what;
  whole.with_times = true;
  whole.with_origin = what.with_origin || !scope().everybody();
  const Use of_those = [&](size_t worker, const NvtxBatch& batch) {
    const NvtxBatch in = within(batch, window(), scope(), what.with_times);
    if (in.rows > 0) use(worker, in);
  };
  return Scan(*state_, whole, of_those).run(workers);
}

}  // namespace sextant::query
