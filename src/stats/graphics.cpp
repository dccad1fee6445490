// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls and markers of Vulkan, OpenGL and Direct3D in imported recordings. Their tables have no meaning of
// their own here, and are kept as they are.
#include <algorithm>
#include <memory>
#include <numeric>

#include "query/foreign_table.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"
#include "stats/summary.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

/// Which rows of a table are summed up, by which of its names.
struct Marks {
  std::string_view table;
  std::string_view name;               // column with the number of the string
  std::optional<int64_t> event_class;  // only rows of it
};

Result<text::Table> summarise(const query::Source& source, const Marks& marks, std::string_view count,
                              std::string_view label, std::string_view what) {
  enum : size_t { kStart, kEnd, kName, kClass };
  SEXTANT_ASSIGN(const query::ForeignTable rows,
                 query::ForeignTable::load(source, marks.table, {"start", "end", marks.name, "eventClass"}));
  SEXTANT_ASSIGN(const query::ForeignStrings strings, query::ForeignStrings::load(source));
  int64_t last = INT64_MIN;  // ranges that were never closed end with the last one
  for (size_t i = 0; i < rows.rows(); ++i)
    last = std::max({last, rows.integer(kEnd, i).value_or(last), rows.integer(kStart, i).value_or(last)});
  Summary summary;
  for (size_t i = 0; i < rows.rows(); ++i) {
    const auto start = rows.integer(kStart, i), name = rows.integer(kName, i);
    const int64_t end = rows.integer(kEnd, i).value_or(last);
    if (!start || !name || (marks.event_class && rows.integer(kClass, i) != marks.event_class) ||
        !source.window().holds(*start, end))
      continue;
    summary[{display(source, strings.find(name))}].add(end - *start);
  }
  text::Table table = summary_table(lines_by_total(std::move(summary)), {count, {label}});
  if (table.rows == 0) table.why_empty = why_nothing(source, what, "them");
  return table;
}

constexpr int64_t kKhrOnCpu = 62, kKhrOnGpu = 63;

struct Trace {
  query::ForeignTable calls;
  query::ForeignStrings strings;
  std::vector<uint32_t> order;
  std::string name;  // of the row at hand
};

enum : size_t { kStart, kEnd, kName, kClass, kContext, kCorrelation, kThread };

void fill_row(Trace* trace, uint64_t row, const query::Source& source, std::span<text::Cell> cells) {
  const uint32_t i = trace->order[row];
  const auto set = [&](size_t cell, std::optional<int64_t> value) {
    if (value) cells[cell].set(*value);
  };
  const auto start = trace->calls.integer(kStart, i), end = trace->calls.integer(kEnd, i),
             thread = trace->calls.integer(kThread, i);
  set(0, start);
  if (start && end) cells[1].set(*end - *start);
  trace->name = display(source, trace->strings.find(trace->calls.integer(kName, i)));
  cells[2].set(std::string_view(trace->name));
  set(3, trace->calls.integer(kClass, i));
  set(4, trace->calls.integer(kContext, i));
  set(5, trace->calls.integer(kCorrelation, i));
  if (!thread) return;
  const auto packed = static_cast<uint64_t>(*thread);  // a globalTid of nsys
  const auto pid = packed >> 24 & 0xFFFFFF, tid = packed & 0xFFFFFF;
  cells[6].set(static_cast<int64_t>(pid));
  cells[7].set(static_cast<int64_t>(tid));
  for (const query::Process& p : source.processes())
    for (const query::Thread& t : source.threads())
      if (p.pid == pid && t.process == p.number && t.tid == tid) cells[9].set(std::string_view(t.name));
}

}  // namespace

Result<text::Table> make_vulkan_api_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"VULKAN_API", "nameId", {}}, "Num Calls", "Name", "Vulkan calls");
}
Result<text::Table> make_vulkan_marker_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"VULKAN_DEBUG_API", "textId", {}}, "Instances", "Range", "Vulkan markers");
}
Result<text::Table> make_vulkan_gpu_marker_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"VULKAN_WORKLOAD", "textId", {}}, "Instances", "Range",
                   "Vulkan markers on the GPU");
}
Result<text::Table> make_opengl_khr_range_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"KHR_DEBUG_EVENTS", "textId", kKhrOnCpu}, "Instances", "Range",
                   "OpenGL KHR_debug ranges");
}
Result<text::Table> make_opengl_khr_gpu_range_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"KHR_DEBUG_EVENTS", "textId", kKhrOnGpu}, "Instances", "Range",
                   "OpenGL KHR_debug ranges on the GPU");
}
Result<text::Table> make_dx11_pix_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"D3D11_PIX_DEBUG_API", "textId", {}}, "Instances", "Range",
                   "Direct3D 11 PIX ranges");
}
Result<text::Table> make_dx12_pix_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"D3D12_PIX_DEBUG_API", "textId", {}}, "Instances", "Range",
                   "Direct3D 12 PIX ranges");
}
Result<text::Table> make_dx12_gpu_marker_sum(const query::Source& source, const ReportArguments&) {
  return summarise(source, {"DX12_WORKLOAD", "textId", {}}, "Instances", "Range",
                   "Direct3D 12 markers on the GPU");
}

Result<text::Table> make_vulkan_api_trace(const query::Source& source, const ReportArguments&) {
  auto trace = std::make_shared<Trace>();
  SEXTANT_ASSIGN(trace->calls, query::ForeignTable::load(source, "VULKAN_API",
                                                         {"start", "end", "nameId", "eventClass", "contextId",
                                                          "correlationId", "globalTid"}));
  SEXTANT_ASSIGN(trace->strings, query::ForeignStrings::load(source));
  for (uint32_t i = 0; i < trace->calls.rows(); ++i) {
    const int64_t start = trace->calls.integer(kStart, i).value_or(0);
    if (source.window().holds(start, trace->calls.integer(kEnd, i).value_or(start)))
      trace->order.push_back(i);
  }
  std::stable_sort(trace->order.begin(), trace->order.end(), [&](uint32_t a, uint32_t b) {
    return trace->calls.integer(kStart, a) < trace->calls.integer(kStart, b);
  });
  text::Table table;
  table.columns = {{"Start", "ns", kInteger},     {"Duration", "ns", kInteger}, {"Name", "", kText},
                   {"Event Class", "", kInteger}, {"Context", "", kInteger},    {"CorrID", "", kInteger},
                   {"Pid", "", kInteger},         {"Tid", "", kInteger},        {"T-Pri", "", kInteger},
                   {"Thread Name", "", kText}};
  table.rows = trace->order.size();
  if (table.rows == 0) table.why_empty = why_nothing(source, "Vulkan calls", "Vulkan");
  table.fill = [trace, &source](uint64_t row, std::span<text::Cell> cells) {
    fill_row(trace.get(), row, source, cells);
  };
  return table;
}

/// Queues of the Windows display driver: not summed up in this release.
Result<text::Table> make_wddm_queue_sum(const query::Source& source, const ReportArguments&) {
  SEXTANT_ASSIGN(const query::ForeignTable rows,
                 query::ForeignTable::load(source, "WDDM_QUEUE_PACKET_START_EVENTS", {"start"}));
  text::Table table;
  table.columns = {{"Utilization", "%", kReal}, {"Instances", "", kInteger}, {"Name", "", kText}};
  table.why_empty = rows.rows() == 0 ? why_nothing(source, "packets of Windows display queues", "them")
                                     : "Queues of the Windows display driver are not summed up in this "
                                       "release; the rows are in WDDM_QUEUE_PACKET_START_EVENTS.";
  return table;
}

}  // namespace sextant::stats
