// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What OverviewMaker makes is what §6.2 says, which is written down here once more without any thought of
// speed: all events of a lane are gathered, sorted, placed and cut into runs. Random events of several
// tables: nested, overlapping, with equal starts and gaps, in one lane and in many.
#include <algorithm>
#include <map>
#include <random>

#include "event/schema.h"
#include "event/schema_cuda.h"
#include "report/overview_maker.h"
#include "report/sample_test.h"

namespace sextant::report {
namespace {

using Key = std::array<uint64_t, 4>;

struct Chunk {
  std::vector<uint64_t> start, duration, name, level, nulls, registered, type;
  std::array<std::vector<uint64_t>, 4> lane;

  /// `short_form`: a column of equal values as one of them, or none where they are 0.
  EventColumns columns(bool short_form) const {
    const auto of = [&](const std::vector<uint64_t>& column) -> std::span<const uint64_t> {
      const bool equal =
          std::adjacent_find(column.begin(), column.end(), std::not_equal_to<>()) == column.end();
      if (!short_form || column.empty() || !equal) return column;
      return std::span(column).first(column[0] == 0 ? 0 : 1);
    };
    return {start,          of(duration), {of(lane[0]), of(lane[1]), of(lane[2]), of(lane[3])},
            of(name),       of(level),    of(nulls),
            of(registered), of(type)};
  }
};

class Model {
 public:
  explicit Model(const event::TrackTable& table) : table_(table) {}

  Overview make(const EventColumns& c) {
    const auto at = [](std::span<const uint64_t> column, size_t i) { return column.empty() ? 0 : column[i]; };
    Overview out;
    out.columns = table_;
    const bool by_times = std::all_of(c.level.begin(), c.level.end(), [](uint64_t l) { return l == 0; });
    if (by_times) out.columns.level = event::kNoColumn;
    std::map<Key, std::vector<Event>> events;
    std::map<Key, std::vector<uint64_t>> names;  // in the order in which they occur
    for (size_t i = 0; i < c.start.size(); ++i) {
      const bool mark = table_.duration == event::kNoColumn || at(c.type, i) == event::kMarkType;
      if (table_.type != event::kNoColumn && !event::is_track_event(at(c.type, i))) continue;
      if (!mark && table_.nulls != event::kNoColumn && event::is_null(at(c.nulls, i), table_.duration)) {
        ++out.unfinished;
        continue;
      }
      const Key key = {at(c.lane[0], i), at(c.lane[1], i), at(c.lane[2], i), at(c.lane[3], i)};
      const bool registered =
          table_.registered != event::kNoColumn && !event::is_null(at(c.nulls, i), table_.registered);
      const uint64_t name = registered ? c.registered[i] : at(c.name, i);
      if (!events.contains(key)) out.lanes.push_back({.key = key});
      if (std::find(names[key].begin(), names[key].end(), name) == names[key].end())
        names[key].push_back(name);
      const uint64_t length = mark ? 0 : at(c.duration, i);
      events[key].push_back(
          {c.start[i], c.start[i] + length, i, name, std::min<uint64_t>(at(c.level, i), 255)});
    }
    const uint32_t longest_run = c.start.size() < kOverviewRows ? 1 : kRunEvents;
    for (LaneOverview& lane : out.lanes) add(events[lane.key], names[lane.key], by_times, longest_run, &lane);
    return out;
  }

 private:
  struct Event {
    uint64_t start, end;
    size_t row;
    uint64_t name, level;
  };

  void add(std::vector<Event>& events, const std::vector<uint64_t>& names, bool by_times,
           uint32_t longest_run, LaneOverview* lane) {
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return std::pair(a.start, ~a.end) < std::pair(b.start, ~b.end);
    });
    lane->events = events.size();
    lane->first = events[0].start, lane->shortest = UINT64_MAX;
    std::vector<uint64_t>& ends = ends_[lane->key];
    for (size_t row = 0; by_times && row < ends.size(); ++row)
      if (ends[row] > lane->first) lane->open.emplace_back(static_cast<uint16_t>(row), ends[row]);
    for (const uint64_t name : names)
      lane->names.push_back({.name = name, .first = UINT64_MAX, .row = UINT32_MAX});
    std::map<uint64_t, std::vector<Event>> levels;
    for (Event& event : events) {
      const uint64_t length = event.end - event.start;
      lane->last = std::max(lane->last, event.end);
      lane->shortest = std::min(lane->shortest, length), lane->longest = std::max(lane->longest, length);
      uint64_t& covered_to = covered_to_[lane->key];
      const uint64_t from = std::max(event.start, covered_to);
      const uint64_t alone = by_times ? std::max(event.end, from) - from : event.level == 0 ? length : 0;
      if (by_times) {
        covered_to = std::max(covered_to, event.end);
        for (event.level = 0;
             event.level < std::min<size_t>(ends.size(), 255) && ends[event.level] > event.start;)
          ++event.level;
        if (event.level == ends.size()) ends.push_back(0);
        ends[event.level] = std::max(ends[event.level], event.end);
      }
      lane->covered += alone;
      NameTotal& name = lane->names[number(names, event.name)];
      ++name.events, name.total += length, name.outer += alone;
      if (std::pair<uint64_t, size_t>(event.start, event.row) <
          std::pair<uint64_t, size_t>(name.first, name.row))
        name.first = event.start, name.row = static_cast<uint32_t>(event.row);
      levels[event.level].push_back(event);
    }
    lane->rows.resize(levels.rbegin()->first + 1);
    for (const auto& [level, of] : levels)
      for (size_t i = 0; i < of.size();) i += add_run(of, i, names, longest_run, &lane->rows[level]);
  }

  /// From events[first] on. Returns how many there are in it.
  static size_t add_run(const std::vector<Event>& events, size_t first, const std::vector<uint64_t>& names,
                        uint32_t longest_run, std::vector<EventRun>* runs) {
    EventRun run{.start = events[first].start};
    uint64_t busy = 0, most = 0;
    std::map<uint64_t, uint64_t> times;
    for (size_t i = first; i < events.size() && run.events < longest_run; ++i) {
      const uint64_t end = std::max(run.end, events[i].end),
                     width = std::max<uint64_t>(run.end - run.start, 1);
      if (run.events >= 16 && (end - run.start) / 4 > width) break;
      const uint64_t length = events[i].end - events[i].start;
      run.end = end, busy += length, ++run.events;
      const uint64_t time = times[events[i].name] += length + 1;
      if (time > most) most = time, run.name = number(names, events[i].name);
    }
    const double share =
        static_cast<double>(busy) / static_cast<double>(std::max<uint64_t>(run.end - run.start, 1));
    run.busy = static_cast<uint8_t>(std::clamp(share * 255 + 0.5, 1.0, 255.0));
    runs->push_back(run);
    return run.events;
  }

  static uint32_t number(const std::vector<uint64_t>& names, uint64_t name) {
    return static_cast<uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  const event::TrackTable table_;
  std::map<Key, std::vector<uint64_t>> ends_;
  std::map<Key, uint64_t> covered_to_;
};

enum class Order { kByEnd, kByStart, kNone };

/// Events that nest up to `depth`, or overlap where there are no levels.
Chunk random_chunk(const event::TrackTable& table, size_t events, uint64_t lanes, uint64_t names, Order order,
                   uint64_t* now, std::mt19937_64* random) {
  struct Row {
    uint64_t start, end, lane, name, level, nulls, type;
  };
  const auto below = [&](uint64_t n) { return (*random)() % n; };
  std::vector<Row> rows;
  const bool levels = table.level != event::kNoColumn && below(4) != 0;
  const uint64_t no_duration = table.duration == event::kNoColumn ? 0 : uint64_t{1} << table.duration;
  while (rows.size() < events) {
    const uint64_t lane = below(lanes), depth = levels ? 1 + below(3) : 1, begin = *now;
    for (uint64_t level = 0; level < depth; ++level) {
      const uint64_t end = begin + (depth - level) * 10 + (levels ? 0 : below(60));
      const uint64_t types[] = {59, 60, 34, 75};
      rows.push_back({begin + level * below(3), end, lane, 1 + below(names), levels ? level : 0,
                      below(8) == 0 ? no_duration : 0, types[below(4)]});
    }
    *now += below(3) == 0 ? 0 : below(1000) == 0 ? 100'000 : below(45);
  }
  if (order == Order::kByEnd)
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return std::pair(a.end, ~a.level) < std::pair(b.end, ~b.level);
    });
  if (order == Order::kByStart)
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.start < b.start; });
  if (order == Order::kNone) std::shuffle(rows.begin(), rows.end(), *random);
  Chunk chunk;
  for (const Row& row : rows) {
    chunk.start.push_back(row.start);
    if (table.duration != event::kNoColumn) chunk.duration.push_back(row.end - row.start);
    chunk.name.push_back(row.name);
    chunk.lane[0].push_back(7), chunk.lane[1].push_back(row.lane % 16),
        chunk.lane[2].push_back(row.lane / 16);
    if (table.level != event::kNoColumn) chunk.level.push_back(row.level);
    if (table.type != event::kNoColumn) chunk.type.push_back(row.type);
    if (table.nulls == event::kNoColumn) continue;
    const bool registered = table.registered != event::kNoColumn && row.name % 2 == 0;
    const uint64_t without =
        table.registered != event::kNoColumn && !registered ? uint64_t{1} << table.registered : 0;
    chunk.nulls.push_back(row.nulls | without);
    chunk.registered.push_back(registered ? row.name + 1000 : 0);
  }
  return chunk;
}

TEST(OverviewModel, TheMakerSaysOfRandomEventsWhatTheModelSays) {
  std::mt19937_64 random(4711);
  for (const uint16_t id : {event::kNvtxRange, event::kNvtxMark, event::kCudaKernel, event::kNvtxEvent})
    for (const Order order : {Order::kByEnd, Order::kByStart, Order::kNone})
      for (const uint64_t lanes : {1, 3, 40})
        for (const uint64_t names : {1, 6}) {
          const event::TrackTable& table = *event::track_table(id);
          Model model(table);
          OverviewMaker maker(table), of_whole_columns(table);
          uint64_t now = 1'000'000;
          for (const size_t events :
               {5000, 300, 6000}) {  // what is still running goes on from chunk to chunk
            const Chunk chunk = random_chunk(table, events, lanes, names, order, &now, &random);
            Overview made, made_of_whole;
            ASSERT_TRUE(maker.make(chunk.columns(true), &made));
            ASSERT_TRUE(of_whole_columns.make(chunk.columns(false), &made_of_whole));
            std::vector<uint8_t> expected, got, of_whole;
            encode_overview(model.make(chunk.columns(false)), 1, &expected);
            encode_overview(made, 1, &got);
            encode_overview(made_of_whole, 1, &of_whole);
            ASSERT_EQ(got, expected) << "table " << id << ", order " << static_cast<int>(order) << ", "
                                     << lanes << " lanes, " << names << " names, " << events << " events";
            ASSERT_EQ(of_whole, expected);
          }
        }
}

}  // namespace
}  // namespace sextant::report
