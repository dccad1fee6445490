// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// opencl_build_trace: every build of an OpenCL program, with what it cost and what became of it.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

#include "event/schema_opencl.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

struct Program {
  uint64_t origin = 0, bytes = 0, hash = 0;
};

struct Builds {
  query::TableBatch rows;
  std::map<std::pair<uint64_t, uint64_t>, Program> programs;  // by process and number
  std::vector<uint64_t> before;                               // by row; kNotKnown
  std::vector<size_t> order;                                  // rows by start
  std::map<uint64_t, int64_t> pids;
  DeviceNames devices;
  std::string device, options;  // of the row at hand
};
constexpr uint64_t kNotKnown = UINT64_MAX;

enum : size_t { kStart, kDuration, kProcess, kTid, kProgram, kDevice, kStep, kStatus, kOptions, kLogBytes };

std::string_view step(uint64_t number) {
  constexpr std::string_view kSteps[] = {"build", "compile", "link"};
  return number < std::size(kSteps) ? kSteps[number] : "unknown";
}

std::string_view origin(uint64_t number) {
  constexpr std::string_view kOrigins[] = {"source", "binary", "IL", "built-in", "linked"};
  return number < std::size(kOrigins) ? kOrigins[number] : "unknown";
}

const Program* program_of(const Builds& builds, size_t row) {
  const auto& c = builds.rows.columns;
  const auto found = builds.programs.find({c[kProcess][row], c[kProgram][row]});
  return found != builds.programs.end() ? &found->second : nullptr;
}

/// How often the same was built before, in whatever process: no driver tells of its cache, but what was built
/// before may come from it.
void count_earlier(Builds* builds) {
  const auto& c = builds->rows.columns;
  std::vector<size_t>& order = builds->order;
  order.resize(builds->rows.rows);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return c[kStart][a] < c[kStart][b]; });
  std::map<std::tuple<uint64_t, uint64_t, uint64_t, std::string>, uint64_t> seen;
  builds->before.assign(order.size(), kNotKnown);
  for (const size_t i : order) {
    const Program* program = program_of(*builds, i);
    if (program == nullptr || program->hash == 0) continue;
    const std::string on = c[kDevice][i] == 0 ? "" : builds->devices.name(c[kProcess][i], c[kDevice][i]);
    builds->before[i] = seen[{program->hash, c[kStep][i], c[kOptions][i], on}]++;
  }
}

}  // namespace

Result<text::Table> make_opencl_build_trace(const query::Source& source, const ReportArguments&) {
  auto builds = std::make_shared<Builds>();
  const uint16_t columns[] = {event::opencl_build::kStart,   event::opencl_build::kDuration,
                              event::opencl_build::kProcess, event::opencl_build::kTid,
                              event::opencl_build::kProgram, event::opencl_build::kDevice,
                              event::opencl_build::kStep,    event::opencl_build::kStatus,
                              event::opencl_build::kOptions, event::opencl_build::kLogBytes};
  SEXTANT_ASSIGN(builds->rows, source.read_table(event::kOpenclBuild, columns));
  const uint16_t of_program[] = {event::opencl_program::kProcess, event::opencl_program::kProgram,
                                 event::opencl_program::kOrigin, event::opencl_program::kBytes,
                                 event::opencl_program::kHash};
  SEXTANT_ASSIGN(const query::TableBatch programs, source.read_table(event::kOpenclProgram, of_program));
  const auto& p = programs.columns;
  for (size_t i = 0; i < programs.rows; ++i)
    builds->programs[{p[0][i], p[1][i]}] = {p[2][i], p[3][i], p[4][i]};
  builds->pids = pids(source);
  SEXTANT_ASSIGN(builds->devices, DeviceNames::load(source, query::DeviceApi::kOpencl));
  count_earlier(builds.get());
  text::Table table;
  table.columns = {{"Start", "ns", kInteger}, {"Duration", "ns", kInteger},
                   {"Step", "", kText},       {"Status", "", kInteger},
                   {"From", "", kText},       {"Size", "B", kInteger},
                   {"Log", "B", kInteger},    {"Built Before", "", kInteger},
                   {"PID", "", kInteger},     {"TID", "", kInteger},
                   {"Program", "", kInteger}, {"Device", "", kText},
                   {"Options", "", kText}};
  table.rows = builds->rows.rows;
  if (table.rows == 0) table.why_empty = why_nothing(source, "builds of OpenCL programs", "OpenCL");
  table.fill = [builds, &source](uint64_t row, std::span<text::Cell> cells) {
    const auto& c = builds->rows.columns;
    const size_t i = builds->order[row];
    const auto number = [&](size_t cell, size_t column) {
      cells[cell].set(static_cast<int64_t>(c[column][i]));
    };
    number(0, kStart), number(1, kDuration);
    cells[2].set(step(c[kStep][i]));
    number(3, kStatus);
    if (const Program* program = program_of(*builds, i)) {
      cells[4].set(origin(program->origin));
      if (program->bytes != 0) cells[5].set(static_cast<int64_t>(program->bytes));
    }
    number(6, kLogBytes);
    if (builds->before[i] != kNotKnown) cells[7].set(static_cast<int64_t>(builds->before[i]));
    cells[8].set(builds->pids[c[kProcess][i]]);
    number(9, kTid), number(10, kProgram);
    if (c[kDevice][i] != 0) builds->device = builds->devices.name(c[kProcess][i], c[kDevice][i]);
    cells[11].set(c[kDevice][i] == 0 ? std::string_view() : std::string_view(builds->device));
    builds->options = display(source, c[kOptions][i]);
    cells[12].set(std::string_view(builds->options));
  };
  return table;
}

}  // namespace sextant::stats
