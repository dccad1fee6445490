// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// opencl_build_trace: every build of an OpenCL program, with what it cost and what became of it.
#include <map>
#include <memory>

#include "event/schema_opencl.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

struct Builds {
  query::TableBatch rows;
  std::map<std::pair<uint64_t, uint64_t>, std::pair<uint64_t, uint64_t>> programs;  // origin and bytes
  std::map<uint64_t, int64_t> pids;
  DeviceNames devices;
  std::string device, options;  // of the row at hand
};

std::string_view step(uint64_t number) {
  constexpr std::string_view kSteps[] = {"build", "compile", "link"};
  return number < std::size(kSteps) ? kSteps[number] : "unknown";
}

std::string_view origin(uint64_t number) {
  constexpr std::string_view kOrigins[] = {"source", "binary", "IL", "built-in", "linked"};
  return number < std::size(kOrigins) ? kOrigins[number] : "unknown";
}

std::string_view cache(uint64_t number) {
  constexpr std::string_view kWords[] = {"", "built", "cached"};
  return number < std::size(kWords) ? kWords[number] : "";
}

}  // namespace

Result<text::Table> make_opencl_build_trace(const query::Source& source, const ReportArguments&) {
  using namespace event::opencl_build;
  auto builds = std::make_shared<Builds>();
  const uint16_t columns[] = {kStart, kDuration, kProcess, kTid,         kProgram, kDevice,
                              kStep,  kStatus,   kOptions, kBinaryBytes, kCache};
  SEXTANT_ASSIGN(builds->rows, source.read_table(event::kOpenclBuild, columns));
  const uint16_t of_program[] = {event::opencl_program::kProcess, event::opencl_program::kProgram,
                                 event::opencl_program::kOrigin, event::opencl_program::kBytes};
  SEXTANT_ASSIGN(const query::TableBatch programs, source.read_table(event::kOpenclProgram, of_program));
  for (size_t i = 0; i < programs.rows; ++i)
    builds->programs[{programs.columns[0][i], programs.columns[1][i]}] = {programs.columns[2][i],
                                                                          programs.columns[3][i]};
  builds->pids = pids(source);
  SEXTANT_ASSIGN(builds->devices, DeviceNames::load(source, query::DeviceApi::kOpencl));
  text::Table table;
  table.columns = {{"Start", "ns", kInteger}, {"Duration", "ns", kInteger}, {"Step", "", kText},
                   {"Status", "", kInteger},  {"Cache", "", kText},         {"From", "", kText},
                   {"Size", "B", kInteger},   {"Built", "B", kInteger},     {"PID", "", kInteger},
                   {"TID", "", kInteger},     {"Program", "", kInteger},    {"Device", "", kText},
                   {"Options", "", kText}};
  table.rows = builds->rows.rows;
  if (table.rows == 0) table.why_empty = why_nothing(source, "builds of OpenCL programs", "OpenCL");
  table.fill = [builds, &source](uint64_t i, std::span<text::Cell> cells) {
    const auto& c = builds->rows.columns;
    const auto number = [&](size_t cell, size_t column) {
      cells[cell].set(static_cast<int64_t>(c[column][i]));
    };
    number(0, 0), number(1, 1);
    cells[2].set(step(c[6][i]));
    number(3, 7);
    cells[4].set(cache(c[10][i]));
    if (const auto program = builds->programs.find({c[2][i], c[4][i]}); program != builds->programs.end()) {
      cells[5].set(origin(program->second.first));
      if (program->second.second != 0) cells[6].set(static_cast<int64_t>(program->second.second));
    }
    if (c[9][i] != 0) number(7, 9);
    cells[8].set(builds->pids[c[2][i]]);
    number(9, 3), number(10, 4);
    builds->device = c[5][i] == 0 ? "all of the context" : builds->devices.name(c[2][i], c[5][i]);
    cells[11].set(std::string_view(builds->device));
    builds->options = display(source, c[8][i]);
    cells[12].set(std::string_view(builds->options));
  };
  return table;
}

}  // namespace sextant::stats
