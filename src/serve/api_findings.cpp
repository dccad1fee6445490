// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET findings: what the rules of `sextant analyze` say.
#include <fmt/format.h>

#include "analysis/rule.h"
#include "serve/api.h"
#include "serve/heavy.h"
#include "text/units.h"

namespace sextant::serve {

namespace {

/// A place of a finding in the tree of tracks.
struct Spot {
  std::optional<size_t> track;
  std::optional<uint64_t> event;
};

bool is_of(const Timeline& timeline, const Track& track, const analysis::Place& place) {
  if (track.layer == Track::kNone || track.process != place.process) return false;
  if (place.tid) return track.tid == place.tid && (track.kind == "cuda_api" || track.kind == "opencl_api");
  return timeline.layer_of(track).kind().below == Below::kStream &&
         timeline.lane_of(track).key.first == place.device;
}

/// The event that begins and ends there; without one the thread's calls, or the device.
Result<Spot> spot_of(const Timeline& timeline, const analysis::Place& place) {
  Spot spot;
  for (size_t t = 0; t < timeline.tracks().size(); ++t) {
    const Track& track = timeline.tracks()[t];
    if (!is_of(timeline, track, place)) continue;
    if (!spot.track) spot.track = t;
    if (place.table == 0) continue;
    SEXTANT_TRY(timeline.visit(track, place.from_ns, place.from_ns + 1, [&](const Event& event) {
      if (table_of(event.id) == place.table && event.start_ns == place.from_ns && event.end_ns == place.to_ns)
        spot = {t, event.id};
      return !spot.event;
    }));
    if (spot.event) return spot;
  }
  while (spot.track && place.device && timeline.tracks()[*spot.track].kind != "device" &&
         timeline.tracks()[*spot.track].parent)
    spot.track = timeline.tracks()[*spot.track].parent;
  return spot;
}

void write_spot(text::JsonWriter& json, std::string_view text, const Spot& spot,
                const analysis::Place* place) {
  const auto number_or_null = [&](std::string_view key, bool there, uint64_t value) {
    json.key(key);
    if (there)
      json.number(value);
    else
      json.null();
  };
  json.begin_object();
  json.key("text").string(text);
  number_or_null("track", spot.track.has_value(), spot.track.value_or(0));
  number_or_null("event", spot.event.has_value(), spot.event.value_or(0));
  for (const bool from : {true, false}) {
    json.key(from ? "from" : "to");
    if (place != nullptr)
      json.number(from ? place->from_ns : place->to_ns);
    else
      json.null();
  }
  json.end_object();
}

Status write_finding(text::JsonWriter& json, const Timeline& timeline, const analysis::Rule& rule,
                     const analysis::Finding& finding) {
  json.begin_object();
  json.key("rule").string(rule.name);
  json.key("what").string(finding.what);
  json.key("where").begin_array();
  if (finding.places.empty()) write_spot(json, finding.where, {}, nullptr);
  for (size_t i = 0; i < finding.places.size(); ++i) {
    const analysis::Place& place = finding.places[i];
    SEXTANT_ASSIGN(const Spot spot, spot_of(timeline, place));
    const std::string longest = fmt::format(
        "the longest: {} at {}", text::duration(place.to_ns - place.from_ns), text::duration(place.from_ns));
    write_spot(json, i == 0 ? finding.where : longest, spot, &place);
  }
  json.end_array();
  json.key("evidence").string(finding.evidence);
  json.key("gain_ns").number(finding.gain_ns);
  json.key("advice").string(finding.advice);
  json.end_object();
  return {};
}

}  // namespace

Answer answer_findings(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  const HeavyWork turn;
  Json json;
  json.writer.begin_object();
  json.writer.key("findings").begin_array();
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const analysis::Rule& rule : analysis::rules()) {
    const auto outcome = rule.run(call.report.source, {});
    if (!outcome) {
      reasons.emplace_back(rule.name, outcome.error().message);
      continue;
    }
    for (const analysis::Finding& finding : outcome->findings)
      SEXTANT_TRY(write_finding(json.writer, *timeline, rule, finding));
    if (outcome->findings.empty()) reasons.emplace_back(rule.name, outcome->table.why_empty);
  }
  json.writer.end_array();
  json.writer.key("reasons").begin_array();
  for (const auto& [rule, reason] : reasons) {
    json.writer.begin_object();
    json.writer.key("rule").string(rule);
    json.writer.key("text").string(reason);
    json.writer.end_object();
  }
  json.writer.end_array();
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
