// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A report with one of everything is exported and read back through SQLite.
#include "exporters/sqlite.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>

#include "event/schema_system.h"
#include "exporters/database_test.h"
#include "exporters/nsys_ids.h"
#include "exporters/registry.h"
#include "report/writer.h"

namespace sextant::exporters {
namespace {

using test::Database;

constexpr uint64_t kZero = 5'000'000'000;  // raw stamps are CLOCK_MONOTONIC nanoseconds

/// Rows given as (column, value) pairs; what is not given is 0.
class TableRows {
 public:
  explicit TableRows(uint16_t table) : rows_(*event::find_table(table)) {}
  TableRows& add(std::initializer_list<std::pair<uint16_t, uint64_t>> values) {
    for (size_t c = 0; c < rows_.columns.size(); ++c) {
      uint64_t value = 0;
      for (const auto& [column, v] : values)
        if (rows_.table->columns[c].id == column) value = v;
      rows_.columns[c].push_back(value);
    }
    return *this;
  }
  void write(report::Writer& writer) const {
    const report::Rows* parts[] = {&rows_};
    ASSERT_TRUE(writer.write_group(parts, {}));
  }

 private:
  report::Rows rows_;
};

class Export : public testing::Test {
 protected:
  Export() {
    report::Writer::Options options;
    auto created = report::Writer::create(report_, options);
    writer_ = std::make_unique<report::Writer>(std::move(*created));
    TableRows(event::kClockSync)
        .add({{event::clock_sync::kRaw, kZero},
              {event::clock_sync::kMonotonic, kZero},
              {event::clock_sync::kRealtime, 1'700'000'000'000'000'000}})
        .add({{event::clock_sync::kRaw, kZero + 10'000},
              {event::clock_sync::kMonotonic, kZero + 10'000},
              {event::clock_sync::kRealtime, 1'700'000'000'000'010'000}})
        .write(*writer_);
    using namespace event::process;
    TableRows(event::kProcess)
        .add({{kId, 1}, {kPid, 1234}, {kStart, kZero + 5}, {kEnd, kZero + 9000}, {kName, text("prog")}})
        .add({{kId, 2}, {kPid, 77}, {kStart, kZero + 100}, {kEnd, kZero + 8000}, {kExe, text("/bin/child")}})
        .write(*writer_);
  }

  uint64_t text(std::string_view t) { return writer_->string_id(t); }

  /// Finishes the report and exports it.
  Status run(bool replace = false) {
    EXPECT_TRUE(writer_->finish());
    auto source = query::Source::open(report_);
    if (!source) return tl::unexpected(source.error());
    return export_sqlite(*source, output_, {.replace = replace, .progress = {}});
  }

  std::string sql(const std::string& statement) { return Database(output_).text(statement); }

  test::Folder folder_;
  std::string report_ = folder_.file("r.sxt");
  std::string output_ = folder_.file("r.sqlite");
  std::unique_ptr<report::Writer> writer_;
};

TEST_F(Export, ReportWithoutEvents) {
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(sql("SELECT name FROM sqlite_master WHERE name NOT LIKE 'ENUM%' ORDER BY name"),
            "ANALYSIS_DETAILS\nMETA_DATA_CAPTURE\nMETA_DATA_EXPORT\nPROCESSES\nStringIds\n"
            "TARGET_INFO_SESSION_START_TIME\nTARGET_INFO_SYSTEM_ENV\nThreadNames");
  EXPECT_EQ(
      sql("SELECT globalPid, pid, name FROM PROCESSES"),
      std::to_string(global_pid(1234)) + "|1234|prog\n" + std::to_string(global_pid(77)) + "|77|/bin/child");
  EXPECT_EQ(sql("SELECT utcEpochNs, utcTime FROM TARGET_INFO_SESSION_START_TIME"),
            "1700000000000000000|2023-11-14T22:13:20");
  EXPECT_EQ(sql("SELECT * FROM ANALYSIS_DETAILS"), "281474976710656|10000|5000000000|5000010000");
  EXPECT_EQ(sql("SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'"), "3.7.2");
  EXPECT_EQ(sql("SELECT * FROM ENUM_NSYS_EVENT_TYPE WHERE id = 59"), "59|NvtxPushPopRange|NvtxPushPopRange");
  EXPECT_EQ(sql("SELECT label FROM ENUM_CUDA_MEMCPY_OPER WHERE id = 1"), "Host-to-Device");
}

TEST_F(Export, WhereItWasRecorded) {
  ASSERT_TRUE(writer_->write_meta("host.name", "node7"));
  ASSERT_TRUE(writer_->write_meta("program.command_line", "prog --fast"));
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("SELECT nameEnum, value FROM TARGET_INFO_SYSTEM_ENV WHERE name = 'Hostname'"), "619|node7");
  EXPECT_EQ(sql("SELECT value FROM META_DATA_CAPTURE WHERE name = 'PROCESS_0:COMMAND'"), "prog --fast");
  EXPECT_EQ(sql("SELECT value FROM META_DATA_CAPTURE WHERE name = 'host.name'"), "node7");
}

TEST_F(Export, PushPopRanges) {
  using namespace event::nvtx;
  TableRows(event::kNvtxRange)
      .add({{kProcessId, 1}, {kTid, 1234}, {kStart, kZero + 100}, {kDuration, 50}, {kName, text("plain")}})
      .add({{kProcessId, 2},
            {kTid, 78},
            {kStart, kZero + 200},
            {kDuration, 60},
            {kName, text("registered")},
            {kDomain, text("dom")},
            {kFlags, kHasColor | kRegistered},
            {kColor, 0xff00ff80},
            {kCategory, 9}})
      .write(*writer_);
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
  const std::string registered = sql("SELECT id FROM StringIds WHERE value = 'registered'");
  EXPECT_EQ(sql("SELECT rowid, start, end, eventType, rangeId, category, color, text, globalTid, "
                "endGlobalTid, textId, domainId "
                "FROM NVTX_EVENTS WHERE eventType = 59"),
            "1|100|150|59|-|-|-|plain|" + std::to_string(global_tid(1234, 1234)) + "|-|-|0\n" +
                "2|200|260|59|-|9|4278255488|-|" + std::to_string(global_tid(77, 78)) + "|-|" + registered +
                "|1");
  // The domain's creation was not recorded, but a row gives its name all the same.
  EXPECT_EQ(
      sql("SELECT start, text, domainId, (globalTid >> 24) & 0xffffff FROM NVTX_EVENTS WHERE eventType = 75"),
      "100|dom|1|77");
}

TEST_F(Export, Payloads) {
  using namespace event::nvtx;
  TableRows rows(event::kNvtxMark);
  const uint64_t values[] = {
      UINT64_MAX - 4, static_cast<uint64_t>(-9),    std::bit_cast<uint64_t>(2.5), 4'000'000'000,
      0xfffffffe,     std::bit_cast<uint32_t>(0.5f)};
  for (uint64_t type = 1; type <= 6; ++type)
    rows.add({{kProcessId, 1},
              {kTid, 1},
              {kStart, kZero + type},
              {kName, text("m")},
              {kPayloadType, type},
              {kPayload, values[type - 1]}});
  rows.write(*writer_);
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("SELECT uint64Value, int64Value, doubleValue, uint32Value, int32Value, floatValue, end, "
                "eventType FROM NVTX_EVENTS "
                "WHERE eventType = 34"),
            "-5|-|-|-|-|-|-|34\n-|-9|-|-|-|-|-|34\n-|-|2.5|-|-|-|-|34\n-|-|-|4000000000|-|-|-|34\n-|-|-|-|-2|"
            "-|-|34\n-|-|-|-|-|0.5|-|34");
}

TEST_F(Export, StartEndRanges) {
  using namespace event::nvtx;
  TableRows(event::kNvtxStart)
      .add({{kProcessId, 1}, {kTid, 10}, {kStart, kZero + 100}, {kName, text("same")}, {kRangeId, 1}})
      .add({{kProcessId, 1}, {kTid, 10}, {kStart, kZero + 110}, {kName, text("across")}, {kRangeId, 2}})
      .add({{kProcessId, 1}, {kTid, 10}, {kStart, kZero + 120}, {kName, text("never")}, {kRangeId, 3}})
      .write(*writer_);
  TableRows(event::kNvtxEnd)
      .add({{kProcessId, 1}, {kTid, 10}, {kStart, kZero + 500}, {kRangeId, 1}})
      .add({{kProcessId, 1}, {kTid, 11}, {kStart, kZero + 600}, {kRangeId, 2}})
      .write(*writer_);
  ASSERT_TRUE(run());
  EXPECT_EQ(
      sql("SELECT start, end, rangeId, text, endGlobalTid FROM NVTX_EVENTS WHERE eventType = 60 ORDER BY "
          "start"),
      "100|500|1|same|-\n110|600|2|across|" + std::to_string(global_tid(1234, 11)) + "\n120|9000|3|never|-");
  EXPECT_EQ(sql("SELECT timestamp, timestampType, source, severity, globalPid FROM DIAGNOSTIC_EVENT"),
            "120|1|1|2|" + std::to_string(global_pid(1234)));
  EXPECT_NE(sql("SELECT text FROM DIAGNOSTIC_EVENT").find("\"never\""), std::string::npos);
}

TEST_F(Export, ThousandsOfUnfinishedRangesAreCountedByProcess) {
  using namespace event::nvtx;
  TableRows rows(event::kNvtxStart);
  for (uint64_t i = 0; i < 1500; ++i)
    rows.add({{kProcessId, 1 + i % 3 / 2},
              {kTid, 10},
              {kStart, kZero + 100 + i},
              {kName, text("r")},
              {kRangeId, i}});
  rows.write(*writer_);
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("SELECT globalPid, substr(text, 1, 16) FROM DIAGNOSTIC_EVENT ORDER BY text"),
            std::to_string(global_pid(1234)) + "|1000 NVTX ranges\n" + std::to_string(global_pid(77)) +
                "|500 NVTX ranges ");
}

TEST_F(Export, DomainsCategoriesThreadsOverheadDiagnostics) {
  TableRows(event::kNvtxDomain)
      .add({{event::nvtx_domain::kProcessId, 1},
            {event::nvtx_domain::kTime, kZero + 40},
            {event::nvtx_domain::kName, text("dom")}})
      .add({{event::nvtx_domain::kProcessId, 1},
            {event::nvtx_domain::kTime, kZero + 30},
            {event::nvtx_domain::kName, text("dom")}})
      .write(*writer_);
  TableRows(event::kNvtxCategory)
      .add({{event::nvtx_category::kProcessId, 1},
            {event::nvtx_category::kDomain, text("dom")},
            {event::nvtx_category::kCategory, 3},
            {event::nvtx_category::kName, text("three")}})
      .add({{event::nvtx_category::kProcessId, 1},
            {event::nvtx_category::kCategory, 7},
            {event::nvtx_category::kName, text("seven")}})
      .write(*writer_);
  TableRows(event::kThread)
      .add({{event::thread::kProcessId, 1},
            {event::thread::kTid, 1300},
            {event::thread::kName, text("w\xff")}})
      .write(*writer_);
  TableRows(event::kProfilerOverhead)
      .add({{event::overhead::kProcessId, 1},
            {event::overhead::kTid, 1300},
            {event::overhead::kStart, kZero + 10},
            {event::overhead::kDuration, 7},
            {event::overhead::kName, text("set-up")}})
      .write(*writer_);
  TableRows(event::kDiagnostic)
      .add({{event::diagnostic::kCode, text("lost")},
            {event::diagnostic::kProcessId, 1},
            {event::diagnostic::kCount, 3},
            {event::diagnostic::kFirst, kZero + 70},
            {event::diagnostic::kText, text("Records were lost")}})
      .write(*writer_);
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(sql("SELECT start, text, domainId FROM NVTX_EVENTS WHERE eventType = 75"), "30|dom|1");
  EXPECT_EQ(sql("SELECT category, text, domainId FROM NVTX_EVENTS WHERE eventType = 33 ORDER BY category"),
            "3|three|1\n7|seven|0");
  EXPECT_EQ(sql("SELECT value, globalTid & 0xffffff FROM ThreadNames JOIN StringIds ON id = nameId"),
            "w\xEF\xBF\xBD|1300");
  EXPECT_EQ(sql("SELECT start, end, value, returnValue FROM PROFILER_OVERHEAD JOIN StringIds ON id = nameId"),
            "10|17|set-up|0");
  EXPECT_EQ(sql("SELECT timestamp, severity, text FROM DIAGNOSTIC_EVENT"),
            "70|2|Records were lost [lost, 3 times]");
}

TEST_F(Export, NamesOfAnyKind) {
  using namespace event::nvtx;
  const std::string names[] = {"", std::string(10'240, 'x'), "quote \" comma , line\nend", "bad \xff\xfe end",
                               "gr\xC3\xBC\xC3\x9F"};
  TableRows rows(event::kNvtxRange);
  for (uint64_t i = 0; i < std::size(names); ++i)
    rows.add({{kProcessId, 1}, {kTid, 1}, {kStart, kZero + i}, {kDuration, 1}, {kName, text(names[i])}});
  rows.write(*writer_);
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
  const std::string expected[] = {names[0], names[1], names[2], "bad \xEF\xBF\xBD\xEF\xBF\xBD end", names[4]};
  for (size_t i = 0; i < std::size(names); ++i)
    EXPECT_EQ(sql("SELECT text FROM NVTX_EVENTS WHERE start = " + std::to_string(i)).substr(0, 40),
              expected[i].substr(0, 40));
  EXPECT_EQ(sql("SELECT length(text) FROM NVTX_EVENTS WHERE start = 1"), "10240");
}

TEST_F(Export, ManyRows) {
  using namespace event::nvtx;
  for (uint64_t chunk = 0; chunk < 4; ++chunk) {
    TableRows rows(event::kNvtxRange);
    for (uint64_t i = 0; i < 30'000; ++i)
      rows.add({{kProcessId, 1},
                {kTid, 1},
                {kStart, kZero + chunk * 30'000 + i},
                {kDuration, i % 1000},
                {kName, text(std::to_string(i % 5000))}});
    rows.write(*writer_);
  }
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(sql("SELECT count(*), sum(end - start), min(start), max(start) FROM NVTX_EVENTS"),
            "120000|59940000|0|119999");
  EXPECT_EQ(sql("SELECT count(*) FROM NVTX_EVENTS WHERE text != ((rowid - 1) % 30000) % 5000"), "0");
}

TEST_F(Export, RefusesAndReplaces) {
  std::ofstream(output_) << "precious";
  const Status refused = run();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_EQ(std::filesystem::file_size(output_), 8u);

  auto source = query::Source::open(report_);
  ASSERT_TRUE(source);
  std::ofstream(output_ + "-wal") << "of the older database";
  ASSERT_TRUE(export_sqlite(*source, output_, {.replace = true, .progress = {}}));
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
  EXPECT_FALSE(std::filesystem::exists(output_ + "-wal"));

  const Status itself = export_sqlite(*source, report_, {.replace = true, .progress = {}});
  ASSERT_FALSE(itself);
  EXPECT_EQ(itself.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(query::Source::open(report_));
}

TEST_F(Export, OsRuntimeCallsAndFiles) {
  {
    using namespace event::osrt_call;
    const uint64_t nulls = uint64_t{1} << kCallChain | uint64_t{1} << kArguments;
    TableRows(event::kOsrtCall)
        .add({{kStart, kZero + 100},
              {kDuration, 50},
              {kClass, 27},
              {kProcess, 1},
              {kTid, 1235},
              {kName, text("read")},
              {kReturnValue, static_cast<uint64_t>(int64_t{-1})},
              {kErrno, 11},
              {kObject, 5},
              {kObjectKind, 1},
              {kFile, 9},
              {kFamily, 1},
              {kFlags, kWaits | kFailed},
              {kNulls, nulls}})
        .add({{kStart, kZero + 200},
              {kDuration, 5},
              {kClass, 27},
              {kProcess, 2},
              {kTid, 77},
              {kName, text("open64")},
              {kReturnValue, 5},
              {kFamily, 1},
              {kText, text("/etc/x")},
              {kNulls, nulls}})
        .write(*writer_);
  }
  {
    using namespace event::osrt_file_access;
    TableRows(event::kOsrtFileAccess)
        .add({{kStart, kZero + 100},
              {kDuration, 50},
              {kFile, 9},
              {kTid, 1235},
              {kType, 3},
              {kCall, text("read")},
              {kBytes, 4096},
              {kProcess, 1},
              {kErrno, 5}})
        .add({{kStart, kZero + 300},
              {kTid, 77},
              {kType, 4},
              {kContext, text("descriptor 1")},
              {kProcess, 2},
              {kNulls, uint64_t{1} << kCall}})
        .write(*writer_);
  }
  using namespace event::osrt_file;
  TableRows(event::kOsrtFile)
      .add({{kOpened, kZero + 90},
            {kFile, 9},
            {kPid, 1234},
            {kPath, text("/data")},
            {kProcess, 1},
            {kDescriptor, 5},
            {kNulls, uint64_t{1} << kClosed}})
      .write(*writer_);
  ASSERT_TRUE(run());
  EXPECT_EQ(sql("SELECT start, end, eventClass, globalTid & 0xffffff, value, returnValue, nestingLevel, "
                "callchainId, argumentsId, errno, objectKind, object, fileAccessId, family, flags, textId "
                "FROM OSRT_API JOIN StringIds ON id = nameId ORDER BY start"),
            "100|150|27|1235|read|-1|0|0|0|11|1|5|9|1|3|-\n200|205|27|77|open64|5|0|0|0|0|0|-|-|1|0|" +
                sql("SELECT id FROM StringIds WHERE value = '/etc/x'"));
  EXPECT_EQ(sql("SELECT fileAccessId, threadId, startedAt, endedAt, eventType, value, bytesProcessed, "
                "context, globalPid >> 24 & 0xffffff, errno FROM OSRT_FILE_ACCESS_EVENTS LEFT JOIN StringIds "
                "ON id = apiCallId AND id <> 0 ORDER BY startedAt"),
            "9|1235|100|150|3|read|4096||1234|5\n0|77|300|300|4|-|0|descriptor 1|77|0");
  EXPECT_EQ(sql("SELECT fileAccessId, processId, openedAt, closedAt, filePath, globalPid >> 24 & 0xffffff, "
                "descriptor FROM OSRT_FILE_ACCESS_DESCRIPTORS"),
            "9|1234|90|0|/data|1234|5");
  EXPECT_EQ(sql("SELECT name FROM ENUM_OSRT_FILE_ACCESS_EVENT_TYPE WHERE id = 3"), "Read");
}

TEST_F(Export, ProgressEndsAtTheTotal) {
  using namespace event::nvtx;
  TableRows(event::kNvtxRange).add({{kProcessId, 1}, {kStart, kZero}, {kName, text("r")}}).write(*writer_);
  TableRows(event::kOsrtCall).add({{event::osrt_call::kStart, kZero}}).write(*writer_);
  ASSERT_TRUE(writer_->finish());
  auto source = query::Source::open(report_);
  ASSERT_TRUE(source);
  uint64_t last = 0, of = 0;
  const Format* format = find_format("sqlite");
  ASSERT_NE(format, nullptr);
  ASSERT_TRUE(
      format->write(*source, output_, {.replace = false, .progress = [&](uint64_t done, uint64_t total) {
                                         last = done;
                                         of = total;
                                       }}));
  EXPECT_EQ(last, 2u);
  EXPECT_EQ(of, 2u);
  EXPECT_EQ(find_format("nothing"), nullptr);
}

}  // namespace
}  // namespace sextant::exporters
