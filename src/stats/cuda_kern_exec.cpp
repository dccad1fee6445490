// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cuda_kern_exec_trace, cuda_kern_exec_sum: the launch of each kernel, its wait in the queue, its execution. A kernel that began before
// its launch returned has no time in the queue.
#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "event/schema_cuda.h"
#include "query/launches.h"
#include "stats/cuda_names.h"
#include "stats/durations.h"
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

struct Executions {
  query::Launches launches;
  std::vector<Execution> all;  // in file order of the kernels
  std::vector<std::array<uint32_t, 6>> dimensions;  // of each, if asked for
  std::optional<KernelNames> names;
  std::map<uint64_t, int64_t> pids;
  std::string api, grid, block, kernel;  // of the row at hand

  int64_t api_end(const Execution& e) const { return launches.end_ns[e.call]; }
  std::optional<int64_t> queued_ns(const Execution& e) const {
    return e.start_ns >= api_end(e) ? std::optional(e.start_ns - api_end(e)) : std::nullopt;
  }
  int64_t total_ns(const Execution& e) const {
    return std::max(api_end(e), e.start_ns + e.duration_ns) - launches.start_ns[e.call];
  }
};

Status load(const query::Source& source, const ReportArguments& arguments, bool with_dimensions, Executions* out) {
  using namespace event::cuda_kernel;
  SEXTANT_ASSIGN(out->launches, query::Launches::load(source));
  SEXTANT_ASSIGN(out->names, KernelNames::load(source, arguments));
  out->pids = pids(source);
  std::vector<uint16_t> columns = {kNulls, kStart, kDuration, kProcess, kCorrelation, kDevice};
  if (with_dimensions) columns.insert(columns.end(), {kGridX, kGridY, kGridZ, kBlockX, kBlockY, kBlockZ});
  const size_t names_at = columns.size();
  columns.insert(columns.end(), out->names->columns().begin(), out->names->columns().end());
  uint64_t ordinal = 0;
  return source.scan_table(event::kCudaKernel, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i, ++ordinal) {
      if (event::is_null(c[0][i], kCorrelation)) continue;
      const uint32_t call = out->launches.find(c[3][i], c[4][i]);
      if (call == query::Launches::kNone) continue;
      out->all.push_back({call, static_cast<uint32_t>(out->names->string(c, names_at, i)), static_cast<uint32_t>(out->names->range(ordinal)),
                          static_cast<uint32_t>(c[5][i]), static_cast<int64_t>(c[1][i]), static_cast<int64_t>(c[2][i])});
      if (!with_dimensions) continue;
      std::array<uint32_t, 6> d{};
      for (size_t k = 0; k < d.size(); ++k) d[k] = static_cast<uint32_t>(c[6 + k][i]);
      out->dimensions.push_back(d);
    }
  });
}

std::string why_none(const query::Source& source) {
  if (source.rows(event::kCudaKernel) > 0 && source.window().everything())
    return "No kernel with its launch: the calls that launched them were not recorded.";
  return why_nothing(source, "GPU kernels", "CUDA");
}

void fill_trace(Executions* x, uint32_t i, const query::Source& source, std::span<text::Cell> cells) {
  const Execution& e = x->all[i];
  cells[0].set(x->launches.start_ns[e.call]);
  cells[1].set(x->api_end(e) - x->launches.start_ns[e.call]);
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
  x->api = display(source, x->launches.name[e.call]);
  cells[10].set(api_name(x->api));
  const auto& d = x->dimensions[i];
  x->grid = dimensions(d[0], d[1], d[2]);
  x->block = dimensions(d[3], d[4], d[5]);
  cells[11].set(std::string_view(x->grid));
  cells[12].set(std::string_view(x->block));
  x->kernel = x->names->label(e.string, e.range);
  cells[13].set(std::string_view(x->kernel));
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

std::vector<Line> summarise(const query::Source& source, Executions& x) {
  struct Phases {
    Durations total, call, queue, run;
  };
  // displayed names: different strings may look the same
  std::map<std::tuple<int64_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t>, Phases> groups;
  std::tuple<int64_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t> last_key{};
  Phases* last = nullptr;
  for (const Execution& e : x.all) {
    const uint32_t process = x.launches.process[e.call];
    const std::tuple key{static_cast<int64_t>(process), x.launches.tid[e.call], uint64_t{e.device}, x.launches.name[e.call], e.string, e.range};
    if (last == nullptr || key != last_key) last = &groups[key], last_key = key;
    last->total.add(x.total_ns(e));
    last->call.add(x.api_end(e) - x.launches.start_ns[e.call]);
    if (const auto queued = x.queued_ns(e)) last->queue.add(*queued);
    last->run.add(e.duration_ns);
  }
  std::vector<Line> lines;
  for (auto& [key, phases] : groups) {
    const auto& [process, tid, device, name, string, range] = key;
    Line line{x.pids[static_cast<uint64_t>(process)], tid, device, display(source, name), x.names->label(string, range), phases.total.figures(), phases.call.figures(), {}, phases.run.figures()};
    line.api.resize(api_name(line.api).size());
    if (!phases.queue.empty()) line.queue = phases.queue.figures();
    lines.push_back(std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    if (a.total.average != b.total.average) return a.total.average > b.total.average;
    return std::tie(a.pid, a.tid, a.device, a.kernel) < std::tie(b.pid, b.tid, b.device, b.kernel);
  });
  return lines;
}

}  // namespace

Result<text::Table> make_cuda_kern_exec_trace(const query::Source& source, const ReportArguments& arguments) {
  auto x = std::make_shared<Executions>();
  SEXTANT_TRY(load(source, arguments, true, x.get()));
  auto order = std::make_shared<std::vector<uint32_t>>(x->all.size());
  for (uint32_t i = 0; i < order->size(); ++i) (*order)[i] = i;
  std::stable_sort(order->begin(), order->end(),
                   [&](uint32_t a, uint32_t b) { return x->launches.start_ns[x->all[a].call] < x->launches.start_ns[x->all[b].call]; });
  text::Table table;
  table.columns = {{"API Start", "ns", kInteger}, {"API Dur", "ns", kInteger},  {"Queue Start", "ns", kInteger}, {"Queue Dur", "ns", kInteger}, {"Kernel Start", "ns", kInteger},
                   {"Kernel Dur", "ns", kInteger}, {"Total Dur", "ns", kInteger}, {"PID", "", kInteger},         {"TID", "", kInteger},         {"DevId", "", kInteger},
                   {"API Function", "", kText},   {"GridXYZ", "", kText},       {"BlockXYZ", "", kText},         {"Kernel Name", "", kText}};
  table.rows = order->size();
  if (table.rows == 0) table.why_empty = why_none(source);
  table.fill = [x, order, &source](uint64_t row, std::span<text::Cell> cells) { fill_trace(x.get(), (*order)[row], source, cells); };
  return table;
}

Result<text::Table> make_cuda_kern_exec_sum(const query::Source& source, const ReportArguments& arguments) {
  Executions x;
  SEXTANT_TRY(load(source, arguments, false, &x));
  auto lines = std::make_shared<std::vector<Line>>(summarise(source, x));
  text::Table table;
  table.columns = {{"PID", "", kInteger}, {"TID", "", kInteger}, {"DevId", "", kInteger}, {"Count", "", kInteger}, {"QCount", "", kInteger}};
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
  if (table.rows == 0) table.why_empty = why_none(source);
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

}  // namespace sextant::stats
