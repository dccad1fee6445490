// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET stacks: what a flame graph draws.
#include <map>

#include "serve/api.h"
#include "serve/flame.h"
#include "serve/heavy.h"

namespace sextant::serve {

namespace {

http::Response write_flame(const Timeline& timeline, const Flame& flame) {
  std::map<uint32_t, uint64_t> frames;  // name: place in `frames`
  Json json;
  json.writer.begin_object();
  json.writer.key("frames").begin_array();
  for (const auto& [path, weight] : flame.weights)
    for (const uint32_t name : path)
      if (frames.try_emplace(name, frames.size()).second) json.writer.string(timeline.names().text(name));
  json.writer.end_array();
  json.writer.key("stacks").begin_array();
  for (const auto& [path, weight] : flame.weights) {
    json.writer.begin_array();
    json.writer.begin_array();
    for (const uint32_t name : path) json.writer.number(frames[name]);
    json.writer.end_array();
    json.writer.number(weight);
    json.writer.end_array();
  }
  json.writer.end_array();
  json.writer.key("unit").string(flame.samples ? "samples" : "ns");
  json.writer.key("complete").boolean(flame.complete);
  json.writer.end_object();
  return json.response();
}

Result<std::vector<size_t>> chosen_tracks(const Call& call, const Timeline& timeline) {
  const std::string number = call.parameters.text("track");
  std::vector<size_t> all;
  if (number.empty()) {
    all.reserve(timeline.tracks().size());
    for (size_t t = 0; t < timeline.tracks().size(); ++t) all.push_back(t);
    return all;
  }
  const auto track = http::parse_integer(number, 0, INT64_MAX);
  if (!track || static_cast<size_t>(*track) >= timeline.tracks().size())
    return fail(ErrorCode::kNotFound, "there is no track with this number");
  return tracks_below(timeline, static_cast<size_t>(*track));
}

}  // namespace

Answer answer_stacks(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const query::Window span, window_of(call, timeline->length_ns()));
  const std::string by = call.parameters.text("by");
  if (!by.empty() && by != "device" && by != "samples")
    return fail(ErrorCode::kUsage, "by is device or samples; without it the events of one track are taken");
  SEXTANT_ASSIGN(const std::vector<size_t> tracks, chosen_tracks(call, *timeline));
  const HeavyWork turn;
  if (by == "device") {
    SEXTANT_ASSIGN(const Flame flame, flame_of_devices(*timeline, tracks, span));
    return write_flame(*timeline, flame);
  }
  const auto of_samples = [&]() -> Answer {
    SEXTANT_ASSIGN(const Flame flame, flame_of_samples(*timeline, tracks, span));
    return write_flame(*timeline, flame);
  };
  if (by == "samples") return of_samples();
  SEXTANT_ASSIGN(const Track* track, track_of(*timeline, call.parameters.text("track")));
  if (track->kind == "samples") return of_samples();
  SEXTANT_ASSIGN(const Flame flame, flame_of_events(*timeline, *track, span));
  return write_flame(*timeline, flame);
}

}  // namespace sextant::serve
