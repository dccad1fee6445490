// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET reports, GET reports/{id}
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "serve/api.h"
#include "text/units.h"

namespace sextant::serve {

namespace {

void text_or_null(text::JsonWriter& json, std::string_view key, const std::string& value) {
  json.key(key);
  if (value.empty())
    json.null();
  else
    json.string(value);
}

void write_item(text::JsonWriter& json, const Item& item) {
  const Summary& summary = item.summary;
  json.key("id").string(item.id);
  json.key("name").string(item.name);
  json.key("path").string(item.path);
  text_or_null(json, "host", summary.host);
  text_or_null(json, "program", summary.program);
  json.key("gpus").begin_array();
  for (const std::string& gpu : summary.gpus) json.string(gpu);
  json.end_array();
  text_or_null(json, "started", summary.started);
  json.key("length_ns");
  if (summary.length_ns < 0)
    json.null();
  else
    json.number(summary.length_ns);
  text_or_null(json, "rank", summary.rank);
  json.key("lost");
  if (summary.length_ns < 0)  // not opened yet, or unreadable
    json.null();
  else
    json.number(summary.lost);
  json.key("verdict").string(summary.verdict);
  json.key("growing").boolean(summary.growing);
  json.key("bytes").number(item.stamp.bytes);
  json.key("state").string(summary.state);
  text_or_null(json, "etag", summary.etag);
}

void write_tables(text::JsonWriter& json, const query::Source& source) {
  std::map<uint16_t, uint64_t> rows;
  for (const report::ChunkRef& chunk : source.reader().chunks())
    if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData))
      rows[chunk.header.table] += chunk.header.rows;
  json.key("tables").begin_array();
  for (const report::TableInfo& table : source.reader().tables()) {
    if (rows[table.id] == 0) continue;
    json.begin_object();
    json.key("name").string(table.name);
    json.key("rows").number(rows[table.id]);
    json.end_object();
  }
  json.end_array();
}

/// What the recording noted, and what reading the file has found so far.
std::vector<query::Diagnostic> lacks_of(const query::Source& source, const Summary& summary) {
  std::vector<query::Diagnostic> lacks = source.diagnostics();
  const auto add = [&](std::string code, std::string text) {
    query::Diagnostic& lack = lacks.emplace_back();
    lack.code = std::move(code), lack.text = std::move(text);
  };
  const auto add_damage = [&](const report::Damage& d) {
    add("damage", fmt::format("damaged at byte {}: {} ({} skipped)", d.offset, d.what, text::bytes(d.bytes)));
  };
  for (const report::Damage& d : source.reader().damage()) add_damage(d);
  for (const report::Damage& d : source.skipped()) add_damage(d);
  if (summary.state == "cut") add("cut", summary.verdict);
  return lacks;
}

void write_diagnostics(text::JsonWriter& json, const std::vector<query::Diagnostic>& lacks) {
  json.key("diagnostics").begin_array();
  for (const query::Diagnostic& d : lacks) {
    json.begin_object();
    json.key("code").string(d.code);
    json.key("process").number(d.process);
    json.key("count").number(d.count);
    for (const auto& [key, at] : {std::pair("first_ns", d.first_ns), std::pair("last_ns", d.last_ns)}) {
      json.key(key);
      if (d.count == 0)  // of the file, not of a time
        json.null();
      else
        json.number(at);
    }
    json.key("text").string(d.text);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

Answer answer_reports(Collection& collection, const Tags* tags) {
  const std::vector<Item> items = collection.list();
  Json json;
  json.writer.begin_object();
  json.writer.key("reports").begin_array();
  std::set<std::string> folders;
  for (const Item& item : items) {
    json.writer.begin_object();
    write_item(json.writer, item);
    json.writer.key("tags").begin_array();
    for (const std::string& tag : tags == nullptr ? std::vector<std::string>() : tags->of(item.file))
      json.writer.string(tag);
    json.writer.end_array();
    json.writer.end_object();
    if (!item.folder.empty()) folders.insert(item.folder);
  }
  json.writer.end_array();
  json.writer.key("can_tag").boolean(tags != nullptr && tags->can_set());
  json.writer.key("folders").begin_array();
  for (const std::string& folder : folders) json.writer.string(folder);
  json.writer.end_array();
  json.writer.end_object();
  return json.response();
}

Answer answer_report(const Call& call) {
  const query::Source& source = call.report.source;
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  // Once more: making the timeline has read every event, and found what is damaged.
  Item item = call.report.item;
  item.summary = summary_of(source, item);
  Json json;
  json.writer.begin_object();
  write_item(json.writer, item);
  write_tables(json.writer, source);
  write_diagnostics(json.writer, lacks_of(source, item.summary));
  json.writer.key("clock").begin_object();
  json.writer.key("utc_start_ns").string(fmt::format("{}", source.start_realtime_ns()));
  json.writer.end_object();
  json.writer.key("names").number(static_cast<uint64_t>(timeline->names().count()));
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
