// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/rules.h"
#include "event/schema_cuda.h"
#include "event/schema_system.h"
#include "stats/cuda_names.h"

namespace sextant::analysis {

namespace {

using Key = std::pair<uint64_t, uint64_t>;  // process, device

/// Calls use(key, block) for every row of a table of work.
template <typename Use>
Status scan_work(const query::Source& source, uint16_t table, Use use) {
  // these columns have the same numbers in all tables of work
  using namespace event::cuda_kernel;
  static_assert(static_cast<uint16_t>(kContext) == static_cast<uint16_t>(event::cuda_memcpy::kContext));
  static_assert(static_cast<uint16_t>(kContext) == static_cast<uint16_t>(event::cuda_memset::kContext));
  static_assert(static_cast<uint16_t>(kContext) == static_cast<uint16_t>(event::cuda_graph_run::kContext));
  const uint16_t columns[] = {kStart, kDuration, kProcess, kDevice, kContext};
  return source.scan_table(table, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i)
      use(Key{c[2][i], c[3][i]},
          Block{static_cast<int64_t>(c[0][i]), static_cast<int64_t>(c[0][i] + c[1][i]), c[4][i]});
  });
}

/// Whether a piece of the profiler's overhead kept a GPU from working.
bool counts(std::string_view name, bool like_nsys) {
  if (like_nsys)
    return name == "CUDA profiling data flush overhead" || name == "CUDA profiling stop overhead" ||
           name == "CUDA profiling overhead";
  return name.starts_with("CUDA profiling data flush") || name.starts_with("CUDA profiling stop");
}

struct Overhead {
  uint64_t process;
  int64_t start_ns, end_ns;
};

Result<std::vector<Overhead>> load_overheads(const query::Source& source, bool like_nsys) {
  using namespace event::tool_overhead;
  const uint16_t columns[] = {kStart, kDuration, kProcess, kName};
  std::vector<Overhead> all;
  SEXTANT_TRY(source.scan_table(event::kToolOverhead, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i)
      if (counts(source.reader().string(c[3][i]), like_nsys))
        all.push_back({c[2][i], static_cast<int64_t>(c[0][i]), static_cast<int64_t>(c[0][i] + c[1][i])});
  }));
  return all;
}

/// Adds what lies within the device's time.
void add_within(DeviceWork* work, int64_t start_ns, int64_t end_ns, uint64_t context) {
  if (start_ns > work->start_ns && end_ns < work->end_ns) work->blocks.push_back({start_ns, end_ns, context});
}

using Devices = std::map<Key, DeviceWork>;

/// What the devices of one interface did.
Result<Devices> load(const query::Source& source, query::DeviceApi api) {
  const query::DeviceTables& tables = query::device_tables(api);
  Devices devices;
  for (const uint16_t table : tables.work) {
    if (table == event::kCudaGraphRun) continue;  // added later, within the time of the others
    SEXTANT_TRY(scan_work(source, table, [&](const Key& key, const Block& block) {
      const auto [at, is_new] = devices.try_emplace(key);
      DeviceWork& work = at->second;
      if (is_new) work = {api, "", key.first, 0, key.second, INT64_MAX, INT64_MIN, 0, {}};
      work.start_ns = std::min(work.start_ns, block.start_ns);
      if (block.end_ns > work.end_ns) work.end_ns = block.end_ns, work.context = block.context;
      work.blocks.push_back(block);
    }));
  }
  if (api == query::DeviceApi::kCuda) {
    for (auto& [key, work] : devices) work.name = fmt::format("CUDA device {}", key.second);
    return devices;
  }
  SEXTANT_ASSIGN(const stats::DeviceNames names, stats::DeviceNames::load(source, api));
  for (auto& [key, work] : devices)
    work.name = fmt::format("OpenCL device {}", names.name(key.first, key.second));
  return devices;
}

/// What CUDA's devices did beside kernels, copies and fills.
Status add_more(const query::Source& source, bool like_nsys, Devices* devices) {
  if (!like_nsys) {
    SEXTANT_TRY(scan_work(source, event::kCudaGraphRun, [&](const Key& key, const Block& block) {
      const auto at = devices->find(key);
      if (at != devices->end()) add_within(&at->second, block.start_ns, block.end_ns, block.context);
    }));
  }
  SEXTANT_ASSIGN(const std::vector<Overhead> overheads, load_overheads(source, like_nsys));
  for (auto& [key, work] : *devices)
    for (const Overhead& overhead : overheads)
      if (overhead.process == key.first) add_within(&work, overhead.start_ns, overhead.end_ns, work.context);
  return {};
}

}  // namespace

Result<std::vector<DeviceWork>> load_device_work(const query::Source& source,
                                                 const RuleArguments& arguments) {
  std::map<uint64_t, int64_t> pids = stats::pids(source);
  std::vector<DeviceWork> all;
  for (const query::DeviceApi api : query::kDeviceApis) {
    SEXTANT_ASSIGN(Devices devices, load(source, api));
    if (api == query::DeviceApi::kCuda) SEXTANT_TRY(add_more(source, arguments.like_nsys, &devices));
    for (auto& [key, work] : devices) {
      work.pid = pids[key.first];
      std::stable_sort(work.blocks.begin(), work.blocks.end(),
                       [](const Block& a, const Block& b) { return a.start_ns < b.start_ns; });
      all.push_back(std::move(work));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const DeviceWork& a, const DeviceWork& b) {
    return std::tie(a.api, a.pid, a.device) < std::tie(b.api, b.pid, b.device);
  });
  return all;
}

}  // namespace sextant::analysis
