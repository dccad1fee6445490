// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET tracks, names, tiles/{track}/{level}/{index}, tiles?of=...
#include <algorithm>

#include "serve/api.h"
#include "serve/tile.h"

namespace sextant::serve {

namespace {

constexpr int64_t kMostNames = 100'000;
constexpr size_t kMostNamesBytes = 16 << 20;
constexpr size_t kMostTiles = 64, kMostTilesBytes = 8 << 20;  // of one answer

void write_top(text::JsonWriter& json, const TrackSums& sums) {
  for (const TrackSums::Top& top : sums.top) {
    json.begin_object();
    json.key("name").number(static_cast<uint64_t>(top.name));
    json.key("share").number(static_cast<double>(top.ns) /
                             static_cast<double>(std::max<int64_t>(sums.busy_ns, 1)));
    json.end_object();
  }
}

/// Spans in which records of a process were lost.
void write_lost(text::JsonWriter& json, const query::Source& source, uint64_t process) {
  for (const query::Diagnostic& d : source.diagnostics()) {
    if (d.process != process || d.last_ns <= 0 || d.code.find("lost") == std::string::npos) continue;
    json.begin_array();
    json.number(d.first_ns);
    json.number(d.last_ns);
    json.end_array();
  }
}

/// A thread is busy while it runs: its states cover all of the time.
int64_t busy_ns(const Timeline& timeline, const Track& track, const TrackSums& sums) {
  if (track.kind != "state") return sums.busy_ns;
  int64_t running = 0;
  const uint32_t name = timeline.names().of_state(Names::kRunning);
  (void)timeline.name_sums(track, [&](uint32_t of, const NameSum& sum) {
    if (of == name) running = sum.total_ns;
  });
  return running;
}

void write_track(text::JsonWriter& json, const Timeline& timeline, size_t id) {
  const Track& track = timeline.tracks()[id];
  const bool group = track.layer == Track::kNone;
  const TrackSums* sums = group ? nullptr : &timeline.sums(track);
  const Curve* curve = track.curve == Track::kNone ? nullptr : &timeline.curves()[track.curve];
  Lane lane{{}, 0, 0, 0};
  if (!group) lane = timeline.lane_of(track);
  if (curve != nullptr) lane = {{}, curve->samples, curve->first_ns, curve->last_ns};
  json.begin_object();
  json.key("id").number(static_cast<uint64_t>(id));
  json.key("parent");
  if (track.parent)
    json.number(static_cast<uint64_t>(*track.parent));
  else
    json.null();
  json.key("kind").string(track.kind);
  json.key("name").string(track.name);
  json.key("events").number(lane.events);
  json.key("busy_ns").number(sums == nullptr ? int64_t{0} : busy_ns(timeline, track, *sums));
  json.key("first_ns").number(lane.first_ns);
  json.key("last_ns").number(lane.last_ns);
  json.key("rows").number(static_cast<uint64_t>(sums == nullptr ? 0 : sums->rows));
  json.key("unit");
  if (curve == nullptr || curve->unit.empty())
    json.null();
  else
    json.string(curve->unit);
  json.key("top").begin_array();
  if (sums != nullptr) write_top(json, *sums);
  json.end_array();
  json.key("lost").begin_array();
  if (track.kind == "process") write_lost(json, timeline.source(), *track.process);
  json.end_array();
  json.end_object();
}

Result<std::string> tile_of(const Timeline& timeline, std::string_view of_track, std::string_view of_level,
                            std::string_view of_index) {
  SEXTANT_ASSIGN(const Track* track, track_of(timeline, of_track, true));
  const auto level = http::parse_integer(of_level, 0, kMostLevel);
  const auto index = http::parse_integer(of_index, 0, INT64_MAX);
  if (!level || !index) return fail(ErrorCode::kUsage, "a tile has a level from 0 to 42 and an index");
  return make_tile(timeline, *track, {static_cast<int>(*level), *index});
}

http::Response bytes_response(std::string bytes) {
  return {.status = 200, .content_type = "application/octet-stream", .headers = {}, .body = std::move(bytes)};
}

}  // namespace

Answer answer_tracks(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  Json json;
  json.writer.begin_object();
  json.writer.key("settled").boolean(true);  // nothing is summed up in the background any more
  json.writer.key("notes").begin_array();
  for (const std::string& note : timeline->notes()) json.writer.string(note);
  json.writer.end_array();
  json.writer.key("tracks").begin_array();
  for (size_t id = 0; id < timeline->tracks().size(); ++id) write_track(json.writer, *timeline, id);
  json.writer.end_array();
  json.writer.end_object();
  return json.response();
}

Answer answer_names(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  const Names& names = timeline->names();
  SEXTANT_ASSIGN(const int64_t from, integer_of(call, "from", 0, 0, kMostNs));
  SEXTANT_ASSIGN(const int64_t count, integer_of(call, "count", kMostNames, 0, kMostNames));
  Json json;
  json.writer.begin_object();
  json.writer.key("names").begin_array();
  const auto begin = static_cast<uint64_t>(from);
  const uint64_t end = std::min<uint64_t>(names.count(), begin + static_cast<uint64_t>(count));
  for (uint64_t id = begin; id < end && json.out.size() < kMostNamesBytes; ++id)
    json.writer.string(names.text(id));
  json.writer.end_array();
  json.writer.key("total").number(static_cast<uint64_t>(names.count()));
  json.writer.end_object();
  return json.response();
}

Answer answer_tile(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(std::string bytes, tile_of(*timeline, call.parts[1], call.parts[2], call.parts[3]));
  return bytes_response(std::move(bytes));
}

Answer answer_tiles(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  const std::string of = call.parameters.text("of");
  if (of.empty())
    return fail(ErrorCode::kUsage,
                "of= is empty: it names the tiles, TRACK/LEVEL/INDEX,TRACK/LEVEL/INDEX,...");
  std::string body;
  size_t count = 0;
  for (std::string_view rest = of; !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::vector<std::string_view> place = http::parts_of(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (place.size() != 3 || ++count > kMostTiles)
      return fail(ErrorCode::kUsage, "of= names up to 64 tiles: TRACK/LEVEL/INDEX,TRACK/LEVEL/INDEX,...");
    const Result<std::string> tile = body.size() < kMostTilesBytes
                                         ? tile_of(*timeline, place[0], place[1], place[2])
                                         : Result<std::string>();
    const std::string_view bytes = tile ? std::string_view(*tile) : std::string_view();
    const uint64_t size = bytes.size();
    body.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  }
  return bytes_response(std::move(body));
}

}  // namespace sextant::serve
