// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a report as a recording of a busy program would be, of any size:
//
//   report_data OUT.sxt RANGES [THREADS]
//
// Threads (40) that work through steps of some layers of some operations, three ranges deep, with 64 names,
// varied durations, and a pause now and then; chunks as the collector writes them, some of one thread each.
#include <fmt/format.h>

#include <cstdlib>
#include <random>

#include "event/schema.h"
#include "report/writer.h"

namespace {

using namespace sextant;

constexpr uint64_t kBegin = 1'000'000'000'000;  // ticks of 0.5 ns
constexpr size_t kInChunk = 60'000;

report::Rows rows_of(uint16_t table) {
  return report::Rows(*event::find_table(table));
}

struct Worker {
  explicit Worker(uint64_t id) : tid(1000 + id), at(kBegin + id * 997), random(id) {}
  uint64_t tid, at;
  std::mt19937_64 random;
  report::Rows ranges = rows_of(event::kNvtxRange);
  uint64_t step_begin = 0, layer_begin = 0;
  int layer = 0, operation = 0;

  void add(uint64_t start, uint64_t name, uint64_t level) {
    using namespace event::nvtx;
    ranges.column(kProcessId).push_back(1);
    ranges.column(kTid).push_back(tid);
    ranges.column(kStart).push_back(start);
    ranges.column(kDuration).push_back(at - start);
    ranges.column(kName).push_back(name);
    ranges.column(kLevel).push_back(level);
  }
  uint64_t varied(uint64_t around) { return around + random() % around; }

  /// The next ranges that close, in the order in which they do.
  void go_on(const std::vector<uint64_t>& names) {
    if (layer == 0 && operation == 0) step_begin = at, at += varied(400);
    if (operation == 0) layer_begin = at, at += varied(100);
    const uint64_t begin = at;
    at += varied(1000 + static_cast<uint64_t>(operation) * 300);
    add(begin, names[2 + static_cast<size_t>(layer * 7 + operation) % (names.size() - 2)], 2);
    at += varied(60);
    if (++operation < 8) return;
    operation = 0;
    add(layer_begin, names[1], 1);
    at += varied(200);
    if (++layer < 12) return;
    layer = 0;
    add(step_begin, names[0], 0);
    at += random() % 100 == 0 ? 40'000'000 : varied(3000);
  }
};

report::Rows small(uint16_t table, std::initializer_list<std::pair<uint16_t, uint64_t>> values) {
  report::Rows rows = rows_of(table);
  for (const auto& [column, value] : values) rows.column(column).push_back(value);
  return rows;
}

Status write(const std::string& path, uint64_t count, uint64_t threads) {
  SEXTANT_ASSIGN(auto writer, report::Writer::create(path, {.clock_kind = 1}));
  std::vector<uint64_t> names = {writer.string_id("step"), writer.string_id("layer")};
  for (int i = 0; i < 62; ++i) names.push_back(writer.string_id(fmt::format("operation {}", i)));
  std::vector<Worker> workers;
  for (uint64_t i = 0; i < threads; ++i) workers.emplace_back(i);
  uint64_t last = 0;
  for (uint64_t done = 0; done < count;)
    for (Worker& worker : workers) {
      while (worker.ranges.count() < kInChunk && worker.ranges.count() + done < count) worker.go_on(names);
      const report::Rows* parts[] = {&worker.ranges};
      done += worker.ranges.count();
      SEXTANT_TRY(writer.write_group(parts, {}));
      worker.ranges.clear();
      last = std::max(last, worker.at);
    }
  namespace sync = event::clock_sync;
  for (const uint64_t raw : {kBegin, last}) {
    const report::Rows row =
        small(event::kClockSync, {{sync::kRaw, raw},
                                  {sync::kMonotonic, (raw - kBegin) / 2 + 1000},
                                  {sync::kRealtime, 1'700'000'000'000'000'000 + (raw - kBegin) / 2}});
    const report::Rows* parts[] = {&row};
    SEXTANT_TRY(writer.write_group(parts, {}));
  }
  namespace p = event::process;
  const report::Rows row = small(event::kProcess, {{p::kId, 1},
                                                   {p::kPid, 1000},
                                                   {p::kStart, kBegin},
                                                   {p::kEnd, last},
                                                   {p::kExitKind, 1},
                                                   {p::kName, writer.string_id("busy")}});
  const report::Rows* parts[] = {&row};
  SEXTANT_TRY(writer.write_group(parts, {}));
  return writer.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return fmt::print(stderr, "usage: report_data OUT.sxt RANGES [THREADS]\n"), 2;
  const Status written = write(argv[1], std::strtoull(argv[2], nullptr, 10),
                               argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 40);
  if (written) return 0;
  fmt::print(stderr, "{}\n", written.error().message);
  return 1;
}
