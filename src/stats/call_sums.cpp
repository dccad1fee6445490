// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Summaries of calls and regions by name: osrt_sum, syscall_sum, openmp_sum, openacc_sum, nvvideo_api_sum,
// mpi_event_sum.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "event/schema_cuda.h"
#include "event/schema_parallel.h"
#include "event/schema_system.h"
#include "stats/cuda_names.h"
#include "stats/duration_groups.h"
#include "stats/osrt.h"
#include "stats/parallel.h"
#include "stats/reports.h"
#include "stats/summary.h"

namespace sextant::stats {

namespace {

struct Calls {
  uint16_t table, name, duration;
  uint16_t kind = UINT16_MAX;               // column that gives the label in front of the name
  std::span<const std::string_view> kinds;  // its words; other numbers are left out
  uint16_t event_class = UINT16_MAX;        // column with nsys's class of the event
};

Result<text::Table> summarise(const query::Source& source, const Calls& calls, const SummaryShape& shape,
                              std::string_view what, std::string_view tracing) {
  const bool with_kind = calls.kind != UINT16_MAX, with_class = calls.event_class != UINT16_MAX;
  std::vector<uint16_t> columns = {calls.name, calls.duration};
  if (with_kind) columns.push_back(calls.kind);
  if (with_class) columns.insert(columns.end(), {event::kNullsColumn, calls.event_class});
  std::vector<DurationGroups<2>> workers(all_workers());
  SEXTANT_TRY(
      source.scan_table(calls.table, columns, workers.size(), [&](size_t worker, query::TableBatch& b) {
        for (size_t i = 0; i < b.rows; ++i) {
          if (with_class && !is_osrt_call(b.columns[columns.size() - 1][i], b.columns[columns.size() - 2][i]))
            continue;
          const uint64_t kind = with_kind ? b.columns[2][i] : 0;
          if (!with_kind || (kind < calls.kinds.size() && !calls.kinds[kind].empty()))
            workers[worker].add({b.columns[0][i], kind}, static_cast<int64_t>(b.columns[1][i]));
        }
      }));
  Summary summary;
  for (DurationGroups<2>& groups : workers) {
    for (auto& [key, durations] : groups.all()) {
      Labels labels;
      if (with_kind) labels.emplace_back(calls.kinds[key[1]]);
      labels.push_back(display(source, key[0]));
      summary[labels].merge(std::move(durations));
    }
  }
  text::Table table = summary_table(lines_by_total(std::move(summary)), shape);
  if (table.rows == 0) table.why_empty = why_nothing(source, what, tracing);
  return table;
}

}  // namespace

Result<text::Table> make_osrt_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::osrt_call;
  return summarise(source, {event::kOsrtCall, kName, kDuration, UINT16_MAX, {}, kClass},
                   {"Num Calls", {"Name"}}, "calls of the C library", "osrt");
}

Result<text::Table> make_syscall_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::syscall;
  return summarise(source, {event::kSyscall, kName, kDuration, UINT16_MAX, {}}, {"Num Calls", {"Name"}},
                   "system calls", "them");
}

Result<text::Table> make_openmp_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::openmp_event;
  return summarise(source, {event::kOpenmpEvent, kName, kDuration, UINT16_MAX, {}}, {"Count", {"Name"}},
                   "OpenMP events", "OpenMP");
}

/// A construct is named with its place: "compute construct@file.c:12".
Result<text::Table> make_openacc_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::openacc_event;
  const uint16_t columns[] = {kName, kDuration, kSourceFile, kLine, kNulls};
  DurationGroups<3> groups;
  SEXTANT_TRY(source.scan_table(event::kOpenaccEvent, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      const bool placed = !event::is_null(c[4][i], kSourceFile);
      groups.add({c[0][i], placed ? c[2][i] : UINT64_MAX, placed ? c[3][i] : 0},
                 static_cast<int64_t>(c[1][i]));
    }
  }));
  Summary summary;
  for (auto& [key, durations] : groups.all()) {
    std::string name = display(source, key[0]);
    if (key[1] != UINT64_MAX)
      name += fmt::format("@{}:{}", display(source, key[1]), static_cast<int64_t>(key[2]));
    summary[{std::move(name)}].merge(std::move(durations));
  }
  text::Table table = summary_table(lines_by_total(std::move(summary)), {"Num Calls", {"Name"}});
  if (table.rows == 0) table.why_empty = why_nothing(source, "OpenACC events", "OpenACC");
  return table;
}

Result<text::Table> make_nvvideo_api_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::library_call;
  static constexpr std::array<std::string_view, 5> kLibraries = {"", "", "Encoder", "Decoder", "JPEG"};
  return summarise(source, {event::kLibraryCall, kName, kDuration, kLibrary, kLibraries},
                   {"Num Calls", {"Event Type", "Name"}}, "calls of the video libraries", "nvvideo");
}

Result<text::Table> make_mpi_event_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::mpi_call;
  static constexpr std::array<std::string_view, 4> kKinds = {"p2p", "coll", "start_wait", "other"};
  return summarise(source, {event::kMpiCall, kName, kDuration, kKind, kKinds},
                   {"Instances", {"Source", "Name"}}, "MPI calls", "MPI");
}

}  // namespace sextant::stats
