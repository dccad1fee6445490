// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Summaries of calls and regions by name: osrt_sum, syscall_sum, openmp_sum, openacc_sum, nvvideo_api_sum, mpi_event_sum.
#include <algorithm>
#include <array>
#include <thread>

#include "event/schema_cuda.h"
#include "event/schema_parallel.h"
#include "event/schema_system.h"
#include "stats/cuda_names.h"
#include "stats/duration_groups.h"
#include "stats/reports.h"
#include "stats/summary.h"

namespace sextant::stats {

namespace {

struct Calls {
  uint16_t table, name, duration;
  uint16_t kind = UINT16_MAX;                      // column that gives the label in front of the name
  std::span<const std::string_view> kinds;         // its words; other numbers are left out
  uint16_t event_class = UINT16_MAX;               // column with nsys's class of the event
};

/// Rows of nsys that say where its tracing began and ended.
bool is_about_profiler(uint64_t event_class) { return event_class == 31 || event_class == 32; }

Result<text::Table> summarise(const query::Source& source, const Calls& calls, const SummaryShape& shape, std::string_view what, std::string_view tracing) {
  const bool with_kind = calls.kind != UINT16_MAX, with_class = calls.event_class != UINT16_MAX;
  std::vector<uint16_t> columns = {calls.name, calls.duration};
  if (with_kind) columns.push_back(calls.kind);
  if (with_class) columns.push_back(calls.event_class);
  std::vector<DurationGroups<2>> workers(std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 16));
  SEXTANT_TRY(source.scan_table(calls.table, columns, workers.size(), [&](size_t worker, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) {
      if (with_class && is_about_profiler(b.columns.back()[i])) continue;
      const uint64_t kind = with_kind ? b.columns[2][i] : 0;
      if (!with_kind || kind < calls.kinds.size()) workers[worker].add({b.columns[0][i], kind}, static_cast<int64_t>(b.columns[1][i]));
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
  return summarise(source, {event::kOsrtCall, kName, kDuration, UINT16_MAX, {}, kClass}, {"Num Calls", {"Name"}}, "calls of the C library", "osrt");
}

Result<text::Table> make_syscall_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::syscall;
  return summarise(source, {event::kSyscall, kName, kDuration, UINT16_MAX, {}}, {"Num Calls", {"Name"}}, "system calls", "them");
}

Result<text::Table> make_openmp_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::openmp_event;
  return summarise(source, {event::kOpenmpEvent, kName, kDuration, UINT16_MAX, {}}, {"Count", {"Name"}}, "OpenMP events", "OpenMP");
}

Result<text::Table> make_openacc_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::openacc_event;
  return summarise(source, {event::kOpenaccEvent, kName, kDuration, UINT16_MAX, {}}, {"Count", {"Name"}}, "OpenACC events", "OpenACC");
}

Result<text::Table> make_nvvideo_api_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::library_call;
  static constexpr std::array<std::string_view, 5> kLibraries = {"", "", "NvVideo Encoder API", "NvVideo Decoder API", "NvVideo JPEG API"};
  return summarise(source, {event::kLibraryCall, kName, kDuration, kLibrary, kLibraries}, {"Num Calls", {"Event Type", "Name"}}, "calls of the video libraries", "nvvideo");
}

Result<text::Table> make_mpi_event_sum(const query::Source& source, const ReportArguments&) {
  using namespace event::mpi_call;
  static constexpr std::array<std::string_view, 4> kKinds = {"p2p", "coll", "start_wait", "other"};
  return summarise(source, {event::kMpiCall, kName, kDuration, kKind, kKinds}, {"Instances", {"Source", "Name"}}, "MPI calls", "MPI");
}

}  // namespace sextant::stats
