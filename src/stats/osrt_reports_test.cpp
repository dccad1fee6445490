// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_blocking_sum, osrt_file_sum and nvtx_osrt_sum on rows written by hand, as a recording and as an import
// have them.
#include <cerrno>

#include "event/osrt_functions.h"
#include "event/schema_system.h"
#include "stats/osrt.h"
#include "stats/registry.h"
#include "stats/rows_for_tests.h"

namespace sextant::stats {
namespace {

using testing::Lines;
using testing::lines_of;

constexpr uint64_t kOurs = 1;  // any family

struct Call {
  std::string_view name;
  int64_t start = 0, end = 0;
  uint64_t tid = 10;
  uint64_t family = kOurs, flags = 0;
  event::OsrtObject kind = event::OsrtObject::kNone;
  uint64_t object = 0, file = 0, process = 1, nesting = 0;
};

class OsrtReport : public testing::CudaReport {
 public:
  OsrtReport() { process(1, 10, "app"); }

  void call(const Call& c) {
    using namespace event::osrt_call;
    row(event::kOsrtCall, {{kStart, raw(c.start)},
                           {kDuration, ticks(c.end - c.start)},
                           {kClass, 27},
                           {kProcess, c.process},
                           {kTid, c.tid},
                           {kName, id(c.name)},
                           {kNesting, c.nesting},
                           {kObject, c.object},
                           {kObjectKind, static_cast<uint64_t>(c.kind)},
                           {kFile, c.file},
                           {kFamily, c.family},
                           {kFlags, c.flags},
                           {kNulls, null({kCallChain, kArguments})}});
  }
  void wait(std::string_view name, int64_t start, int64_t end, uint64_t tid = 10) {
    call({.name = name, .start = start, .end = end, .tid = tid, .flags = event::osrt_call::kWaits});
  }
  void file(uint64_t number, std::string_view path, uint64_t of_process = 1) {
    using namespace event::osrt_file;
    row(event::kOsrtFile, {{kOpened, raw(0)},
                           {kFile, number},
                           {kPath, id(path)},
                           {kProcess, of_process},
                           {kNulls, null({kClosed})}});
  }
  void access(uint64_t number, event::OsrtAccess type, int64_t ns, uint64_t bytes = 0, uint64_t error = 0,
              std::string_view context = "", uint64_t of_process = 1) {
    using namespace event::osrt_file_access;
    row(event::kOsrtFileAccess, {{kStart, raw(0)},
                                 {kDuration, ticks(ns)},
                                 {kFile, number},
                                 {kTid, 10},
                                 {kType, static_cast<uint64_t>(type)},
                                 {kBytes, bytes},
                                 {kContext, id(context)},
                                 {kProcess, of_process},
                                 {kErrno, error},
                                 {kNulls, null({kCall})}});
  }
};

text::Table table_of(const query::Source& source, std::string_view name) {
  auto table = find_report(name)->make(source, {});
  EXPECT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->rows == 0, !table->why_empty.empty());
  return std::move(*table);
}

Lines rows(const std::string& path, std::string_view name) {
  auto source = query::Source::open(path);
  EXPECT_TRUE(source) << source.error().message;
  return lines_of(table_of(*source, name));
}

TEST(CallState, OfRecordingsByFlagsAndOfImportsByFunction) {
  EXPECT_EQ(call_state("read", kOurs, event::osrt_call::kWaits), CallState::kWaits);
  EXPECT_EQ(call_state("read", kOurs, 0), CallState::kMoves);
  EXPECT_EQ(call_state("read", 0, 0), CallState::kMoves);
  EXPECT_EQ(call_state("pthread_mutex_lock", kOurs, 0), CallState::kWorks);
  EXPECT_EQ(call_state("poll", 0, 0), CallState::kWaits);
  EXPECT_EQ(call_state("pwrite64", 0, 0), CallState::kMoves);
  EXPECT_EQ(call_state("mmap64", 0, 0), CallState::kWorks);
  EXPECT_EQ(call_state("no such function", 0, 0), CallState::kWorks);
}

TEST(OsrtBlocking, WaitingBeforeWorkingByRangeAndObject) {
  OsrtReport report;
  report.imported_range("step", 0, 1000, 2);
  report.imported_range("load", 100, 300, 1);
  report.file(7, "/data/a"), report.file(8, "/data/a");
  using enum event::OsrtObject;
  constexpr auto kWaits = event::osrt_call::kWaits;
  report.call({.name = "pthread_mutex_lock",
               .start = 110,
               .end = 210,
               .flags = kWaits,
               .kind = kAddress,
               .object = 0x7f00});
  report.call({.name = "pthread_mutex_lock",
               .start = 220,
               .end = 280,
               .flags = kWaits,
               .kind = kAddress,
               .object = 0x7f00});
  report.call({.name = "pthread_mutex_lock",
               .start = 290,
               .end = 310,  // longer than the inner range
               .flags = kWaits,
               .kind = kAddress,
               .object = 0x7f00});
  report.call({.name = "read", .start = 400, .end = 406, .kind = kDescriptor, .object = 5, .file = 7});
  report.call({.name = "read", .start = 406, .end = 410, .kind = kDescriptor, .object = 9, .file = 8});
  report.call({.name = "read", .start = 420, .end = 450, .kind = kDescriptor, .object = 6});
  report.call({.name = "munmap", .start = 2000, .end = 2400, .kind = kAddress, .object = 0x1000});
  report.call({.name = "munmap", .start = 2400, .end = 2580, .kind = kAddress, .object = 0x2000});
  report.call({.name = "poll", .start = 400, .end = 410, .flags = kWaits, .nesting = 1});  // of another's
  report.finish();
  EXPECT_EQ(rows(report.path(), "osrt_blocking_sum"),
            (Lines{"20.0|160|2|80.0|60|100|Waiting|pthread_mutex_lock|0x7f00|load|10|10|app",
                   "3.8|30|1|30.0|30|30|I/O|read|descriptor 6|step|10|10|app",
                   "2.5|20|1|20.0|20|20|Waiting|pthread_mutex_lock|0x7f00|step|10|10|app",
                   "1.3|10|2|5.0|4|6|I/O|read|/data/a|step|10|10|app",
                   "72.5|580|2|290.0|180|400|Working|munmap|||10|10|app"}));
}

TEST(OsrtBlocking, IdlePoolThreadsComeLast) {
  OsrtReport report;
  report.imported_range("work", 0, 10, 1, false, 0, 0, 1, 13);
  report.wait("pthread_cond_wait", 0, 10'000, 11);  // nothing but waiting
  report.wait("pthread_cond_wait", 0, 600, 12),
      report.call({.name = "mmap", .start = 900, .end = 1000, .tid = 12});
  report.wait("pthread_cond_wait", 100, 5000, 13);  // has a range
  report.wait("epoll_wait", 0, 9000, 10);           // the first thread of its process
  report.wait("sem_wait", 0, 960, 14), report.call({.name = "munmap", .start = 980, .end = 1000, .tid = 14});
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  const text::Table table = table_of(*source, "osrt_blocking_sum");
  EXPECT_EQ(lines_of(table), (Lines{"61.6|9000|1|9000.0|9000|9000|Waiting|epoll_wait|||10|10|app",
                                    "33.5|4900|1|4900.0|4900|4900|Waiting|pthread_cond_wait|||10|13|",
                                    "4.1|600|1|600.0|600|600|Waiting|pthread_cond_wait|||10|12|",
                                    "0.7|100|1|100.0|100|100|Working|mmap|||10|12|",
                                    "0.1|20|1|20.0|20|20|Working|munmap|||10|14|",
                                    "|10000|1|10000.0|10000|10000|Idle|pthread_cond_wait|||10|11|",
                                    "|960|1|960.0|960|960|Idle|sem_wait|||10|14|"}));
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_TRUE(table.notes[0].starts_with("2 idle pool threads come last (10.96 us of waiting)"))
      << table.notes[0];
}

TEST(OsrtBlocking, CallsThatNeverReturned) {
  OsrtReport report;
  constexpr uint64_t kNever = event::osrt_call::kWaits | event::osrt_call::kUnfinished;
  report.wait("poll", 0, 100);
  report.call({.name = "poll", .start = 100, .end = 1000, .flags = kNever});
  report.wait("pthread_cond_wait", 0, 500, 11);
  report.call({.name = "pthread_cond_wait", .start = 500, .end = 1000, .tid = 11, .flags = kNever});
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  const text::Table table = table_of(*source, "osrt_blocking_sum");
  EXPECT_EQ(lines_of(table), (Lines{"90.0|900|1|900.0|900|900|Never returned|poll|||10|10|app",
                                    "10.0|100|1|100.0|100|100|Waiting|poll|||10|10|app",
                                    "|500|1|500.0|500|500|Idle|pthread_cond_wait|||10|11|",
                                    "|500|1|500.0|500|500|Idle|pthread_cond_wait|||10|11|"}));
  ASSERT_EQ(table.notes.size(), 2u);
  EXPECT_TRUE(table.notes[1].starts_with("2 calls never returned")) << table.notes[1];
}

TEST(OsrtErrors, RealOnesBeforeWhatIsOnlyNotReady) {
  OsrtReport report;
  const auto failing = [&](std::string_view name, uint64_t error, int64_t ns) {
    using namespace event::osrt_call;
    report.row(event::kOsrtCall, {{kStart, report.raw(0)},
                                  {kDuration, report.ticks(ns)},
                                  {kClass, 27},
                                  {kProcess, 1},
                                  {kTid, 10},
                                  {kName, report.id(name)},
                                  {kErrno, error},
                                  {kFamily, kOurs},
                                  {kNulls, report.null({kCallChain, kArguments})}});
  };
  for (int i = 0; i < 3; ++i) failing("recv", EAGAIN, 10);
  failing("recv", 0, 50), failing("recv", ECONNRESET, 20);
  failing("open", ENOENT, 30), failing("open", ENOENT, 50), failing("open", 4711, 2);
  failing("pthread_cond_timedwait", ETIMEDOUT, 1000);
  failing("close", 0, 6);
  report.finish();
  EXPECT_EQ(
      rows(report.path(), "osrt_error_sum"),
      (Lines{"2|66.7|80|40.0|30|50|Error|open|ENOENT|No such file or directory",
             "1|33.3|2|2.0|2|2|Error|open|error 4711|",
             "1|20.0|20|20.0|20|20|Error|recv|ECONNRESET|Connection reset by peer",
             "3|60.0|30|10.0|10|10|Not ready|recv|EAGAIN|Resource temporarily unavailable",
             "1|100.0|1000|1000.0|1000|1000|Time limit|pthread_cond_timedwait|ETIMEDOUT|Connection timed "
             "out"}));
}

TEST(OsrtErrors, WithoutAny) {
  OsrtReport report;
  report.wait("poll", 0, 100);
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  EXPECT_TRUE(table_of(*source, "osrt_error_sum").why_empty.starts_with("No call of the C library failed"));
}

TEST(OsrtDetails, InWords) {
  using enum event::OsrtDetail;
  const auto text = [](event::OsrtDetail kind, uint64_t detail) {
    return detail_text(static_cast<uint64_t>(kind), detail);
  };
  EXPECT_EQ(text(kNone, 7), "");
  EXPECT_EQ(text(kBytes, 4096), "4096 bytes asked for");
  EXPECT_EQ(text(kTimeout, 5'000'000), "limit 5 ms");
  EXPECT_EQ(text(kTimeout, event::kNoLimit), "no limit");
  EXPECT_EQ(text(kOpenFlags, 02001102), "O_RDWR|O_CREAT|O_TRUNC|O_CLOEXEC");
  EXPECT_EQ(text(kOpenFlags, 0200000), "O_RDONLY|0200000");
  EXPECT_EQ(text(kPeer, uint64_t{2} << 16 | 80), "IPv4 port 80");
  EXPECT_EQ(text(kPeer, uint64_t{1} << 16), "Unix socket");
  EXPECT_EQ(text(kSignal, 15), "SIGTERM");
  EXPECT_EQ(text(kSignal, 1000), "signal 1000");
  EXPECT_EQ(text(kRequest, 0x5401), "request 0x5401");
}

TEST(OsrtDetails, IntoThirtyTwoBitsAndBack) {
  using namespace event;
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{4097}, kFineUnits, uint64_t{3} << 30, uint64_t{1} << 40})
    EXPECT_EQ(whole_detail(OsrtDetail::kBytes, bytes_detail(bytes)), bytes);
  EXPECT_EQ(whole_detail(OsrtDetail::kBytes, bytes_detail((uint64_t{3} << 30) + 1)),
            (uint64_t{3} << 30) + 4096);
  EXPECT_LT(whole_detail(OsrtDetail::kBytes, bytes_detail(UINT64_MAX)), UINT64_MAX);
  EXPECT_EQ(whole_detail(OsrtDetail::kTimeoutAt, timeout_detail(1, 500'000'001)), 1'500'001'000u);
  EXPECT_EQ(whole_detail(OsrtDetail::kTimeout, timeout_detail(86'400, 0)), 86'400'000'000'000u);
  EXPECT_EQ(whole_detail(OsrtDetail::kTimeout, kNoLimitDetail), kNoLimit);
  EXPECT_NE(timeout_detail(UINT64_MAX, 0), kNoLimitDetail);
  EXPECT_EQ(whole_detail(OsrtDetail::kPeer, 5u << 16), 5u << 16);
}

TEST(OsrtBlocking, OfAProcessOrASpanOfTime) {
  OsrtReport report;
  report.process(2, 20, "other");
  report.wait("poll", 0, 100);
  report.call({.name = "sleep",
               .start = 200,
               .end = 300,
               .tid = 20,
               .flags = event::osrt_call::kWaits,
               .process = 2});
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  source->set_scope({{2}, {}});
  EXPECT_EQ(lines_of(table_of(*source, "osrt_blocking_sum")),
            (Lines{"100.0|100|1|100.0|100|100|Waiting|sleep|||20|20|other"}));
  source->set_scope({});
  source->set_window({0, 150});
  EXPECT_EQ(lines_of(table_of(*source, "osrt_blocking_sum")),
            (Lines{"100.0|100|1|100.0|100|100|Waiting|poll|||10|10|app"}));
}

TEST(OsrtFiles, BytesTimesAndErrorsByPath) {
  OsrtReport report;
  report.process(2, 20, "other");
  using enum event::OsrtAccess;
  report.file(1, "/etc/a"), report.file(2, "/etc/a"), report.file(3, "/tmp/b", 2);
  report.access(1, kOpen, 10), report.access(1, kRead, 30, 4096), report.access(1, kRead, 2),
      report.access(1, kRead, 2, 0, 5), report.access(1, kClose, 2);
  report.access(2, kOpen, 10), report.access(2, kRead, 4, 100);
  report.access(3, kWrite, 200, 1000, 0, "", 2), report.access(3, kMeta, 40, 0, 0, "", 2);
  report.access(0, kWrite, 6, 12, 0, "descriptor 1");
  report.finish();
  const Lines all = {"78.4|240|2|0|0|0|0|1|1000|1|0|/tmp/b", "19.6|60|7|2|1|4|4196|0|0|0|1|/etc/a",
                     "2.0|6|1|0|0|0|0|1|12|0|0|descriptor 1"};
  EXPECT_EQ(rows(report.path(), "osrt_file_sum"), all);
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  source->set_scope({{2}, {}});
  EXPECT_EQ(lines_of(table_of(*source, "osrt_file_sum")), (Lines{"100.0|240|2|0|0|0|0|1|1000|1|0|/tmp/b"}));
}

TEST(OsrtFiles, WithoutTheOptionThereAreNone) {
  OsrtReport report;
  report.call({.name = "read", .start = 0, .end = 10});
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  EXPECT_EQ(table_of(*source, "osrt_file_sum").why_empty,
            "No files: the report was recorded without --osrt-file-access.");
}

TEST(NvtxOsrt, CallsUnderEveryRangeAroundThem) {
  OsrtReport report;
  report.imported_range("step", 0, 1000, 3);
  report.imported_range("step", 100, 300, 1);  // within one of the same name
  report.imported_range("load", 120, 280, 2);
  report.call({.name = "read", .start = 130, .end = 140});
  report.call({.name = "read", .start = 500, .end = 530});
  report.call({.name = "write", .start = 500, .end = 502, .tid = 11});
  report.finish();
  EXPECT_EQ(
      rows(report.path(), "nvtx_osrt_sum"),
      (Lines{"||10|11|0|1|2|2.0|2.0|2|2|0.0|write", "load|PushPop|10|10|1|1|10|10.0|10.0|10|10|0.0|read",
             "step|PushPop|10|10|2|2|40|20.0|20.0|10|30|14.1|read"}));
}

}  // namespace
}  // namespace sextant::stats
