// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A recording with OpenCL is exported, and read back through SQLite.
#include "exporters/recorded_tables.h"

#include <gtest/gtest.h>

#include "event/schema_opencl.h"
#include "exporters/database_test.h"
#include "exporters/sqlite.h"
#include "query/report_for_tests.h"

namespace sextant::exporters {
namespace {

using query::testing::kZero;

/// A raw tick is two nanoseconds.
struct Recording : query::testing::TestReport {
  Recording() {
    process(1, 100, "p");
    {
      using namespace event::opencl_api;
      row(event::kOpenclApi, {{kStart, kZero + 50},
                              {kDuration, 10},
                              {kProcess, 1},
                              {kTid, 101},
                              {kCorrelation, 7},
                              {kName, id("clEnqueueNDRangeKernel")},
                              {kReturnValue, static_cast<uint64_t>(-5)}});
    }
    {
      using namespace event::opencl_kernel;
      row(event::kOpenclKernel, {{kStart, kZero + 100},
                                 {kDuration, 25},
                                 {kProcess, 1},
                                 {kDevice, 2},
                                 {kQueue, 3},
                                 {kCorrelation, 7},
                                 {kName, id("scale")},
                                 {kGlobalX, 4096},
                                 {kQueuedFor, 5},
                                 {kCommand, 0x11F0}});
    }
    for (const uint64_t units : {1u, 8u}) {  // seen twice, better the second time
      using namespace event::opencl_device;
      row(event::kOpenclDevice,
          {{kProcess, 1}, {kDevice, 2}, {kName, id("Fast Card")}, {kComputeUnits, units}});
    }
    finish();
  }
};

TEST(RecordedTables, AreWrittenAsNsysWouldName) {
  Recording report;
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  test::Folder folder;
  ASSERT_TRUE(export_sqlite(*source, folder.file("out.sqlite"), {}));
  test::Database database(folder.file("out.sqlite"));
  EXPECT_EQ(
      database.text("SELECT k.start, k.end, k.globalPid >> 24 & 0xFFFFFF, k.deviceId, k.queueId, s.value, "
                    "k.globalX, k.queuedFor, c.name FROM OPENCL_KERNELS k JOIN StringIds s ON s.id = "
                    "k.nameId JOIN ENUM_OPENCL_COMMAND c ON c.id = k.command"),
      "200|250|100|2|3|scale|4096|10|kernel");
  EXPECT_EQ(
      database.text("SELECT a.start, a.end, a.globalTid & 0xFFFFFF, a.returnValue FROM OPENCL_API a JOIN "
                    "OPENCL_KERNELS USING (correlationId)"),
      "100|120|101|-5");
  EXPECT_EQ(database.text("SELECT name, computeUnits FROM OPENCL_DEVICES"), "Fast Card|8");
  EXPECT_EQ(database.text("SELECT count(*) FROM sqlite_schema WHERE name = 'OPENCL_MEMORY'"), "0");
}

TEST(RecordedTables, AreLeftOutWhereThereIsNone) {
  query::testing::TestReport report;
  report.process(1, 100, "p");
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source);
  test::Folder folder;
  ASSERT_TRUE(export_sqlite(*source, folder.file("out.sqlite"), {}));
  test::Database database(folder.file("out.sqlite"));
  EXPECT_EQ(database.text("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%OPENCL%'"), "0");
}

}  // namespace
}  // namespace sextant::exporters
