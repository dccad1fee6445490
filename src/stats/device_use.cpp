// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// device_queue_sum: how busy each queue (CUDA: stream) was. device_overlap_sum: how busy each device was, and
// how much of the time of its copies kernels ran beside them. Each moment counts once, however much runs at
// it. The time of a device is that from its first to its last work; a queue's share is of its device's time.
#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "query/covered.h"
#include "query/device_api.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;
using query::Covered;

/// A queue of a process; the device by its number in the process.
struct QueueKey {
  uint64_t process, device, context, queue;
  auto operator<=>(const QueueKey&) const = default;
};

struct Amount {
  uint64_t count = 0;
  int64_t total_ns = 0;  // durations added up
  Covered covered;

  void merge(Amount* other) {
    count += other->count, total_ns = query::sum(total_ns, other->total_ns);
    other->count = 0, other->total_ns = 0;
    covered.merge(&other->covered);
  }
};

/// What was done in a queue or on a device.
struct Use {
  Amount all, kernels, memory;

  void add(const query::Span& span, int64_t duration, bool moves) {
    for (Amount* amount : {&all, moves ? &memory : &kernels}) {
      ++amount->count;
      amount->total_ns = query::sum(amount->total_ns, duration);
      amount->covered.add(span);
    }
  }
  void merge(Use* other) {
    all.merge(&other->all), kernels.merge(&other->kernels), memory.merge(&other->memory);
  }
  void count_until(int64_t until) {
    for (Amount* amount : {&all, &kernels, &memory}) amount->covered.count_until(until);
  }
};

/// What is done by key, as spans that are counted once.
template <typename Key, typename KeyOf>
Result<std::map<Key, Use>> measure(const query::Source& source, const query::DeviceTables& tables,
                                   KeyOf key_of) {
  using namespace event::cuda_kernel;  // the same numbers in all tables of work
  constexpr uint16_t kColumns[] = {kStart, kDuration, kProcess, kDevice, kContext, kStream};
  std::vector<std::map<Key, Use>> workers(all_workers());
  std::map<Key, Use> all;
  SEXTANT_TRY(source.scan_by_time(
      tables.work, kColumns, workers.size(),
      [&](size_t worker, query::TableBatch& b) {
        const auto& c = b.columns;
        const bool moves =
            std::find(tables.memory.begin(), tables.memory.end(), b.table) != tables.memory.end();
        for (size_t i = 0; i < b.rows; ++i) {
          const auto start = static_cast<int64_t>(c[0][i]), duration = static_cast<int64_t>(c[1][i]);
          workers[worker][key_of(QueueKey{c[2][i], c[3][i], c[4][i], c[5][i]})].add(
              {start, query::sum(start, duration)}, duration, moves);
        }
      },
      [&](size_t worker, int64_t until) {
        for (auto& [key, use] : workers[worker]) all[key].merge(&use);
        for (auto& [key, use] : all) use.count_until(until);
      }));
  return all;
}

double percent(int64_t part, int64_t whole) {
  return whole <= 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

int64_t length(const query::Span& span) {
  return span.end <= span.start ? 0 : query::difference(span.end, span.start);
}

struct QueueLine {
  std::string_view api;
  QueueKey key;
  std::string device;
  uint64_t kernels, memory;
  int64_t kernel_ns, memory_ns, busy_ns, gap_ns, gap_start_ns, device_ns;
};

Status add_queues(const query::Source& source, query::DeviceApi api, std::vector<QueueLine>* lines) {
  const query::DeviceTables& tables = query::device_tables(api);
  SEXTANT_ASSIGN(const DeviceNames names, DeviceNames::load(source, api));
  const auto itself = [](const QueueKey& key) { return key; };
  SEXTANT_ASSIGN(const auto queues, measure<QueueKey>(source, tables, itself));
  std::map<uint64_t, query::Span> devices;  // from the first to the last work of each
  for (const auto& [key, use] : queues) {
    const query::Span extent = use.all.covered.extent();
    const auto [at, is_new] = devices.try_emplace(names.gpu(key.process, key.device), extent);
    at->second.start = std::min(at->second.start, extent.start);
    at->second.end = std::max(at->second.end, extent.end);
  }
  for (const auto& [key, use] : queues) {
    const query::Span gap = use.all.covered.longest_gap();
    lines->push_back({tables.name, key, names.name(key.process, key.device), use.kernels.count,
                      use.memory.count, use.kernels.total_ns, use.memory.total_ns, use.all.covered.counted(),
                      length(gap), gap.start, length(devices[names.gpu(key.process, key.device)])});
  }
  return {};
}

struct DeviceLine {
  std::string_view api;
  std::string device;
  uint64_t kernels, memory;
  int64_t range_ns, busy_ns, kernel_ns, memory_ns, gap_ns, gap_start_ns;
  int64_t both_ns() const {
    return std::max<int64_t>(0, query::difference(query::sum(kernel_ns, memory_ns), busy_ns));
  }
};

Status add_devices(const query::Source& source, query::DeviceApi api, std::vector<DeviceLine>* lines) {
  const query::DeviceTables& tables = query::device_tables(api);
  SEXTANT_ASSIGN(const DeviceNames names, DeviceNames::load(source, api));
  const auto device = [&](const QueueKey& key) { return names.gpu(key.process, key.device); };
  SEXTANT_ASSIGN(const auto devices, measure<uint64_t>(source, tables, device));
  for (const auto& [number, use] : devices) {
    const query::Span gap = use.all.covered.longest_gap();
    lines->push_back({tables.name, names.name_of_gpu(number), use.kernels.count, use.memory.count,
                      length(use.all.covered.extent()), use.all.covered.counted(),
                      use.kernels.covered.counted(), use.memory.covered.counted(), length(gap), gap.start});
  }
  return {};
}

void fill_queue(const QueueLine& line, int64_t pid, std::span<text::Cell> cells) {
  cells[0].set(percent(line.busy_ns, line.device_ns));
  cells[1].set(line.busy_ns);
  cells[2].set(query::difference(line.device_ns, line.busy_ns));
  if (line.gap_ns > 0) {
    cells[3].set(line.gap_ns);
    cells[4].set(line.gap_start_ns);
  }
  cells[5].set(static_cast<int64_t>(line.kernels));
  cells[6].set(line.kernel_ns);
  cells[7].set(static_cast<int64_t>(line.memory));
  cells[8].set(line.memory_ns);
  cells[9].set(line.api);
  cells[10].set(pid);
  cells[11].set(std::string_view(line.device));
  cells[12].set(static_cast<int64_t>(line.key.context));
  cells[13].set(static_cast<int64_t>(line.key.queue));
}

constexpr std::string_view kNothing = "work on devices", kTracing = "CUDA or OpenCL";

}  // namespace

Result<text::Table> make_device_queue_sum(const query::Source& source, const ReportArguments&) {
  auto lines = std::make_shared<std::vector<QueueLine>>();
  for (const query::DeviceApi api : query::kDeviceApis) SEXTANT_TRY(add_queues(source, api, lines.get()));
  std::stable_sort(lines->begin(), lines->end(),
                   [](const QueueLine& a, const QueueLine& b) { return a.busy_ns > b.busy_ns; });
  text::Table table;
  table.columns = {{"Busy", "%", kReal},
                   {"Busy Time", "ns", kInteger},
                   {"Idle Time", "ns", kInteger},
                   {"Longest Gap", "ns", kInteger},
                   {"Gap Start", "ns", kInteger},
                   {"Kernels", "", kInteger},
                   {"Kernel Time", "ns", kInteger},
                   {"Mem Ops", "", kInteger},
                   {"Mem Time", "ns", kInteger},
                   {"API", "", kText},
                   {"PID", "", kInteger},
                   {"Device", "", kText},
                   {"Ctx", "", kInteger},
                   {"Queue", "", kInteger}};
  table.rows = lines->size();
  if (table.rows == 0) table.why_empty = why_nothing(source, kNothing, kTracing);
  table.fill = [lines, by_number = pids(source)](uint64_t row, std::span<text::Cell> cells) {
    const QueueLine& line = (*lines)[row];
    const auto pid = by_number.find(line.key.process);
    fill_queue(line, pid == by_number.end() ? 0 : pid->second, cells);
  };
  return table;
}

Result<text::Table> make_device_overlap_sum(const query::Source& source, const ReportArguments&) {
  auto lines = std::make_shared<std::vector<DeviceLine>>();
  for (const query::DeviceApi api : query::kDeviceApis) SEXTANT_TRY(add_devices(source, api, lines.get()));
  text::Table table;
  table.columns = {{"Busy", "%", kReal},
                   {"Range", "ns", kInteger},
                   {"Busy Time", "ns", kInteger},
                   {"Idle Time", "ns", kInteger},
                   {"Longest Gap", "ns", kInteger},
                   {"Gap Start", "ns", kInteger},
                   {"Kernels", "", kInteger},
                   {"Kernel Time", "ns", kInteger},
                   {"Mem Ops", "", kInteger},
                   {"Mem Time", "ns", kInteger},
                   {"Overlap Time", "ns", kInteger},
                   {"Mem Overlapped", "%", kReal},
                   {"API", "", kText},
                   {"Device", "", kText}};
  table.rows = lines->size();
  if (table.rows == 0) table.why_empty = why_nothing(source, kNothing, kTracing);
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) {
    const DeviceLine& line = (*lines)[row];
    cells[0].set(percent(line.busy_ns, line.range_ns));
    cells[1].set(line.range_ns);
    cells[2].set(line.busy_ns);
    cells[3].set(query::difference(line.range_ns, line.busy_ns));
    if (line.gap_ns > 0) {
      cells[4].set(line.gap_ns);
      cells[5].set(line.gap_start_ns);
    }
    cells[6].set(static_cast<int64_t>(line.kernels));
    cells[7].set(line.kernel_ns);
    cells[8].set(static_cast<int64_t>(line.memory));
    cells[9].set(line.memory_ns);
    cells[10].set(line.both_ns());
    if (line.memory_ns > 0) cells[11].set(percent(line.both_ns(), line.memory_ns));
    cells[12].set(line.api);
    cells[13].set(std::string_view(line.device));
  };
  return table;
}

}  // namespace sextant::stats
