// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// opencl_memcpy_sync: reads, writes and maps that were asked to block the calling thread.
// opencl_memcpy_async: memory commands that were not, and whose call still returned only after they were
// done. OpenCL does not say what kind of memory a copy is from; that the call waited is seen from the times.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <tuple>

#include "analysis/rules.h"
#include "event/opencl_commands.h"
#include "query/launches.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

using enum text::CellType;

/// Calls that waited for less are not worth a thought.
constexpr int64_t kShortWait = 100'000;

bool moves_data(uint64_t command) {
  const event::OpenclCommand* known = event::find_opencl_command(command);
  using enum event::Transfer;
  return known != nullptr &&
         (known->transfer == kToDevice || known->transfer == kToHost || known->transfer == kWithinDevice);
}

struct Operation {
  int64_t start_ns, duration_ns, call_ns;
  uint64_t bytes, process, device, context, queue, command;
  uint32_t call;
};

struct Operations {
  query::Launches launches;
  std::vector<Operation> all;  // the longest call first
  std::map<uint64_t, int64_t> pids;
  stats::DeviceNames devices;
  bool any = false;  // memory commands were recorded
  std::string name;  // of the row at hand
};

Result<std::shared_ptr<Operations>> search(const query::Source& source, bool blocking) {
  using namespace event::opencl_memory;
  constexpr auto kApi = query::DeviceApi::kOpencl;
  auto found = std::make_shared<Operations>();
  SEXTANT_ASSIGN(found->launches, query::Launches::load(source, query::Rows::kInWindow, kApi));
  SEXTANT_ASSIGN(found->devices, stats::DeviceNames::load(source, kApi));
  found->pids = stats::pids(source);
  found->any = source.rows(event::kOpenclMemory) > 0;
  const uint16_t columns[] = {kStart,   kDuration, kProcess, kCorrelation, kDevice,
                              kContext, kQueue,    kBytes,   kCommand,     kBlocking};
  SEXTANT_TRY(source.scan_table(event::kOpenclMemory, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      if (c[3][i] == 0 || (c[9][i] != 0) != blocking) continue;
      const uint32_t call = found->launches.find(c[2][i], c[3][i]);
      if (call == query::Launches::kNone) continue;
      const int64_t from = found->launches.start_ns[call], to = found->launches.end_ns[call];
      const auto start = static_cast<int64_t>(c[0][i]), end = static_cast<int64_t>(c[0][i] + c[1][i]);
      const int64_t waited = query::difference(to, from);
      const bool held_up =
          waited >= kShortWait && start >= from && end <= to && query::difference(end, start) >= waited / 2;
      if (!blocking && (!held_up || !moves_data(c[8][i]))) continue;
      found->all.push_back({start, static_cast<int64_t>(c[1][i]), waited, c[7][i], c[2][i], c[4][i], c[5][i],
                            c[6][i], c[8][i], call});
    }
  }));
  std::stable_sort(found->all.begin(), found->all.end(),
                   [](const Operation& a, const Operation& b) { return a.call_ns > b.call_ns; });
  return found;
}

struct Group {
  uint64_t count = 0, bytes = 0;
  int64_t waited = 0, worked = 0, first = INT64_MAX, last = INT64_MIN;
  const Operation* longest = nullptr;  // by its call
};

std::vector<Finding> find(const query::Source& source, Operations& found, std::string_view what,
                          const std::string& advice) {
  std::map<std::tuple<uint64_t, uint64_t, uint32_t>, Group> groups;  // process, device, call's name
  for (const Operation& o : found.all) {
    Group& group = groups[{o.process, o.device, found.launches.name[o.call]}];
    if (group.count++ == 0) group.longest = &o;
    group.bytes += o.bytes;
    group.waited = query::sum(group.waited, o.call_ns);
    group.worked = query::sum(group.worked, o.duration_ns);
    group.first = std::min(group.first, found.launches.start_ns[o.call]);
    group.last = std::max(group.last, found.launches.end_ns[o.call]);
  }
  std::vector<Finding> findings;
  for (const auto& [key, group] : groups) {
    const auto& [process, device, string] = key;
    findings.push_back(
        {fmt::format("{} of {} {}.", text::counted(group.count, "call", "calls"),
                     stats::display(source, string), what),
         fmt::format("process {}, OpenCL device {}, {}", found.pids[process],
                     found.devices.name(process, device), span_text(group.first, group.last)),
         fmt::format("{}; the calls took {}, of which {} on the device", text::bytes(group.bytes),
                     text::duration(group.waited), text::duration(group.worked)),
         group.waited,
         advice,
         {{process, std::nullopt, device, group.first, group.last},
          {process, std::nullopt, device, group.longest->start_ns,
           query::sum(group.longest->start_ns, group.longest->duration_ns), event::kOpenclMemory}}});
  }
  keep_best(&findings);
  return findings;
}

text::Table make_table(const query::Source& source, const std::shared_ptr<Operations>& found,
                       const RuleArguments& arguments) {
  text::Table table;
  table.columns = {{"Call Duration", "ns", kInteger}, {"Duration", "ns", kInteger},
                   {"Start", "ns", kInteger},         {"Operation", "", kText},
                   {"Bytes", "MB", kReal, 3},         {"PID", "", kInteger},
                   {"Device ID", "", kInteger},       {"Context ID", "", kInteger},
                   {"Queue ID", "", kInteger},        {"API Name", "", kText}};
  table.rows = limited(found->all.size(), arguments.rows);
  table.fill = [found, &source](uint64_t row, std::span<text::Cell> cells) {
    const Operation& o = found->all[row];
    cells[0].set(o.call_ns);
    cells[1].set(o.duration_ns);
    cells[2].set(o.start_ns);
    cells[3].set(event::opencl_command_label(o.command));
    if (o.bytes != 0) cells[4].set(static_cast<double>(o.bytes) / 1e6);
    cells[5].set(found->pids[o.process]);
    cells[6].set(static_cast<int64_t>(o.device));
    cells[7].set(static_cast<int64_t>(o.context));
    cells[8].set(static_cast<int64_t>(o.queue));
    found->name = stats::display(source, found->launches.name[o.call]);
    cells[9].set(std::string_view(found->name));
  };
  return table;
}

Result<Outcome> conclude(const query::Source& source, const RuleArguments& arguments, bool blocking,
                         std::string_view what, const std::string& advice, std::string_view none) {
  SEXTANT_ASSIGN(const auto found, search(source, blocking));
  Outcome outcome;
  outcome.findings = find(source, *found, what, advice);
  outcome.table = make_table(source, found, arguments);
  outcome.no_data = !found->any;
  outcome.table.why_empty =
      outcome.no_data ? stats::why_nothing(source, "OpenCL memory commands", "OpenCL") : std::string(none);
  return outcome;
}

}  // namespace

Result<Outcome> run_opencl_memcpy_sync(const query::Source& source, const RuleArguments& arguments) {
  return conclude(
      source, arguments, true, "held up the calling thread until the data was there",
      "Pass CL_FALSE for blocking and wait for the event where the data is needed; on a queue of its "
      "own a copy overlaps with kernels and with the CPU. A blocking read also waits for everything "
      "before it in its queue.",
      "No read, write or map was asked to block.");
}

Result<Outcome> run_opencl_memcpy_async(const query::Source& source, const RuleArguments& arguments) {
  return conclude(
      source, arguments, false, "did not block by name, yet returned only when the copy was done",
      "The driver copies on the calling thread where it cannot reach the host memory by itself: let "
      "it allocate that memory (CL_MEM_ALLOC_HOST_PTR, mapped), or use a shared virtual one.",
      "Every call that was to return at once did so.");
}

}  // namespace sextant::analysis
