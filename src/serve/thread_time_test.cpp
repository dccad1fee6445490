// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/thread_time.h"

#include <gtest/gtest.h>

#include "event/schema_system.h"
#include "stats/rows_for_tests.h"

namespace sextant::serve {
namespace {

using stats::testing::CudaReport;

class ThreadTimes : public ::testing::Test {
 protected:
  void sched(int64_t ns, bool in, uint64_t state = 0) {
    using namespace event::sched_event;
    report_.row(event::kSchedEvent, {{kTime, CudaReport::raw(ns)},
                                     {kCpu, 0},
                                     {kIsIn, in ? 1u : 0u},
                                     {kProcess, 1},
                                     {kTid, 100},
                                     {kThreadState, state}});
  }
  void call(std::string_view name, int64_t start, int64_t end, uint64_t tid = 100, bool waits = false) {
    using namespace event::osrt_call;
    report_.row(event::kOsrtCall, {{kStart, CudaReport::raw(start)},
                                   {kDuration, CudaReport::ticks(end - start)},
                                   {kProcess, 1},
                                   {kTid, tid},
                                   {kName, report_.id(name)},
                                   {kClass, 27},
                                   {kFamily, 1},
                                   {kFlags, waits ? uint64_t{event::osrt_call::Flag::kWaits} : 0u}});
  }
  /// "cause ns" of what got time, of the thread at this place.
  std::vector<std::string> parts(const query::Window& span, size_t which = 0) {
    auto source = query::Source::open(report_.finish());
    EXPECT_TRUE(source);
    timeline_ = std::move(*Timeline::make(source_.emplace(std::move(*source)), cache_));
    auto times = thread_times(*timeline_, span);
    EXPECT_TRUE(times) << times.error().message;
    std::vector<std::string> out;
    if (!times || times->size() <= which) return {"no such thread"};
    time_ = (*times)[which];
    int64_t sum = 0;
    for (size_t cause = 0; cause < kThreadCauses; ++cause) {
      sum += time_.parts[cause].ns;
      if (time_.parts[cause].ns > 0)
        out.push_back(std::string(thread_causes()[cause].name) + " " + std::to_string(time_.parts[cause].ns));
    }
    EXPECT_EQ(sum, span.to_ns - span.from_ns);
    return out;
  }
  std::string name(ThreadCause cause, size_t which) {
    return std::string(timeline_->names().text(time_.parts[cause].names.at(which).first));
  }

  CudaReport report_;
  SliceCache cache_;
  std::optional<query::Source> source_;
  std::unique_ptr<Timeline> timeline_;
  ThreadTime time_;
};
using Lines = std::vector<std::string>;

TEST_F(ThreadTimes, EachMomentHasTheFirstCauseThatHolds) {
  report_.process(1, 100, "p");
  sched(0, true);
  report_.api("cudaDeviceSynchronize", 50, 150, 1, 1, 100);  // spins: it waits all the same
  report_.api("cudaMalloc", 160, 200, 2, 1, 100);            // on a CPU: it runs
  call("read", 250, 300);                                    // the same
  sched(400, false, 2);                                      // sleeps:
  call("pthread_cond_wait", 380, 700, 100, true);            // of which this is why
  sched(800, true);
  sched(900, false, 0);
  call("nanosleep", 700, 720, 100, true);
  EXPECT_EQ(parts({0, 1000}),
            (Lines{"sync_wait 100", "osrt_wait 340", "running 380", "off_cpu 80", "nothing 100"}));
  EXPECT_TRUE(time_.scheduling);
  EXPECT_EQ(time_.parts[kDeviceWait].longest.start, 50);
  ASSERT_EQ(time_.parts[kCallWait].names.size(), 2u);
  EXPECT_EQ(name(kCallWait, 0), "pthread_cond_wait");
  EXPECT_EQ(time_.parts[kCallWait].names[0].second, 320);
  EXPECT_EQ(name(kCallWait, 1), "nanosleep");
  EXPECT_EQ(name(kOffCpu, 0), "sleeping");
}

TEST_F(ThreadTimes, WithoutSchedulingCallsAreWhatIsKnown) {
  report_.process(1, 100, "p");
  report_.api("cudaMalloc", 100, 200, 1, 1, 100);
  call("read", 150, 300);
  call("getenv", 400, 410);
  call("read", 0, 900, 7);
  EXPECT_EQ(parts({50, 1050}, 1), (Lines{"io 150", "api 50", "osrt 10", "nothing 790"}));
  EXPECT_FALSE(time_.scheduling);
}

TEST_F(ThreadTimes, ThreadsOfWhichNothingIsKnownAreNotListed) {
  report_.process(1, 100, "p");
  report_.range("step", 0, 100, "", 1, 100);
  EXPECT_EQ(parts({0, 100}), (Lines{"no such thread"}));
}

}  // namespace
}  // namespace sextant::serve
