// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/scheduling.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "event/schema_system.h"
#include "serve/timeline.h"
#include "stats/rows_for_tests.h"

namespace sextant::serve {
namespace {

class SchedReport : public stats::testing::CudaReport {
 public:
  void sched(int64_t ns, uint64_t cpu, bool in, uint64_t tid) {
    using namespace event::sched_event;
    row(event::kSchedEvent,
        {{kTime, raw(ns)}, {kCpu, cpu}, {kIsIn, in ? 1u : 0u}, {kProcess, 1}, {kTid, tid}});
  }
};

/// Exports of nsys have several series of rows by time, one behind the other; chunks cut events apart.
TEST(Scheduling, DoesNotDependOnTheOrderOfRowsAndChunks) {
  struct Switch {
    int64_t ns;
    uint64_t cpu;
    bool in;
    uint64_t tid;
  };
  std::vector<Switch> switches;
  std::mt19937_64 random(5);
  std::map<uint64_t, uint64_t> on;  // CPU of a thread
  for (int64_t ns = 100; ns < 400'000; ns += 10 + static_cast<int64_t>(random() % 50) * 2) {
    const uint64_t tid = 1 + random() % 9;
    const auto at = on.find(tid);
    const uint64_t cpu = at == on.end() ? tid % 3 * 10 + random() % 10 : at->second;
    switches.push_back({ns, cpu, at == on.end(), tid});
    if (at == on.end())
      on[tid] = cpu;
    else
      on.erase(at);
  }
  const auto lines = [&](SchedReport* report) {
    SliceCache cache{1};
    const auto source = query::Source::open(report->finish(SchedReport::raw(1'000'000)));
    const auto timeline = Timeline::make(*source, cache);
    EXPECT_TRUE((*timeline)->notes().empty());
    std::map<std::string, std::vector<std::string>> out;
    for (const Track& track : (*timeline)->tracks()) {
      if (track.kind != "cpu" && track.kind != "state") continue;
      const LaneKey& key = (*timeline)->lane_of(track).key;
      std::vector<std::string>& of = out[fmt::format("{} {} {}", track.kind, key.process, key.first)];
      EXPECT_TRUE((*timeline)->visit(track, INT64_MIN / 4, INT64_MAX / 4, [&](const Event& event) {
        EXPECT_EQ(event.row, 0);
        of.push_back(fmt::format("{}-{} {} {}", event.start_ns, event.end_ns,
                                 (*timeline)->names().text(event.name), event.unfinished));
        return true;
      }));
      EXPECT_EQ((*timeline)->lane_of(track).events, of.size());
    }
    return out;
  };
  SchedReport one, several;
  for (SchedReport* report : {&one, &several}) report->process(1, 4242, "train");
  for (const Switch& s : switches) one.sched(s.ns, s.cpu, s.in, s.tid);
  for (const uint64_t group : {2, 0, 1}) {
    size_t rows = 0;
    for (const Switch& s : switches) {
      if (s.tid % 3 != group) continue;
      several.sched(s.ns, s.cpu, s.in, s.tid);
      if (++rows % 500 == 0) several.group();
    }
  }
  const auto expected = lines(&one);
  EXPECT_GT(expected.size(), 20u);
  EXPECT_EQ(lines(&several), expected);
}

}  // namespace
}  // namespace sextant::serve
