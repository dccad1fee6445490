// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Clocks of several reports: which of them ran on one monotonic clock, and how far the others are apart.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "query/sums.h"
#include "stats/report_set.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::stats {

namespace {

/// Boot times computed from two clocks of one machine differ by what its time of day was set meanwhile.
constexpr int64_t kSameBootNs = 500'000'000;
constexpr uint64_t kLatestNs =
    3'000'000'000'000'000'000;  // the year 2065: sums of damaged ones do not overflow

struct Clock {
  std::string host, boot;
  int64_t realtime, monotonic, start = 0;  // of time 0; `start` in the time of the set

  int64_t booted() const { return realtime - monotonic; }
  bool same_machine(const Clock& other) const {
    if (!boot.empty() && !other.boot.empty()) return boot == other.boot;
    return !host.empty() && host == other.host && monotonic != 0 && other.monotonic != 0 &&
           std::llabs(booted() - other.booted()) < kSameBootNs;
  }
};

Clock clock_of(const query::Source& source) {
  const auto& meta = source.reader().meta();
  const auto text = [&](const char* key) {
    const auto at = meta.find(key);
    return at == meta.end() ? std::string() : at->second;
  };
  const auto bounded = [](uint64_t ns) { return static_cast<int64_t>(std::min(ns, kLatestNs)); };
  return {text("host.name"), text("host.boot_id"), bounded(source.start_realtime_ns()),
          bounded(source.start_monotonic_ns())};
}

std::string sentence(size_t reports, size_t clocks, size_t without_time, bool apart) {
  std::string out;
  if (clocks == 1)
    out = fmt::format(
        "the {} reports share one monotonic clock: their times can be compared to the microsecond", reports);
  else
    out = fmt::format(
        "the {} reports come from {} clocks, aligned by the time of day: as sure as these were set "
        "(milliseconds "
        "with NTP, without it perhaps seconds)",
        reports, clocks);
  if (without_time > 0)
    out += fmt::format("; {} no time of day and start at 0",
                       without_time == 1 ? "one of them tells" : "some of them tell");
  if (apart) out += "; they do not overlap in time, and are perhaps not of one run";
  return out;
}

}  // namespace

std::string align_clocks(const std::vector<SetMember>& members) {
  if (members.size() < 2) return "";
  std::vector<Clock> clocks;
  std::vector<size_t> first_of;  // each member's first one with the same clock
  size_t different = 0, without_time = 0;
  for (const SetMember& member : members) {
    clocks.push_back(clock_of(*member.source));
    Clock& mine = clocks.back();
    size_t first = 0;
    while (!mine.same_machine(clocks[first]) && first + 1 < clocks.size()) ++first;
    first_of.push_back(first);
    const bool own = first + 1 == clocks.size();
    different += own ? 1 : 0;
    without_time += own && mine.realtime == 0 ? 1 : 0;
    mine.start = own ? mine.realtime : clocks[first].realtime + (mine.monotonic - clocks[first].monotonic);
  }
  int64_t zero = INT64_MAX;
  for (const Clock& clock : clocks)
    if (clock.realtime != 0) zero = std::min(zero, clock.start);
  int64_t latest_start = 0, earliest_end = INT64_MAX;
  for (size_t i = 0; i < members.size(); ++i) {
    const int64_t shift =
        clocks[i].realtime == 0 || zero == INT64_MAX ? 0 : query::difference(clocks[i].start, zero);
    members[i].source->shift_time(shift);
    latest_start = std::max(latest_start, shift);
    const auto longest = static_cast<int64_t>(kLatestNs);
    earliest_end =
        std::min(earliest_end, shift + std::clamp<int64_t>(members[i].source->duration_ns(), 0, longest));
  }
  return sentence(members.size(), different, without_time, latest_start > earliest_end);
}

}  // namespace sextant::stats
