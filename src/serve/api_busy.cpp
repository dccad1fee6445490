// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET busy: what each device did in a span of time, and why it did nothing.
#include <algorithm>

#include "serve/api.h"
#include "serve/busy.h"
#include "serve/heavy.h"

namespace sextant::serve {

namespace {

void write_part(text::JsonWriter& json, const Cause& cause, const DeviceTime::Part& part, int64_t whole_ns) {
  json.begin_object();
  json.key("cause").string(cause.name);
  json.key("text").string(cause.text);
  json.key("ns").number(part.ns);
  json.key("share").number(static_cast<double>(part.ns) /
                           static_cast<double>(std::max<int64_t>(whole_ns, 1)));
  json.key("longest").begin_object();
  json.key("from").number(part.longest.start);
  json.key("to").number(part.longest.end);
  json.end_object();
  json.end_object();
}

}  // namespace

Answer answer_busy(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(query::Window span, window_of(call, timeline->length_ns()));
  span.from_ns = std::max<int64_t>(span.from_ns, 0);
  span.to_ns = std::clamp(span.to_ns, span.from_ns, timeline->length_ns());
  const HeavyWork turn;
  const auto times = device_times(*timeline, span);
  if (!times && times.error().code != ErrorCode::kUnsupported) return tl::unexpected<Error>(times.error());
  Json json;
  json.writer.begin_object();
  json.writer.key("from").number(span.from_ns);
  json.writer.key("to").number(span.to_ns);
  json.writer.key("devices").begin_array();
  const int64_t whole = span.to_ns - span.from_ns;
  for (const DeviceTime& time : times ? *times : std::vector<DeviceTime>()) {
    json.writer.begin_object();
    json.writer.key("track").number(static_cast<uint64_t>(time.track));
    json.writer.key("name").string(timeline->tracks()[time.track].name);
    json.writer.key("busy_ns").number(time.busy_ns());
    json.writer.key("idle_ns").number(whole - time.busy_ns());
    json.writer.key("causes").begin_array();
    for (size_t cause = 0; cause < causes().size(); ++cause)
      write_part(json.writer, causes()[cause], time.parts[cause], whole);
    json.writer.end_array();
    json.writer.end_object();
  }
  json.writer.end_array();
  json.writer.key("reason");
  if (!times)
    json.writer.string(times.error().message);
  else if (times->empty())
    json.writer.string("No work on a device was recorded.");
  else
    json.writer.null();
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
