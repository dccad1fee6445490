// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every row of a large recording comes through here, so an event is looked at once: it goes into the run of
// its level that is open, and what a run adds to sums is added when it ends. This needs the events of a level
// in the order of the picture, in which nearly all rows are, since they are written as they end. Where a
// lane's are not, it is begun again with its events sorted.
#include "report/overview_maker.h"

#include <algorithm>
#include <cstring>

#include "event/schema.h"

namespace sextant::report {

namespace {

constexpr uint32_t kFewEvents = 16;     // of which a run is not ended because of a gap
constexpr uint64_t kWider = 4;          // a run ends where the next event would make it so many times as long
constexpr size_t kNamesOfManyRows = 8;  // a name for fewer rows than that is one of too many
constexpr size_t kKeptNames = 256;      // where there are too many
constexpr uint32_t kNoEvent = UINT32_MAX;

uint64_t at(std::span<const uint64_t> column, size_t row) {
  return column.size() > 1 ? column[row] : column.empty() ? 0 : column[0];
}

bool is_constant(std::span<const uint64_t> column) {
  return column.size() <= 1 ||
         std::memcmp(column.data(), column.data() + 1, (column.size() - 1) * sizeof(uint64_t)) == 0;
}

}  // namespace

bool has_levels(std::span<const uint64_t> level) {
  return !is_constant(level) || at(level, 0) != 0;
}

// Lanes
// -------------------------------------------------------------------------------------------------------------

/// Whether all rows are events of the same lane, as mostly where a thread has many.
bool OverviewMaker::one_lane(const EventColumns& c, Overview* out) const {
  if (table_.type != event::kNoColumn || !c.nulls.empty() || most_lanes_ == 0) return false;
  if (!std::all_of(c.lane.begin(), c.lane.end(), is_constant)) return false;
  out->lanes.emplace_back().key = {at(c.lane[0], 0), at(c.lane[1], 0), at(c.lane[2], 0), at(c.lane[3], 0)};
  return true;
}

/// The number of the lane in `out`; kNoEvent: there are too many.
uint32_t OverviewMaker::lane_of(const std::array<uint64_t, 4>& key, Overview* out) {
  uint32_t& recent = recent_[LaneKeyHash()(key) % recent_.size()];
  if (recent < out->lanes.size() && out->lanes[recent].key == key) return recent;
  const auto [known, is_new] = lanes_.try_emplace(key, static_cast<uint32_t>(out->lanes.size()));
  if (is_new && out->lanes.size() == most_lanes_) return kNoEvent;
  if (is_new) out->lanes.emplace_back().key = key, ends_.push_back(0);
  return recent = known->second;
}

/// Which rows are events, and of which lane: fills places_, rows_ and ends_, and `out` with the lanes' keys.
/// False: there are too many lanes.
bool OverviewMaker::find_lanes(const EventColumns& c, Overview* out) {
  const bool may_be_open = table_.duration != event::kNoColumn && table_.nulls != event::kNoColumn;
  const bool typed = table_.type != event::kNoColumn;
  const size_t count = c.start.size();
  lanes_.clear();
  places_.assign(count, kNoEvent);
  ends_.assign(1, 0);
  std::array<uint64_t, 4> last_key{};
  uint32_t lane = kNoEvent;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t type = at(c.type, i);
    if (typed && !event::is_track_event(type)) continue;
    if (may_be_open && event::is_null(at(c.nulls, i), table_.duration) &&
        !(typed && type == event::kMarkType)) {
      ++out->unfinished;
      continue;
    }
    const std::array<uint64_t, 4> key = {at(c.lane[0], i), at(c.lane[1], i), at(c.lane[2], i),
                                         at(c.lane[3], i)};
    if (lane == kNoEvent || key != last_key) lane = lane_of(key, out), last_key = key;
    if (lane == kNoEvent) return false;
    places_[i] = lane;
    ++ends_[lane + 1];
  }
  for (size_t l = 1; l < ends_.size(); ++l) ends_[l] += ends_[l - 1];
  rows_.resize(ends_.back());
  ends_.pop_back();  // now: where each lane begins
  for (size_t i = 0; i < count; ++i) {
    if (places_[i] == kNoEvent) continue;
    places_[i] = static_cast<uint32_t>(ends_[places_[i]]++);
    rows_[places_[i]] = static_cast<uint32_t>(i);
  }
  return true;
}

/// The columns of events, lane by lane: each lane is then read from one end to the other.
EventColumns OverviewMaker::by_lane(const EventColumns& c) {
  size_t used = 0;
  const auto sorted = [&](std::span<const uint64_t> column) {
    if (column.size() <= 1) return column;
    std::vector<uint64_t>& to = sorted_[used++];
    to.resize(rows_.size());
    for (size_t i = 0; i < column.size(); ++i)
      if (places_[i] != kNoEvent) to[places_[i]] = column[i];
    return std::span<const uint64_t>(to);
  };
  return {.start = sorted(c.start),
          .duration = sorted(c.duration),
          .name = sorted(c.name),
          .level = sorted(c.level),
          .nulls = sorted(c.nulls),
          .registered = sorted(c.registered),
          .type = sorted(c.type)};
}

// Names
// -------------------------------------------------------------------------------------------------------------

/// Where the name is, or will be.
OverviewMaker::NameSlot* OverviewMaker::slot_of(uint64_t name) {
  const size_t mask = names_.size() - 1;
  size_t slot = (name * 0x9E3779B97F4A7C15u) >> 32 & mask;
  while (names_[slot].epoch == epoch_ && names_[slot].name != name) slot = (slot + 1) & mask;
  return &names_[slot];
}

/// Of the next lane: what the table holds is from now on worth nothing.
void OverviewMaker::forget_names() {
  constexpr size_t kFirst = 1024;
  if (names_.empty()) names_.resize(kFirst);
  if (++epoch_ == 0) std::fill(names_.begin(), names_.end(), NameSlot{}), epoch_ = 1;
}

/// The number of a name in the lane, which gets a new one from its first event.
uint32_t OverviewMaker::number_of(uint64_t name, uint64_t start, uint32_t row,
                                  std::vector<NameTotal>* names) {
  NameSlot* slot = slot_of(name);
  if (slot->epoch == epoch_) return slot->number;
  const auto number = static_cast<uint32_t>(names->size());
  *slot = {name, number, epoch_};
  names->push_back({.name = name, .first = start, .row = row});
  if (names->size() <= names_.size() / 2) return number;
  names_.assign(names_.size() * 2, NameSlot{});
  for (uint32_t n = 0; n <= number; ++n) *slot_of((*names)[n].name) = {(*names)[n].name, n, epoch_};
  return number;
}

// Events of a lane
// -------------------------------------------------------------------------------------------------------------

/// Puts an event into the open run of its level.
[[gnu::always_inline]] inline void OverviewMaker::add(const Event& event, uint32_t level,
                                                      LaneOverview* lane) {
  if (level >= open_.size()) open_.resize(level + size_t{1});
  OpenRun& run = open_[level];
  const uint64_t event_end = event.start + event.length;
  if (run.count >= kFewEvents || run.count >= run_events_) {
    const uint64_t end = std::max(run.end, event_end), width = std::max<uint64_t>(run.end - run.start, 1);
    if (run.count >= run_events_ || (end - run.start) / kWider > width) close_run(&run, level, lane);
  }
  if (run.count == 0) run.start = event.start, run.end = run.busy = 0, run.mixed = 0;
  run.end = std::max(run.end, event_end);
  run.busy += event.length;
  run.lengths[run.count] = event.length, run.names[run.count] = event.name;
  run.mixed |= event.name ^ run.names[0];
  ++run.count;
}

/// What the run adds to the sums of the lane and of its names. Times go to zero again where they were
/// touched, so that many names cost no more than few.
void OverviewMaker::close_run(OpenRun* run, uint32_t level, LaneOverview* lane) {
  const bool outer = !by_times_ && level == 0;
  uint32_t name = run->names[0];
  if (outer) lane->covered += run->busy;
  if (run->mixed == 0) {
    NameTotal& total = lane->names[name];
    total.events += run->count, total.total += run->busy;
    if (outer) total.outer += run->busy;
  } else {
    if (times_.size() < lane->names.size()) times_.resize(lane->names.size());
    uint64_t most = 0;
    for (uint32_t i = 0; i < run->count; ++i) {
      const uint64_t length = run->lengths[i];
      NameTotal& total = lane->names[run->names[i]];
      ++total.events, total.total += length;
      if (outer) total.outer += length;
      const uint64_t time = times_[run->names[i]] += length + 1;  // so that what takes no time counts, too
      if (time > most) most = time, name = run->names[i];
    }
    for (uint32_t i = 0; i < run->count; ++i) times_[run->names[i]] = 0;
  }
  const uint64_t width = std::max<uint64_t>(run->end - run->start, 1);
  const double share = static_cast<double>(run->busy) / static_cast<double>(width);
  if (level >= lane->rows.size()) lane->rows.resize(level + size_t{1});
  lane->rows[level].push_back(
      {run->start, run->end, run->count, name,
       static_cast<uint8_t>(std::clamp(share * kRunFull + 0.5, 1.0, double{kRunFull}))});
  lane->first = std::min(lane->first, run->start), lane->last = std::max(lane->last, run->end);
  run->count = 0;
}

/// Reads the events of a lane, in the order of their rows, for `take(event)`, which says whether to go on.
template <typename Take>
bool OverviewMaker::read_events(const EventColumns c, size_t begin, size_t end, LaneOverview* lane,
                                Take take) {
  forget_names();
  const bool typed = table_.type != event::kNoColumn;
  const bool may_be_registered = table_.registered != event::kNoColumn;
  uint64_t shortest = UINT64_MAX, longest = 0, last_name = 0;
  uint32_t number = 0;
  NameTotal* total = nullptr;
  for (size_t row = begin; row < end; ++row) {
    const uint64_t start = c.start[row];
    const uint64_t told = typed && at(c.type, row) == event::kMarkType ? 0 : at(c.duration, row);
    const uint64_t length = start + told < start ? 0 : told;
    const bool registered = may_be_registered && !event::is_null(at(c.nulls, row), table_.registered);
    const uint64_t name = registered ? at(c.registered, row) : at(c.name, row);
    if (total == nullptr || name != last_name) {
      number = number_of(name, start, static_cast<uint32_t>(row), &lane->names);
      total = &lane->names[number], last_name = name;
    }
    if (start < total->first) total->first = start, total->row = static_cast<uint32_t>(row);
    shortest = std::min(shortest, length), longest = std::max(longest, length);
    const uint64_t level = by_times_ ? 0 : std::min<uint64_t>(at(c.level, row), kMostNestedRows - 1);
    if (!take(Event{start, length, number, static_cast<uint32_t>(level)})) return false;
  }
  lane->shortest = shortest, lane->longest = longest;
  return true;
}

/// The level of an event where it follows from the times, and the time that it is the first to cover.
[[gnu::always_inline]] inline uint32_t OverviewMaker::place(const Event& event, Kept* kept,
                                                            LaneOverview* lane) {
  const uint64_t end = event.start + event.length;
  const uint64_t from = std::max(event.start, kept->covered_to);
  if (end > from) {
    lane->covered += end - from;
    lane->names[event.name].outer += end - from;
    kept->covered_to = end;
  }
  return kept->nesting.place(event.start, end);
}

/// `columns` from `begin` to `end` are those of its events.
void OverviewMaker::add_lane(const EventColumns& columns, size_t begin, size_t end, LaneOverview* lane) {
  Kept kept;
  const auto start = [&] {
    *lane = {.key = lane->key, .events = end - begin, .first = UINT64_MAX};
    for (OpenRun& run : open_) run.count = 0;
    if (by_times_) kept = kept_[lane->key];
  };
  const auto put = [&](const Event& event) __attribute__((always_inline)) {
    add(event, by_times_ ? place(event, &kept, lane) : event.level, lane);
  };
  start();
  When last[kMostNestedRows];  // event of each level
  size_t levels = 0;
  const bool in_order = read_events(columns, begin, end, lane, [&](const Event& event) {
    while (levels <= event.level) last[levels++] = {0, UINT64_MAX};
    const When when{event.start, event.length};
    if (when < last[event.level]) return false;
    last[event.level] = when;
    put(event);
    return true;
  });
  if (!in_order) {
    start();
    events_.clear();
    read_events(columns, begin, end, lane, [&](const Event& event) {
      events_.push_back(event);
      return true;
    });
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      return When{a.start, a.length} < When{b.start, b.length};
    });
    for (const Event& event : events_) put(event);
  }
  for (uint32_t level = 0; level < open_.size(); ++level)
    if (open_[level].count > 0) close_run(&open_[level], level, lane);
  if (!by_times_) return;
  const std::vector<uint64_t>& before = kept_[lane->key].nesting.ends();
  for (size_t r = 0; r < before.size(); ++r)
    if (before[r] > lane->first) lane->open.emplace_back(static_cast<uint16_t>(r), before[r]);
  kept_[lane->key] = std::move(kept);
}

/// Where nearly every event has a name of its own, sums are kept of those with most time only, and other
/// names where a run has them.
void OverviewMaker::leave_out_names(Overview* out) {
  size_t events = 0;
  std::vector<uint64_t> totals;
  for (const LaneOverview& lane : out->lanes) {
    events += lane.events;
    for (const NameTotal& name : lane.names) totals.push_back(name.total);
  }
  if (totals.size() <= std::max(kKeptNames, events / kNamesOfManyRows)) return;
  std::nth_element(totals.begin(), totals.begin() + kKeptNames, totals.end(), std::greater<>());
  const uint64_t least = totals[kKeptNames];
  out->all_names = false;
  for (LaneOverview& lane : out->lanes) {
    std::vector<uint32_t> numbers(lane.names.size(), UINT32_MAX);
    std::vector<NameTotal> kept;
    const auto keep = [&](uint32_t name) {
      if (numbers[name] == UINT32_MAX)
        numbers[name] = static_cast<uint32_t>(kept.size()), kept.push_back(lane.names[name]);
      return numbers[name];
    };
    for (uint32_t name = 0; name < lane.names.size(); ++name)
      if (lane.names[name].total > least) keep(name);
    const size_t with_sums = kept.size();
    for (std::vector<EventRun>& runs : lane.rows)
      for (EventRun& run : runs) run.name = keep(run.name);
    for (size_t i = with_sums; i < kept.size(); ++i) kept[i] = {.name = kept[i].name};
    lane.names = std::move(kept);
  }
}

bool OverviewMaker::make(const EventColumns& columns, Overview* out) {
  *out = Overview();
  out->columns = table_;
  run_events_ = columns.start.size() < kOverviewRows ? 1 : kRunEvents;
  by_times_ = table_.level == event::kNoColumn || !has_levels(columns.level);
  if (by_times_) out->columns.level = event::kNoColumn;
  if (columns.start.empty()) return true;
  if (kept_.size() > kMostKept) kept_.clear();
  if (one_lane(columns, out)) {
    add_lane(columns, 0, columns.start.size(), &out->lanes[0]);
  } else {
    if (!find_lanes(columns, out)) return false;
    const EventColumns sorted = by_lane(columns);
    size_t begin = 0;
    for (size_t l = 0; l < out->lanes.size(); begin = ends_[l++]) {
      add_lane(sorted, begin, ends_[l], &out->lanes[l]);
      for (NameTotal& name : out->lanes[l].names) name.row = rows_[name.row];
    }
  }
  leave_out_names(out);
  return true;
}

void OverviewMaker::follow(const Overview& overview) {
  if (overview.columns.level != event::kNoColumn) return;
  if (kept_.size() > kMostKept) kept_.clear();
  for (const LaneOverview& lane : overview.lanes) {
    Kept& kept = kept_[lane.key];
    for (size_t row = 0; row < lane.rows.size(); ++row)
      if (!lane.rows[row].empty()) kept.nesting.put(row, lane.rows[row].back().end);
    kept.covered_to = std::max(kept.covered_to, lane.last);
  }
}

}  // namespace sextant::report
