// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// launch_latency(): how long kernels wait from the begin of the call that launches them to their own begin,
// by kernel. nsys has no such report; cuda_kern_exec_sum has the phases of a launch by thread and call.
#include <algorithm>
#include <map>
#include <memory>

#include "event/schema_cuda.h"
#include "query/launches.h"
#include "sql/module.h"
#include "stats/durations.h"

namespace sextant::sql {

namespace {

struct Launched {
  stats::Durations latency;
  uint64_t count = 0, overlapped = 0;
  int64_t call_ns = 0;
};

struct Line {
  std::string_view name;
  stats::Figures latency;
  double call_ns;
  uint64_t overlapped;
};

std::vector<text::TableColumn> columns() {
  using enum text::CellType;
  return {{.name = "Name"},
          {.name = "Launches", .type = kInteger},
          {.name = "Total", .unit = "ns", .type = kInteger},
          {.name = "Avg", .unit = "ns", .type = kReal},
          {.name = "Med", .unit = "ns", .type = kReal},
          {.name = "Min", .unit = "ns", .type = kInteger},
          {.name = "Max", .unit = "ns", .type = kInteger},
          {.name = "StdDev", .unit = "ns", .type = kReal},
          {.name = "Call Avg", .unit = "ns", .type = kReal},
          {.name = "Overlapped", .type = kInteger}};
}

void fill(const Line& line, std::span<text::Cell> cells) {
  cells[0].set(line.name);
  cells[1].set(static_cast<int64_t>(line.latency.count));
  cells[2].set(line.latency.total);
  cells[3].set(line.latency.average);
  cells[4].set(line.latency.median);
  cells[5].set(line.latency.min);
  cells[6].set(line.latency.max);
  cells[7].set(line.latency.deviation);
  cells[8].set(line.call_ns);
  cells[9].set(static_cast<int64_t>(line.overlapped));
}

}  // namespace

Result<text::Table> launch_latency(const query::Source& source) {
  using namespace event::cuda_kernel;
  SEXTANT_ASSIGN(const query::Launches launches, query::Launches::load(source));
  std::map<uint64_t, Launched> by_name;
  const uint16_t wanted[] = {kStart, kProcess, kCorrelation, kName, kNulls};
  SEXTANT_TRY(source.scan_table(event::kCudaKernel, wanted, 1, [&](size_t, query::TableBatch& batch) {
    const auto& c = batch.columns;
    for (size_t i = 0; i < batch.rows; ++i) {
      if (event::is_null(c[4][i], kCorrelation)) continue;
      const uint32_t call = launches.find(c[1][i], c[2][i]);
      if (call == query::Launches::kNone) continue;
      const auto start = static_cast<int64_t>(c[0][i]);
      Launched& of = by_name[c[3][i]];
      of.latency.add(start - launches.start_ns[call]);
      of.call_ns += launches.end_ns[call] - launches.start_ns[call];
      of.overlapped += start < launches.end_ns[call] ? 1 : 0;
      ++of.count;
    }
  }));
  auto lines = std::make_shared<std::vector<Line>>();
  for (auto& [name, of] : by_name)
    lines->push_back({source.reader().string(name), of.latency.figures(),
                      static_cast<double>(of.call_ns) / static_cast<double>(of.count), of.overlapped});
  std::stable_sort(lines->begin(), lines->end(),
                   [](const Line& a, const Line& b) { return a.latency.total > b.latency.total; });
  text::Table table;
  table.columns = columns();
  table.rows = lines->size();
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) { fill((*lines)[row], cells); };
  return table;
}

}  // namespace sextant::sql
