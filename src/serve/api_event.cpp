// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET event/{track}/{event}: all that is known of one event.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "explain/explain.h"
#include "serve/api.h"
#include "serve/event_details.h"

namespace sextant::serve {

namespace {

struct SqlTable {
  uint16_t table;
  std::string_view name;
};
constexpr std::array kSqlTables = {
    SqlTable{event::kCudaKernel, "CUPTI_ACTIVITY_KIND_KERNEL"},
    SqlTable{event::kCudaMemcpy, "CUPTI_ACTIVITY_KIND_MEMCPY"},
    SqlTable{event::kCudaMemset, "CUPTI_ACTIVITY_KIND_MEMSET"},
    SqlTable{event::kCudaSync, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"},
    SqlTable{event::kCudaApi, "CUPTI_ACTIVITY_KIND_RUNTIME"},
    SqlTable{event::kCudaGraphRun, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"},
    SqlTable{event::kOsrtCall, "OSRT_API"},
    SqlTable{event::kNvtxRange, "NVTX_EVENTS"},
    SqlTable{event::kNvtxMark, "NVTX_EVENTS"},
    SqlTable{event::kNvtxEvent, "NVTX_EVENTS"},
    SqlTable{event::kNvtxStart, "NVTX_EVENTS"},
    SqlTable{event::kNvtxOpen, "NVTX_EVENTS"},
    SqlTable{event::kMpiCall, "MPI_P2P_EVENTS"},
};

std::string sql_of(const Event& event) {
  for (const SqlTable& table : kSqlTables)
    if (table.table == table_of(event.id))
      return fmt::format("SELECT * FROM {} WHERE start = {}", table.name, event.start_ns);
  return "";
}

void write_value(text::JsonWriter& json, const query::Source& source, event::Type type, uint64_t value) {
  switch (type) {
    case event::Type::kString:
      return json.string(source.reader().string(value));
    case event::Type::kReal:
      return json.number(std::bit_cast<double>(value));
    case event::Type::kInt:
    case event::Type::kTime:
    case event::Type::kDuration:
    case event::Type::kNanoseconds:
      return json.number(static_cast<int64_t>(value));
    default:
      if (value < static_cast<uint64_t>(kMostNs)) return json.number(value);
      return json.string(fmt::format("{}", value));
  }
}

void write_row(text::JsonWriter& json, const query::Source& source, const StoredRow& row) {
  json.key("event").begin_object();
  for (size_t c = 0; c < row.values.size(); ++c) {
    const event::Column& column = row.table->columns[c];
    if (column.name == "nulls" || row.missing(column.id)) continue;
    json.key(column.name);
    write_value(json, source, column.type, row.values[c]);
  }
  json.end_object();
  json.key("units").begin_object();
  for (const event::Column& column : row.table->columns) {
    const bool time = column.type == event::Type::kTime || column.type == event::Type::kDuration;
    if (time) json.key(column.name).string("ns");
    if (column.name == "bytes") json.key(column.name).string("B");
  }
  json.end_object();
}

/// Of a range that was joined or never closed there is no one row.
void write_joined(text::JsonWriter& json, const Timeline& timeline, const Track& track, const Event& event) {
  json.key("event").begin_object();
  json.key("start").number(event.start_ns);
  json.key("duration").number(event.end_ns - event.start_ns);
  json.key("unfinished").boolean(event.unfinished);
  if (track.process) json.key("process").number(*track.process);
  if (track.tid) json.key("tid").number(*track.tid);
  json.key("name").string(timeline.names().text(event.name));
  json.end_object();
  json.key("units").begin_object();
  json.key("start").string("ns");
  json.key("duration").string("ns");
  json.end_object();
}

void write_placed(text::JsonWriter& json, const Placed& placed) {
  json.key("track").number(static_cast<uint64_t>(placed.track));
  json.key("event").number(placed.event.id);
  json.key("start").number(placed.event.start_ns);
  json.key("duration")
      .number(placed.event.unfinished ? int64_t{-1} : placed.event.end_ns - placed.event.start_ns);
  json.key("name").number(static_cast<uint64_t>(placed.event.name));
}

void write_links(text::JsonWriter& json, const std::vector<Link>& links) {
  json.key("links").begin_array();
  for (const Link& link : links) {
    json.begin_object();
    json.key("kind").string(link.kind);
    write_placed(json, link.placed);
    json.key("delay").number(link.delay_ns);
    json.end_object();
  }
  json.end_array();
}

Status write_neighbours(text::JsonWriter& json, const Timeline& timeline, const Track& track,
                        const Event& event) {
  for (const int direction : {-1, 1}) {
    SEXTANT_ASSIGN(const auto other, neighbour(timeline, track, event, direction));
    json.key(direction < 0 ? "previous" : "next");
    if (other)
      json.number(*other);
    else
      json.null();
  }
  return {};
}

}  // namespace

Answer answer_event(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const Track* track, track_of(*timeline, call.parts[1]));
  const auto id = http::parse_integer(call.parts[2], 0, kMostNs);
  if (!id) return fail(ErrorCode::kUsage, "an event has an integer as its number");
  SEXTANT_ASSIGN(const Event event, find_event(*timeline, *track, static_cast<uint64_t>(*id)));
  const bool joined = timeline->layer_of(*track).find_joined(event.id) != nullptr;
  Json json;
  std::vector<Link> links;
  json.writer.begin_object();
  if (joined) {
    write_joined(json.writer, *timeline, *track, event);
  } else {
    SEXTANT_ASSIGN(const StoredRow row, read_row(timeline->source(), table_of(event.id), row_of(event.id)));
    write_row(json.writer, timeline->source(), row);
    SEXTANT_ASSIGN(links, links_of(*timeline, *track, event, row));
  }
  json.writer.key("name").number(static_cast<uint64_t>(event.name));
  json.writer.key("row").number(static_cast<uint64_t>(event.row));
  json.writer.key("unfinished").boolean(event.unfinished);
  const event::Table* table = event::find_table(table_of(event.id));
  json.writer.key("table").string(table == nullptr ? std::string_view() : table->name);
  // of work on a device: what was around its launch
  const Placed* launch = !links.empty() && links[0].kind == "launched_by" ? &links[0].placed : nullptr;
  const Track& thread = launch == nullptr ? *track : timeline->tracks()[launch->track];
  json.writer.key("parents").begin_array();
  if (thread.tid) {
    SEXTANT_ASSIGN(const auto around, ranges_around(*timeline, *thread.process, *thread.tid,
                                                    launch == nullptr ? event : launch->event));
    for (const Placed& parent : around) {
      json.writer.begin_object();
      write_placed(json.writer, parent);
      json.writer.end_object();
    }
  }
  json.writer.end_array();
  write_links(json.writer, links);
  json.writer.key("stack").begin_array();
  json.writer.end_array();
  json.writer.key("explained");
  const auto explained = explain::explain(timeline->names().text(event.name));
  if (track->kind == "kernels" && explained.recognised())
    json.writer.string(explained.summary);
  else
    json.writer.null();
  SEXTANT_TRY(write_neighbours(json.writer, *timeline, *track, event));
  json.writer.key("sql").string(sql_of(event));
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
