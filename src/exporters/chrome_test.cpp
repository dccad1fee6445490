// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/chrome.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "event/schema_cuda.h"
#include "event/schema_opencl.h"
#include "exporters/flame_graph.h"
#include "exporters/nvtx_paths.h"
#include "exporters/trace_events.h"
#include "query/report_for_tests.h"

namespace sextant::exporters {
namespace {

using query::testing::kZero;

class TraceFile : public testing::Test {
 protected:
  std::string read(Status (*write)(const query::Source&, const std::string&, const ExportOptions&),
                   const ExportOptions& options = {}) {
    const auto source = query::Source::open(report_.finish());
    EXPECT_TRUE(source);
    const std::string path = report_.path() + ".out";
    const Status written = write(*source, path, options);
    EXPECT_TRUE(written) << written.error().message;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    ::unlink(path.c_str());
    return std::move(out).str();
  }

  static void expect(const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nnot in\n" << text;
  }

  query::testing::TestReport report_;
};

TEST(NestingRows, SlicesThatOverlapGoToAnotherRow) {
  NestingRows rows;
  EXPECT_EQ(rows.place(0, 10), 0u);
  EXPECT_EQ(rows.place(2, 5), 0u);   // within
  EXPECT_EQ(rows.place(3, 8), 1u);   // beyond the inner one
  EXPECT_EQ(rows.place(5, 10), 0u);  // behind it, to the very end
  EXPECT_EQ(rows.place(8, 12), 1u);
  EXPECT_EQ(rows.place(10, 20), 0u);
}

TEST(TraceEvents, Microseconds) {
  std::string out;
  for (const int64_t ns : {int64_t{0}, int64_t{1}, int64_t{1234567}, int64_t{-1500}, INT64_MIN}) {
    append_microseconds(&out, ns);
    out += ' ';
  }
  EXPECT_EQ(out, "0.000 0.001 1234.567 -1.500 -9223372036854775.808 ");
}

TEST_F(TraceFile, RangesAndMarks) {
  report_.process(1, 41, "train");
  report_.range("inner\"\n", 100, 50, "lib");
  report_.range("outer", 50, 200);
  report_.start_range("across", 7, 10);
  report_.end_range(7, 300, 1, 101);
  const std::string json = read(export_chrome);
  expect(json, R"({"ph":"M","pid":41,"tid":0,"ts":0.000,"name":"process_name","args":{"name":"train"}})");
  expect(json, R"({"ph":"X","pid":41,"tid":100,"ts":0.100,"cat":"nvtx","name":"outer","dur":0.400})");
  expect(json, R"("cat":"nvtx","name":"inner\"\n","dur":0.100,"args":{"domain":"lib"}})");
  expect(json, R"({"ph":"b","pid":41,"tid":100,"ts":0.020,"cat":"nvtx","name":"across","id":"0x1"})");
  expect(json, R"({"ph":"e","pid":41,"tid":101,"ts":0.600,"cat":"nvtx","name":"across","id":"0x1"})");
}

TEST_F(TraceFile, ACallPointsToItsKernel) {
  report_.process(1, 41, "train");
  report_.row(event::kCudaApi, {{event::cuda_api::kStart, kZero + 10},
                                {event::cuda_api::kDuration, 5},
                                {event::cuda_api::kProcess, 1},
                                {event::cuda_api::kTid, 42},
                                {event::cuda_api::kCorrelation, 9},
                                {event::cuda_api::kName, report_.id("cudaLaunchKernel")}});
  report_.row(event::kCudaKernel, {{event::cuda_kernel::kStart, kZero + 20},
                                   {event::cuda_kernel::kDuration, 30},
                                   {event::cuda_kernel::kProcess, 1},
                                   {event::cuda_kernel::kStream, 7},
                                   {event::cuda_kernel::kCorrelation, 9},
                                   {event::cuda_kernel::kName, report_.id("gemm<float>")}});
  const std::string json = read(export_chrome);
  expect(json, R"(GPU 0 of train )");
  expect(json, R"("ts":0.020,"cat":"cuda_api","name":"cudaLaunchKernel","dur":0.010})");
  expect(json, R"("tid":7,"ts":0.040,"cat":"kernel","name":"gemm<float>","dur":0.060,"args":{)");
  expect(json, R"("ts":0.020,"cat":"launch","name":"launch","id":1})");
  expect(json, R"("tid":7,"ts":0.040,"cat":"launch","name":"launch","id":1,"bp":"e"})");
}

TEST_F(TraceFile, OpenclHasRowsOfItsOwn) {
  report_.process(1, 41, "train");
  report_.row(event::kOpenclApi, {{event::opencl_api::kStart, kZero + 10},
                                  {event::opencl_api::kDuration, 5},
                                  {event::opencl_api::kProcess, 1},
                                  {event::opencl_api::kTid, 42},
                                  {event::opencl_api::kCorrelation, 9},
                                  {event::opencl_api::kName, report_.id("clEnqueueNDRangeKernel")}});
  report_.row(event::kOpenclKernel, {{event::opencl_kernel::kStart, kZero + 20},
                                     {event::opencl_kernel::kDuration, 30},
                                     {event::opencl_kernel::kProcess, 1},
                                     {event::opencl_kernel::kDevice, 1},
                                     {event::opencl_kernel::kQueue, 2},
                                     {event::opencl_kernel::kCorrelation, 9},
                                     {event::opencl_kernel::kGlobalX, 64},
                                     {event::opencl_kernel::kName, report_.id("scale")}});
  report_.row(event::kOpenclMemory, {{event::opencl_memory::kStart, kZero + 60},
                                     {event::opencl_memory::kDuration, 5},
                                     {event::opencl_memory::kProcess, 1},
                                     {event::opencl_memory::kDevice, 1},
                                     {event::opencl_memory::kQueue, 2},
                                     {event::opencl_memory::kBytes, 4096},
                                     {event::opencl_memory::kCommand, 0x11F3}});
  const std::string json = read(export_chrome);
  expect(json, R"(OpenCL device 1 of train )");
  expect(json, R"("queue 2 of context 0")");
  expect(json, R"("ts":0.020,"cat":"opencl_api","name":"clEnqueueNDRangeKernel","dur":0.010})");
  expect(json, R"("tid":2,"ts":0.040,"cat":"kernel","name":"scale","dur":0.060,"args":{"global":"64 0 0")");
  expect(json, R"("name":"[OpenCL read buffer]","dur":0.010,"args":{"bytes":4096}})");
  expect(json, R"("tid":2,"ts":0.040,"cat":"launch","name":"launch","id":1,"bp":"e"})");
}

TEST_F(TraceFile, FoldedStacksHaveOwnTime) {
  report_.process(1, 41, "train");
  report_.range("a;b", 110, 20);
  report_.range("in", 100, 50, "lib");
  report_.range("step", 100, 100);
  report_.range("step", 300, 100);
  report_.range("step", 300, 10, "", 1, 101);
  EXPECT_EQ(read(export_folded),
            "train (41);thread 100;step 300\n"
            "train (41);thread 100;step;lib:in 60\n"
            "train (41);thread 100;step;lib:in;a,b 40\n"
            "train (41);thread 101;step 20\n");
}

TEST_F(TraceFile, RangesThatOverlapWithoutNestingCountOnce) {
  report_.process(1, 41, "train");
  report_.range("first", 100, 100);
  report_.range("second", 150, 100, "lib");
  EXPECT_EQ(read(export_folded),
            "train (41);thread 100;first 100\n"
            "train (41);thread 100;first;lib:second 200\n");
}

TEST_F(TraceFile, FlameGraphsEscapeNames) {
  report_.process(1, 41, "train");
  report_.range("<script>alert(1)</script>\x1b[31m&\"", 100, 100);
  const std::string svg = read(export_flame);
  expect(svg, "&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[31m&amp;&quot;: 200 ns (100.00 %), 1 time");
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST_F(TraceFile, NothingToDrawIsAnError) {
  const auto source = query::Source::open(report_.finish());
  const Status drawn = export_flame(*source, report_.path() + ".svg", {});
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().code, ErrorCode::kNotFound);
  EXPECT_NE(::access((report_.path() + ".svg").c_str(), F_OK), 0);
}

}  // namespace
}  // namespace sextant::exporters
