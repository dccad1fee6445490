// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET busy: what each device or thread did in a span of time, and why it did nothing.
#include <algorithm>

#include "serve/api.h"
#include "serve/busy.h"
#include "serve/heavy.h"
#include "serve/thread_time.h"

namespace sextant::serve {

namespace {

constexpr size_t kMostThreads = 200;  // in one answer
constexpr size_t kMostNames = 5;      // of a cause

void write_part(text::JsonWriter& json, const Cause& cause, const CauseTime& part, int64_t whole_ns) {
  json.key("cause").string(cause.name);
  json.key("text").string(cause.text);
  json.key("ns").number(part.ns);
  json.key("share").number(static_cast<double>(part.ns) /
                           static_cast<double>(std::max<int64_t>(whole_ns, 1)));
  json.key("longest").begin_object();
  json.key("from").number(part.longest.start);
  json.key("to").number(part.longest.end);
  json.end_object();
}

void write_device(text::JsonWriter& json, const Timeline& timeline, const DeviceTime& time,
                  int64_t whole_ns) {
  json.begin_object();
  json.key("track").number(static_cast<uint64_t>(time.track));
  json.key("name").string(timeline.tracks()[time.track].name);
  json.key("busy_ns").number(time.busy_ns());
  json.key("idle_ns").number(whole_ns - time.busy_ns());
  json.key("causes").begin_array();
  for (size_t cause = 0; cause < causes().size(); ++cause) {
    json.begin_object();
    write_part(json, causes()[cause], time.parts[cause], whole_ns);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_thread(text::JsonWriter& json, const Timeline& timeline, const ThreadTime& time,
                  int64_t whole_ns) {
  json.begin_object();
  json.key("track").number(static_cast<uint64_t>(time.track));
  json.key("name").string(timeline.tracks()[time.track].name);
  json.key("scheduling").boolean(time.scheduling);
  json.key("causes").begin_array();
  for (size_t cause = 0; cause < kThreadCauses; ++cause) {
    const ThreadTime::Part& part = time.parts[cause];
    json.begin_object();
    write_part(json, thread_causes()[cause], part, whole_ns);
    json.key("names").begin_array();
    for (size_t n = 0; n < std::min(part.names.size(), kMostNames); ++n) {
      json.begin_object();
      json.key("name").number(static_cast<uint64_t>(part.names[n].first));
      json.key("ns").number(part.names[n].second);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

/// Calls write(one) for the first of `all`, and says in "reason" why there is nothing.
template <typename One, typename Write>
void write_all(text::JsonWriter& json, std::string_view key, const Result<std::vector<One>>& all, size_t most,
               std::string_view none, const Write& write) {
  const size_t count = all ? all->size() : 0;
  json.key(key).begin_array();
  for (size_t i = 0; i < std::min(count, most); ++i) write((*all)[i]);
  json.end_array();
  json.key("left_out").number(static_cast<uint64_t>(count - std::min(count, most)));
  json.key("reason");
  if (!all)
    json.string(all.error().message);
  else if (all->empty())
    json.string(none);
  else
    json.null();
}

}  // namespace

Answer answer_busy(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(query::Window span, window_of(call, timeline->length_ns()));
  span.from_ns = std::max<int64_t>(span.from_ns, 0);
  span.to_ns = std::clamp(span.to_ns, span.from_ns, timeline->length_ns());
  const std::string of = call.parameters.text("of");
  if (!of.empty() && of != "threads")
    return fail(ErrorCode::kUsage, "of is threads; without it devices are told");
  const HeavyWork turn;
  Json json;
  json.writer.begin_object();
  json.writer.key("from").number(span.from_ns);
  json.writer.key("to").number(span.to_ns);
  const int64_t whole = span.to_ns - span.from_ns;
  if (of.empty()) {
    const auto times = device_times(*timeline, span);
    if (!times && times.error().code != ErrorCode::kUnsupported) return tl::unexpected<Error>(times.error());
    write_all(json.writer, "devices", times, SIZE_MAX, "No work on a device was recorded.",
              [&](const DeviceTime& time) { write_device(json.writer, *timeline, time, whole); });
  } else {
    const auto times = thread_times(*timeline, span);
    if (!times && times.error().code != ErrorCode::kUnsupported) return tl::unexpected<Error>(times.error());
    write_all(json.writer, "threads", times, kMostThreads,
              "No calls of CUDA, OpenCL or the operating system and no scheduling were recorded.",
              [&](const ThreadTime& time) { write_thread(json.writer, *timeline, time, whole); });
  }
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
