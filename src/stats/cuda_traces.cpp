// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every call of CUDA (cuda_api_trace) and OpenCL (opencl_api_trace), and all that GPUs did for CUDA
// (cuda_gpu_trace), by start.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "event/schema_cuda.h"
#include "event/schema_target.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

/// Numbers of all rows by start; rows that begin together stay in their order.
std::vector<uint32_t> order_by_start(const std::vector<uint64_t>& start) {
  std::vector<uint32_t> order(start.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return static_cast<int64_t>(start[a]) < static_cast<int64_t>(start[b]);
  });
  return order;
}

struct NamedThread {
  std::string name;
  int64_t priority;
  bool has_priority;
};

/// By (process, tid). Of several names of a thread the last one of the highest priority counts.
Result<std::map<std::pair<uint64_t, uint64_t>, NamedThread>> named_threads(const query::Source& source) {
  using namespace event::thread_name;
  std::map<std::pair<uint64_t, uint64_t>, NamedThread> names;
  for (const query::Thread& t : source.threads()) names[{t.process, t.tid}] = {t.name, INT64_MIN, false};
  const uint16_t columns[] = {kProcess, kTid, kName, kPriority};
  SEXTANT_ASSIGN(const query::TableBatch b, source.read_table(event::kThreadName, columns));
  for (size_t i = 0; i < b.rows; ++i) {
    NamedThread& named = names[{b.columns[0][i], b.columns[1][i]}];
    const auto priority = static_cast<int64_t>(b.columns[3][i]);
    if (!named.has_priority || priority >= named.priority)
      named = {display(source, b.columns[2][i]), priority, true};
  }
  return names;
}

struct ApiTrace {
  query::TableBatch calls;
  std::vector<uint32_t> order;
  std::map<uint64_t, int64_t> pids;
  std::map<std::pair<uint64_t, uint64_t>, NamedThread> threads;
  std::string name;  // of the row at hand
};

/// One kind of GPU work: its rows, and where the columns are.
struct Work {
  query::TableBatch kernels, copies, fills;
  std::vector<uint32_t> order;  // over all three, one behind the other
  std::optional<KernelNames> names;
  DeviceNames devices;
  bool like_nsys = false;
  std::string device, name;  // of the row at hand
};

namespace kernel_at {
enum : size_t {
  kNulls,
  kStart,
  kDuration,
  kCorrelation,
  kGridX,
  kGridY,
  kGridZ,
  kBlockX,
  kBlockY,
  kBlockZ,
  kRegisters,
  kStaticShared,
  kDynamicShared,
  kDevice,
  kContext,
  kGreen,
  kStream,
  kProcess,
  kNames
};
}
namespace memory_at {  // copies and fills
// the column has the same number in both tables
static_assert(static_cast<uint16_t>(event::cuda_memcpy::kCorrelation) ==
              static_cast<uint16_t>(event::cuda_memset::kCorrelation));
enum : size_t {
  kStart,
  kDuration,
  kCorrelation,
  kBytes,
  kKind,
  kFrom,
  kTo,
  kDevice,
  kContext,
  kGreen,
  kStream,
  kProcess,
  kNulls
};
}  // namespace memory_at

Status load(const query::Source& source, const ReportArguments& arguments, Work* work) {
  SEXTANT_ASSIGN(work->names, KernelNames::load(source, arguments));
  SEXTANT_ASSIGN(work->devices, DeviceNames::load(source));
  work->like_nsys = arguments.like_nsys;
  {
    using namespace event::cuda_kernel;
    std::vector<uint16_t> columns = {kNulls,
                                     kStart,
                                     kDuration,
                                     kCorrelation,
                                     kGridX,
                                     kGridY,
                                     kGridZ,
                                     kBlockX,
                                     kBlockY,
                                     kBlockZ,
                                     kRegistersPerThread,
                                     kStaticSharedMemory,
                                     kDynamicSharedMemory,
                                     kDevice,
                                     kContext,
                                     kGreenContext,
                                     kStream,
                                     kProcess};
    columns.insert(columns.end(), work->names->columns().begin(), work->names->columns().end());
    SEXTANT_ASSIGN(work->kernels, source.read_table(event::kCudaKernel, columns));
  }
  {
    using namespace event::cuda_memcpy;
    const uint16_t columns[] = {kStart,        kDuration,     kCorrelation, kBytes,   kKind,
                                kSourceMemory, kTargetMemory, kDevice,      kContext, kGreenContext,
                                kStream,       kProcess,      kNulls};
    SEXTANT_ASSIGN(work->copies, source.read_table(event::kCudaMemcpy, columns));
  }
  {
    using namespace event::cuda_memset;  // kMemory twice: there is one kind of memory only
    const uint16_t columns[] = {kStart,  kDuration, kCorrelation,  kBytes,  kValue,   kMemory, kMemory,
                                kDevice, kContext,  kGreenContext, kStream, kProcess, kNulls};
    SEXTANT_ASSIGN(work->fills, source.read_table(event::kCudaMemset, columns));
  }
  if (work->kernels.rows + work->copies.rows + work->fills.rows >= UINT32_MAX)
    return fail(ErrorCode::kUnsupported, "a trace of more than 4294967294 operations cannot be printed");
  std::vector<uint64_t> start = work->kernels.columns[kernel_at::kStart];
  for (const query::TableBatch* b : {&work->copies, &work->fills})
    start.insert(start.end(), b->columns[memory_at::kStart].begin(), b->columns[memory_at::kStart].end());
  work->order = order_by_start(start);
  return {};
}

constexpr double kMegabyte = 1e6;

/// Megabytes a second. nsys rounds the number of such times in a second down first, which is off by a
/// thousandth at 1 ms and by all from 1 s on; taken over only where it does not matter.
double throughput(uint64_t bytes, uint64_t duration_ns, bool like_nsys) {
  constexpr uint64_t kSecond = 1'000'000'000, kHarmless = 1'000'000;
  const auto size = static_cast<double>(bytes);
  if (like_nsys || duration_ns <= kHarmless) {
    const uint64_t in_a_second = kSecond / duration_ns;
    return size * static_cast<double>(in_a_second) / kMegabyte;
  }
  return size * static_cast<double>(kSecond) / static_cast<double>(duration_ns) / kMegabyte;
}

void fill_kernel(Work* work, size_t i, std::span<text::Cell> cells) {
  using namespace kernel_at;
  const auto& c = work->kernels.columns;
  const auto number = [&](size_t cell, size_t column) {
    cells[cell].set(static_cast<int64_t>(c[column][i]));
  };
  number(0, kStart);
  number(1, kDuration);
  if (!event::is_null(c[kNulls][i], event::cuda_kernel::kCorrelation)) number(2, kCorrelation);
  for (size_t d = 0; d < 6; ++d) number(3 + d, kGridX + d);
  number(9, kRegisters);
  cells[10].set(static_cast<double>(c[kStaticShared][i]) / kMegabyte);
  cells[11].set(static_cast<double>(c[kDynamicShared][i]) / kMegabyte);
  work->device = work->devices.name(c[kProcess][i], c[kDevice][i]);
  cells[16].set(std::string_view(work->device));
  number(17, kContext);
  if (c[kGreen][i] != 0) number(18, kGreen);
  number(19, kStream);
  work->name = work->names->label(work->names->string(c, kNames, i), work->names->range(i));
  cells[20].set(std::string_view(work->name));
}

void fill_memory(Work* work, const query::TableBatch& b, size_t i, bool is_copy,
                 std::span<text::Cell> cells) {
  using namespace memory_at;
  const auto& c = b.columns;
  const uint64_t nulls = c[kNulls][i];
  const auto number = [&](size_t cell, size_t column) {
    cells[cell].set(static_cast<int64_t>(c[column][i]));
  };
  number(0, kStart);
  number(1, kDuration);
  if (!event::is_null(nulls, event::cuda_memcpy::kCorrelation)) number(2, kCorrelation);
  cells[12].set(static_cast<double>(c[kBytes][i]) / kMegabyte);
  if (c[kDuration][i] != 0) cells[13].set(throughput(c[kBytes][i], c[kDuration][i], work->like_nsys));
  if (is_copy) {
    if (!event::is_null(nulls, event::cuda_memcpy::kSourceMemory)) cells[14].set(memory_kind(c[kFrom][i]));
    if (!event::is_null(nulls, event::cuda_memcpy::kTargetMemory)) cells[15].set(memory_kind(c[kTo][i]));
  } else if (!event::is_null(nulls, event::cuda_memset::kMemory)) {
    cells[14].set(memory_kind(c[kFrom][i]));
  }
  work->device = work->devices.name(c[kProcess][i], c[kDevice][i]);
  cells[16].set(std::string_view(work->device));
  number(17, kContext);
  if (c[kGreen][i] != 0) number(18, kGreen);
  number(19, kStream);
  cells[20].set(is_copy ? memcpy_operation(c[kKind][i]) : kMemsetOperation);
}

Result<text::Table> make_api_trace(const query::Source& source, query::DeviceApi api) {
  using namespace event::cuda_api;
  const query::DeviceTables& tables = query::device_tables(api);
  auto trace = std::make_shared<ApiTrace>();
  const uint16_t columns[] = {kStart, kDuration, kName, kReturnValue, kCorrelation, kProcess, kTid, kNulls};
  SEXTANT_ASSIGN(trace->calls, source.read_table(tables.calls, columns));
  if (trace->calls.rows >= UINT32_MAX)
    return fail(ErrorCode::kUnsupported, "a trace of more than 4294967294 calls cannot be printed");
  trace->order = order_by_start(trace->calls.columns[0]);
  trace->pids = pids(source);
  SEXTANT_ASSIGN(trace->threads, named_threads(source));
  text::Table table;
  table.columns = {{"Start", "ns", kInteger}, {"Duration", "ns", kInteger}, {"Name", "", kText},
                   {"Result", "", kInteger},  {"CorrID", "", kInteger},     {"Pid", "", kInteger},
                   {"Tid", "", kInteger},     {"T-Pri", "", kInteger},      {"Thread Name", "", kText}};
  table.rows = trace->calls.rows;
  if (table.rows == 0)
    table.why_empty = why_nothing(source, fmt::format("{} calls", tables.name), tables.name);
  table.fill = [trace, &source, api](uint64_t row, std::span<text::Cell> cells) {
    const auto& c = trace->calls.columns;
    const uint32_t i = trace->order[row];
    cells[0].set(static_cast<int64_t>(c[0][i]));
    cells[1].set(static_cast<int64_t>(c[1][i]));
    trace->name = display(source, c[2][i]);
    cells[2].set(api_name(trace->name));
    cells[3].set(static_cast<int64_t>(c[3][i]));
    const bool none =
        event::is_null(c[7][i], kCorrelation) || (api == query::DeviceApi::kOpencl && c[4][i] == 0);
    if (!none) cells[4].set(static_cast<int64_t>(c[4][i]));
    cells[5].set(trace->pids[c[5][i]]);
    cells[6].set(static_cast<int64_t>(c[6][i]));
    const auto thread = trace->threads.find({c[5][i], c[6][i]});
    if (thread == trace->threads.end()) return;
    if (thread->second.has_priority) cells[7].set(thread->second.priority);
    cells[8].set(std::string_view(thread->second.name));
  };
  return table;
}

}  // namespace

Result<text::Table> make_cuda_api_trace(const query::Source& source, const ReportArguments&) {
  return make_api_trace(source, query::DeviceApi::kCuda);
}

Result<text::Table> make_opencl_api_trace(const query::Source& source, const ReportArguments&) {
  return make_api_trace(source, query::DeviceApi::kOpencl);
}

Result<text::Table> make_cuda_gpu_trace(const query::Source& source, const ReportArguments& arguments) {
  auto work = std::make_shared<Work>();
  SEXTANT_TRY(load(source, arguments, work.get()));
  text::Table table;
  table.columns = {{"Start", "ns", kInteger},   {"Duration", "ns", kInteger},
                   {"CorrId", "", kInteger},    {"GrdX", "", kInteger},
                   {"GrdY", "", kInteger},      {"GrdZ", "", kInteger},
                   {"BlkX", "", kInteger},      {"BlkY", "", kInteger},
                   {"BlkZ", "", kInteger},      {"Reg/Trd", "", kInteger},
                   {"StcSMem", "MB", kReal, 3}, {"DymSMem", "MB", kReal, 3},
                   {"Bytes", "MB", kReal, 3},   {"Throughput", "MB/s", kReal, 3},
                   {"SrcMemKd", "", kText},     {"DstMemKd", "", kText},
                   {"Device", "", kText},       {"Ctx", "", kInteger},
                   {"GreenCtx", "", kInteger},  {"Strm", "", kInteger},
                   {"Name", "", kText}};
  table.rows = work->order.size();
  if (table.rows == 0) table.why_empty = why_nothing(source, "GPU work", "CUDA");
  table.fill = [work](uint64_t row, std::span<text::Cell> cells) {
    const size_t i = work->order[row], kernels = work->kernels.rows, copies = work->copies.rows;
    if (i < kernels) return fill_kernel(work.get(), i, cells);
    const bool is_copy = i < kernels + copies;
    fill_memory(work.get(), is_copy ? work->copies : work->fills, i - kernels - (is_copy ? 0 : copies),
                is_copy, cells);
  };
  return table;
}

}  // namespace sextant::stats
