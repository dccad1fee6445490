// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/launches.h"

#include <algorithm>

#include "event/schema_cuda.h"

namespace sextant::query {

namespace {

constexpr uint64_t kNoCorrelation = UINT64_MAX;

}  // namespace

Result<Launches> Launches::load(const Source& source, Rows which) {
  using namespace event::cuda_api;
  Launches all;
  const uint64_t rows = source.rows(event::kCudaApi);
  if (rows >= kNone) return fail(ErrorCode::kUnsupported, "more than 4294967294 CUDA calls cannot be joined");
  all.start_ns.reserve(rows), all.end_ns.reserve(rows);
  all.process.reserve(rows), all.tid.reserve(rows), all.name.reserve(rows);
  std::vector<uint64_t> correlations;
  correlations.reserve(rows);
  const uint16_t columns[] = {kStart, kDuration, kProcess, kTid, kName, kCorrelation, kNulls};
  SEXTANT_TRY(source.scan_table(
      event::kCudaApi, columns, 1,
      [&](size_t, TableBatch& b) {
        const auto& c = b.columns;
        for (size_t i = 0; i < b.rows; ++i) {
          all.start_ns.push_back(static_cast<int64_t>(c[0][i]));
          all.end_ns.push_back(static_cast<int64_t>(c[0][i] + c[1][i]));
          all.process.push_back(static_cast<uint32_t>(c[2][i]));
          all.tid.push_back(static_cast<uint32_t>(c[3][i]));
          all.name.push_back(static_cast<uint32_t>(c[4][i]));
          correlations.push_back(event::is_null(c[6][i], kCorrelation) ? kNoCorrelation : c[5][i]);
        }
      },
      which));
  all.index_calls(correlations);
  return all;
}

void Launches::index_calls(const std::vector<uint64_t>& correlations) {
  const auto for_each = [&](auto use) {
    ByCorrelation* index = nullptr;
    for (uint32_t call = 0; call < correlations.size(); ++call) {
      if (correlations[call] == kNoCorrelation) continue;
      if (index == nullptr || process[call] != process[call - 1]) index = &processes_[process[call]];
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

uint32_t Launches::find(uint64_t of_process, uint64_t correlation) const {
  const auto at = processes_.find(of_process);
  if (at == processes_.end()) return kNone;
  const ByCorrelation& index = at->second;
  if (index.sorted.empty()) {
    const uint64_t place = correlation - index.base;
    return place < index.dense.size() ? index.dense[place] : kNone;
  }
  const auto found =
      std::lower_bound(index.sorted.begin(), index.sorted.end(), std::pair(correlation, uint32_t{0}));
  return found != index.sorted.end() && found->first == correlation ? found->second : kNone;
}

}  // namespace sextant::query
