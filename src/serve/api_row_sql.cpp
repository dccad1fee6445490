// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET row_sql: the SQL that asks for the events of a track, for those who copy a row.
#include <fmt/format.h>

#include <array>

#include "serve/api.h"
#include "sql/words.h"

namespace sextant::serve {

namespace {

/// How a track's kind is called in nsys's tables.
struct Asked {
  std::string_view kind, table;
  std::string_view columns;
};
constexpr std::array kThreadTables = {
    Asked{"cuda_api", "CUPTI_ACTIVITY_KIND_RUNTIME", "*"},
    Asked{"osrt", "OSRT_API", "*"},
    Asked{"samples", "COMPOSITE_EVENTS", "*"},
    Asked{"state", "SCHED_EVENTS", "*"},
    Asked{"opencl_api", "OPENCL_API", "*"},
    Asked{"nvtx", "NVTX_EVENTS", "*"},
};
constexpr std::array kDeviceTables = {
    Asked{"kernels", "CUPTI_ACTIVITY_KIND_KERNEL", "*"},
    Asked{"memory", "CUPTI_ACTIVITY_KIND_MEMCPY", "start, end, bytes, copyKind"},
    Asked{"memory", "CUPTI_ACTIVITY_KIND_MEMSET", "start, end, bytes, NULL"},
    Asked{"sync", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "*"},
    Asked{"graphs", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "*"},
};

uint64_t pid_of(const query::Source& source, uint64_t number) {
  for (const query::Process& process : source.processes())
    if (process.number == number) return process.pid;
  return 0;
}

std::string quoted(std::string_view text) {
  return "'" + sql::escaped(text) + "'";
}

/// Instants have no end in these tables.
std::string when(std::string_view table, const query::Window& span) {
  const bool instant = table == "COMPOSITE_EVENTS" || table == "SCHED_EVENTS";
  const std::string_view end = instant ? "start" : table == "NVTX_EVENTS" ? "coalesce(end, start)" : "end";
  return fmt::format(" AND start < {} AND {} >= {}", span.to_ns, end, span.from_ns);
}

std::string domain_of(const query::Source& source, uint64_t domain) {
  if (domain == 0) return " AND domainId = 0";
  if (source.rows(event::kNvtxEvent) > 0) return fmt::format(" AND domainId = {}", domain);
  return fmt::format(" AND domainId = (SELECT domainId FROM NVTX_EVENTS WHERE eventType = 75 AND text = {})",
                     quoted(source.reader().string(domain)));
}

std::string sql_of(const Timeline& timeline, const Track& track, const query::Window& span) {
  const query::Source& source = timeline.source();
  const LaneKey& key = timeline.lane_of(track).key;
  const uint64_t pid = pid_of(source, key.process);
  std::string sql;
  for (const Asked& asked : kThreadTables) {
    if (asked.kind != track.kind) continue;
    sql = fmt::format(
        "SELECT {} FROM {} WHERE (globalTid >> 24 & 0xFFFFFF) = {} AND (globalTid & 0xFFFFFF) = {}",
        asked.columns, asked.table, pid, key.first);
    if (track.kind == "nvtx") sql += " AND eventType IN (34, 59, 60)" + domain_of(source, key.second);
    sql += when(asked.table, span);
  }
  for (const Asked& asked : kDeviceTables) {
    if (asked.kind != track.kind) continue;
    if (!sql.empty()) sql += " UNION ALL ";
    sql += fmt::format(
        "SELECT {} FROM {} WHERE (globalPid >> 24 & 0xFFFFFF) = {} AND deviceId = {} AND contextId = {} AND "
        "streamId = {}",
        asked.columns, asked.table, pid, key.first, key.second, key.third);
    sql += when(asked.table, span);
  }
  if (track.kind == "cpu")
    sql = fmt::format("SELECT * FROM SCHED_EVENTS WHERE cpu = {}{}", key.first, when("SCHED_EVENTS", span));
  return sql.empty() ? sql : sql + " ORDER BY start";
}

}  // namespace

Answer answer_row_sql(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const Track* track, track_of(*timeline, call.parameters.text("track")));
  SEXTANT_ASSIGN(const query::Window span, window_of(call, timeline->length_ns()));
  const std::string sql = sql_of(*timeline, *track, span);
  Json json;
  json.writer.begin_object();
  json.writer.key("sql");
  if (sql.empty())
    json.writer.null();
  else
    json.writer.string(sql);
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
