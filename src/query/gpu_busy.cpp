// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/gpu_busy.h"

#include <algorithm>
#include <charconv>
#include <thread>
#include <tuple>
#include <vector>

#include "event/schema_cuda.h"
#include "event/schema_target.h"
#include "query/covered.h"
#include "query/sums.h"

namespace sextant::query {

namespace {

constexpr uint64_t kRowsWorthANote = 65536;

/// Of CUDA's calls and work.
uint64_t rows_of(const Source& source) {
  const DeviceTables& cuda = device_tables(DeviceApi::kCuda);
  uint64_t rows = source.rows(cuda.calls);
  for (const uint16_t table : cuda.work) rows += source.rows(table);
  return rows;
}

/// "RANGE BUSY GPUS ROWS" understood. False: it is something else, or of other rows.
bool take_note(const Source& source, GpuBusy* busy) {
  const auto note = source.reader().meta().find(std::string(kGpuBusyKey));
  if (note == source.reader().meta().end() || source.limited() || !source.time_map().ticks_are_ns())
    return false;
  const std::string& text = note->second;
  uint64_t numbers[4] = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (uint64_t& number : numbers) {
    if (at != text.data() && (at == end || *at++ != ' ')) return false;
    const auto [behind, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return false;
    at = behind;
  }
  if (at != end || numbers[3] != rows_of(source)) return false;
  *busy = {static_cast<int64_t>(numbers[0]), static_cast<int64_t>(numbers[1]), numbers[2]};
  return busy->range_ns >= 0 && busy->busy_ns >= 0;
}

/// What a worker found in one chunk.
struct Found {
  std::map<uint64_t, Covered> covered;  // by GPU
  int64_t first = INT64_MAX, last = INT64_MIN;
};

void find(const TableBatch& b, const GpuNumbers& gpus, Found* found) {
  const std::vector<uint64_t>&start = b.columns[0], &duration = b.columns[1], &process = b.columns[2],
        &device = b.columns[3];
  Covered* of_gpu = nullptr;
  int64_t first = found->first, last = found->last;
  for (size_t i = 0; i < b.rows; ++i) {
    if (of_gpu == nullptr || process[i] != process[i - 1] || device[i] != device[i - 1])
      of_gpu = &found->covered[gpus.of(process[i], device[i])];
    const Span span{static_cast<int64_t>(start[i]), static_cast<int64_t>(start[i] + duration[i])};
    first = std::min(first, span.start);
    last = std::max(last, span.end);
    of_gpu->add(span);
  }
  found->first = first;
  found->last = last;
}

/// From the first to the last call, rows read only where a window cuts some off.
Status find_calls(const Source& source, uint16_t table, int64_t* first, int64_t* last) {
  if (!source.limited()) {
    int64_t from = 0, to = 0;
    if (!source.extent(table, &from, &to)) return {};
    *first = std::min(*first, from);
    *last = std::max(*last, to);
    return {};
  }
  const uint16_t columns[] = {event::cuda_api::kStart, event::cuda_api::kDuration};
  return source.scan_table(table, columns, 1, [&](size_t, TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) {
      *first = std::min(*first, static_cast<int64_t>(b.columns[0][i]));
      *last = std::max(*last, static_cast<int64_t>(b.columns[0][i] + b.columns[1][i]));
    }
  });
}

Result<GpuBusy> by_rows(const Source& source, DeviceApi api) {
  // start, duration, process and device have the same numbers in all tables of work
  using namespace event::cuda_kernel;
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_memcpy::kDevice));
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_memset::kDevice));
  static_assert(static_cast<uint16_t>(kDevice) == static_cast<uint16_t>(event::cuda_graph_run::kDevice));
  SEXTANT_ASSIGN(const GpuNumbers numbers, GpuNumbers::load(source, api));
  constexpr uint16_t kColumns[] = {kStart, kDuration, kProcess, kDevice};
  std::vector<Found> workers(std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 16));
  std::map<uint64_t, Covered> gpus;
  SEXTANT_TRY(source.scan_by_time(
      device_tables(api).work, kColumns, workers.size(),
      [&](size_t worker, TableBatch& b) { find(b, numbers, &workers[worker]); },
      [&](size_t worker, int64_t until) {
        for (auto& [gpu, covered] : workers[worker].covered) gpus[gpu].merge(&covered);
        for (auto& [gpu, covered] : gpus) covered.count_until(until);
      }));
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (const Found& found : workers) {
    first = std::min(first, found.first);
    last = std::max(last, found.last);
  }
  SEXTANT_TRY(find_calls(source, device_tables(api).calls, &first, &last));
  GpuBusy busy;
  if (first <= last) busy.range_ns = difference(last, first);
  busy.gpus = gpus.size();
  for (const auto& [gpu, covered] : gpus) busy.busy_ns = sum(busy.busy_ns, covered.counted());
  return busy;
}

}  // namespace

Result<GpuBusy> gpu_busy(const Source& source, DeviceApi api) {
  GpuBusy noted;
  if (api == DeviceApi::kCuda && take_note(source, &noted)) return noted;
  return by_rows(source, api);
}

Result<std::string> gpu_busy_note(const Source& source) {
  const uint64_t rows = rows_of(source);
  if (rows < kRowsWorthANote) return std::string();
  SEXTANT_ASSIGN(const GpuBusy busy, by_rows(source, DeviceApi::kCuda));
  std::string note;
  for (const uint64_t number :
       {static_cast<uint64_t>(busy.range_ns), static_cast<uint64_t>(busy.busy_ns), busy.gpus, rows}) {
    if (!note.empty()) note += ' ';
    note += std::to_string(number);
  }
  return note;
}

/// A process number stands for the pid: OpenCL's devices are counted in each process.
Status GpuNumbers::load_opencl(const Source& source) {
  using namespace event::opencl_device;
  std::map<std::pair<uint64_t, uint64_t>, std::string> platforms;  // process and platform: name
  const uint16_t of_platform[] = {event::opencl_platform::kProcess, event::opencl_platform::kPlatform,
                                  event::opencl_platform::kName};
  SEXTANT_ASSIGN(const TableBatch named, source.read_table(event::kOpenclPlatform, of_platform));
  for (size_t i = 0; i < named.rows; ++i)
    platforms[{named.columns[0][i], named.columns[1][i]}] = source.reader().string(named.columns[2][i]);
  struct Device {
    uint64_t platform, name, parent;
  };
  std::map<std::pair<uint64_t, uint64_t>, Device> devices;  // process and device; the last row counts
  const uint16_t of_device[] = {kProcess, kDevice, kPlatform, kName, kParent};
  SEXTANT_ASSIGN(const TableBatch b, source.read_table(event::kOpenclDevice, of_device));
  for (size_t i = 0; i < b.rows; ++i)
    devices[{b.columns[0][i], b.columns[1][i]}] = {b.columns[2][i], b.columns[3][i], b.columns[4][i]};
  std::map<std::tuple<std::string, uint64_t, uint64_t>, uint64_t> numbers;  // platform, name, which of them
  std::map<std::tuple<uint64_t, std::string, uint64_t>, uint64_t> seen;     // in a process
  for (const auto& [key, device] : devices) {
    if (device.parent != 0) continue;
    const std::string& platform = platforms[{key.first, device.platform}];
    const uint64_t which = seen[{key.first, platform, device.name}]++;
    by_process_[{static_cast<int64_t>(key.first), key.second}] =
        numbers.try_emplace({platform, device.name, which}, numbers.size()).first->second;
  }
  for (const auto& [key, device] : devices) {
    const auto process = static_cast<int64_t>(key.first);
    const auto whole = by_process_.find({process, device.parent});
    if (device.parent != 0 && whole != by_process_.end()) by_process_[{process, key.second}] = whole->second;
  }
  for (const Process& process : source.processes())
    pids_[process.number] = static_cast<int64_t>(process.number);
  return {};
}

Result<GpuNumbers> GpuNumbers::load(const Source& source, DeviceApi api) {
  using namespace event::cuda_device;
  GpuNumbers numbers;
  if (api == DeviceApi::kOpencl) {
    SEXTANT_TRY(numbers.load_opencl(source));
    return numbers;
  }
  for (const Process& process : source.processes())
    numbers.pids_[process.number] = static_cast<int64_t>(process.pid);
  constexpr uint16_t kColumns[] = {kGpu, kDevice, kPid, kNulls};
  SEXTANT_ASSIGN(const TableBatch devices, source.read_table(event::kCudaDevice, kColumns));
  const auto& c = devices.columns;
  for (size_t i = 0; i < devices.rows; ++i)
    if (!event::is_null(c[3][i], kGpu))
      numbers.by_process_[{static_cast<int64_t>(c[2][i]), c[1][i]}] = c[0][i];
  return numbers;
}

uint64_t GpuNumbers::of(uint64_t process, uint64_t device) const {
  const auto pid = pids_.find(process);
  const auto at = pid == pids_.end() ? by_process_.end() : by_process_.find({pid->second, device});
  return at == by_process_.end() ? device : at->second;
}

}  // namespace sextant::query
