// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/gpu_busy.h"
#include "query/query.h"
#include "stats/cuda_names.h"
#include "stats/opencl_for_tests.h"
#include "stats/registry.h"

namespace sextant::stats {
namespace {

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

/// Two queues of one device, one of them for copies; and a CUDA kernel with the same correlation.
struct TwoQueues : testing::OpenclReport {
  TwoQueues() {
    process(1, 100, "p");
    device(1, "Fast Card");
    queue(1, 1, 2), queue(2, 1, 3);
    imported_range("step", 90, 900, 1);
    cl_call("clEnqueueWriteBuffer", 100, 110, 1);
    cl_memory(testing::kWriteBuffer, 200, 300, 1, 4'000'000, false, 2);
    cl_call("clEnqueueNDRangeKernel", 120, 130, 2);
    cl_kernel("scale", 250, 450, 2);
    cl_call("clEnqueueNDRangeKernel", 140, 150, 3);
    cl_kernel("add", 450, 500, 3);
    cl_call("clEnqueueReadBuffer", 160, 1000, 4);
    cl_memory(testing::kReadBuffer, 800, 900, 4, 1'000'000, true);
    cl_call("clEnqueueMarkerWithWaitList", 1010, 1020, 5);
    cl_sync(testing::kMarker, 1020, 1020, 5);
    cl_call("clFinish", 1030, 1200);
    cl_call("clEnqueueNDRangeKernel", 1300, 1310, 6);
    cl_kernel("scale", 1306, 1400, 6);  // began before its launch returned, outside of the range
    api("cudaLaunchKernel_v7000", 300, 304, 2), kernel("cuda_one(int)", 310, 350, 2);
    finish();
  }
};

TEST(OpenclReports, SumsUpCallsKernelsAndMemory) {
  TwoQueues report;
  EXPECT_EQ(rows(report.path(), "opencl_gpu_kern_sum"),
            (Lines{"85.5|294|2|147.0|147.0|94|200|75.0|scale", "14.5|50|1|50.0|50.0|50|50|0.0|add"}));
  EXPECT_EQ(rows(report.path(), "opencl_gpu_kern_sum:nvtx-name"),
            (Lines{"58.1|200|1|200.0|200.0|200|200|0.0|step/scale", "27.3|94|1|94.0|94.0|94|94|0.0|scale",
                   "14.5|50|1|50.0|50.0|50|50|0.0|step/add"}));
  EXPECT_EQ(rows(report.path(), "opencl_gpu_kern_gb_sum")[0],
            "85.5|294|2|147.0|147.0|94|200|75.0|1024    2    1|  64    1    1|scale");
  EXPECT_EQ(rows(report.path(), "opencl_gpu_mem_time_sum"),
            (Lines{"50.0|100|1|100.0|100.0|100|100|0.0|[OpenCL read buffer]",
                   "50.0|100|1|100.0|100.0|100|100|0.0|[OpenCL write buffer]"}));
  EXPECT_EQ(rows(report.path(), "opencl_gpu_mem_size_sum"),
            (Lines{"4.000|1|4.000|4.000|4.000|4.000|0.000|[OpenCL write buffer]",
                   "1.000|1|1.000|1.000|1.000|1.000|0.000|[OpenCL read buffer]"}));
  EXPECT_EQ(rows(report.path(), "opencl_api_sum")[0],
            "79.2|840|1|840.0|840.0|840|840|0.0|clEnqueueReadBuffer");
  EXPECT_EQ(rows(report.path(), "opencl_gpu_sum").size(), 4u);
  EXPECT_EQ(rows(report.path(), "opencl_api_gpu_sum").size(), 9u);
}

TEST(OpenclReports, AreNotMixedWithCuda) {
  TwoQueues report;
  EXPECT_EQ(rows(report.path(), "cuda_gpu_kern_sum"),
            (Lines{"100.0|40|1|40.0|40.0|40|40|0.0|cuda_one(int)"}));
  EXPECT_EQ(rows(report.path(), "cuda_api_sum").size(), 1u);
  EXPECT_EQ(rows(report.path(), "cuda_gpu_trace").size(), 1u);
}

TEST(OpenclReports, KernelsHaveOneNameWhateverIsAskedFor) {
  TwoQueues report;
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  for (const auto kind : {ReportArguments::KernelName::kBase, ReportArguments::KernelName::kMangled}) {
    ReportArguments arguments;
    arguments.kernel_name = kind;
    auto names = KernelNames::load(*source, arguments, query::DeviceApi::kOpencl);
    ASSERT_TRUE(names);
    EXPECT_EQ(names->columns(), (std::vector<uint16_t>{event::opencl_kernel::kName}));
  }
}

TEST(OpenclReports, TellLaunchQueueAndExecution) {
  TwoQueues report;
  EXPECT_EQ(rows(report.path(), "opencl_kern_exec_trace"),
            (Lines{"120|10|130|120|250|200|330|100|10|1|clEnqueueNDRangeKernel|1024    2    1|  64    1    "
                   "1|scale|6|4",
                   "140|10|150|300|450|50|360|100|10|1|clEnqueueNDRangeKernel|1024    2    1|  64    1    "
                   "1|add|6|4",
                   "1300|10|||1306|94|100|100|10|1|clEnqueueNDRangeKernel|1024    2    1|  64    1    "
                   "1|scale|6|4"}));
  EXPECT_EQ(rows(report.path(), "opencl_kern_exec_sum").size(), 2u);
}

TEST(OpenclReports, TraceEveryCommandAndCall) {
  TwoQueues report;
  const Lines trace = rows(report.path(), "opencl_gpu_trace");
  ASSERT_EQ(trace.size(), 6u);
  EXPECT_EQ(trace[0], "200|100|1|||||||4.000|40000000.000|0|0|100|Fast Card (1)|1|2|[OpenCL write buffer]");
  EXPECT_EQ(trace[1], "250|200|2|1024|2|1|64|1|1|||6|4|100|Fast Card (1)|1|1|scale");
  EXPECT_EQ(trace[4], "1020|0|5|||||||||0|0|100|Fast Card (1)|1|1|[OpenCL marker]");
  const Lines calls = rows(report.path(), "opencl_api_trace");
  ASSERT_EQ(calls.size(), 7u);
  EXPECT_EQ(calls[5], "1030|170|clFinish|0||100|10||");
}

TEST(OpenclReports, TellHowBusyQueuesAndDevicesWere) {
  TwoQueues report;
  EXPECT_EQ(rows(report.path(), "device_queue_sum"),
            (Lines{"37.0|444|756|406|900|3|344|1|100|OpenCL|100|Fast Card (1)|1|1",
                   "8.3|100|1100|||0|0|1|100|OpenCL|100|Fast Card (1)|1|2",
                   "100.0|40|0|||1|40|0|0|CUDA|100| (0)|1|7"}));
  EXPECT_EQ(rows(report.path(), "device_overlap_sum"),
            (Lines{"100.0|40|40|0|||1|40|0|0|0||CUDA|GPU",
                   "41.2|1200|494|706|406|900|3|344|2|200|50|25.0|OpenCL|Fast Card"}));
}

TEST(OpenclReports, ProjectNvtxRanges) {
  TwoQueues report;
  EXPECT_EQ(rows(report.path(), "nvtx_gpu_proj_sum"),
            (Lines{"step|PushPop|300|810|1|300.0|300.0|300|300|0.0|4|4.0|0.0|0.0"}));
  EXPECT_EQ(rows(report.path(), "nvtx_kern_sum").size(), 4u);
}

TEST(OpenclReports, ADeviceIsTheSameInAllProcesses) {
  testing::OpenclReport report;
  report.process(1, 100, "p"), report.process(2, 200, "q");
  report.device(1, "Card"), report.device(2, "Card"), report.device(3, "Card", 1, 2);
  report.device(1, "CPU", 2), report.device(2, "Card", 2);
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  auto numbers = query::GpuNumbers::load(*source, query::DeviceApi::kOpencl);
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->of(1, 1), numbers->of(2, 2));
  EXPECT_NE(numbers->of(1, 1), numbers->of(1, 2));
  EXPECT_EQ(numbers->of(1, 2), numbers->of(1, 3)) << "a part of a device is the device";
  EXPECT_NE(numbers->of(2, 1), numbers->of(1, 1));
}

TEST(OpenclReports, CommandsWithoutTimesAreTheReasonWhereNothingIsLeft) {
  testing::OpenclReport report;
  report.process(1, 100, "p");
  for (const uint64_t reason : {0, 0, 1})
    report.row(event::kOpenclUntimed, {{event::opencl_untimed::kProcess, 1},
                                       {event::opencl_untimed::kDevice, 1},
                                       {event::opencl_untimed::kReason, reason}});
  auto source = query::Source::open(report.finish());
  ASSERT_TRUE(source) << source.error().message;
  auto choice = choose_report("opencl_gpu_sum");
  ASSERT_TRUE(choice);
  const auto table = choice->report->make(*source, choice->arguments);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->why_empty,
            "No work on OpenCL devices: OpenCL was traced, but commands have no times: 2 (their queue does "
            "not measure), 1 (unfinished); table opencl_untimed.");
}

}  // namespace
}  // namespace sextant::stats
