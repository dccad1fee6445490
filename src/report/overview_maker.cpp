// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/overview_maker.h"

#include <algorithm>

#include "event/schema.h"

namespace sextant::report {

namespace {

constexpr uint32_t kFewEvents = 16;     // of which a run is not ended because of a gap
constexpr uint64_t kWider = 4;          // a run ends where the next event would make it so many times as long
constexpr size_t kNamesOfManyRows = 8;  // a name for fewer rows than that is one of too many
constexpr size_t kKeptNames = 256;      // where there are too many

uint64_t at(std::span<const uint64_t> column, size_t row) {
  return column.empty() ? 0 : column[row];
}

size_t hash_of(uint32_t lane, uint64_t name) {
  return (name * 0x9E3779B97F4A7C15u + lane * 0xC2B2AE3D27D4EB4Fu) >> 20;
}

struct OpenRun {
  uint64_t start = 0, end = 0, busy = 0;
  uint32_t events = 0;
  uint32_t name = 0;
  uint64_t most = 0;
};

}  // namespace

void OverviewMaker::grow_names(const Overview& overview) {
  constexpr size_t kFirst = 1024;
  names_.assign(std::max(kFirst, names_.size() * 2), NameSlot{});
  epoch_ = 1;
  const size_t mask = names_.size() - 1;
  for (uint32_t lane = 0; lane < overview.lanes.size(); ++lane)
    for (uint32_t n = 0; n < overview.lanes[lane].names.size(); ++n) {
      const uint64_t name = overview.lanes[lane].names[n].name;
      size_t slot = hash_of(lane, name) & mask;
      while (names_[slot].epoch == epoch_) slot = (slot + 1) & mask;
      names_[slot] = {name, lane, n, epoch_};
    }
}

uint32_t OverviewMaker::number_of(uint32_t lane, uint64_t name, Overview* out) {
  const size_t mask = names_.size() - 1;
  size_t slot = hash_of(lane, name) & mask;
  for (; names_[slot].epoch == epoch_; slot = (slot + 1) & mask)
    if (names_[slot].name == name && names_[slot].lane == lane) return names_[slot].number;
  std::vector<NameTotal>& names = out->lanes[lane].names;
  const auto number = static_cast<uint32_t>(names.size());
  names.push_back({.name = name});
  names_[slot] = {name, lane, number, epoch_};
  if (++names_used_ > names_.size() / 2) grow_names(*out);
  return number;
}

bool OverviewMaker::take_rows(const EventColumns& c, Overview* out) {
  const size_t count = c.start.size();
  rows_.clear();
  lanes_.clear();
  names_used_ = 0;
  if (names_.empty() || ++epoch_ == 0) names_.clear(), grow_names(*out);
  std::array<uint64_t, 4> last_key{};
  uint32_t lane = UINT32_MAX;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t type = at(c.type, i), nulls = at(c.nulls, i);
    const bool typed = table_.type != event::kNoColumn;
    if (typed && !event::is_track_event(type)) continue;
    const bool mark = table_.duration == event::kNoColumn || (typed && type == event::kMarkType);
    if (!mark && table_.nulls != event::kNoColumn && event::is_null(nulls, table_.duration)) {
      ++out->unfinished;
      continue;
    }
    const std::array<uint64_t, 4> key = {at(c.lane[0], i), at(c.lane[1], i), at(c.lane[2], i),
                                         at(c.lane[3], i)};
    if (lane == UINT32_MAX || key != last_key) {
      const auto [known, is_new] = lanes_.try_emplace(key, static_cast<uint32_t>(out->lanes.size()));
      if (is_new && out->lanes.size() == most_lanes_) return false;
      if (is_new) out->lanes.emplace_back().key = key;
      last_key = key, lane = known->second;
    }
    const bool registered =
        table_.registered != event::kNoColumn && !event::is_null(nulls, table_.registered);
    const uint64_t start = c.start[i], length = mark ? 0 : at(c.duration, i);
    const uint64_t end = start + length < start ? start : start + length;
    const uint32_t name = number_of(lane, registered ? at(c.registered, i) : at(c.name, i), out);
    NameTotal& total = out->lanes[lane].names[name];
    if (total.events == 0 || start < total.first) total.first = start, total.row = static_cast<uint32_t>(i);
    ++total.events, total.total += end - start;
    rows_.push_back({start, end, static_cast<uint32_t>(i), lane, name,
                     static_cast<uint32_t>(std::min<uint64_t>(at(c.level, i), kMostNestedRows - 1))});
  }
  return true;
}

/// Sorts rows_ by lane; ends_: where each lane ends.
void OverviewMaker::by_lane(size_t lanes) {
  ends_.assign(lanes + 1, 0);
  for (const Row& row : rows_) ++ends_[row.lane + 1];
  for (size_t lane = 0; lane < lanes; ++lane) ends_[lane + 1] += ends_[lane];
  ends_.pop_back();  // now: where each lane begins
  if (lanes == 1) {
    ends_[0] = rows_.size();
    return;
  }
  sorted_.resize(rows_.size());
  for (const Row& row : rows_) sorted_[ends_[row.lane]++] = row;
  rows_.swap(sorted_);
}

void OverviewMaker::by_level(std::span<Row> rows, size_t levels) {
  if (levels == 1) return;
  std::vector<size_t> next(levels + 1);
  for (const Row& row : rows) ++next[row.level + 1];
  for (size_t level = 0; level < levels; ++level) next[level + 1] += next[level];
  if (sorted_.size() < rows.size()) sorted_.resize(rows.size());
  for (const Row& row : rows) sorted_[next[row.level]++] = row;
  std::copy_n(sorted_.begin(), rows.size(), rows.begin());
}

void OverviewMaker::add_lane(std::span<Row> rows, LaneOverview* lane) {
  const auto before = [](const Row& a, const Row& b) {
    return a.start != b.start ? a.start < b.start : a.end != b.end ? a.end > b.end : a.row < b.row;
  };
  if (by_times_ && !std::is_sorted(rows.begin(), rows.end(), before))
    std::sort(rows.begin(), rows.end(), before);
  lane->events = rows.size();
  lane->first = lane->shortest = UINT64_MAX;
  size_t levels = 1;
  for (const Row& row : rows) {
    lane->first = std::min(lane->first, row.start), lane->last = std::max(lane->last, row.end);
    lane->shortest = std::min(lane->shortest, row.end - row.start);
    lane->longest = std::max(lane->longest, row.end - row.start);
  }
  if (by_times_) {
    Kept& kept = kept_[lane->key];
    for (size_t r = 0; r < kept.nesting.ends().size(); ++r)
      if (kept.nesting.ends()[r] > lane->first)
        lane->open.emplace_back(static_cast<uint16_t>(r), kept.nesting.ends()[r]);
    for (Row& row : rows) {
      row.level = kept.nesting.place(row.start, row.end);
      const uint64_t from = std::max(row.start, kept.covered_to);
      if (row.end <= from) continue;
      lane->covered += row.end - from;
      lane->names[row.name].outer += row.end - from;
      kept.covered_to = row.end;
    }
  } else {
    for (const Row& row : rows)
      if (row.level == 0)
        lane->covered += row.end - row.start, lane->names[row.name].outer += row.end - row.start;
  }
  for (const Row& row : rows) levels = std::max<size_t>(levels, row.level + size_t{1});
  by_level(rows, levels);
  lane->rows.resize(levels);
  if (times_.size() < lane->names.size()) times_.resize(lane->names.size());  // all zero
  for (size_t i = 0; i < rows.size();) {
    size_t end = i;
    while (end < rows.size() && rows[end].level == rows[i].level) ++end;
    const auto of_level = rows.subspan(i, end - i);
    if (!by_times_ && !std::is_sorted(of_level.begin(), of_level.end(), before))
      std::sort(of_level.begin(), of_level.end(), before);
    add_runs(of_level, &lane->rows[rows[i].level]);
    i = end;
  }
}

/// Times go to zero again where they were touched, so that many names cost no more than few.
void OverviewMaker::add_runs(std::span<const Row> rows, std::vector<EventRun>* runs) {
  OpenRun open;
  const auto close = [&] {
    if (open.events == 0) return;
    const uint64_t width = std::max<uint64_t>(open.end - open.start, 1);
    const double share = static_cast<double>(open.busy) / static_cast<double>(width);
    runs->push_back({open.start, open.end, open.events, open.name,
                     static_cast<uint8_t>(std::clamp(share * kRunFull + 0.5, 1.0, double{kRunFull}))});
    for (const uint32_t name : touched_) times_[name] = 0;
    touched_.clear();
    open = OpenRun();
  };
  for (const Row& row : rows) {
    const uint64_t end = std::max(open.end, row.end);
    const bool wide = open.events >= kFewEvents &&
                      (end - open.start) / kWider > std::max<uint64_t>(open.end - open.start, 1);
    if (open.events >= run_events_ || wide) close();
    if (open.events == 0) open.start = row.start, open.name = row.name;
    open.end = std::max(open.end, row.end);
    open.busy += row.end - row.start;
    ++open.events;
    uint64_t& time = times_[row.name];
    if (time == 0) touched_.push_back(row.name);
    time += row.end - row.start + 1;  // so that what takes no time counts, too
    if (time > open.most) open.most = time, open.name = row.name;
  }
  close();
}

/// Where nearly every event has a name of its own, sums are kept of those with most time only, and other
/// names where a run has them.
void OverviewMaker::leave_out_names(Overview* out) const {
  std::vector<uint64_t> totals;
  for (const LaneOverview& lane : out->lanes)
    for (const NameTotal& name : lane.names) totals.push_back(name.total);
  if (totals.size() <= std::max(kKeptNames, rows_.size() / kNamesOfManyRows)) return;
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
  if (!take_rows(columns, out)) return false;
  if (kept_.size() > kMostKept) kept_.clear();
  if (rows_.empty()) return true;
  by_lane(out->lanes.size());
  size_t begin = 0;
  for (size_t lane = 0; lane < ends_.size(); begin = ends_[lane++])
    add_lane(std::span(rows_).subspan(begin, ends_[lane] - begin), &out->lanes[lane]);
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
