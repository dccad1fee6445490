// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "event/schema_cuda.h"
#include "event/schema_opencl.h"
#include "event/schema_system.h"
#include "query/report_for_tests.h"
#include "sql/database.h"
#include "sql/words.h"

namespace sextant::sql {
namespace {

using query::testing::kZero;
using query::testing::TestReport;

/// All rows of all results: values joined by |, rows by line feeds; notes in brackets.
class Session {
 public:
  explicit Session(TestReport& report, const Limits& limits = {})
      : source_(query::Source::open(report.finish())) {
    EXPECT_TRUE(source_);
    auto opened = Database::open(*source_, limits);
    EXPECT_TRUE(opened) << opened.error().message;
    database_.emplace(std::move(*opened));
  }

  std::string run(std::string_view sql, const std::map<std::string, std::string>& parameters = {}) {
    std::string out;
    const Receiver receiver{.begin = [](const std::vector<std::string>&) {},
                            .row =
                                [&](const std::vector<Datum>& row) {
                                  for (const Datum& datum : row)
                                    out += (&datum == &row.front() ? "" : "|") + text(datum);
                                  out += '\n';
                                  return true;
                                },
                            .end = [] {},
                            .note = [&](std::string_view note) { out += "[" + std::string(note) + "]"; }};
    const Status status = database_->run(sql, parameters, receiver);
    return status ? out : "error: " + status.error().message;
  }

 private:
  static std::string text(const Datum& datum) {
    switch (datum.kind) {
      case Datum::Kind::kNull:
        return "NULL";
      case Datum::Kind::kInteger:
        return std::to_string(datum.integer);
      case Datum::Kind::kReal:
        return std::to_string(datum.real);
      default:
        return std::string(datum.bytes);
    }
  }
  Result<query::Source> source_;
  std::optional<Database> database_;
};

void add_kernel(TestReport& report, std::string_view name, uint64_t start, uint64_t duration,
                uint64_t correlation) {
  using namespace event::cuda_kernel;
  const uint64_t nulls = uint64_t{1} << kGraphNode;
  report.row(event::kCudaKernel, {{kStart, kZero + start},
                                  {kDuration, duration},
                                  {kProcess, 1},
                                  {kName, report.id(name)},
                                  {kShortName, report.id(name)},
                                  {kCorrelation, correlation},
                                  {kNulls, nulls}});
}
void add_call(TestReport& report, uint64_t start, uint64_t correlation) {
  using namespace event::cuda_api;
  report.row(event::kCudaApi, {{kStart, kZero + start},
                               {kDuration, 5},
                               {kProcess, 1},
                               {kTid, 77},
                               {kName, report.id("launch")},
                               {kCorrelation, correlation}});
}

TEST(Sql, RangesOfARecordingReadLikeAnExport) {
  TestReport report;
  report.process(1, 42, "prog");
  report.range("plain", 10, 20, "lib");
  report.start_range("asynchronous", 9, 5);
  report.end_range(9, 50, 1, 101);
  report.group();
  report.open("never closed", 30, 1, 1);
  Session session(report);
  EXPECT_EQ(session.run("SELECT start, end, eventType, text, globalTid & 0xffffff, (globalTid >> 24) & "
                        "0xffffff FROM NVTX_EVENTS "
                        "WHERE text IN ('plain', 'asynchronous') ORDER BY text"),
            "10|100|60|asynchronous|100|42\n20|60|59|plain|100|42\n");
  EXPECT_EQ(session.run("SELECT count(*), min(end > start) FROM NVTX_EVENTS WHERE text = 'never closed'"),
            "1|1\n");
  EXPECT_EQ(session.run("SELECT pid, name FROM PROCESSES"), "42|prog\n");
  EXPECT_EQ(session.run("SELECT count(*) FROM DIAGNOSTIC_EVENT WHERE text LIKE '%never closed%'"), "1\n");
}

TEST(Sql, OsRuntimeCallsOfARecordingReadLikeAnExport) {
  TestReport report;
  report.process(1, 42, "prog");
  {
    using namespace event::osrt_call;
    const uint64_t nulls = uint64_t{1} << kCallChain | uint64_t{1} << kArguments;
    report.row(event::kOsrtCall, {{kStart, kZero + 10},
                                  {kDuration, 20},
                                  {kClass, 27},
                                  {kProcess, 1},
                                  {kTid, 43},
                                  {kName, report.id("open64")},
                                  {kReturnValue, static_cast<uint64_t>(int64_t{-1})},
                                  {kErrno, 2},
                                  {kFamily, 1},
                                  {kFlags, kFailed},
                                  {kText, report.id("/no/file")},
                                  {kNulls, nulls}});
    report.row(event::kOsrtCall, {{kStart, kZero + 40},
                                  {kDuration, 5},
                                  {kClass, 27},
                                  {kProcess, 1},
                                  {kTid, 42},
                                  {kName, report.id("read")},
                                  {kReturnValue, 7},
                                  {kObject, 0},
                                  {kObjectKind, 1},
                                  {kFamily, 1},
                                  {kFlags, kWaits},
                                  {kNulls, nulls}});
  }
  report.row(event::kOsrtFile, {{event::osrt_file::kOpened, kZero + 40},
                                {event::osrt_file::kFile, 3},
                                {event::osrt_file::kPath, report.id("/data")},
                                {event::osrt_file::kProcess, 1},
                                {event::osrt_file::kDescriptor, 5},
                                {event::osrt_file::kNulls, uint64_t{1} << event::osrt_file::kClosed}});
  Session session(report);
  EXPECT_EQ(session.run("SELECT start, end, globalTid & 0xffffff, s.value, returnValue, callchainId, "
                        "argumentsId, errno, objectKind, object, fileAccessId, flags, t.value FROM OSRT_API "
                        "JOIN StringIds s ON s.id = nameId LEFT JOIN StringIds t ON t.id = textId "
                        "ORDER BY start"),
            "20|60|43|open64|-1|0|0|2|0|NULL|NULL|2|/no/file\n80|90|42|read|7|0|0|0|1|0|NULL|1|NULL\n");
  EXPECT_EQ(session.run("SELECT filePath, closedAt, globalPid >> 24 & 0xffffff, descriptor FROM "
                        "OSRT_FILE_ACCESS_DESCRIPTORS"),
            "/data|0|42|5\n");
}

TEST(Sql, KernelsJoinTheirCallsAndNames) {
  TestReport report;
  report.process(1, 42, "prog");
  for (uint64_t i = 1; i <= 200; ++i) {
    add_call(report, 100 * i, i);
    add_kernel(report, i % 2 == 0 ? "even" : "odd", 100 * i + 10, 30 + i, i);
    if (i % 50 == 0) report.group();
  }
  Session session(report);
  EXPECT_EQ(session.run("SELECT value, count(*), sum(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
                        "StringIds ON id = k.shortName "
                        "GROUP BY value ORDER BY value"),
            "even|100|26200\nodd|100|26000\n");
  // the calls' table is looked up 200 times, by an index from the second time on
  EXPECT_EQ(
      session.run(
          "SELECT count(*), min(k.start - r.start), max(k.start - r.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k "
          "JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId)"),
      "200|20|20\n");
  EXPECT_EQ(session.run("SELECT graphNodeId, globalPid >> 24 & 0xffffff FROM CUPTI_ACTIVITY_KIND_KERNEL "
                        "WHERE correlationId = 3"),
            "NULL|42\n");
  EXPECT_EQ(session.run("SELECT name, instances FROM kern_sum() ORDER BY name"), "even|100\nodd|100\n");
}

/// Three names in turn, four devices; every tenth kernel has no correlation id.
void add_kernels(TestReport& report, uint64_t count, uint64_t rows_a_chunk) {
  using namespace event::cuda_kernel;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t nulls = uint64_t{1} << kGraphNode | (i % 10 == 0 ? uint64_t{1} << kCorrelation : 0);
    const uint64_t name = report.id(i % 3 == 0 ? "zero" : i % 3 == 1 ? "one" : "two");
    report.row(event::kCudaKernel, {{kStart, kZero + 10 * i},
                                    {kDuration, i},
                                    {kProcess, 1},
                                    {kDevice, i % 4},
                                    {kName, name},
                                    {kShortName, name},
                                    {kCorrelation, i / 100},
                                    {kNulls, nulls}});
    if (i % rows_a_chunk == rows_a_chunk - 1) report.group();
  }
}

TEST(Sql, RowsOfGroupsComeOneBehindTheOther) {
  TestReport report;
  report.process(1, 42, "prog");
  add_kernels(report, 1000, 70);
  Session session(report);
  const std::string from = " FROM CUPTI_ACTIVITY_KIND_KERNEL ";
  // with + 0 SQLite sorts by itself
  const std::pair<const char*, const char*> pairs[] = {
      {"shortName", "shortName + 0"},
      {"deviceId, shortName", "deviceId + 0, shortName + 0"},
      {"graphNodeId", "graphNodeId + 0"},
      {"globalPid", "globalPid + 0"},
  };
  for (const auto& [grouped, sorted] : pairs) {
    const auto ask = [&](const std::string& keys) {
      return "SELECT " + std::string(grouped) + ", count(*), sum(end - start), min(rowid), max(rowid)" +
             from + "GROUP BY " + keys;
    };
    EXPECT_EQ(session.run("SELECT * FROM (" + ask(grouped) + ") ORDER BY 1, 2, 3"),
              session.run("SELECT * FROM (" + ask(sorted) + ") ORDER BY 1, 2, 3"))
        << grouped;
    EXPECT_EQ(session.run("EXPLAIN QUERY PLAN " + ask(grouped)).find("FOR GROUP BY"), std::string::npos)
        << grouped;
    EXPECT_NE(session.run("EXPLAIN QUERY PLAN " + ask(sorted)).find("FOR GROUP BY"), std::string::npos)
        << sorted;
  }
  EXPECT_EQ(session.run("SELECT count(*) FROM (SELECT DISTINCT deviceId, shortName" + from + ")"), "12\n");
  EXPECT_EQ(session.run("SELECT count(*), sum(n) FROM (SELECT count(*) AS n" + from +
                        "WHERE start >= 10000 GROUP BY shortName)"),
            "3|500\n");  // one tick is two nanoseconds
  EXPECT_EQ(session.run("SELECT deviceId, count(*)" + from +
                        "GROUP BY deviceId HAVING deviceId > 1 ORDER BY deviceId DESC"),
            "3|250\n2|250\n");
  EXPECT_EQ(session.run("SELECT deviceId, shortName" + from + "GROUP BY 1, 2 ORDER BY 1 DESC, 2 LIMIT 4"),
            session.run("SELECT DISTINCT deviceId + 0, shortName + 0" + from + "ORDER BY 1 DESC, 2 LIMIT 4"));
  EXPECT_EQ(session.run("SELECT DISTINCT deviceId" + from + "ORDER BY deviceId DESC LIMIT 2"), "3\n2\n");
}

TEST(Sql, NamesAreJoinedWhicheverTableComesFirst) {
  TestReport report;
  report.process(1, 42, "prog");
  add_kernels(report, 600, 70);
  Session session(report);
  const std::string expected = "one|200|59900\ntwo|200|60100\nzero|200|59700\n";
  const std::string tail = " GROUP BY value ORDER BY value";
  const std::string columns = "SELECT value, count(*), sum((end - start) / 2) FROM ";
  EXPECT_EQ(session.run(columns + "CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = shortName" + tail),
            expected);
  EXPECT_EQ(session.run(columns + "CUPTI_ACTIVITY_KIND_KERNEL CROSS JOIN StringIds ON id = shortName" + tail),
            expected);
  EXPECT_EQ(session.run(columns + "StringIds CROSS JOIN CUPTI_ACTIVITY_KIND_KERNEL ON id = shortName" + tail),
            expected);
  EXPECT_EQ(session.run("SELECT value, max(k.rowid) FROM StringIds CROSS JOIN CUPTI_ACTIVITY_KIND_KERNEL k "
                        "ON id = shortName "
                        "WHERE deviceId = 1" +
                        tail),
            "one|590\ntwo|594\nzero|598\n");
}

TEST(Sql, WithoutMemoryForGroupsSqliteSorts) {
  TestReport report;
  report.process(1, 42, "prog");
  add_kernels(report, 200'000, 50'000);
  Session session(report, {.memory_bytes = 8u << 20});
  EXPECT_EQ(
      session.run("SELECT count(*), sum(n) FROM (SELECT count(*) AS n, sum(end - start), max(start) FROM "
                  "CUPTI_ACTIVITY_KIND_KERNEL GROUP BY shortName)"),
      "3|200000\n");
}

TEST(Sql, LatencyOfLaunches) {
  TestReport report;
  report.process(1, 42, "prog");
  for (uint64_t i = 1; i <= 4; ++i) {
    add_call(report, 100 * i, i);
    add_kernel(report, "late", 100 * i + 10 + i, 30, i);
  }
  add_call(report, 1000, 5);
  add_kernel(report, "early", 1002, 30, 5);  // begins before its call returns
  add_kernel(report, "unknown", 1100, 30, 99);
  Session session(report);
  EXPECT_EQ(session.run("SELECT name, launches, total_ns, med_ns, min_ns, max_ns, call_avg_ns, overlapped "
                        "FROM launch_latency()"),
            "late|4|100|25.000000|22|28|10.000000|0\nearly|1|4|4.000000|4|4|10.000000|1\n");
}

TEST(Sql, SpansOfTimePassOverChunksAndNothingElse) {
  TestReport report;
  report.process(1, 42, "prog");
  for (uint64_t i = 0; i < 40; ++i) {
    add_kernel(report, "k", 1000 * i, 500, i);
    if (i % 10 == 9) report.group();
  }
  Session session(report);
  const auto count = [&](const std::string& where) {
    return session.run("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE " + where);
  };
  EXPECT_EQ(count("start >= 20000"), "30\n");  // one tick is two nanoseconds
  EXPECT_EQ(count("start < 20000"), "10\n");
  EXPECT_EQ(count("start BETWEEN 18000 AND 40000"), "12\n");
  EXPECT_EQ(count("end > 19000"), "30\n");
  EXPECT_EQ(count("start > '20000'"), "29\n");
  EXPECT_EQ(count("start = 20000"), "1\n");
}

TEST(Sql, NothingIsWrittenButTemp) {
  TestReport report;
  report.process(1, 42, "prog");
  report.range("a", 1, 2);
  Session session(report);
  for (const char* refused :
       {"ATTACH '/tmp/x.db' AS x", "VACUUM INTO '/tmp/x.db'", "INSERT INTO NVTX_EVENTS (start) VALUES (1)",
        "DELETE FROM PROCESSES", "DROP TABLE NVTX_EVENTS", "CREATE TABLE x (a)", "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')"})
    EXPECT_TRUE(session.run(refused).starts_with("error: ")) << refused;
  EXPECT_EQ(session.run("CREATE TEMP TABLE t AS SELECT text FROM NVTX_EVENTS; CREATE INDEX i ON t (text); "
                        "SELECT count(*) FROM t"),
            "1\n");
  EXPECT_EQ(session.run("CREATE INDEX \"a;b\" ON NVTX_EVENTS (start); SELECT 1"),
            "[CREATE INDEX was ignored: tables of a report need none]1\n");
}

TEST(Sql, ParametersCommandsAndLimits) {
  TestReport report;
  report.process(1, 42, "prog");
  report.range("a", 1, 2);
  Session session(report, {.memory_bytes = 32u << 20});
  EXPECT_EQ(session.run("SELECT :n + 1, typeof($t), typeof(@r)", {{"n", "41"}, {"t", "4x"}, {"r", "0.5"}}),
            "42|text|real\n");
  EXPECT_TRUE(session.run("SELECT :missing").starts_with("error: the parameter :missing has no value"));
  EXPECT_EQ(session.run("SELECT 1", {{"unused", "1"}}), "error: no statement has the parameter :unused");
  EXPECT_NE(session.run(".tables").find("NVTX_EVENTS\n"), std::string::npos);
  EXPECT_EQ(session.run(".schema processes"),
            "CREATE TABLE \"PROCESSES\" (\"globalPid\" INTEGER, \"pid\" INTEGER, \"name\" TEXT)\n");
  EXPECT_TRUE(session.run(".quit").starts_with("error: there is no command .quit"));
  EXPECT_NE(session.run("SELECT length(hex(zeroblob(40000000)))").find("more memory than"),
            std::string::npos);
}

TEST(Sql, OtherCommandsAreTheCallers) {
  TestReport report;
  report.process(1, 42, "prog");
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source);
  auto database = Database::open(*source, {});
  ASSERT_TRUE(database);
  std::string seen;
  Receiver receiver{
      .begin = [](const std::vector<std::string>&) {},
      .row =
          [&](const std::vector<Datum>& row) {
            seen += std::to_string(row[0].integer);
            return true;
          },
      .end = [] {},
      .note = [](std::string_view) {},
      .command = [&](std::string_view line) -> Result<Command> {
        seen += "[" + std::string(line) + "]";
        return line == ".quit" ? Command::kQuit : line == ".mode csv" ? Command::kDone : Command::kUnknown;
      }};
  EXPECT_TRUE(database->run("SELECT 1; .mode csv\nSELECT 2;\n.quit\nSELECT 3", {{"unused", "1"}}, receiver));
  EXPECT_EQ(seen, "1[.mode csv]2[.quit]");
  EXPECT_FALSE(database->run(".nosuch", {}, receiver));
  EXPECT_TRUE(database->run("SELECT 4", {{"unused", "1"}}, receiver, Unused::kAllowed));
  EXPECT_TRUE(Database::is_complete("SELECT ';' /* ; */;"));
  EXPECT_FALSE(Database::is_complete("SELECT ';"));
}

TEST(Sql, EndlessStatementsAreStopped) {
  TestReport report;
  report.process(1, 42, "prog");
  Session session(report, {.time_ns = 1'000'000});
  const std::string stopped =
      session.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
  EXPECT_NE(stopped.find("longer than"), std::string::npos) << stopped;
}

TEST(Sql, WordsBeforeSqliteSeesThem) {
  EXPECT_TRUE(creates_index(" /* x */ create -- y\n unique INDEX i ON t (a)"));
  EXPECT_FALSE(creates_index("CREATE TEMP TABLE INDEX_ (a)"));
  EXPECT_EQ(end_of_statement("CREATE INDEX \"a;b\" ON t (c /* ; */); SELECT 1"), 36u);
  EXPECT_EQ(end_of_statement("no end"), 6u);
  EXPECT_EQ(skip_space(" ; -- c\n x"), 9u);
}

TEST(Sql, SeesTheTablesOfOpencl) {
  TestReport report;
  report.process(1, 100, "p");
  using namespace event::opencl_kernel;
  for (uint64_t i = 0; i < 3; ++i)
    report.row(event::kOpenclKernel, {{kStart, kZero + 100 * i},
                                      {kDuration, 25},
                                      {kProcess, 1},
                                      {kQueue, 2},
                                      {kName, report.id("scale")},
                                      {kCommand, 0x11F0}});
  namespace device = event::opencl_device;
  for (const uint64_t units : {1u, 8u})  // seen twice, better the second time
    report.row(event::kOpenclDevice, {{device::kProcess, 1},
                                      {device::kDevice, 2},
                                      {device::kName, report.id("Fast Card")},
                                      {device::kComputeUnits, units}});
  Session session(report);
  EXPECT_EQ(session.run("SELECT count(*), max(computeUnits) FROM OPENCL_DEVICES"), "1|8\n");
  EXPECT_EQ(
      session.run("SELECT value, label, count(*), sum(end - start) FROM OPENCL_KERNELS JOIN StringIds ON "
                  "StringIds.id = nameId JOIN ENUM_OPENCL_COMMAND c ON c.id = command GROUP BY nameId"),
      "scale|[OpenCL kernel]|3|150\n");
}

}  // namespace
}  // namespace sextant::sql
