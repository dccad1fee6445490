// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/rule.h"
#include "analysis/rules_for_tests.h"
#include "event/osrt_functions.h"
#include "event/schema_system.h"
#include "query/query.h"
#include "stats/rows_for_tests.h"

namespace sextant::analysis {
namespace {

using stats::testing::Lines;
using stats::testing::lines_of;
using enum event::OsrtObject;

constexpr int64_t kMs = 1'000'000;
constexpr auto kWaits = event::osrt_call::kWaits;

struct Call {
  std::string_view name;
  int64_t start = 0, ns = 0;
  uint64_t tid = 10, flags = 0;
  event::OsrtObject kind = kNone;
  uint64_t object = 0, file = 0, result = 0;
};

struct OsrtReport : stats::testing::CudaReport {
  OsrtReport() { process(1, 10, "app"); }

  void call(const Call& c) {
    using namespace event::osrt_call;
    row(event::kOsrtCall, {{kStart, raw(c.start)},
                           {kDuration, ticks(c.ns)},
                           {kClass, 27},
                           {kProcess, 1},
                           {kTid, c.tid},
                           {kName, id(c.name)},
                           {kReturnValue, c.result},
                           {kObject, c.object},
                           {kObjectKind, static_cast<uint64_t>(c.kind)},
                           {kFile, c.file},
                           {kFamily, 1},
                           {kFlags, c.flags},
                           {kNulls, null({kCallChain, kArguments})}});
  }
};

using testing::run;

struct Planted : OsrtReport {
  Planted() {
    imported_range("step", 0, 2000 * kMs, 1);
    for (int64_t i = 0; i < 4; ++i) {  // a lock for which two threads wait
      call({"pthread_mutex_lock", i * 10 * kMs, 3 * kMs, 11, kWaits, kAddress, 0x7f00});
      call({"pthread_mutex_lock", i * 10 * kMs, 5 * kMs, 12, kWaits, kAddress, 0x7f00});
      call({"pthread_mutex_lock", i * 10 * kMs, 5 * kMs, 12, kWaits, kAddress,
            0x8000});  // one alone: of no interest
    }
    for (int64_t i = 0; i < 20; ++i) call({"usleep", 100 * kMs + i * kMs, kMs / 2, 10, kWaits});
    for (int64_t i = 0; i < 2000; ++i)
      call({"write", 200 * kMs + i * 20'000, 10'000, 10, 0, kDescriptor, 5, 7, 8});
    for (int64_t i = 0; i < 12; ++i)
      call({"fsync", 300 * kMs + i * 5 * kMs, 2 * kMs, 11, 0, kDescriptor, 5, 7});
    call({"pread", 400 * kMs, 40 * kMs, 10, 0, kDescriptor, 6, 8, 1 << 20});
    call({"poll", 500 * kMs, 1500 * kMs, 10, kWaits | event::osrt_call::kUnfinished});
    call({"pthread_cond_wait", 500 * kMs, 1500 * kMs, 12, kWaits | event::osrt_call::kUnfinished, kAddress,
          0x100});
    using namespace event::osrt_file;
    for (const auto& [number, path] : {std::pair{7, "/log"}, {8, "/data"}})
      row(event::kOsrtFile, {{kOpened, raw(0)},
                             {kFile, static_cast<uint64_t>(number)},
                             {kPath, id(path)},
                             {kProcess, 1},
                             {kNulls, null({kClosed})}});
    finish();
  }
};

TEST(OsrtRules, FindWhatWasPlanted) {
  Planted report;
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  const Outcome locks = run(*source, "osrt_locks");
  EXPECT_EQ(lines_of(locks.table), (Lines{"32000000|8|5000000||2|10|pthread_mutex_lock|0x7f00|"}));
  ASSERT_EQ(locks.findings.size(), 1u);
  EXPECT_EQ(locks.findings[0].what, "2 threads waited 32 ms for the lock at 0x7f00.");
  EXPECT_EQ(locks.findings[0].gain_ns, 20 * kMs);
  ASSERT_EQ(locks.findings[0].places.size(), 2u);
  EXPECT_EQ(locks.findings[0].places[1].tid, 12u);
  EXPECT_EQ(locks.findings[0].places[1].to_ns - locks.findings[0].places[1].from_ns, 5 * kMs);
  EXPECT_EQ(locks.findings[0].places[1].table, event::kOsrtCall);

  const Outcome polling = run(*source, "osrt_polling");
  EXPECT_EQ(lines_of(polling.table), (Lines{"10000000|20|500000||1|10|usleep||step"}));
  EXPECT_EQ(polling.findings[0].where, "process 10, thread 10, in range step, from 100 ms to 119.5 ms");

  EXPECT_EQ(lines_of(run(*source, "osrt_small_io").table),
            (Lines{"20000000|2000|10000|16000|1|10|write|/log|step"}));
  EXPECT_EQ(lines_of(run(*source, "osrt_sync_loop").table), (Lines{"24000000|12|2000000||1|10|fsync|/log|"}));
  EXPECT_EQ(lines_of(run(*source, "osrt_main_io").table),
            (Lines{"40000000|1|40000000|1048576|1|10|pread|/data|step",
                   "20000000|2000|10000|16000|1|10|write|/log|step"}));
  const Outcome stands = run(*source, "osrt_never_returned");
  EXPECT_EQ(lines_of(stands.table),
            (Lines{"1500000000|1|1500000000||1|10|poll||step"}));  // the other: a pool's
  EXPECT_EQ(stands.findings[0].what, "poll never returned: for 1.5 s until the end.");
  EXPECT_EQ(run(*source, "osrt_locks:thread=11").table.rows, 0u);
}

TEST(OsrtRules, SayNothingWhereNothingIsWrong) {
  OsrtReport report;
  report.call({"pthread_mutex_lock", 0, 5000, 11, kWaits, kAddress, 0x7f00});
  report.call({"pthread_mutex_lock", 0, 5000, 12, kWaits, kAddress, 0x7f00});  // too short
  report.call({"usleep", 0, 500 * kMs, 10, kWaits});
  for (int64_t i = 0; i < 2000; ++i) report.call({"read", i * 2000, 1000, 10, 0, kDescriptor, 5, 0, 1 << 16});
  report.call({"fsync", 0, 100 * kMs, 11, 0, kDescriptor, 5});
  report.call({"poll", 0, 1000, 10, kWaits | event::osrt_call::kUnfinished});
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  for (const char* rule : {"osrt_locks", "osrt_polling", "osrt_small_io", "osrt_sync_loop", "osrt_main_io",
                           "osrt_never_returned"}) {
    const Outcome outcome = run(*source, rule);
    EXPECT_EQ(outcome.table.rows, 0u) << rule;
    EXPECT_TRUE(outcome.findings.empty()) << rule;
    EXPECT_FALSE(outcome.no_data) << rule;
    EXPECT_FALSE(outcome.table.why_empty.empty()) << rule;
  }
}

TEST(OsrtRules, LeaveIdleServersAndShellsAlone) {
  using event::osrt_call::kUnfinished;
  for (const bool inside : {false, true}) {
    OsrtReport report;
    if (inside) report.imported_range("request", 0, 5000 * kMs, 1);
    report.call({"accept4", 0, 2000 * kMs, 10, kWaits | kUnfinished, kDescriptor, 3});  // nobody came
    report.call({"accept", 0, 300 * kMs, 10, kWaits, kDescriptor, 4});
    report.call({"read", 400 * kMs, 300 * kMs, 10, kWaits, kDescriptor, 5, 0, 100});  // of a pipe
    report.finish();
    auto source = query::Source::open(report.path());
    ASSERT_TRUE(source);
    EXPECT_EQ(run(*source, "osrt_never_returned").table.rows, inside ? 1u : 0u);
    EXPECT_EQ(run(*source, "osrt_main_io").table.rows, inside ? 2u : 0u);
  }
}

TEST(OsrtRules, SayWhatIsMissing) {
  OsrtReport report;
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  EXPECT_TRUE(run(*source, "osrt_locks").no_data);
}

}  // namespace
}  // namespace sextant::analysis
