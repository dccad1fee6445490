// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Scanning a table of any kind: chunks into batches, stamps into nanoseconds, rows outside the window left
// out.
#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "query/source.h"

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
  size_t asked = 0;

  Plan(const event::Table* table, std::span<const uint16_t> columns, bool windowed, const Scope* scope,
       bool ticks_are_ns)
      : ids(columns.begin(), columns.end()), asked(columns.size()) {
    if (table == nullptr) return;
    if (scope != nullptr) process = place_of(*table, "process");
    if (process && !scope->gpus.empty()) device = place_of(*table, "device");
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
    const int64_t to = plan.length ? from + static_cast<int64_t>((*columns)[*plan.length][i]) : from;
    if (window.holds(from, to)) kept.push_back(static_cast<uint32_t>(i));
  }
  keep(kept, columns);
}

void keep_scope(const Plan& plan, const Scope& scope, std::vector<std::vector<uint64_t>>* columns) {
  if (!plan.process) return;
  const std::vector<uint64_t>& process = (*columns)[*plan.process];
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < process.size(); ++i)
    if (plan.device ? scope.holds(process[i], (*columns)[*plan.device][i]) : scope.holds(process[i]))
      kept.push_back(static_cast<uint32_t>(i));
  keep(kept, columns);
}

}  // namespace

bool Scope::holds(uint64_t process) const {
  return processes.empty() || std::binary_search(processes.begin(), processes.end(), process);
}
bool Scope::holds(uint64_t process, uint64_t gpu) const {
  return holds(process) &&
         (gpus.empty() || std::binary_search(gpus.begin(), gpus.end(), std::pair(process, gpu)));
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

Status Source::scan_table(uint16_t table, std::span<const uint16_t> columns, size_t workers,
                          const std::function<void(size_t, TableBatch&)>& use, Rows which) const {
  std::vector<const report::ChunkRef*> chunks;
  for (const report::ChunkRef& chunk : reader().chunks())
    if (holds_rows_of(chunk, table)) chunks.push_back(&chunk);
  const bool windowed = which == Rows::kInWindow && !window().everything();
  const bool scoped = which == Rows::kInWindow && !scope().everybody();
  const Plan plan(event::find_table(table), columns, windowed, scoped ? &scope() : nullptr,
                  state_->time_map.ticks_are_ns());
  std::atomic<size_t> next{0};
  const auto work = [&](size_t worker) -> Status {
    TableBatch batch;
    for (size_t i = next++; i < chunks.size(); i = next++) {
      batch.columns.resize(plan.ids.size());
      if (const Status status = reader().read_columns(*chunks[i], plan.ids, batch.columns); !status) {
        SEXTANT_TRY(state_->skip(*chunks[i], status.error()));
        continue;
      }
      if (chunks[i]->header.clock != 0) convert(plan, state_->time_map, &batch.columns);
      if (scoped) keep_scope(plan, scope(), &batch.columns);
      if (windowed) keep_window(plan, window(), &batch.columns);
      batch.rows = batch.columns.empty() ? chunks[i]->header.rows : batch.columns[0].size();
      batch.columns.resize(plan.asked);
      if (batch.rows > 0) use(worker, batch);
    }
    return {};
  };
  const size_t threads = std::clamp<size_t>(std::min(workers, chunks.size()), 1, 64);
  std::vector<Status> results(threads);
  {
    std::vector<std::jthread> helpers;
    for (size_t w = 1; w < threads; ++w) helpers.emplace_back([&, w] { results[w] = work(w); });
    results[0] = work(0);
  }
  for (Status& result : results) SEXTANT_TRY(result);
  return {};
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
