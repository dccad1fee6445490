// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "event/schema_cuda.h"
#include "event/schema_nvtx.h"
#include "event/schema_system.h"

namespace sextant::serve {

void Curve::add(int64_t ns, double value) {
  ++samples;
  first_ns = std::min(first_ns, ns), last_ns = std::max(last_ns, ns);
  const int64_t index = std::max<int64_t>(ns, 0) >> level_;
  const auto [at, is_new] = open_.try_emplace(index, CurveBucket{index, value, value, 0, 0});
  CurveBucket& bucket = at->second;
  bucket.least = std::min(bucket.least, value), bucket.greatest = std::max(bucket.greatest, value);
  bucket.sum += value, ++bucket.samples;
  if (open_.size() > kMostBuckets) coarsen();
}

void Curve::coarsen() {
  ++level_;
  std::map<int64_t, CurveBucket> merged;
  for (const auto& [index, bucket] : open_) {
    const auto [at, is_new] = merged.try_emplace(index >> 1, bucket);
    CurveBucket& to = at->second;
    to.index = index >> 1;
    if (is_new) continue;
    to.least = std::min(to.least, bucket.least), to.greatest = std::max(to.greatest, bucket.greatest);
    to.sum += bucket.sum, to.samples += bucket.samples;
  }
  open_ = std::move(merged);
}

void Curve::finish() {
  buckets_.reserve(open_.size());
  for (const auto& [index, bucket] : open_) buckets_.push_back(bucket);
  open_.clear();
}

std::string Curve::tile(TilePlace place) const {
  std::vector<CurvePoint> points;
  const auto from = std::partition_point(buckets_.begin(), buckets_.end(), [&](const CurveBucket& b) {
    return (b.index + 1) << level_ <= place.start_ns();
  });
  double weight = 0;
  for (auto at = from; at != buckets_.end() && at->index << level_ < place.end_ns(); ++at) {
    const int64_t start = std::max(at->index << level_, place.start_ns());
    const auto bucket = static_cast<uint16_t>((start - place.start_ns()) >> place.level);
    if (points.empty() || points.back().bucket != bucket) {
      points.push_back({at->least, at->greatest, 0, bucket});
      weight = 0;
    }
    CurvePoint& point = points.back();
    point.least = std::min(point.least, at->least), point.greatest = std::max(point.greatest, at->greatest);
    const auto count = static_cast<double>(at->samples);
    point.mean = (point.mean * weight + at->sum) / (weight + count);
    weight += count;
  }
  return encode_curve(place, points);
}

namespace {

/// "SM Active [Throughput %]" has its unit in brackets.
void name_and_unit(std::string_view text, Curve* curve) {
  const size_t open = text.rfind(" [");
  const bool bracketed = open != std::string_view::npos && text.back() == ']';
  curve->name = text.substr(0, bracketed ? open : text.size());
  if (bracketed) curve->unit = text.substr(open + 2, text.size() - open - 3);
}

Status add_metrics(const query::Source& source, std::vector<Curve>* curves) {
  using Key = std::tuple<uint64_t, uint64_t, uint64_t>;  // unit, type, metric
  struct Known {
    uint64_t device, name;
  };
  std::map<Key, Known> known;
  constexpr uint16_t kNames[] = {event::metric::kUnit, event::metric::kType, event::metric::kMetric,
                                 event::metric::kTypeName, event::metric::kName};
  SEXTANT_TRY(source.scan_table(event::kMetric, kNames, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i)
      known[{b.columns[0][i], b.columns[1][i], b.columns[2][i]}] = {b.columns[3][i], b.columns[4][i]};
  }));
  std::map<Key, Curve> found;
  constexpr uint16_t kSamples[] = {event::metric_sample::kTime, event::metric_sample::kUnit,
                                   event::metric_sample::kType, event::metric_sample::kMetric,
                                   event::metric_sample::kValue};
  SEXTANT_TRY(source.scan_table(event::kMetricSample, kSamples, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i)
      found[{b.columns[1][i], b.columns[2][i], b.columns[3][i]}].add(
          static_cast<int64_t>(b.columns[0][i]), static_cast<double>(static_cast<int64_t>(b.columns[4][i])));
  }));
  for (auto& [key, curve] : found) {
    const auto at = known.find(key);
    const auto& [unit, type, metric] = key;
    if (at != known.end()) name_and_unit(source.reader().string(at->second.name), &curve);
    if (curve.name.empty()) curve.name = fmt::format("metric {}", metric);
    const std::string_view device =
        at == known.end() ? std::string_view() : source.reader().string(at->second.device);
    curve.group = fmt::format("{} {} metrics{}{}", unit == 0 ? "GPU" : "SoC", type & 0xff,
                              device.empty() ? "" : ": ", device);
    curves->push_back(std::move(curve));
  }
  return {};
}

/// What is allocated, by process and device: the sum of sizes, in the order in which they are stored.
Status add_memory(const query::Source& source, std::vector<Curve>* curves) {
  using Key = std::tuple<uint64_t, uint64_t, uint64_t>;  // process, device, kind of memory
  struct Change {
    int64_t ns, bytes;
  };
  std::map<Key, std::vector<Change>> changes;
  constexpr size_t kMostChanges = 4'000'000;
  size_t count = 0;
  using namespace event::gpu_memory_usage;
  constexpr uint16_t kColumns[] = {kTime, kProcess, kDevice, kMemory, kBytes, kOperation};
  SEXTANT_TRY(source.scan_table(event::kGpuMemoryUsage, kColumns, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows && count < kMostChanges; ++i, ++count) {
      const auto bytes = static_cast<int64_t>(b.columns[4][i]);
      changes[{b.columns[1][i], b.columns[2][i], b.columns[3][i]}].push_back(
          {static_cast<int64_t>(b.columns[0][i]), b.columns[5][i] == 0 ? bytes : -bytes});
    }
  }));
  for (auto& [key, list] : changes) {
    const auto& [process, device, memory] = key;
    std::stable_sort(list.begin(), list.end(), [](const Change& a, const Change& c) { return a.ns < c.ns; });
    Curve curve;
    curve.process = process;
    curve.group = fmt::format("Memory of GPU {} in use", device);
    constexpr std::string_view kKinds[] = {"pageable", "pinned",        "device",         "array",
                                           "managed",  "device static", "managed static", "unknown"};
    curve.name = memory < std::size(kKinds) ? kKinds[memory] : "unknown";
    curve.unit = "B";
    int64_t in_use = 0;
    for (const Change& change : list) curve.add(change.ns, static_cast<double>(in_use += change.bytes));
    curves->push_back(std::move(curve));
  }
  return {};
}

Status add_counters(const query::Source& source, std::vector<Curve>* curves) {
  using Key = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;  // process, domain, counter, field
  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, std::pair<uint64_t, uint64_t>> known;  // name, unit
  {
    using namespace event::nvtx_counter;
    constexpr uint16_t kColumns[] = {kProcessId, kDomain, kCounter, kName, kUnit};
    SEXTANT_TRY(source.scan_table(event::kNvtxCounter, kColumns, 1, [&](size_t, query::TableBatch& b) {
      for (size_t i = 0; i < b.rows; ++i)
        known[{b.columns[0][i], b.columns[1][i], b.columns[2][i]}] = {b.columns[3][i], b.columns[4][i]};
    }));
  }
  std::map<Key, Curve> found;
  using namespace event::nvtx_counter_sample;
  constexpr uint16_t kColumns[] = {kTime, kProcessId, kDomain, kCounter, kField, kKind, kReal};
  SEXTANT_TRY(source.scan_table(event::kNvtxCounterSample, kColumns, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i)
      if (b.columns[5][i] < event::nvtx_counter_sample::kMissing)
        found[{b.columns[1][i], b.columns[2][i], b.columns[3][i], b.columns[4][i]}].add(
            static_cast<int64_t>(b.columns[0][i]), std::bit_cast<double>(b.columns[6][i]));
  }));
  for (auto& [key, curve] : found) {
    const auto& [process, domain, counter, field] = key;
    const auto at = known.find({process, domain, counter});
    const report::Reader& reader = source.reader();
    curve.name =
        at == known.end() ? fmt::format("counter {}", counter) : std::string(reader.string(at->second.first));
    if (field != 0) curve.name += fmt::format(": {}", reader.string(field));
    if (at != known.end()) curve.unit = reader.string(at->second.second);
    curve.group = "NVTX counters";
    curve.process = process;
    curves->push_back(std::move(curve));
  }
  return {};
}

}  // namespace

Result<std::vector<Curve>> load_curves(const query::Source& source) {
  std::vector<Curve> curves;
  SEXTANT_TRY(add_memory(source, &curves));
  SEXTANT_TRY(add_metrics(source, &curves));
  SEXTANT_TRY(add_counters(source, &curves));
  for (Curve& curve : curves) curve.finish();
  return curves;
}

}  // namespace sextant::serve
