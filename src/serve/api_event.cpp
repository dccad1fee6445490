// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET event/{track}/{event}: all that is known of one event.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "event/schema_opencl.h"
#include "event/schema_system.h"
#include "explain/explain.h"
#include "serve/api.h"
#include "serve/call_stacks.h"
#include "serve/derived.h"
#include "serve/event_details.h"
#include "serve/osrt_details.h"

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
    SqlTable{event::kOpenclKernel, "OPENCL_KERNELS"},
    SqlTable{event::kOpenclMemory, "OPENCL_MEMORY"},
    SqlTable{event::kOpenclSync, "OPENCL_SYNC"},
    SqlTable{event::kOpenclApi, "OPENCL_API"},
    SqlTable{event::kOsrtCall, "OSRT_API"},
    SqlTable{event::kNvtxRange, "NVTX_EVENTS"},
    SqlTable{event::kNvtxMark, "NVTX_EVENTS"},
    SqlTable{event::kNvtxEvent, "NVTX_EVENTS"},
    SqlTable{event::kNvtxStart, "NVTX_EVENTS"},
    SqlTable{event::kNvtxOpen, "NVTX_EVENTS"},
    SqlTable{event::kCpuSample, "COMPOSITE_EVENTS"},
    SqlTable{event::kSchedEvent, "SCHED_EVENTS"},
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

Status write_row(text::JsonWriter& json, const query::Source& source, const StoredRow& row) {
  json.key("event").begin_object();
  for (size_t c = 0; c < row.values.size(); ++c) {
    const event::Column& column = row.table->columns[c];
    if (column.name == "nulls" || row.missing(column.id) || told_in_words(row, column.id)) continue;
    json.key(column.name);
    write_value(json, source, column.type, row.values[c]);
  }
  SEXTANT_TRY(write_osrt_words(json, source, row));
  json.end_object();
  json.key("units").begin_object();
  for (const event::Column& column : row.table->columns) {
    const bool time = column.type == event::Type::kTime || column.type == event::Type::kDuration;
    if (time) json.key(column.name).string("ns");
    if (column.name == "bytes") json.key(column.name).string("B");
  }
  json.end_object();
  return {};
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

/// What was on a CPU, or what a thread did, is more than the row that begins it.
void write_switch(text::JsonWriter& json, const Timeline& timeline, const Event& event,
                  const StoredRow& row) {
  json.key("event").begin_object();
  json.key("start").number(event.start_ns);
  json.key("duration").number(event.end_ns - event.start_ns);
  json.key("unfinished").boolean(event.unfinished);
  json.key("name").string(timeline.names().text(event.name));
  for (const char* column : {"cpu", "process", "tid"})
    if (const auto value = row.value(column)) json.key(column).number(*value);
  json.end_object();
  json.key("units").begin_object();
  json.key("start").string("ns");
  json.key("duration").string("ns");
  json.end_object();
}

/// The call stack of a sample or call, the innermost frame first.
Status write_stack(text::JsonWriter& json, const query::Source& source, const StoredRow& row) {
  SEXTANT_ASSIGN(const std::vector<Frame> frames, stack_of(source, row));
  for (const Frame& frame : frames) {
    json.begin_object();
    json.key("function").string(source.reader().string(frame.function));
    json.key("module").string(source.reader().string(frame.module));
    json.key("kernel").boolean(frame.kernel);
    json.end_object();
  }
  return {};
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

/// The range on its thread behind a range on a device.
Result<std::vector<Link>> projected_links(const Timeline& timeline, const Event& event) {
  std::vector<Link> links;
  const auto from = timeline.projected_from(event.id);
  for (size_t t = 0; from && links.empty() && t < timeline.tracks().size(); ++t) {
    const Track& track = timeline.tracks()[t];
    if (track.kind != "nvtx" || track.process != from->process || track.tid != from->tid) continue;
    SEXTANT_TRY(timeline.visit(track, from->start_ns, from->start_ns + 1, [&](const Event& range) {
      if (range.start_ns == from->start_ns && range.end_ns == from->end_ns && range.name == event.name)
        links.push_back({"range", {t, range}, event.start_ns - range.start_ns});
      return links.empty();
    }));
  }
  return links;
}

Status write_neighbours(text::JsonWriter& json, const Timeline& timeline, const Track& track,
                        const Event& event) {
  for (const int direction : {-1, 1}) {
    SEXTANT_ASSIGN(const auto other, timeline.neighbour(track, event, direction));
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
  const bool is_switch = table_of(event.id) == event::kSchedEvent;
  const bool joined = !is_switch && timeline->layer_of(*track).find_joined(event.id) != nullptr;
  std::optional<StoredRow> row;
  Json json;
  std::vector<Link> links;
  json.writer.begin_object();
  if (joined) {
    write_joined(json.writer, *timeline, *track, event);
    SEXTANT_ASSIGN(links, projected_links(*timeline, event));
  } else {
    SEXTANT_ASSIGN(row, read_row(timeline->source(), table_of(event.id), row_of(event.id)));
    if (is_switch)
      write_switch(json.writer, *timeline, event, *row);
    else
      SEXTANT_TRY(write_row(json.writer, timeline->source(), *row));
    SEXTANT_ASSIGN(links, links_of(*timeline, *track, event, *row));
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
  if (row) SEXTANT_TRY(write_stack(json.writer, timeline->source(), *row));
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
