// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OpenCL's devices, queues and calls as tracks, and the way from a call to its command.
#include <gtest/gtest.h>

#include "serve/event_details.h"
#include "serve/timeline.h"
#include "stats/opencl_for_tests.h"

namespace sextant::serve {
namespace {

using stats::testing::OpenclReport;

struct TwoApis : OpenclReport {
  TwoApis() {
    process(1, 4242, "train", raw(90'000));
    device(1, "Fast Card");
    queue(1, 1, 2), queue(2, 1, 3);
    range("step", 0, 1000, "", 1, 10);  // ticks of two nanoseconds
    cl_call("clEnqueueNDRangeKernel", 100, 120, 1);
    cl_kernel("scale", 200, 300, 1);
    cl_call("clEnqueueReadBuffer", 130, 700, 2);
    cl_memory(stats::testing::kReadBuffer, 400, 600, 2, 4096, true, 2);
    cl_call("clFinish", 800, 900);
    api("cudaLaunchKernel", 1000, 1010, 1), kernel("cuda_one(int)", 1100, 1200, 1);  // the same correlation
    finish();
  }
};

struct Shown {
  Result<query::Source> source;
  SliceCache cache;
  Result<std::unique_ptr<Timeline>> timeline;
  explicit Shown(OpenclReport& report)
      : source(query::Source::open(report.path())), timeline(Timeline::make(*source, cache)) {}
};

/// "Fast Card > Context 1 ... > Queue 2 > Memory" of the first track of a kind.
std::string path_of(const Timeline& timeline, std::string_view kind) {
  for (const Track& track : timeline.tracks()) {
    if (track.kind != kind) continue;
    std::string path = track.name;
    for (auto parent = track.parent; parent; parent = timeline.tracks()[*parent].parent)
      path = timeline.tracks()[*parent].name + " > " + path;
    return path;
  }
  return "";
}

TEST(OpenclTracks, AreBelowTheirDeviceAndQueue) {
  TwoApis report;
  Shown shown(report);
  ASSERT_TRUE(shown.timeline) << shown.timeline.error().message;
  const Timeline& timeline = **shown.timeline;
  EXPECT_EQ(path_of(timeline, "opencl_kernels"),
            "OpenCL: Fast Card > Context 1: train [4242] > Queue 1 > Kernels");
  EXPECT_EQ(path_of(timeline, "opencl_memory"),
            "OpenCL: Fast Card > Context 1: train [4242] > Queue 2 (out of order) > Memory");
  EXPECT_EQ(path_of(timeline, "nvtx_opencl"),
            "OpenCL: Fast Card > Context 1: train [4242] > NVTX on the device");
  EXPECT_EQ(path_of(timeline, "opencl_api"), "train [4242] > thread [10] > OpenCL API");
  EXPECT_EQ(path_of(timeline, "kernels"), "GPU 0: GPU > Context 1: train [4242] > Stream 7 > Kernels");
}

TEST(OpenclTracks, CallsAndCommandsPointToEachOther) {
  TwoApis report;
  Shown shown(report);
  ASSERT_TRUE(shown.timeline) << shown.timeline.error().message;
  const Timeline& timeline = **shown.timeline;
  std::vector<std::string> links;
  for (const Track& track : timeline.tracks()) {
    if (track.kind != "opencl_api" && track.kind != "opencl_memory" && track.kind != "kernels") continue;
    std::vector<Event> events;
    ASSERT_TRUE(timeline.visit(track, INT64_MIN / 4, INT64_MAX / 4, [&](const Event& event) {
      events.push_back(event);
      return true;
    }));
    for (const Event& event : events) {
      auto row = read_row(timeline.source(), table_of(event.id), row_of(event.id));
      ASSERT_TRUE(row);
      auto found = links_of(timeline, track, event, *row);
      ASSERT_TRUE(found);
      for (const Link& link : *found)
        links.push_back(std::string(timeline.names().text(event.name)) + " " + std::string(link.kind) + " " +
                        std::string(timeline.names().text(link.placed.event.name)));
    }
  }
  EXPECT_EQ(links, (std::vector<std::string>{
                       "cuda_one(int) launched_by cudaLaunchKernel",
                       "[OpenCL read buffer] launched_by clEnqueueReadBuffer",
                       "clEnqueueNDRangeKernel launches scale",
                       "clEnqueueReadBuffer launches [OpenCL read buffer]",
                   }));
}

}  // namespace
}  // namespace sextant::serve
