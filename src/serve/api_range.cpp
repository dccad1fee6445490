// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET range: what is visible or selected, summed up.
#include <algorithm>

#include "serve/api.h"
#include "serve/range_sum.h"

namespace sextant::serve {

Answer answer_range(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(query::Window span, window_of(call, timeline->length_ns()));
  span.from_ns = std::max<int64_t>(span.from_ns, 0);
  span.to_ns = std::clamp(span.to_ns, span.from_ns, timeline->length_ns() + 1);
  Json json;
  json.writer.begin_object();
  json.writer.key("from").number(span.from_ns);
  json.writer.key("to").number(span.to_ns);
  json.writer.key("tracks").begin_array();
  for (size_t t = 0; t < timeline->tracks().size(); ++t) {
    const Track& track = timeline->tracks()[t];
    if (track.layer == Track::kNone) continue;
    SEXTANT_ASSIGN(const RangeSum sum, range_sum(*timeline, track, span));
    if (sum.events == 0 && sum.busy_ns == 0) continue;
    json.writer.begin_object();
    json.writer.key("track").number(static_cast<uint64_t>(t));
    json.writer.key("busy_ns").number(sum.busy_ns);
    json.writer.key("events").number(sum.events);
    json.writer.key("exact").boolean(sum.exact);
    json.writer.key("top").begin_array();
    for (const RangeSum::Name& name : sum.top) {
      json.writer.begin_object();
      json.writer.key("name").number(static_cast<uint64_t>(name.name));
      json.writer.key("ns").number(name.ns);
      json.writer.key("events").number(name.events);
      json.writer.end_object();
    }
    json.writer.end_array();
    json.writer.end_object();
  }
  json.writer.end_array();
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
