// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// opencl_gpu_trace: every command of OpenCL that kept a device busy or waited on one, by start.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "event/opencl_commands.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;
using namespace event::opencl_work;

/// Columns of all three tables, then what one of them has: of a kernel its sizes and name, of a memory
/// command its bytes.
constexpr uint16_t kCommon[] = {kStart, kDuration,    kProcess, kDevice,    kContext,
                                kQueue, kCorrelation, kCommand, kQueuedFor, kSubmittedFor};
namespace at {
enum : size_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kContext,
  kQueue,
  kCorrelation,
  kCommand,
  kQueued,
  kSubmitted,
  kOwn
};
}

struct Work {
  query::TableBatch kernels, memory, syncs;
  std::vector<uint32_t> order;  // over all three, one behind the other
  DeviceNames devices;
  std::optional<KernelNames> names;
  std::map<uint64_t, int64_t> pids;
  std::string device, name;  // of the row at hand
};

Result<query::TableBatch> read(const query::Source& source, uint16_t table,
                               std::initializer_list<uint16_t> own) {
  std::vector<uint16_t> columns(std::begin(kCommon), std::end(kCommon));
  columns.insert(columns.end(), own);
  return source.read_table(table, columns);
}

Status load(const query::Source& source, const ReportArguments& arguments, Work* work) {
  using namespace event::opencl_kernel;
  SEXTANT_ASSIGN(work->names, KernelNames::load(source, arguments, query::DeviceApi::kOpencl));
  SEXTANT_ASSIGN(work->devices, DeviceNames::load(source, query::DeviceApi::kOpencl));
  work->pids = pids(source);
  SEXTANT_ASSIGN(work->kernels, read(source, event::kOpenclKernel,
                                     {kGlobalX, kGlobalY, kGlobalZ, kLocalX, kLocalY, kLocalZ, kName}));
  SEXTANT_ASSIGN(work->memory, read(source, event::kOpenclMemory, {event::opencl_memory::kBytes}));
  SEXTANT_ASSIGN(work->syncs, read(source, event::kOpenclSync, {}));
  std::vector<int64_t> start;
  for (const query::TableBatch* b : {&work->kernels, &work->memory, &work->syncs})
    for (size_t i = 0; i < b->rows; ++i) start.push_back(static_cast<int64_t>(b->columns[at::kStart][i]));
  if (start.size() >= UINT32_MAX)
    return fail(ErrorCode::kUnsupported, "a trace of more than 4294967294 commands cannot be printed");
  work->order.resize(start.size());
  std::iota(work->order.begin(), work->order.end(), 0u);
  std::stable_sort(work->order.begin(), work->order.end(),
                   [&](uint32_t a, uint32_t b) { return start[a] < start[b]; });
  return {};
}

constexpr double kMegabyte = 1e6, kSecond = 1e9;

void fill_kernel(Work* work, size_t i, std::span<text::Cell> cells) {
  const auto& c = work->kernels.columns;
  for (size_t d = 0; d < 6; ++d) {
    const uint64_t size = c[at::kOwn + d][i];
    if (d < 3 || size != 0) cells[3 + d].set(static_cast<int64_t>(size));
  }
  work->name = work->names->label(c[at::kOwn + 6][i], work->names->range(i));
  cells[17].set(std::string_view(work->name));
}

void fill_memory(const query::TableBatch& b, size_t i, std::span<text::Cell> cells) {
  const uint64_t bytes = b.columns[at::kOwn][i], duration = b.columns[at::kDuration][i];
  if (bytes != 0) {
    cells[9].set(static_cast<double>(bytes) / kMegabyte);
    if (duration != 0)
      cells[10].set(static_cast<double>(bytes) / kMegabyte * kSecond / static_cast<double>(duration));
  }
  cells[17].set(event::opencl_command_label(b.columns[at::kCommand][i]));
}

void fill(Work* work, size_t row, std::span<text::Cell> cells) {
  size_t i = work->order[row];
  const query::TableBatch* b = &work->kernels;
  if (i < b->rows) {
    fill_kernel(work, i, cells);
  } else if (i -= b->rows, b = &work->memory; i < b->rows) {
    fill_memory(*b, i, cells);
  } else {
    i -= b->rows, b = &work->syncs;
    cells[17].set(event::opencl_command_label(b->columns[at::kCommand][i]));
  }
  const auto number = [&](size_t cell, size_t column) {
    cells[cell].set(static_cast<int64_t>(b->columns[column][i]));
  };
  number(0, at::kStart);
  number(1, at::kDuration);
  if (b->columns[at::kCorrelation][i] != 0) number(2, at::kCorrelation);
  number(11, at::kQueued);
  number(12, at::kSubmitted);
  cells[13].set(work->pids[b->columns[at::kProcess][i]]);
  work->device = work->devices.name(b->columns[at::kProcess][i], b->columns[at::kDevice][i]);
  cells[14].set(std::string_view(work->device));
  number(15, at::kContext);
  number(16, at::kQueue);
}

}  // namespace

Result<text::Table> make_opencl_gpu_trace(const query::Source& source, const ReportArguments& arguments) {
  auto work = std::make_shared<Work>();
  SEXTANT_TRY(load(source, arguments, work.get()));
  text::Table table;
  table.columns = {{"Start", "ns", kInteger},
                   {"Duration", "ns", kInteger},
                   {"CorrId", "", kInteger},
                   {"GlbX", "", kInteger},
                   {"GlbY", "", kInteger},
                   {"GlbZ", "", kInteger},
                   {"LclX", "", kInteger},
                   {"LclY", "", kInteger},
                   {"LclZ", "", kInteger},
                   {"Bytes", "MB", kReal, 3},
                   {"Throughput", "MB/s", kReal, 3},
                   {"Queued For", "ns", kInteger},
                   {"Submitted For", "ns", kInteger},
                   {"PID", "", kInteger},
                   {"Device", "", kText},
                   {"Ctx", "", kInteger},
                   {"Queue", "", kInteger},
                   {"Name", "", kText}};
  table.rows = work->order.size();
  if (table.rows == 0) table.why_empty = why_nothing(source, "work on OpenCL devices", "OpenCL");
  table.fill = [work](uint64_t row, std::span<text::Cell> cells) { fill(work.get(), row, cells); };
  return table;
}

}  // namespace sextant::stats
