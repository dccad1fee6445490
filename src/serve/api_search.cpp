// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET search: names that hold a text and have events.
#include <algorithm>
#include <map>

#include "query/sums.h"
#include "serve/api.h"
#include "serve/name_filter.h"

namespace sextant::serve {

namespace {

struct Found {
  uint32_t name = 0;
  std::string_view kind;
  NameSum sum;
  size_t track = 0;  // of the first event
};

}  // namespace

Answer answer_search(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const int64_t limit, integer_of(call, "limit", 50, 0, 1000));
  const std::string text = call.parameters.text("text");
  if (text.empty()) return fail(ErrorCode::kUsage, "text is missing: a part of the names that are wanted");
  NameFilter filter(timeline->names(), text);
  std::map<std::pair<std::string_view, uint32_t>, Found> found;  // by kind of track and name
  bool more = false;
  for (size_t t = 0; t < timeline->tracks().size(); ++t) {
    const Track& track = timeline->tracks()[t];
    if (track.layer == Track::kNone) continue;
    const bool all = timeline->name_sums(track, [&](uint32_t name, const NameSum& sum) {
      if (!filter.holds(name)) return;
      Found& of = found[{track.kind, name}];
      of.name = name, of.kind = track.kind;
      of.sum.events += sum.events, of.sum.total_ns = query::sum(of.sum.total_ns, sum.total_ns);
      if (sum.first_ns >= of.sum.first_ns) return;
      of.sum.first_ns = sum.first_ns, of.sum.first_event = sum.first_event, of.track = t;
    });
    more = more || !all;
  }
  std::vector<const Found*> order;
  order.reserve(found.size());
  for (const auto& [key, one] : found) order.push_back(&one);
  std::sort(order.begin(), order.end(), [](const Found* a, const Found* b) {
    return a->sum.total_ns != b->sum.total_ns ? a->sum.total_ns > b->sum.total_ns : a->name < b->name;
  });
  more = more || order.size() > static_cast<size_t>(limit);
  order.resize(std::min(order.size(), static_cast<size_t>(limit)));
  Json json;
  json.writer.begin_object();
  json.writer.key("names").begin_array();
  for (const Found* one : order) {
    json.writer.begin_object();
    json.writer.key("name").number(static_cast<uint64_t>(one->name));
    json.writer.key("text").string(timeline->names().text(one->name));
    json.writer.key("track_kind").string(one->kind);
    json.writer.key("events").number(one->sum.events);
    json.writer.key("total_ns").number(one->sum.total_ns);
    json.writer.key("first").begin_object();
    json.writer.key("track").number(static_cast<uint64_t>(one->track));
    json.writer.key("event").number(one->sum.first_event);
    json.writer.key("start").number(one->sum.first_ns);
    json.writer.end_object();
    json.writer.end_object();
  }
  json.writer.end_array();
  json.writer.key("more").boolean(more);
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
