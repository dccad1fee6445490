// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of the C library that never returned: rows of what the run folder shows (docs/formats/spool.md
// §11.1).
#include <algorithm>

#include "collector/fake_agent_test.h"
#include "event/osrt_functions.h"
#include "event/schema_system.h"
#include "spool/writer.h"

namespace sextant::collector {
namespace {

namespace call = event::osrt_call;

constexpr uint32_t kDeadPid = 0x3fffffff;  // above every pid_max: nobody has it

struct CallsInProgressTest : testing::Test {
  TestPlace place;
  std::unique_ptr<Collector> collector = start_collector(place);
};

uint16_t number_of(std::string_view name) {
  const auto functions = event::osrt_functions();
  return static_cast<uint16_t>(
      std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.name == name; }) -
      functions.begin());
}

/// Calls in progress of one fake process, as an agent leaves them.
struct FakeCalls {
  explicit FakeCalls(FakeAgent& agent) {
    spool::Segment segment;
    const int index = agent.take(0, &segment);
    EXPECT_GE(index, 0);
    agent.arena()
        .descriptor(static_cast<uint32_t>(index))
        .state.store(static_cast<uint32_t>(spool::SegmentState::kCalls));
    threads = reinterpret_cast<spool::CallsInProgress*>(const_cast<spool::Slot*>(segment.data));
  }
  void begin(size_t thread, size_t level, uint64_t stamp, uint16_t function, uint32_t name, uint32_t flags,
             uint64_t value) {
    spool::CallInProgress& call = threads[thread].call[level];
    call.tid = 100 + thread;
    call.second = spool::second_word(name, function, 2, flags);
    call.value = value;
    call.first = spool::first_word(stamp, spool::Kind::kOsrtCall);
  }
  spool::CallsInProgress* threads;
};

TEST_F(CallsInProgressTest, ShowsCallsThatNeverReturnedOnce) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  agent.page().end_stamp.store(5000);
  FakeCalls calls(agent);
  calls.begin(0, 0, 2000, number_of("read"), 7, spool::kOsrtWaits | spool::kOsrtDetail, uint64_t{4096} << 32);
  calls.begin(0, 1, 3000, number_of("pthread_mutex_lock"), 0, spool::kOsrtWaits | spool::kOsrtWide, 0x7f00);
  calls.begin(5, 0, 6000, number_of("poll"), 1000, spool::kOsrtWaits | spool::kOsrtDetail, 0);
  calls.begin(6, 0, 2000, 0xfffe, 0, 0, 0);  // no such function
  calls.threads[7].call[0].first = 99;       // no such kind
  collector->pass();
  collector->pass();
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::vector<FakeRow> rows = report.rows(event::kOsrtCall);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(report.text(rows[0]["name"]), "read");
  EXPECT_EQ(rows[0]["tid"], 100u);
  EXPECT_EQ(rows[0]["start"], 2000u);
  EXPECT_EQ(rows[0]["duration"], 3000u);
  EXPECT_EQ(rows[0]["object"], 7u);
  EXPECT_EQ(rows[0]["detail"], 4096u);
  EXPECT_EQ(rows[0]["flags"], call::kWaits | call::kUnfinished);
  EXPECT_TRUE(event::is_null(rows[0]["nulls"], call::kDuration));
  EXPECT_EQ(rows[1]["object"], 0x7f00u);
  EXPECT_EQ(rows[1]["tid"], 100u);
  EXPECT_EQ(rows[2]["duration"], 0u);  // begun after what the process said was its end
  EXPECT_EQ(rows[2]["detail"], 1'000'000u);
  EXPECT_EQ(report.diagnostics("unfinished_call"), 3u);
  EXPECT_EQ(report.diagnostics("damaged_record"), 1u);
  EXPECT_EQ(collector->totals().osrt_calls, 3u);
}

TEST_F(CallsInProgressTest, AddsUpWhatImagesOfAProcessLeft) {
  std::vector<std::unique_ptr<FakeAgent>> images;
  for (uint64_t image = 0; image < 3; ++image) {
    images.push_back(std::make_unique<FakeAgent>(place.folder(), false));
    ASSERT_TRUE(images.back()->start(kDeadPid));
    FakeCalls calls(*images.back());
    calls.begin(0, 0, 2000 + image, number_of("read"), 7, spool::kOsrtWaits, 0);
    calls.begin(1, 0, 2000, 0xfffe, 0, 0, 0);  // no such function
    collector->pass();
  }
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  EXPECT_EQ(report.rows(event::kOsrtCall).size(), 3u);
  EXPECT_EQ(report.diagnostics("unfinished_call"), 3u);
  EXPECT_EQ(report.diagnostics("damaged_record"), 3u);
}

TEST_F(CallsInProgressTest, TakesNamesOfTheSystemOnlyWhereNvtxGaveNone) {
  FakeAgent agent(place.folder(), false);
  ASSERT_TRUE(agent.start(kDeadPid));
  FakeThread thread(agent, 5);
  const auto named = [&](uint64_t tid, const char* name, uint8_t flags) {
    thread.write({spool::Kind::kThreadName, {{tid, 0}}, agent.name(name), 0, flags});
  };
  named(5, "by the system", spool::kNameOfSystem), named(5, "later", spool::kNameOfSystem);
  named(6, "by NVTX", 0), named(6, "ignored", spool::kNameOfSystem);
  ASSERT_TRUE(collector->finish(false));
  TestReport report(place.report());
  std::map<uint64_t, std::string> names;
  for (FakeRow& row : report.rows(event::kThread)) names[row["tid"]] = report.text(row["name"]);
  EXPECT_EQ(names[5], "later");
  EXPECT_EQ(names[6], "by NVTX");
}

}  // namespace
}  // namespace sextant::collector
