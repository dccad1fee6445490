// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Scanning a table of any kind: chunks into batches, stamps into nanoseconds, rows outside the window left
// out.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "query/device_api.h"
#include "query/source.h"
#include "query/sums.h"

namespace sextant::query {

namespace {

bool holds_rows_of(const report::ChunkRef& chunk, uint16_t table) {
  return chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) && chunk.header.table == table;
}

/// Which columns are read, and which of them are stamps and durations.
struct Plan {
  std::vector<uint16_t> ids;   // as asked, then those needed for conversions
  std::vector<size_t> stamps;  // positions in ids
  std::vector<size_t> lengths;
  std::optional<size_t> start;  // of the row's extent: its first stamp, and its first duration
  std::optional<size_t> length;
  std::optional<size_t> process, device;  // with a scope
  DeviceApi api = DeviceApi::kCuda;       // whose numbers are in `device`
  size_t asked = 0;

  Plan(const event::Table* table, std::span<const uint16_t> columns, bool windowed, const Scope* scope,
       bool ticks_are_ns)
      : ids(columns.begin(), columns.end()), asked(columns.size()) {
    if (table == nullptr) return;
    if (scope != nullptr) process = place_of(*table, "process");
    if (scope != nullptr && process && !scope->devices.empty()) device = place_of(*table, "device");
    api = api_of(*table);
    for (const event::Column& column : table->columns) {
      const bool stamp = column.type == event::Type::kTime, span = column.type == event::Type::kDuration;
      if (!stamp && !span) continue;
      const bool first = !(stamp ? start : length).has_value();
      auto at = std::find(ids.begin(), ids.end(), column.id);
      const bool needed =
          first && (windowed || (stamp && !ticks_are_ns && asks_for_durations(*table, columns)));
      if (at == ids.end() && !needed) continue;
      if (at == ids.end()) at = ids.insert(ids.end(), column.id);
      const auto place = static_cast<size_t>(at - ids.begin());
      (stamp ? stamps : lengths).push_back(place);
      if (first) (stamp ? start : length) = place;
    }
  }

  /// Where that column is read, if the table has it.
  std::optional<size_t> place_of(const event::Table& table, std::string_view name) {
    const event::Column* column = table.find(name);
    if (column == nullptr) return std::nullopt;
    auto at = std::find(ids.begin(), ids.end(), column->id);
    if (at == ids.end()) at = ids.insert(ids.end(), column->id);
    return static_cast<size_t>(at - ids.begin());
  }

  static bool asks_for_durations(const event::Table& table, std::span<const uint16_t> columns) {
    return std::any_of(table.columns.begin(), table.columns.end(), [&](const event::Column& c) {
      return c.type == event::Type::kDuration &&
             std::find(columns.begin(), columns.end(), c.id) != columns.end();
    });
  }
};

/// Stamps to nanoseconds, in place. Durations are differences of mapped stamps.
void convert(const Plan& plan, const TimeMap& map, std::vector<std::vector<uint64_t>>* columns) {
  const auto in_place = [&](std::vector<uint64_t>& raw) {
    map.to_ns(raw, std::span(reinterpret_cast<int64_t*>(raw.data()), raw.size()));
  };
  if (map.ticks_are_ns()) {
    for (const size_t place : plan.stamps) in_place((*columns)[place]);
  } else if (plan.start) {
    std::vector<uint64_t>& start = (*columns)[*plan.start];
    for (const size_t place : plan.lengths) {
      std::vector<uint64_t>& length = (*columns)[place];
      for (size_t i = 0; i < length.size(); ++i) length[i] += start[i];
    }
    for (const size_t place : plan.stamps) in_place((*columns)[place]);
    for (const size_t place : plan.lengths) {
      std::vector<uint64_t>& length = (*columns)[place];
      in_place(length);
      for (size_t i = 0; i < length.size(); ++i) length[i] -= start[i];
    }
  }
}

void keep(const std::vector<uint32_t>& kept, std::vector<std::vector<uint64_t>>* columns) {
  if (columns->empty() || kept.size() == (*columns)[0].size()) return;
  for (std::vector<uint64_t>& column : *columns) {
    for (size_t i = 0; i < kept.size(); ++i) column[i] = column[kept[i]];
    column.resize(kept.size());
  }
}

void keep_window(const Plan& plan, const Window& window, std::vector<std::vector<uint64_t>>* columns) {
  if (!plan.start) return;
  const std::vector<uint64_t>& start = (*columns)[*plan.start];
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < start.size(); ++i) {
    const auto from = static_cast<int64_t>(start[i]);
    const int64_t to = plan.length ? sum(from, static_cast<int64_t>((*columns)[*plan.length][i])) : from;
    if (window.holds(from, to)) kept.push_back(static_cast<uint32_t>(i));
  }
  keep(kept, columns);
}

void keep_scope(const Plan& plan, const Scope& scope, std::vector<std::vector<uint64_t>>* columns) {
  if (!plan.process) return;
  const std::vector<uint64_t>& process = (*columns)[*plan.process];
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < process.size(); ++i)
    if (plan.device ? scope.holds({plan.api, process[i], (*columns)[*plan.device][i]})
                    : scope.holds(process[i]))
      kept.push_back(static_cast<uint32_t>(i));
  keep(kept, columns);
}

}  // namespace

bool Scope::holds(uint64_t process) const {
  return processes.empty() || std::binary_search(processes.begin(), processes.end(), process);
}
bool Scope::holds(const DeviceOf& device) const {
  return holds(device.process) &&
         (devices.empty() || std::binary_search(devices.begin(), devices.end(), device));
}

void Source::set_scope(Scope scope) {
  state_->scope = std::move(scope);
}
const Scope& Source::scope() const {
  return state_->scope;
}

void Source::set_window(const Window& window) {
  state_->window = window;
}
const Window& Source::window() const {
  return state_->window;
}

uint64_t Source::rows(uint16_t table) const {
  uint64_t rows = 0;
  for (const report::ChunkRef& chunk : reader().chunks())
    if (holds_rows_of(chunk, table)) rows += chunk.header.rows;
  return rows;
}

namespace {

/// What a scan reads, chunk by chunk.
class ChunkReader {
 public:
  ChunkReader(Source::State& state, std::span<const uint16_t> columns, Rows which)
      : state_(state),
        columns_(columns),
        windowed_(which == Rows::kInWindow && !state.window.everything()),
        scoped_(which == Rows::kInWindow && !state.scope.everybody()) {}

  /// The chunks of a table, in file order. Those that do not touch the window are left out.
  void add_chunks(uint16_t table) {
    plans_.emplace_back(event::find_table(table), columns_, windowed_, scoped_ ? &state_.scope : nullptr,
                        state_.time_map.ticks_are_ns());
    uint64_t row = 0;
    for (const report::ChunkRef& chunk : state_.reader.chunks()) {
      if (!holds_rows_of(chunk, table)) continue;
      if (!windowed_ || touches_window(chunk)) chunks_.push_back({&chunk, row, plans_.size() - 1});
      row += chunk.header.rows;
    }
  }

  void sort_by_time() {
    std::stable_sort(chunks_.begin(), chunks_.end(),
                     [&](const Chunk& a, const Chunk& b) { return earliest(*a.chunk) < earliest(*b.chunk); });
  }

  size_t size() const { return chunks_.size(); }

  /// No row of chunk `i` begins before.
  int64_t earliest(size_t i) const { return i < chunks_.size() ? earliest(*chunks_[i].chunk) : INT64_MAX; }

  /// No rows where the chunk cannot be read or nothing of it is in the window.
  Status read(size_t i, TableBatch* batch) const {
    const report::ChunkRef& chunk = *chunks_[i].chunk;
    const Plan& plan = plans_[chunks_[i].plan];
    batch->table = chunk.header.table;
    batch->rows = 0;
    batch->first_row = chunks_[i].first_row;
    batch->columns.resize(plan.ids.size());
    std::vector<uint64_t> processes;
    if (scoped_ && plan.process && !state_.touches_scope(chunk, plan.ids[*plan.process], &processes))
      return {};
    if (const Status status = state_.reader.read_columns(chunk, plan.ids, batch->columns); !status)
      return state_.skip(chunk, status.error());
    if (chunk.header.clock != 0) convert(plan, state_.time_map, &batch->columns);
    if (scoped_) keep_scope(plan, state_.scope, &batch->columns);
    if (windowed_) keep_window(plan, state_.window, &batch->columns);
    batch->rows = batch->columns.empty() ? chunk.header.rows : batch->columns[0].size();
    batch->columns.resize(plan.asked);
    return {};
  }

 private:
  struct Chunk {
    const report::ChunkRef* chunk;
    uint64_t first_row;
    size_t plan;  // of its table
  };

  bool touches_window(const report::ChunkRef& chunk) const {
    return chunk.header.clock == 0 || state_.window.holds(state_.time_map.to_ns(chunk.header.time_min),
                                                          state_.time_map.to_ns(chunk.header.time_max));
  }
  int64_t earliest(const report::ChunkRef& chunk) const {
    return chunk.header.clock == 0 ? INT64_MIN : state_.time_map.to_ns(chunk.header.time_min);
  }

  Source::State& state_;
  std::span<const uint16_t> columns_;
  bool windowed_, scoped_;
  std::vector<Plan> plans_;
  std::vector<Chunk> chunks_;
};

/// Runs work(worker) on as many threads as there are workers or tasks.
Status run_workers(size_t workers, size_t tasks, const std::function<Status(size_t)>& work) {
  const size_t threads = std::clamp<size_t>(std::min(workers, tasks), 1, 64);
  std::vector<Status> results(threads);
  {
    std::vector<std::jthread> helpers;
    for (size_t w = 1; w < threads; ++w) helpers.emplace_back([&, w] { results[w] = work(w); });
    results[0] = work(0);
  }
  for (Status& result : results) SEXTANT_TRY(result);
  return {};
}

}  // namespace

Status Source::scan_table(uint16_t table, std::span<const uint16_t> columns, size_t workers,
                          const std::function<void(size_t, TableBatch&)>& use, Rows which) const {
  ChunkReader chunks(*state_, columns, which);
  chunks.add_chunks(table);
  std::atomic<size_t> next{0};
  return run_workers(workers, chunks.size(), [&](size_t worker) -> Status {
    TableBatch batch;
    for (size_t i = next++; i < chunks.size(); i = next++) {
      SEXTANT_TRY(chunks.read(i, &batch));
      if (batch.rows > 0) use(worker, batch);
    }
    return {};
  });
}

Status Source::scan_by_time(std::span<const uint16_t> tables, std::span<const uint16_t> columns,
                            size_t workers, const std::function<void(size_t, TableBatch&)>& prepare,
                            const std::function<void(size_t, int64_t)>& use) const {
  ChunkReader chunks(*state_, columns, Rows::kInWindow);
  for (const uint16_t table : tables) chunks.add_chunks(table);
  chunks.sort_by_time();
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::condition_variable turn;
  size_t done = 0;  // chunks that were used
  return run_workers(workers, chunks.size(), [&](size_t worker) -> Status {
    TableBatch batch;
    Status read;
    for (size_t i = next++; i < chunks.size(); i = next++) {
      if (read) read = chunks.read(i, &batch);
      if (read) prepare(worker, batch);
      std::unique_lock lock(mutex);
      turn.wait(lock, [&] { return done == i; });
      if (read) use(worker, chunks.earliest(i + 1));
      ++done;
      turn.notify_all();
    }
    return read;
  });
}

Result<bool> Source::scan_summary(uint16_t table, const std::function<void(const TableBatch&)>& use) const {
  if (limited() || !state_->time_map.ticks_are_ns()) return false;
  constexpr uint16_t kColumns[] = {report::kSummaryName, report::kSummaryDuration, report::kSummaryCount};
  std::vector<const report::ChunkRef*> chunks;
  for (const report::ChunkRef& chunk : reader().chunks())
    if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kSummary) &&
        chunk.header.table == table)
      chunks.push_back(&chunk);
  if (chunks.empty()) return false;
  TableBatch batch;
  batch.columns.resize(std::size(kColumns));
  uint64_t left = rows(table);
  for (const report::ChunkRef* chunk : chunks) {  // first whether all is there, then the content
    std::vector<uint64_t>& counts = batch.columns[2];
    if (const Status status = reader().read_column(*chunk, report::kSummaryCount, &counts); !status) {
      SEXTANT_TRY(state_->skip(*chunk, status.error()));
      return false;
    }
    for (const uint64_t count : counts) {
      if (count == 0 || count > left) return false;
      left -= count;
    }
  }
  if (left != 0) return false;
  for (const report::ChunkRef* chunk : chunks) {
    SEXTANT_TRY(reader().read_columns(*chunk, kColumns, batch.columns));
    batch.rows = batch.columns[0].size();
    use(batch);
  }
  return true;
}

bool Source::extent(uint16_t table, int64_t* first_ns, int64_t* last_ns) const {
  bool found = false;
  for (const report::ChunkRef& chunk : reader().chunks()) {
    if (!holds_rows_of(chunk, table) || chunk.header.rows == 0) continue;
    const bool timed = chunk.header.clock != 0;  // else every time is 0
    const int64_t first = timed ? time_map().to_ns(chunk.header.time_min) : 0;
    const int64_t last = timed ? time_map().to_ns(chunk.header.time_max) : 0;
    *first_ns = found ? std::min(*first_ns, first) : first;
    *last_ns = found ? std::max(*last_ns, last) : last;
    found = true;
  }
  return found;
}

Result<TableBatch> Source::read_table(uint16_t table, std::span<const uint16_t> columns) const {
  TableBatch all;
  all.columns.resize(columns.size());
  SEXTANT_TRY(scan_table(table, columns, 1, [&](size_t, TableBatch& batch) {
    all.rows += batch.rows;
    for (size_t c = 0; c < columns.size(); ++c)
      all.columns[c].insert(all.columns[c].end(), batch.columns[c].begin(), batch.columns[c].end());
  }));
  return all;
}

}  // namespace sextant::query
