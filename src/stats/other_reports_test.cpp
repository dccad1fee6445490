// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports that no recording at hand has data for. Where a comment does not say otherwise nsys 2023.4.4 prints
// the same of the same rows, put into a database of its schema.
#include <gtest/gtest.h>

#include <deque>

#include "event/schema_parallel.h"
#include "event/schema_system.h"
#include "event/schema_target.h"
#include "stats/registry.h"
#include "stats/rows_for_tests.h"

namespace sextant::stats {
namespace {

using testing::CudaReport;
using testing::Lines;

Lines rows(const std::string& path, std::string_view word) {
  auto source = query::Source::open(path);
  EXPECT_TRUE(source) << source.error().message;
  auto choice = choose_report(word);
  EXPECT_TRUE(choice && choice->report != nullptr) << word;
  auto table = choice->report->make(*source, choice->arguments);
  EXPECT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->why_empty.empty(), table->rows > 0) << word;
  return testing::lines_of(*table);
}

struct MpiReport : CudaReport {
  MpiReport() {
    using namespace event::mpi_call;
    process(1, 1, "a");
    process(2, 2, "b");
    process(3, 3, "c");
    for (const uint64_t rank : {0u, 1u})
      row(event::kMpiRank, {{event::mpi_rank::kProcess, rank + 1},
                            {event::mpi_rank::kTid, rank + 1},
                            {event::mpi_rank::kRank, rank}});
    call(0, "MPI_Send", 100, 150, 1, 1, {{kTag, 7}, {kRemoteRank, 1}, {kSize, 1024}}, {});
    call(0, "MPI_Recv", 90, 160, 2, 2, {{kTag, 7}, {kRemoteRank, 0}, {kSize, 1024}}, {});
    call(0, "MPI_Send", 170, 180, 1, 9, {{kTag, 8}, {kRemoteRank, 1}, {kSize, 2048}}, {});
    call(1, "MPI_Bcast", 200, 260, 1, 1, {{kRootRank, 0}, {kSize, 4096}}, {kReceiveSize});
    call(1, "MPI_Allreduce", 200, 270, 2, 2, {{kSize, 4096}, {kReceiveSize, 8192}}, {kRootRank});
    call(3, "MPI_Init", 4, 20, 1, 1, {}, {});
    call(3, "MPI_Init", 6, 20, 3, 3, {}, {});
    call(2, "MPI_Wait", 206, 206, 1, 1, {}, {kDuration});
    finish();
  }
  void call(uint64_t kind, std::string_view name, int64_t start, int64_t end, uint64_t in_process,
            uint64_t tid, Values more, std::initializer_list<uint16_t> nulls) {
    using namespace event::mpi_call;
    Values values = {{kStart, raw(start)}, {kDuration, ticks(end - start)},
                     {kKind, kind},        {kProcess, in_process},
                     {kTid, tid},          {kName, id(name)},
                     {kNulls, null(nulls)}};
    values.insert(values.end(), more.begin(), more.end());
    row(event::kMpiCall, values);
  }
};

TEST(Mpi, Trace) {
  const MpiReport report;
  EXPECT_EQ(rows(report.path(), "mpi_event_trace"),
            (Lines{"4|20|16|MPI_Init|1|1||0|||||", "6|20|14|MPI_Init|3|3|||||||",
                   "90|160|70|MPI_Recv|2|2|7|1|0||0.001||", "100|150|50|MPI_Send|1|1|7|0|1||0.001||",
                   "170|180|10|MPI_Send|1|9|8|0|1||0.002||",  // nsys knows the rank of the thread that called
                                                              // MPI_Init only
                   "200|260|60|MPI_Bcast|1|1||0||0||0.004|", "200|270|70|MPI_Allreduce|2|2||1||||0.004|0.008",
                   "206|||MPI_Wait|1|1||0|||||"}));
}

TEST(Mpi, Sums) {  // later than nsys 2023.4.4
  const MpiReport report;
  EXPECT_EQ(rows(report.path(), "mpi_event_sum")[0], "24.1|70|1|70.0|70.0|70|70|0.0|coll|MPI_Allreduce");
  EXPECT_EQ(rows(report.path(), "mpi_event_sum").size(), 6u);
  EXPECT_EQ(rows(report.path(), "mpi_msg_size_sum"),
            (Lines{"0.008|1|0.008|0.008|0.008|0.008|0.000|coll_recv|MPI_Allreduce",
                   "0.004|1|0.004|0.004|0.004|0.004|0.000|coll_send|MPI_Allreduce",
                   "0.004|1|0.004|0.004|0.004|0.004|0.000|coll_send|MPI_Bcast",
                   "0.003|2|0.002|0.002|0.001|0.002|0.001|p2p|MPI_Send",
                   "0.001|1|0.001|0.001|0.001|0.001|0.000|p2p|MPI_Recv"}));
}

TEST(Calls, OpenmpOpenaccVideoAndTheCLibrary) {
  CudaReport report;
  report.process(1, 1, "a");
  for (uint64_t i = 0; i < 3; ++i) {
    using namespace event::openmp_event;
    const std::string_view names[] = {"task", "flush", "task"};
    report.row(event::kOpenmpEvent, {{kStart, CudaReport::raw(100)},
                                     {kDuration, CudaReport::ticks(int64_t{10} << i)},
                                     {kName, report.id(names[i])}});
  }
  const auto openacc = [&](std::string_view name, int64_t duration, std::string_view file, uint64_t line) {
    using namespace event::openacc_event;
    report.row(event::kOpenaccEvent,
               {{kStart, CudaReport::raw(0)},
                {kDuration, CudaReport::ticks(duration)},
                {kName, report.id(name)},
                {kSourceFile, report.id(file)},
                {kLine, line},
                {kNulls, CudaReport::null(file.empty() ? std::initializer_list<uint16_t>{kSourceFile}
                                                       : std::initializer_list<uint16_t>{})}});
  };
  openacc("enter data", 50, "file2.c", 99);
  openacc("enter data", 2, "file.c", 3);
  openacc("no file", 4, "", 7);
  for (uint64_t library = 0; library < 6; ++library) {
    using namespace event::library_call;
    report.row(event::kLibraryCall, {{kStart, CudaReport::raw(0)},
                                     {kDuration, CudaReport::ticks(10 + 2 * static_cast<int64_t>(library))},
                                     {kLibrary, library},
                                     {kName, report.id("call")}});
  }
  const auto osrt = [&](std::string_view name, uint64_t event_class, int64_t duration) {
    using namespace event::osrt_call;
    report.row(event::kOsrtCall, {{kStart, CudaReport::raw(0)},
                                  {kDuration, CudaReport::ticks(duration)},
                                  {kClass, event_class},
                                  {kName, report.id(name)}});
  };
  osrt("read", 27, 4), osrt("nested", 27, 8), osrt("profiling started", 31, 0),
      osrt("profiling finished", 32, 0);
  report.row(event::kSyscall, {{event::syscall::kStart, CudaReport::raw(0)},
                               {event::syscall::kDuration, 5},
                               {event::syscall::kName, report.id("openat")}});
  report.finish();
  EXPECT_EQ(rows(report.path(), "openmp_sum"),
            (Lines{"71.4|50|2|25.0|25.0|10|40|21.2|task", "28.6|20|1|20.0|20.0|20|20|0.0|flush"}));
  EXPECT_EQ(rows(report.path(), "openacc_sum"),
            (Lines{"89.3|50|1|50.0|50.0|50|50|0.0|enter data@file2.c:99", "7.1|4|1|4.0|4.0|4|4|0.0|no file",
                   "3.6|2|1|2.0|2.0|2|2|0.0|enter data@file.c:3"}));
  EXPECT_EQ(rows(report.path(), "nvvideo_api_sum"),
            (Lines{"37.5|18|1|18.0|18.0|18|18|0.0|JPEG|call", "33.3|16|1|16.0|16.0|16|16|0.0|Decoder|call",
                   "29.2|14|1|14.0|14.0|14|14|0.0|Encoder|call"}));
  EXPECT_EQ(rows(report.path(), "osrt_sum"),
            (Lines{"66.7|8|1|8.0|8.0|8|8|0.0|nested", "33.3|4|1|4.0|4.0|4|4|0.0|read"}));
  EXPECT_EQ(rows(report.path(), "syscall_sum"),
            (Lines{"100.0|10|1|10.0|10.0|10|10|0.0|openat"}));  // later than nsys 2023.4.4
}

TEST(UnifiedMemory, MigrationsAndFaults) {
  CudaReport report;
  report.process(1, 1, "a");
  const auto migration = [&](int64_t start, int64_t end, uint64_t bytes, uint64_t kind, uint64_t address) {
    using namespace event::cuda_memcpy;
    report.row(event::kCudaMemcpy, {{kStart, CudaReport::raw(start)},
                                    {kDuration, CudaReport::ticks(end - start)},
                                    {kProcess, 1},
                                    {kBytes, bytes},
                                    {kKind, kind},
                                    {kVirtualAddress, address},
                                    {kNulls, address == 0 ? CudaReport::null({kVirtualAddress}) : 0}});
  };
  constexpr uint64_t kPage = 0x7f0000000000;
  migration(0, 50, 1'000'000, 11, kPage), migration(100, 150, 2'000'000, 11, kPage + 0x1000),
      migration(200, 250, 3'000'000, 11, kPage);
  migration(1000, 1100, 500, 12, kPage), migration(1000, 1100, 500, 1, 0),
      migration(1200, 1300, 777, 13, kPage + 0x9000), migration(1200, 1300, 778, 11, 0);
  migration(1400, 1450, 88, 11, kPage);
  for (const auto& [address, name] :
       {std::pair(kPage, "i1"), {kPage, "i1"}, {kPage + 0x5000, "i2"}, {kPage + 0x1000, "i1"}})
    report.row(event::kUmCpuPageFault, {{event::um_cpu_page_fault::kTime, CudaReport::raw(4)},
                                        {event::um_cpu_page_fault::kAddress, address},
                                        {event::um_cpu_page_fault::kInstruction, report.id(name)}});
  for (const auto& [address, faults] : {std::pair(kPage, 3u), {kPage, 4u}, {kPage + 0x7000, 5u}})
    report.row(event::kUmGpuPageFault, {{event::um_gpu_page_fault::kStart, CudaReport::raw(4)},
                                        {event::um_gpu_page_fault::kAddress, address},
                                        {event::um_gpu_page_fault::kFaults, faults}});
  report.finish();
  const Lines all = {"0x7F0000001000|2.000||1||40000000.000", "0x7F0000000000|4.000|0.001|2|7|16002352.000",
                     "|0.001||||7780.000", "0x7F0000005000|||1||", "0x7F0000007000||||5|"};
  EXPECT_EQ(rows(report.path(), "um_sum"), all);
  EXPECT_EQ(rows(report.path(), "um_sum:rows=1"), (Lines{all[0]}));
  EXPECT_EQ(rows(report.path(), "um_total_sum"), (Lines{"6.001|0.001|4|12|0x7F0000000000|0x7F0000007000"}));
  EXPECT_EQ(rows(report.path(), "um_cpu_page_faults_sum"), (Lines{"3|i1", "1|i2"}));
}

TEST(NetworkCongestion, WaitsAboveTheThreshold) {  // not compared with nsys
  CudaReport report;
  namespace metric = event::network_metric;
  report.row(event::kNetworkMetric,
             {{metric::kList, 1}, {metric::kIndex, 0}, {metric::kName, report.id("IB: Bytes sent")}});
  report.row(event::kNetworkMetric,
             {{metric::kList, 1}, {metric::kIndex, 1}, {metric::kName, report.id("IB: Send waits")}});
  report.row(event::kNetworkCard, {{event::network_card::kGuid, 0xabc},
                                   {event::network_card::kNic, 3},
                                   {event::network_card::kName, report.id("mlx5_0")}});
  report.row(event::kNetworkCardId,
             {{event::network_card_id::kNic, 3}, {event::network_card_id::kDevice, 77}});
  for (uint64_t i = 0; i < 6; ++i) {
    using namespace event::network_sample;
    report.row(event::kNetworkSample, {{kStart, CudaReport::raw(1'000'000 * static_cast<int64_t>(i))},
                                       {kDuration, CudaReport::ticks(1'000'000)},
                                       {kDevice, i < 4 ? 77u : 78u},
                                       {kMetricList, 1},
                                       {kMetric, i % 2},
                                       {kValue, 9'000 + 1'000 * i}});
  }
  report.finish();
  EXPECT_EQ(rows(report.path(), "network_congestion"),
            (Lines{"3000000|4000000|1000000|12000.0|0xABC|mlx5_0", "5000000|6000000|1000000|14000.0|0x4E|"}));
  EXPECT_EQ(rows(report.path(), "network_congestion:ticks_threshold=13000"),
            (Lines{"5000000|6000000|1000000|14000.0|0x4E|"}));
}

/// A table of nsys as an import keeps it that has no meaning here. Values of INT64_MIN are missing.
void foreign_table(CudaReport* report, uint16_t number, const std::string& name,
                   const std::vector<std::string>& columns, const std::vector<std::vector<int64_t>>& values) {
  static std::deque<std::vector<event::Column>> all_columns;
  static std::deque<event::Table> tables;
  static std::deque<std::string> texts;
  std::vector<event::Column>& described = all_columns.emplace_back();
  for (const std::string& column : columns)
    described.push_back(
        {static_cast<uint16_t>(described.size()), texts.emplace_back(column), event::Type::kInt, "as it is"});
  described.push_back({static_cast<uint16_t>(described.size()), "types:0", event::Type::kBits, "as it is"});
  tables.push_back({number, texts.emplace_back(name), 0, described, "kept as it is"});
  report::Rows rows(tables.back());
  for (const std::vector<int64_t>& line : values) {
    uint64_t kinds = 0;
    for (size_t c = 0; c < line.size(); ++c) {
      rows.column(static_cast<uint16_t>(c))
          .push_back(line[c] == INT64_MIN ? 0 : static_cast<uint64_t>(line[c]));
      if (line[c] == INT64_MIN) kinds |= uint64_t{1} << (4 * c);
    }
    rows.column(static_cast<uint16_t>(columns.size())).push_back(kinds);
  }
  const report::Rows* parts[] = {&rows};
  ASSERT_TRUE(report->writer().write_group(parts, {}));
}

TEST(Graphics, TablesKeptAsTheyAre) {
  constexpr int64_t kNone = INT64_MIN;
  CudaReport report;
  report.process(1, 5, "game");
  const std::string_view names[] = {"vkQueueSubmit", "vkCreateInstance", "frame", "on the GPU"};
  for (uint64_t i = 0; i < 4; ++i)
    report.row(event::kImportedString, {{event::imported_string::kNumber, 1000 + i},
                                        {event::imported_string::kString, report.id(names[i])}});
  report.group();
  constexpr int64_t kThread = (5 << 24) + 6;
  foreign_table(&report, 0x8000, "VULKAN_API",
                {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "contextId"},
                {{10, 16, 53, kThread, 1, 1000, 7},
                 {0, 5, 53, kThread, 0, 1001, 7},
                 {20, 27, 53, kThread, kNone, 1000, kNone}});
  foreign_table(&report, 0x8001, "VULKAN_WORKLOAD", {"start", "end", "eventClass", "textId"},
                {{5, 70, 54, 1003}, {5, 72, 54, kNone}});
  foreign_table(&report, 0x8002, "KHR_DEBUG_EVENTS", {"start", "end", "eventClass", "textId"},
                {{10, 72, 62, 1002}, {10, 73, 63, 1003}, {10, 74, 64, 1001}, {10, kNone, 62, 1001}});
  foreign_table(&report, 0x8003, "VULKAN_DEBUG_API", {"start", "end", "textId"}, {{5, 50, 1002}});
  report.finish();
  EXPECT_EQ(rows(report.path(), "vulkan_api_sum"),
            (Lines{"72.2|13|2|6.5|6.5|6|7|0.7|vkQueueSubmit", "27.8|5|1|5.0|5.0|5|5|0.0|vkCreateInstance"}));
  EXPECT_EQ(rows(report.path(), "vulkan_api_trace"),
            (Lines{"0|5|vkCreateInstance|53|7|0|5|6||", "10|6|vkQueueSubmit|53|7|1|5|6||",
                   "20|7|vkQueueSubmit|53|||5|6||"}));
  EXPECT_EQ(rows(report.path(), "vulkan_gpu_marker_sum"),
            (Lines{"100.0|65|1|65.0|65.0|65|65|0.0|on the GPU"}));
  EXPECT_EQ(rows(report.path(), "opengl_khr_range_sum"),
            (Lines{"50.8|64|1|64.0|64.0|64|64|0.0|vkCreateInstance", "49.2|62|1|62.0|62.0|62|62|0.0|frame"}));
  EXPECT_EQ(rows(report.path(), "opengl_khr_gpu_range_sum"),
            (Lines{"100.0|63|1|63.0|63.0|63|63|0.0|on the GPU"}));
  EXPECT_EQ(rows(report.path(), "vulkan_marker_sum"),
            (Lines{"100.0|45|1|45.0|45.0|45|45|0.0|frame"}));  // nsys 2023.4.4 prints nothing
  for (const std::string_view empty :
       {"dx11_pix_sum", "dx12_pix_sum", "dx12_gpu_marker_sum", "wddm_queue_sum"})
    EXPECT_TRUE(rows(report.path(), empty).empty());
}

TEST(EveryReport, OfAnEmptyRecordingSaysWhyItIsEmpty) {
  CudaReport report;
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  for (const Report& one : reports()) {
    const auto table = one.make(*source, {});
    ASSERT_TRUE(table) << one.name << ": " << table.error().message;
    EXPECT_EQ(table->rows, 0u) << one.name;
    EXPECT_FALSE(table->why_empty.empty()) << one.name;
    EXPECT_FALSE(table->columns.empty()) << one.name;
  }
}

}  // namespace
}  // namespace sextant::stats
