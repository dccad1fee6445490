// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// GET events: the table of a track's events, filtered and sorted here. Only the rows up to the page's end are
// kept while the track is gone through, and chunks that cannot have one of them are not read.
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
  int64_t min_ns = 0, max_ns = INT64_MAX;  // durations

  /// Whether all events of the window are wanted.
  bool all(const Call& call) const {
    return name < 0 && min_ns == 0 && max_ns == INT64_MAX && call.parameters.text("text").empty();
  }
};

Result<Wanted> wanted_of(const Call& call, const Timeline& timeline) {
  Wanted wanted;
  SEXTANT_ASSIGN(wanted.window, window_of(call, timeline.length_ns()));
  SEXTANT_ASSIGN(wanted.offset, integer_of(call, "offset", 0, 0, kMostOffset));
  SEXTANT_ASSIGN(wanted.limit, integer_of(call, "limit", 100, 0, kMostRows));
  SEXTANT_ASSIGN(wanted.name, integer_of(call, "name", -1, -1, INT64_MAX));
  SEXTANT_ASSIGN(wanted.min_ns, integer_of(call, "min", 0, 0, INT64_MAX));
  SEXTANT_ASSIGN(wanted.max_ns, integer_of(call, "max", INT64_MAX, 0, INT64_MAX));
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

  /// Whether an event of the part may be among the first ones.
  bool may_hold(const Part& part) const {
    if (kept_.size() < most_) return true;
    const Event& last = kept_.front();
    if (wanted_.order == Order::kDuration)
      return wanted_.descending ? part.longest_ns >= last.end_ns - last.start_ns
                                : part.shortest_ns <= last.end_ns - last.start_ns;
    if (wanted_.order == Order::kStart)
      return wanted_.descending ? part.last_ns >= last.start_ns : part.first_ns <= last.start_ns;
    return true;
  }

  /// Whether one part is to be looked through before another, so that may_hold() rules more out.
  bool sooner(const Part& a, const Part& b) const {
    if (wanted_.order == Order::kDuration)
      return wanted_.descending ? a.longest_ns > b.longest_ns : a.shortest_ns < b.shortest_ns;
    return wanted_.descending ? a.last_ns > b.last_ns : a.first_ns < b.first_ns;
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
  const auto [from, to] = wanted.window;
  const bool counted = wanted.all(call);  // the total is known without looking at each event
  uint64_t total = 0;
  const auto part_wanted = [&](const Part& part) {
    return part.longest_ns >= wanted.min_ns && part.shortest_ns <= wanted.max_ns &&
           (!counted || best.may_hold(part));
  };
  const auto before = [&](const Part& a, const Part& b) { return best.sooner(a, b); };
  SEXTANT_TRY(timeline->visit_parts(*track, from, to, before, part_wanted, [&](const Event& event) {
    const int64_t ns = event.end_ns - event.start_ns;
    if ((wanted.name >= 0 && event.name != static_cast<uint64_t>(wanted.name)) || ns < wanted.min_ns ||
        ns > wanted.max_ns || !filter.holds(event.name))
      return;
    ++total;
    best.add(event);
  }));
  if (counted) {
    SEXTANT_ASSIGN(total, timeline->count(*track, from, to));
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
