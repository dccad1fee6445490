// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/launches.h"

#include <algorithm>
#include <thread>

#include "event/schema_cuda.h"

namespace sextant::query {

namespace {

constexpr uint64_t kNoCorrelation = UINT64_MAX;

/// Rows that are there, of those for which there is room.
struct Delivered {
  uint64_t first, rows;
};

/// Moves the rows together where a chunk could not be read or lost some to a window.
template <typename... Columns>
void close_gaps(std::vector<Delivered> delivered, Columns&... columns) {
  std::sort(delivered.begin(), delivered.end(),
            [](const Delivered& a, const Delivered& b) { return a.first < b.first; });
  const auto close = [&](auto& column) {
    auto to = column.begin();
    for (const Delivered& part : delivered) {
      const auto from = column.begin() + static_cast<ptrdiff_t>(part.first);
      to = std::copy(from, from + static_cast<ptrdiff_t>(part.rows), to);
    }
    column.resize(static_cast<size_t>(to - column.begin()));
  };
  (close(columns), ...);
}

}  // namespace

Result<Launches> Launches::load(const Source& source, Rows which, DeviceApi api) {
  using namespace event::cuda_api;
  Launches all;
  const uint16_t table = device_tables(api).calls;
  const uint64_t rows = source.rows(table);
  if (rows >= kNone) return fail(ErrorCode::kUnsupported, "more than 4294967294 calls cannot be joined");
  all.start_ns.resize(rows), all.end_ns.resize(rows);
  all.process.resize(rows), all.tid.resize(rows), all.name.resize(rows);
  std::vector<uint64_t> correlations(rows);
  const size_t workers = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 16);
  std::vector<std::vector<Delivered>> delivered(workers);
  constexpr uint16_t kColumns[] = {kStart, kDuration, kProcess, kTid, kName, kCorrelation, kNulls};
  SEXTANT_TRY(source.scan_table(
      table, kColumns, workers,
      [&](size_t worker, TableBatch& b) {
        const auto& c = b.columns;
        for (size_t i = 0, at = b.first_row; i < b.rows; ++i, ++at) {
          all.start_ns[at] = static_cast<int64_t>(c[0][i]);
          all.end_ns[at] = static_cast<int64_t>(c[0][i] + c[1][i]);
          all.process[at] = static_cast<uint32_t>(c[2][i]);
          all.tid[at] = static_cast<uint32_t>(c[3][i]);
          all.name[at] = static_cast<uint32_t>(c[4][i]);
          const bool none =
              event::is_null(c[6][i], kCorrelation) || (api == DeviceApi::kOpencl && c[5][i] == 0);
          correlations[at] = none ? kNoCorrelation : c[5][i];
        }
        delivered[worker].push_back({b.first_row, b.rows});
      },
      which));
  std::vector<Delivered> parts;
  uint64_t there = 0;
  for (const auto& by_worker : delivered) parts.insert(parts.end(), by_worker.begin(), by_worker.end());
  for (const Delivered& part : parts) there += part.rows;
  if (there < rows)
    close_gaps(std::move(parts), all.start_ns, all.end_ns, all.process, all.tid, all.name, correlations);
  all.index_calls(correlations);
  return all;
}

void Launches::index_calls(const std::vector<uint64_t>& correlations) {
  const auto for_each = [&](auto use) {
    ByCorrelation* index = nullptr;
    uint32_t of_process = 0;
    for (uint32_t call = 0; call < correlations.size(); ++call) {
      if (correlations[call] == kNoCorrelation) continue;
      if (index == nullptr || process[call] != of_process) index = &processes_[of_process = process[call]];
      use(*index, correlations[call], call);
    }
  };
  for_each([](ByCorrelation& index, uint64_t correlation, uint32_t) {
    index.base = std::min(index.base, correlation);
    index.last = std::max(index.last, correlation);
    ++index.calls;
  });
  for (auto& [number, index] : processes_)
    if (index.is_dense()) index.dense.assign(index.last - index.base + 1, kNone);
  for_each([](ByCorrelation& index, uint64_t correlation, uint32_t call) {
    if (!index.is_dense()) return index.sorted.emplace_back(correlation, call), void();
    uint32_t& place = index.dense[correlation - index.base];
    if (place == kNone) place = call;
  });
  for (auto& [number, index] : processes_) std::sort(index.sorted.begin(), index.sorted.end());
}

const Launches::ByCorrelation* Launches::of(uint64_t of_process) const {
  const auto at = processes_.find(of_process);
  return at == processes_.end() ? nullptr : &at->second;
}

uint32_t Launches::ByCorrelation::find(uint64_t correlation) const {
  if (sorted.empty()) {
    const uint64_t place = correlation - base;
    return place < dense.size() ? dense[place] : kNone;
  }
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair(correlation, uint32_t{0}));
  return found != sorted.end() && found->first == correlation ? found->second : kNone;
}

}  // namespace sextant::query
