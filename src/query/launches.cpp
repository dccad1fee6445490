// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/launches.h"

#include <algorithm>

#include "event/schema_cuda.h"

namespace sextant::query {

Result<Launches> Launches::load(const Source& source, Rows which) {
  using namespace event::cuda_api;
  Launches all;
  if (source.rows(event::kCudaApi) >= kNone) return fail(ErrorCode::kUnsupported, "more than 4294967294 CUDA calls cannot be joined");
  std::unordered_map<uint64_t, std::vector<std::pair<uint64_t, uint32_t>>> calls;
  const uint16_t columns[] = {kStart, kDuration, kProcess, kTid, kName, kCorrelation, kNulls};
  SEXTANT_TRY(source.scan_table(event::kCudaApi, columns, 1, [&](size_t, TableBatch& b) {
    std::vector<std::pair<uint64_t, uint32_t>>* of_process = nullptr;
    for (size_t i = 0; i < b.rows; ++i) {
      if (!event::is_null(b.columns[6][i], kCorrelation)) {
        if (of_process == nullptr || b.columns[2][i] != all.process.back()) of_process = &calls[b.columns[2][i]];
        of_process->emplace_back(b.columns[5][i], static_cast<uint32_t>(all.size()));
      } else {
        of_process = nullptr;
      }
      all.start_ns.push_back(static_cast<int64_t>(b.columns[0][i]));
      all.end_ns.push_back(static_cast<int64_t>(b.columns[0][i] + b.columns[1][i]));
      all.process.push_back(static_cast<uint32_t>(b.columns[2][i]));
      all.tid.push_back(b.columns[3][i]);
      all.name.push_back(static_cast<uint32_t>(b.columns[4][i]));
    }
  }, which));
  for (auto& [number, of_process] : calls) all.processes_[number] = index_calls(std::move(of_process));
  return all;
}

Launches::ByCorrelation Launches::index_calls(std::vector<std::pair<uint64_t, uint32_t>> calls) {
  ByCorrelation index;
  const auto [low, high] = std::minmax_element(calls.begin(), calls.end());
  index.base = low->first;
  const uint64_t span = high->first - low->first;
  if (span / 8 > calls.size() + 1024) {
    std::sort(calls.begin(), calls.end());
    index.sorted = std::move(calls);
    return index;
  }
  index.dense.assign(span + 1, kNone);
  for (const auto& [correlation, call] : calls) {
    uint32_t& place = index.dense[correlation - index.base];
    if (place == kNone) place = call;
  }
  return index;
}

uint32_t Launches::find(uint64_t of_process, uint64_t correlation) const {
  const auto at = processes_.find(of_process);
  if (at == processes_.end()) return kNone;
  const ByCorrelation& index = at->second;
  if (index.sorted.empty()) {
    const uint64_t place = correlation - index.base;
    return place < index.dense.size() ? index.dense[place] : kNone;
  }
  const auto found = std::lower_bound(index.sorted.begin(), index.sorted.end(), std::pair(correlation, uint32_t{0}));
  return found != index.sorted.end() && found->first == correlation ? found->second : kNone;
}

}  // namespace sextant::query
