// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "collector/fake_agent_test.h"

namespace sextant::collector {
namespace {

constexpr uint32_t kDeadPid = 0x3fffffff;  // above every pid_max: nobody has it
using spool::Kind;
using spool::ValueSlot;

struct CollectorTest : testing::Test {
  TestPlace place;
  std::unique_ptr<Collector> collector = start_collector(place);
};

TEST_F(CollectorTest, PairsNestedRangesOfSeveralDomains) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread thread(agent, 5);
  ASSERT_TRUE(thread.write({Kind::kDomain, {}, agent.name("lib"), 3}));
  thread.push("outer");
  thread.push("in lib", 3);
  thread.push("inner");
  thread.pop();
  thread.pop(3);
  thread.pop();
  thread.pop();  // one too many
  thread.finish();
  collector->pass();
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::vector<FakeRow> ranges = report.rows(event::kNvtxRange);
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(report.text(ranges[0]["name"]), "inner");
  EXPECT_EQ(ranges[0]["level"], 1u);
  EXPECT_EQ(ranges[0]["duration"], 10u);
  EXPECT_EQ(report.text(ranges[1]["name"]), "in lib");
  EXPECT_EQ(report.text(ranges[1]["domain"]), "lib");
  EXPECT_EQ(ranges[1]["level"], 0u);
  EXPECT_EQ(report.text(ranges[2]["name"]), "outer");
  EXPECT_EQ(ranges[2]["duration"], 50u);
  EXPECT_EQ(ranges[2]["tid"], 5u);
  EXPECT_EQ(ranges[2]["process"], 1u);
  EXPECT_EQ(report.diagnostics("pop_without_push"), 1u);
  std::vector<FakeRow> processes = report.rows(event::kProcess);
  ASSERT_FALSE(processes.empty());
  EXPECT_EQ(report.text(processes.back()["command_line"]), "fake --token=***");
  EXPECT_EQ(report.text(processes.back()["name"]), "fake");
  EXPECT_EQ(processes.back()["ranges"], 3u);
  EXPECT_TRUE(report.reader.complete());
}

TEST_F(CollectorTest, LooksTheMoreRarelyTheLessHappens) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(static_cast<uint32_t>(::getpid())));
  FakeThread thread(agent, 5);
  const auto pairs = [&](int count) {
    for (int i = 0; i < count; ++i) {
      thread.push("a");
      thread.pop();
    }
  };
  pairs(1);
  collector->pass();
  EXPECT_EQ(collector->wait_ms(), 1) << "a new process";
  for (int i = 0; i < 6; ++i) {
    pairs(100);
    collector->pass();
  }
  const int calm = collector->wait_ms();
  EXPECT_GE(calm, 10);
  pairs(3000);
  collector->pass();
  EXPECT_LT(collector->wait_ms(), calm);
  FakeAgent other(place.folder(), false);
  ASSERT_TRUE(other.start(kDeadPid));
  collector->pass();
  EXPECT_EQ(collector->wait_ms(), 1) << "another process";
}

TEST_F(CollectorTest, KeepsAttributesMarksAndStartEndAcrossThreads) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread a(agent, 5), b(agent, 6);
  ValueSlot head{0x00000007'ff00ff00, 1 | 3u << 8}, payload{0x4000000000000000, 0};
  a.write({Kind::kPush, {head, payload}, agent.name("with"), 0, spool::kHasAttributes});
  a.pop();
  a.push("without");
  a.pop();
  a.write({Kind::kMark, {}, agent.name("here"), 0, spool::kRegisteredName});
  a.write({Kind::kStart, {ValueSlot{77, 0}}, agent.name("long")});
  b.write({Kind::kEnd, {ValueSlot{77, 0}}});
  b.write({Kind::kThreadName, {ValueSlot{6, 0}}, agent.name("worker")});
  b.write({Kind::kCategoryName, {ValueSlot{7, 0}}, agent.name("io")});
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::vector<FakeRow> ranges = report.rows(event::kNvtxRange);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0]["color"], 0xff00ff00u);
  EXPECT_EQ(ranges[0]["category"], 7u);
  EXPECT_EQ(ranges[0]["payload_type"], 3u);
  EXPECT_EQ(ranges[0]["payload"], 0x4000000000000000u);
  EXPECT_EQ(ranges[0]["flags"], uint64_t{event::nvtx::kHasColor});
  EXPECT_EQ(ranges[1]["flags"] + ranges[1]["color"] + ranges[1]["payload"], 0u);
  std::vector<FakeRow> marks = report.rows(event::kNvtxMark);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0]["flags"], uint64_t{event::nvtx::kRegistered});
  ASSERT_EQ(report.rows(event::kNvtxStart).size(), 1u);
  ASSERT_EQ(report.rows(event::kNvtxEnd).size(), 1u);
  EXPECT_EQ(report.rows(event::kNvtxStart)[0]["range_id"], report.rows(event::kNvtxEnd)[0]["range_id"]);
  EXPECT_EQ(report.rows(event::kNvtxEnd)[0]["tid"], 6u);
  EXPECT_EQ(report.text(report.rows(event::kNvtxCategory)[0]["name"]), "io");
  std::string worker;
  for (FakeRow& row : report.rows(event::kThread))
    if (row["tid"] == 6) worker = report.text(row["name"]);
  EXPECT_EQ(worker, "worker");
}

TEST_F(CollectorTest, WaitsForDomainNamedInAnotherRing) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread user(agent, 5), maker(agent, 6);
  user.push("x", 9);  // drained first, named later
  user.pop(9);
  maker.write({Kind::kDomain, {}, agent.name("late"), 9});
  FakeThread stray(agent, 8);
  stray.push("y", 10);  // never named
  stray.pop(10);
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::vector<FakeRow> ranges = report.rows(event::kNvtxRange);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(report.text(ranges[0]["domain"]), "late");
  EXPECT_EQ(report.text(ranges[1]["domain"]), "(unknown domain 10)");
  EXPECT_EQ(report.diagnostics("unknown_domain"), 1u);
}

TEST_F(CollectorTest, LeavesOpenRangesWithTheirRing) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread thread(agent, 5);
  thread.push("never closed");
  thread.push("neither");
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::vector<FakeRow> open = report.rows(event::kNvtxOpen);
  ASSERT_EQ(open.size(), 2u);
  EXPECT_EQ(report.text(open[1]["name"]), "neither");
  EXPECT_EQ(open[1]["level"], 1u);
  EXPECT_EQ(open[1]["ring"], thread.ring());
  EXPECT_EQ(open[1]["instance"], agent.index());
  EXPECT_EQ(collector->totals().open_ranges, 2u);
}

TEST_F(CollectorTest, StepsOverVoidAndAbandonedRecordsOfTheDead) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread thread(agent, 5);
  thread.push("a");
  thread.write({Kind::kPush}, false);  // killed between reservation and store
  thread.pop();
  thread.write({Kind::kVoid});
  thread.push("b");
  thread.pop();
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  EXPECT_EQ(report.rows(event::kNvtxRange).size(), 2u);
  EXPECT_EQ(report.diagnostics("abandoned_record"), 1u);
}

TEST_F(CollectorTest, WaitsAtAHoleWhileTheWriterLives) {
  FakeAgent agent(place.folder(), true);
  ASSERT_TRUE(agent.start(0));
  FakeThread thread(agent, 5);
  thread.push("a");
  EXPECT_EQ(collector->pass(), 1u);
  thread.write({Kind::kPop}, false);
  EXPECT_EQ(collector->pass(), 0u);  // the last thing there: whoever writes it may take his time
  for (int i = 0; i < 8; ++i) thread.push("later");
  EXPECT_EQ(collector->pass(), 0u);
  ::usleep(120'000);
  EXPECT_EQ(collector->pass(), 9u);  // given up
  ASSERT_TRUE(collector->finish(true));
}

TEST_F(CollectorTest, CountsStartEndRangesThatNobodyEnded) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread a(agent, 5), b(agent, 6);
  for (uint64_t id : {1, 2, 3}) a.write({Kind::kStart, {ValueSlot{id, 0}}, agent.name("long")});
  b.write({Kind::kEnd, {ValueSlot{2, 0}}});
  a.push("open");
  ASSERT_TRUE(collector->finish(false));
  EXPECT_EQ(collector->totals().open_ranges, 3u);
}

TEST_F(CollectorTest, TellsWhatTheRecordingCost) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  agent.page().init_ticks = 4321;
  FakeThread thread(agent, 5);
  for (int i = 0; i < 100; ++i) {
    thread.push("work");
    thread.pop();
  }
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::map<std::string, uint64_t> cost;
  for (FakeRow& row : report.rows(event::kProfilerOverhead))
    cost[std::string(report.text(row["name"]))] = row["duration"];
  EXPECT_EQ(cost["agent start"], 4321u);
  EXPECT_GT(cost["collector CPU time"], 0u);
  EXPECT_GT(cost["NVTX ranges (estimated from the cost of a record)"], 200u);  // no clock is read in a tick
}

TEST_F(CollectorTest, ListsNotesButNotThoseTakenBack) {
  FakeAgent ran(place.folder(), false), failed(place.folder(), false);
  for (FakeAgent* agent : {&ran, &failed}) {
    ASSERT_TRUE(agent->start(kDeadPid - agent->index()));
    agent->page().origin = static_cast<uint32_t>(spool::PageOrigin::kUntraced);
  }
  ran.page().untraced.store(static_cast<uint32_t>(spool::Untraced::kStatic));
  failed.page().untraced.store(static_cast<uint32_t>(spool::Untraced::kNo));  // its exec failed
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::vector<FakeRow> processes = report.rows(event::kProcess);
  ASSERT_FALSE(processes.empty());
  for (FakeRow& row : processes) EXPECT_EQ(row["pid"], kDeadPid - ran.index());
}

TEST_F(CollectorTest, PairsNothingAcrossALoss) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread thread(agent, 5);
  thread.push("outer");
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(thread.push("a") && thread.pop());
  thread.push("its pop is lost");
  thread.next_segment_after_loss(2);  // that pop, and the next push
  thread.pop();
  thread.push("b");
  thread.pop();
  thread.pop();  // outer's
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::vector<FakeRow> ranges = report.rows(event::kNvtxRange);
  ASSERT_EQ(ranges.size(), 601u);
  EXPECT_EQ(report.text(ranges.back()["name"]), "b");
  EXPECT_EQ(ranges.back()["level"], 0u);
  EXPECT_EQ(report.diagnostics("ranges_cut_by_loss"), 2u);
  EXPECT_EQ(report.diagnostics("pop_without_push"), 2u);
  EXPECT_EQ(report.rows(event::kProcess).back()["lost"], 2u);  // the page of this agent told of none
}

TEST_F(CollectorTest, RecyclesSegmentsOfALongRing) {
  FakeAgent agent(place.folder(), true);
  ASSERT_TRUE(agent.start(0));
  FakeThread thread(agent, 5);
  const uint32_t name = agent.name("x");
  const uint64_t pairs = 250'000;  // 8 MB through an arena that stays smaller
  for (uint64_t i = 0; i < pairs; ++i) {
    while (!thread.write({Kind::kPush, {}, name})) collector->pass();
    while (!thread.write({Kind::kPop})) collector->pass();
    if (i % 1000 == 0) collector->pass();
  }
  EXPECT_LT(agent.arena().header().file_bytes.load(), uint64_t{6} << 20);
  ASSERT_TRUE(collector->finish(true));
  TestReport report(place.report());
  EXPECT_EQ(report.rows(event::kNvtxRange).size(), pairs);
  EXPECT_EQ(collector->totals().events, pairs);
}

TEST_F(CollectorTest, ReleasesArenasOfEndedProcesses) {
  for (uint32_t i = 0; i < 100; ++i) {
    FakeAgent agent(place.folder(), false);
    ASSERT_TRUE(agent.start(kDeadPid, i + 1)) << i;
    FakeThread thread(agent, 5);
    thread.push("x");
    thread.pop();
    collector->pass();
    if (i % 10 == 0) ::usleep(120'000);  // pages are looked at ten times a second
  }
  ASSERT_TRUE(collector->finish(false));
  EXPECT_EQ(TestReport(place.report()).rows(event::kNvtxRange).size(), 100u);
  EXPECT_EQ(collector->totals().processes, 100u);
}

TEST_F(CollectorTest, ReadsWhileSeveralThreadsWrite) {
  FakeAgent agent(place.folder(), true);
  ASSERT_TRUE(agent.start(0));
  const uint32_t name = agent.name("x");
  constexpr uint32_t kThreads = 3, kPairs = 10'000;
  std::atomic<uint32_t> running{kThreads};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      FakeThread thread(agent, 5 + t);
      for (uint32_t i = 0; i < kPairs; ++i) {
        while (!thread.write({Kind::kPush, {}, name})) std::this_thread::yield();
        while (!thread.write({Kind::kPop})) std::this_thread::yield();
      }
      thread.finish();
      running.fetch_sub(1);
    });
  }
  while (running.load() != 0) collector->pass();
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(collector->finish(true));
  TestReport report(place.report());
  std::map<uint64_t, uint32_t> per_thread;
  for (FakeRow& row : report.rows(event::kNvtxRange)) {
    EXPECT_EQ(report.text(row["name"]), "x");
    EXPECT_EQ(row["level"], 0u);
    ++per_thread[row["tid"]];
  }
  ASSERT_EQ(per_thread.size(), kThreads);
  for (const auto& [tid, count] : per_thread) EXPECT_EQ(count, kPairs) << tid;
}

TEST_F(CollectorTest, CutFinishDropsWhatSurvivorsDo) {
  FakeAgent agent(place.folder(), true);
  ASSERT_TRUE(agent.start(0));
  FakeThread thread(agent, 5);
  thread.push("x");
  collector->pass();
  EXPECT_FALSE(collector->all_gone());
  ASSERT_TRUE(collector->finish(true));
  EXPECT_EQ(TestReport(place.report()).diagnostics("survivors"), 1u);
}

}  // namespace
}  // namespace sextant::collector
