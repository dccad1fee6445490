// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET events: the table of a track's events, filtered and sorted here. Only the rows up to the page's end are
// kept while the track is gone through.
#include <algorithm>

#include "serve/api.h"
#include "serve/name_filter.h"

namespace sextant::serve {

namespace {

constexpr int64_t kMostOffset = 1'000'000, kMostRows = 10'000;
enum class Order { kStart, kDuration, kName };

struct Wanted {
  query::Window window;
  Order order = Order::kStart;
  bool descending = false;
  int64_t offset = 0, limit = 0, name = -1;
};

Result<Wanted> wanted_of(const Call& call, const Timeline& timeline) {
  Wanted wanted;
  SEXTANT_ASSIGN(wanted.window, window_of(call, timeline.length_ns()));
  SEXTANT_ASSIGN(wanted.offset, integer_of(call, "offset", 0, 0, kMostOffset));
  SEXTANT_ASSIGN(wanted.limit, integer_of(call, "limit", 100, 0, kMostRows));
  SEXTANT_ASSIGN(wanted.name, integer_of(call, "name", -1, -1, INT64_MAX));
  const std::string sort = call.parameters.text("sort"), order = call.parameters.text("order");
  if (sort == "duration")
    wanted.order = Order::kDuration;
  else if (sort == "name")
    wanted.order = Order::kName;
  else if (!sort.empty() && sort != "start")
    return fail(ErrorCode::kUsage, "sort is start, duration or name");
  if (!order.empty() && order != "asc" && order != "desc")
    return fail(ErrorCode::kUsage, "order is asc or desc");
  wanted.descending = order == "desc";
  return wanted;
}

/// The first `most` events by an order, out of any number of them.
class Best {
 public:
  Best(const Names& names, const Wanted& wanted)
      : names_(names), wanted_(wanted), most_(static_cast<size_t>(wanted.offset + wanted.limit)) {}

  void add(const Event& event) {
    if (most_ == 0) return;
    const auto less = [this](const Event& a, const Event& b) { return before(a, b); };
    if (kept_.size() == most_) {
      if (!before(event, kept_.front())) return;
      std::pop_heap(kept_.begin(), kept_.end(), less);
      kept_.back() = event;
    } else {
      kept_.push_back(event);
    }
    std::push_heap(kept_.begin(), kept_.end(), less);
  }

  std::vector<Event> page() {
    std::sort(kept_.begin(), kept_.end(), [this](const Event& a, const Event& b) { return before(a, b); });
    const auto from = std::min(kept_.size(), static_cast<size_t>(wanted_.offset));
    return {kept_.begin() + static_cast<ptrdiff_t>(from), kept_.end()};
  }

 private:
  bool before(const Event& a, const Event& b) const {
    int sign = 0;
    const int64_t a_ns = a.end_ns - a.start_ns, b_ns = b.end_ns - b.start_ns;
    if (wanted_.order == Order::kDuration) sign = a_ns < b_ns ? -1 : a_ns > b_ns ? 1 : 0;
    if (wanted_.order == Order::kName && a.name != b.name)
      sign = names_.text(a.name).compare(names_.text(b.name));
    if (sign == 0 && a.start_ns != b.start_ns) sign = a.start_ns < b.start_ns ? -1 : 1;
    if (sign == 0) sign = a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
    return wanted_.descending ? sign > 0 : sign < 0;
  }

  const Names& names_;
  const Wanted& wanted_;
  size_t most_;
  std::vector<Event> kept_;  // a heap, the last one by the order at its front
};

}  // namespace

Answer answer_events(const Call& call) {
  SEXTANT_ASSIGN(const Timeline* timeline, call.report.timeline());
  SEXTANT_ASSIGN(const Track* track, track_of(*timeline, call.parameters.text("track")));
  SEXTANT_ASSIGN(const Wanted wanted, wanted_of(call, *timeline));
  NameFilter filter(timeline->names(), call.parameters.text("text"));
  Best best(timeline->names(), wanted);
  // in order of time and unfiltered the first page is enough, and the total is known by counting
  const bool as_they_come = wanted.order == Order::kStart && !wanted.descending && wanted.name < 0 &&
                            call.parameters.text("text").empty();
  const auto page_end = static_cast<uint64_t>(wanted.offset + wanted.limit);
  uint64_t total = 0;
  SEXTANT_TRY(timeline->visit(*track, wanted.window.from_ns, wanted.window.to_ns, [&](const Event& event) {
    if ((wanted.name >= 0 && event.name != static_cast<uint64_t>(wanted.name)) || !filter.holds(event.name))
      return true;
    ++total;
    best.add(event);
    return !as_they_come || total < page_end;
  }));
  if (as_they_come && total >= page_end) {
    SEXTANT_ASSIGN(total, timeline->count(*track, wanted.window.from_ns, wanted.window.to_ns));
  }
  Json json;
  json.writer.begin_object();
  json.writer.key("columns").begin_array();
  for (const char* column : {"event", "start", "duration", "name", "row"}) json.writer.string(column);
  json.writer.end_array();
  json.writer.key("total").number(total);
  json.writer.key("rows").begin_array();
  for (const Event& event : best.page()) {
    json.writer.begin_array();
    json.writer.number(event.id);
    json.writer.number(event.start_ns);
    json.writer.number(event.unfinished ? int64_t{-1} : event.end_ns - event.start_ns);
    json.writer.number(static_cast<uint64_t>(event.name));
    json.writer.number(static_cast<uint64_t>(event.row));
    json.writer.end_array();
  }
  json.writer.end_array();
  json.writer.end_object();
  return json.response();
}

}  // namespace sextant::serve
