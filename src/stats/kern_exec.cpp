// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cuda_kern_exec_trace, cuda_kern_exec_sum, and the same of OpenCL: the launch of each kernel, its wait in
// the queue, its execution. A kernel that began before its launch returned has no time in the queue.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>

#include "event/schema_cuda.h"
#include "query/launches.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "stats/duration_groups.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

struct Execution {
  uint32_t call;
  uint32_t string, range;  // of the label
  uint32_t device;
  int64_t start_ns, duration_ns;
};

/// What it takes to understand kernels.
struct Context {
  query::DeviceApi api = query::DeviceApi::kCuda;
  query::Launches launches;
  std::optional<KernelNames> names;
  std::map<uint64_t, int64_t> pids;

  int64_t api_start(const Execution& e) const { return launches.start_ns[e.call]; }
  int64_t api_end(const Execution& e) const { return launches.end_ns[e.call]; }
  std::optional<int64_t> queued_ns(const Execution& e) const {
    return e.start_ns >= api_end(e) ? std::optional(query::difference(e.start_ns, api_end(e))) : std::nullopt;
  }
  int64_t total_ns(const Execution& e) const {
    return query::difference(std::max(api_end(e), query::sum(e.start_ns, e.duration_ns)), api_start(e));
  }
};

Status load(const query::Source& source, const ReportArguments& arguments, Context* out) {
  SEXTANT_ASSIGN(out->launches, query::Launches::load(source, query::Rows::kInWindow, out->api));
  SEXTANT_ASSIGN(out->names, KernelNames::load(source, arguments, out->api));
  out->pids = pids(source);
  return {};
}

constexpr uint16_t kColumns[] = {
    event::cuda_kernel::kNulls,   event::cuda_kernel::kStart,       event::cuda_kernel::kDuration,
    event::cuda_kernel::kProcess, event::cuda_kernel::kCorrelation, event::cuda_kernel::kDevice,
    event::cuda_kernel::kGridX,   event::cuda_kernel::kGridY,       event::cuda_kernel::kGridZ,
    event::cuda_kernel::kBlockX,  event::cuda_kernel::kBlockY,      event::cuda_kernel::kBlockZ};
constexpr size_t kDimensionsAt = 6, kWaitsAt = 12;  // those of OpenCL only

/// Calls use(worker, execution, batch, row) for every kernel whose launch is known. Columns of a batch: those
/// above.
template <typename Use>
Status scan_executions(const query::Source& source, const Context& x, bool with_dimensions, size_t workers,
                       Use use) {
  std::vector<uint16_t> columns(std::begin(kColumns),
                                with_dimensions ? std::end(kColumns) : std::begin(kColumns) + kDimensionsAt);
  if (with_dimensions && x.api == query::DeviceApi::kOpencl)
    columns.insert(columns.end(), {event::opencl_kernel::kQueuedFor, event::opencl_kernel::kSubmittedFor});
  const size_t names_at = columns.size();
  columns.insert(columns.end(), x.names->columns().begin(), x.names->columns().end());
  uint64_t ordinal = 0;  // in file order: with ranges there is one worker only
  if (x.names->with_ranges()) workers = 1;
  const uint16_t table = query::device_tables(x.api).kernels;
  return source.scan_table(table, columns, workers, [&](size_t worker, query::TableBatch& b) {
    const auto& c = b.columns;
    const query::Launches::ByCorrelation* calls = nullptr;
    for (size_t i = 0; i < b.rows; ++i) {
      if (i == 0 || c[3][i] != c[3][i - 1]) calls = x.launches.of(c[3][i]);
      const uint64_t range = x.names->with_ranges() ? x.names->range(ordinal++) : 0;
      if (query::no_correlation(x.api, c[0][i], c[4][i])) continue;
      const uint32_t call = calls == nullptr ? query::Launches::kNone : calls->find(c[4][i]);
      if (call == query::Launches::kNone) continue;
      use(worker,
          Execution{call, static_cast<uint32_t>(x.names->string(c, names_at, i)),
                    static_cast<uint32_t>(range), static_cast<uint32_t>(c[5][i]),
                    static_cast<int64_t>(c[1][i]), static_cast<int64_t>(c[2][i])},
          b, i);
    }
  });
}

struct Trace : Context {
  std::vector<Execution> all;
  std::vector<std::array<uint64_t, 6>> dimensions;  // of each
  std::vector<uint32_t> order;
  std::vector<std::pair<int64_t, int64_t>> waits;  // OpenCL: queued and submitted for
  std::string call, grid, block, kernel;           // of the row at hand
};

std::string why_none(const query::Source& source, query::DeviceApi api) {
  const query::DeviceTables& tables = query::device_tables(api);
  if (source.rows(tables.kernels) > 0 && !source.limited())
    return "No kernel with its launch: the calls that launched them were not recorded.";
  return why_nothing(source, api == query::DeviceApi::kCuda ? "GPU kernels" : "kernels on OpenCL devices",
                     tables.name);
}

void fill_trace(Trace* x, uint32_t i, const query::Source& source, std::span<text::Cell> cells) {
  const Execution& e = x->all[i];
  cells[0].set(x->api_start(e));
  cells[1].set(x->api_end(e) - x->api_start(e));
  if (const auto queued = x->queued_ns(e)) {
    cells[2].set(x->api_end(e));
    cells[3].set(*queued);
  }
  cells[4].set(e.start_ns);
  cells[5].set(e.duration_ns);
  cells[6].set(x->total_ns(e));
  cells[7].set(x->pids[x->launches.process[e.call]]);
  cells[8].set(static_cast<int64_t>(x->launches.tid[e.call]));
  cells[9].set(static_cast<int64_t>(e.device));
  x->call = display(source, x->launches.name[e.call]);
  cells[10].set(api_name(x->call));
  const auto& d = x->dimensions[i];
  x->grid = dimensions(d[0], d[1], d[2]);
  x->block = dimensions(d[3], d[4], d[5]);
  cells[11].set(std::string_view(x->grid));
  cells[12].set(std::string_view(x->block));
  x->kernel = x->names->label(e.string, e.range);
  cells[13].set(std::string_view(x->kernel));
  if (x->waits.empty()) return;
  cells[14].set(x->waits[i].first);
  cells[15].set(x->waits[i].second);
}

struct Line {
  int64_t pid;
  uint64_t tid, device;
  std::string api, kernel;
  Figures total, call, queue, run;  // queue.count may be 0
};

void set_phase(const Figures& f, std::span<text::Cell> cells, size_t at) {
  if (f.count > 0) {
    cells[at].set(f.average);
    cells[at + 1].set(f.median);
    cells[at + 2].set(f.min);
    cells[at + 3].set(f.max);
  }
  cells[at + 4].set(f.deviation);
}

struct Phases {
  Durations total, call, queue, run;

  void merge(Phases&& other) {
    total.merge(std::move(other.total));
    call.merge(std::move(other.call));
    queue.merge(std::move(other.queue));
    run.merge(std::move(other.run));
  }
};

using PhaseGroups =
    KeyedGroups<6, Phases>;  // by process, thread, device, call's name, label: string and range

std::vector<Line> lines_of(const query::Source& source, const Context& x, std::vector<PhaseGroups> workers) {
  std::map<PhaseGroups::Key, std::vector<Phases>> groups;  // what each worker has
  for (PhaseGroups& worker : workers)
    for (auto& [key, phases] : worker.all()) groups[key].push_back(std::move(phases));
  std::vector<Line> lines(groups.size());
  std::vector<std::pair<const PhaseGroups::Key*, std::vector<Phases>*>> listed;
  for (auto& [key, parts] : groups) listed.emplace_back(&key, &parts);
  for_each_parallel(listed.size(), [&](size_t i) {
    const auto& key = *listed[i].first;
    Phases phases;
    for (Phases& part : *listed[i].second) phases.merge(std::move(part));
    const auto pid = x.pids.find(key[0]);
    Line& line = lines[i] = {pid == x.pids.end() ? 0 : pid->second,
                             key[1],
                             key[2],
                             display(source, key[3]),
                             x.names->label(key[4], key[5]),
                             phases.total.figures(),
                             phases.call.figures(),
                             {},
                             phases.run.figures()};
    line.api.resize(api_name(line.api).size());
    if (!phases.queue.empty()) line.queue = phases.queue.figures();
  });
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.total.average != b.total.average) return a.total.average > b.total.average;
    return std::tie(a.pid, a.tid, a.device, a.kernel) < std::tie(b.pid, b.tid, b.device, b.kernel);
  });
  return lines;
}

Result<std::vector<Line>> summarise(const query::Source& source, const ReportArguments& arguments,
                                    query::DeviceApi api) {
  Context x;
  x.api = api;
  SEXTANT_TRY(load(source, arguments, &x));
  std::vector<PhaseGroups> workers(all_workers());
  SEXTANT_TRY(scan_executions(source, x, false, workers.size(),
                              [&](size_t worker, const Execution& e, const query::TableBatch&, size_t) {
                                Phases& phases = workers[worker].at(
                                    {x.launches.process[e.call], x.launches.tid[e.call], e.device,
                                     x.launches.name[e.call], e.string, e.range});
                                phases.total.add(x.total_ns(e));
                                phases.call.add(x.api_end(e) - x.api_start(e));
                                if (const auto queued = x.queued_ns(e)) phases.queue.add(*queued);
                                phases.run.add(e.duration_ns);
                              }));
  return lines_of(source, x, std::move(workers));
}

/// The executions, and what else a row of the trace needs.
Status collect(const query::Source& source, Trace* x) {
  return scan_executions(source, *x, true, 1,
                         [&](size_t, const Execution& e, const query::TableBatch& b, size_t row) {
                           x->all.push_back(e);
                           std::array<uint64_t, 6>& d = x->dimensions.emplace_back();
                           for (size_t k = 0; k < d.size(); ++k) d[k] = b.columns[kDimensionsAt + k][row];
                           if (x->api == query::DeviceApi::kOpencl)
                             x->waits.emplace_back(static_cast<int64_t>(b.columns[kWaitsAt][row]),
                                                   static_cast<int64_t>(b.columns[kWaitsAt + 1][row]));
                         });
}

/// Rows by the start of the call.
Result<text::Table> make_trace(const query::Source& source, const ReportArguments& arguments,
                               query::DeviceApi api) {
  const bool opencl = api == query::DeviceApi::kOpencl;
  auto x = std::make_shared<Trace>();
  x->api = api;
  SEXTANT_TRY(load(source, arguments, x.get()));
  SEXTANT_TRY(collect(source, x.get()));
  if (x->all.size() >= UINT32_MAX)
    return fail(ErrorCode::kUnsupported, "a trace of more than 4294967294 kernels cannot be printed");
  x->order.resize(x->all.size());
  std::iota(x->order.begin(), x->order.end(), 0u);
  std::stable_sort(x->order.begin(), x->order.end(),
                   [&](uint32_t a, uint32_t b) { return x->api_start(x->all[a]) < x->api_start(x->all[b]); });
  text::Table table;
  table.columns = {{"API Start", "ns", kInteger},
                   {"API Dur", "ns", kInteger},
                   {"Queue Start", "ns", kInteger},
                   {"Queue Dur", "ns", kInteger},
                   {"Kernel Start", "ns", kInteger},
                   {"Kernel Dur", "ns", kInteger},
                   {"Total Dur", "ns", kInteger},
                   {"PID", "", kInteger},
                   {"TID", "", kInteger},
                   {"DevId", "", kInteger},
                   {"API Function", "", kText},
                   {opencl ? "GlobalXYZ" : "GridXYZ", "", kText},
                   {opencl ? "LocalXYZ" : "BlockXYZ", "", kText},
                   {"Kernel Name", "", kText}};
  if (opencl)
    table.columns.insert(table.columns.end(),
                         {{"Queued For", "ns", kInteger}, {"Submitted For", "ns", kInteger}});
  table.rows = x->order.size();
  if (table.rows == 0) table.why_empty = why_none(source, api);
  table.fill = [x, &source](uint64_t row, std::span<text::Cell> cells) {
    fill_trace(x.get(), x->order[row], source, cells);
  };
  return table;
}

Result<text::Table> make_sum(const query::Source& source, const ReportArguments& arguments,
                             query::DeviceApi api) {
  SEXTANT_ASSIGN(auto summary, summarise(source, arguments, api));
  auto lines = std::make_shared<std::vector<Line>>(std::move(summary));
  text::Table table;
  table.columns = {{"PID", "", kInteger},
                   {"TID", "", kInteger},
                   {"DevId", "", kInteger},
                   {"Count", "", kInteger},
                   {"QCount", "", kInteger}};
  for (const std::string phase : {"T", "A", "Q", "K"}) {
    table.columns.push_back({phase + "Avg", "ns", kReal});
    table.columns.push_back({phase + "Med", "ns", kReal});
    table.columns.push_back({phase + "Min", "ns", kInteger});
    table.columns.push_back({phase + "Max", "ns", kInteger});
    table.columns.push_back({phase + "StdDev", "ns", kReal});
  }
  table.columns.push_back({"API Name", "", kText});
  table.columns.push_back({"Kernel Name", "", kText});
  table.rows = lines->size();
  if (table.rows == 0) table.why_empty = why_none(source, api);
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) {
    const Line& line = (*lines)[row];
    cells[0].set(line.pid);
    cells[1].set(static_cast<int64_t>(line.tid));
    cells[2].set(static_cast<int64_t>(line.device));
    cells[3].set(static_cast<int64_t>(line.total.count));
    cells[4].set(static_cast<int64_t>(line.queue.count));
    set_phase(line.total, cells, 5);
    set_phase(line.call, cells, 10);
    set_phase(line.queue, cells, 15);
    set_phase(line.run, cells, 20);
    cells[25].set(std::string_view(line.api));
    cells[26].set(std::string_view(line.kernel));
  };
  return table;
}

}  // namespace

Result<text::Table> make_cuda_kern_exec_trace(const query::Source& source, const ReportArguments& arguments) {
  return make_trace(source, arguments, query::DeviceApi::kCuda);
}

Result<text::Table> make_cuda_kern_exec_sum(const query::Source& source, const ReportArguments& arguments) {
  return make_sum(source, arguments, query::DeviceApi::kCuda);
}

Result<text::Table> make_opencl_kern_exec_trace(const query::Source& source,
                                                const ReportArguments& arguments) {
  return make_trace(source, arguments, query::DeviceApi::kOpencl);
}

Result<text::Table> make_opencl_kern_exec_sum(const query::Source& source, const ReportArguments& arguments) {
  return make_sum(source, arguments, query::DeviceApi::kOpencl);
}

}  // namespace sextant::stats
