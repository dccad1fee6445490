// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/report_set.h"

#include <gtest/gtest.h>

#include "stats/opencl_for_tests.h"

namespace sextant::stats {
namespace {

using testing::CudaReport;
using testing::kReadBuffer;
using testing::Lines;
using testing::lines_of;
using testing::OpenclReport;

class ReportSet : public ::testing::Test {
 protected:
  /// Finishes a report and takes it as a member named `path`.
  void add(CudaReport* report, std::string path) {
    auto source = query::Source::open(report->finish());
    ASSERT_TRUE(source) << source.error().message;
    sources_.push_back(std::make_unique<query::Source>(std::move(*source)));
    members_.push_back({std::move(path), sources_.back().get()});
  }

  std::vector<text::Table> make(std::string_view report, By by) {
    auto grouping = group_set(members_, by);
    EXPECT_TRUE(grouping) << grouping.error().message;
    notes_ = grouping->notes;
    ReportArguments arguments;
    arguments.for_people = false;
    auto tables = make_by_group(*find_report(report), arguments, members_, *grouping);
    EXPECT_TRUE(tables);
    return std::move(*tables);
  }

  std::vector<std::unique_ptr<query::Source>> sources_;
  std::vector<SetMember> members_;
  std::vector<std::string> notes_;
};

void process(CudaReport* report, uint64_t number, std::string_view launcher,
             std::string_view name = "train") {
  using namespace event::process;
  report->row(event::kProcess, {{kId, number},
                                {kPid, 100 + number},
                                {kStart, query::testing::kZero},
                                {kName, report->id(name)},
                                {kLauncher, report->id(launcher)}});
}

TEST_F(ReportSet, RanksComeFromTheLauncher) {
  CudaReport report;
  process(&report, 1, "RANK=10 LOCAL_RANK=0");
  process(&report, 2, "SLURM_PROCID=9 RANK=2");  // RANK is trusted more
  process(&report, 3, "LOCAL_RANK=1 RANK=x");    // no rank
  report.range("step", 0, 50, "", 1);
  report.range("step", 0, 150, "", 2);
  report.range("other", 0, 1, "", 3);
  add(&report, "r.sxt");
  const auto tables = make("nvtx_pushpop_sum", By::kRank);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].columns[0].name, "Rank");
  EXPECT_EQ(lines_of(tables[0]), (Lines{"2|100.0|300|1|300.0|300.0|300|300|0.0|step",
                                        "10|100.0|100|1|100.0|100.0|100|100|0.0|step"}));
  EXPECT_EQ(tables[1].name, "_imbalance");
  EXPECT_EQ(lines_of(tables[1]), Lines{"100|50.0|200.0|100|300|2|10|2|step"});
  EXPECT_EQ(notes_, std::vector<std::string>{"1 process without a rank left out"});
}

TEST_F(ReportSet, ANameThatSomeRankLacksCountsAsNothingThere) {
  CudaReport report;
  process(&report, 1, "PMI_RANK=0");
  process(&report, 2, "PMI_RANK=1");
  report.range("only here", 0, 50, "", 1);
  report.range("both", 100, 10, "", 1);
  report.range("both", 100, 10, "", 2);
  add(&report, "r.sxt");
  const auto tables = make("nvtx_pushpop_sum", By::kRank);
  EXPECT_EQ(lines_of(tables[1]),
            (Lines{"50|100.0|50.0|0|100|0|1|1|only here", "0|0.0|20.0|20|20|0|0|2|both"}));
}

TEST_F(ReportSet, RanksComeFromFileNames) {
  CudaReport one, two, three;
  for (CudaReport* report : {&one, &two, &three}) {
    process(report, 1, "");
    report->range("step", 0, 50);
  }
  add(&one, "x/job_rank-11.sxt");
  add(&two, "x/job_rank-2.sxt");
  EXPECT_EQ(
      lines_of(make("nvtx_pushpop_sum", By::kRank)[0]),
      (Lines{"2|100.0|100|1|100.0|100.0|100|100|0.0|step", "11|100.0|100|1|100.0|100.0|100|100|0.0|step"}));
  members_[0].path = "run7_p12.sqlite";
  members_[1].path = "run7_p3.sqlite";
  EXPECT_EQ(make("nvtx_pushpop_sum", By::kRank)[0].rows, 2u);
  EXPECT_EQ(notes_, std::vector<std::string>{
                        "2 of the 2 reports tell no rank: the numbers in their file names are taken"});
  members_[1].path = "walk7_p3.sqlite";  // they differ in more than a number
  EXPECT_FALSE(group_set(members_, By::kRank));
}

TEST_F(ReportSet, AHostOfSeveralReportsIsOneGroup) {
  CudaReport one, two;
  for (CudaReport* report : {&one, &two}) {
    ASSERT_TRUE(report->writer().write_meta("host.name", "node1"));
    process(report, 1, "");
  }
  one.range("step", 0, 1);
  one.range("step", 10, 2);
  one.range("first", 20, 50);
  two.range("step", 0, 6);
  add(&one, "a.sxt");
  add(&two, "b.sxt");
  const auto tables = make("nvtx_pushpop_sum", By::kHost);
  ASSERT_EQ(tables.size(), 1u);  // nothing to compare with
  // of 2, 4 and 12 ns
  EXPECT_EQ(lines_of(tables[0]),
            (Lines{"node1|84.7|100|1|100.0|100.0|100|100|0.0|first", "node1|15.3|18|3|6.0||2|12|5.3|step"}));
}

TEST_F(ReportSet, GpusAreThoseOfTheMachine) {
  CudaReport report;
  process(&report, 1, "");
  process(&report, 2, "");
  report.kernel("a()", 0, 10, 1, 1, 0);
  report.kernel("a()", 0, 30, 1, 2, 1);
  report.api("launch", 0, 10, 1, 1);
  report.api("launch", 0, 20, 1, 2);
  add(&report, "r.sxt");
  EXPECT_EQ(
      lines_of(make("cuda_gpu_kern_sum", By::kGpu)[0]),
      (Lines{"GPU (0)|100.0|10|1|10.0|10.0|10|10|0.0|a()", "GPU (1)|100.0|30|1|30.0|30.0|30|30|0.0|a()"}));
  EXPECT_EQ(lines_of(make("cuda_api_sum", By::kGpu)[0])[1], "GPU (1)|100.0|20|1|20.0|20.0|20|20|0.0|launch");
  EXPECT_TRUE(members_[0].source->scope().everybody());  // as before
}

TEST_F(ReportSet, DevicesOfOpenclAreGroupsOfTheirOwn) {
  OpenclReport report;
  process(&report, 1, "");
  process(&report, 2, "");
  for (const uint64_t number : {1, 2}) {
    report.device(1, "Fast", number);
    report.device(2, "Slow", number);
  }
  report.device(3, "Slow", 2, 2);        // a part of the second one
  report.kernel("a()", 0, 10, 1, 1, 1);  // CUDA has a device 1, too
  report.cl_kernel("b", 0, 20, 1);
  report.cl_kernel("b", 30, 70, 2, 1, 2);
  report.cl_kernel("c", 0, 50, 3, 2, 2, 3);
  report.cl_memory(kReadBuffer, 60, 66, 4, 8, false, 1, 1, 1);
  add(&report, "r.sxt");
  EXPECT_EQ(lines_of(make("cuda_gpu_kern_sum", By::kGpu)[0]),
            (Lines{"GPU (1)|100.0|10|1|10.0|10.0|10|10|0.0|a()"}));
  EXPECT_EQ(lines_of(make("opencl_gpu_kern_sum", By::kGpu)[0]),
            (Lines{"Fast (OpenCL 0)|100.0|60|2|30.0|30.0|20|40|14.1|b",
                   "Slow (OpenCL 1)|100.0|50|1|50.0|50.0|50|50|0.0|c"}));
  const Lines queues = lines_of(make("device_queue_sum", By::kGpu)[0]);
  ASSERT_EQ(queues.size(), 4u);  // CUDA's, both processes' of Fast, the part's of Slow
  EXPECT_TRUE(queues[0].starts_with("GPU (1)|")) << queues[0];
  EXPECT_TRUE(queues[1].starts_with("Fast (OpenCL 0)|")) << queues[1];
  EXPECT_TRUE(queues[3].starts_with("Slow (OpenCL 1)|")) << queues[3];
}

TEST_F(ReportSet, ProcessesOfSeveralReportsAreToldApart) {
  CudaReport one, two;
  for (CudaReport* report : {&one, &two}) {
    process(report, 1, "RANK=3");
    report->range("step", 0, 50);
  }
  add(&one, "a.sxt");
  add(&two, "b.sxt");
  const Lines lines = lines_of(make("nvtx_pushpop_trace", By::kProcess)[0]);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].starts_with("rank 3: train (101) of a.sxt|")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("rank 3: train (101) of b.sxt|")) << lines[1];
  EXPECT_EQ(make("process_tree", By::kProcess)[0].rows, 2u);
}

TEST_F(ReportSet, OneMonotonicClockIsExact) {
  CudaReport one, two;
  two.clock(query::testing::kZero - 500, query::testing::kMonotonicZero - 1000);  // begins 1000 ns before
  for (CudaReport* report : {&one, &two}) {
    ASSERT_TRUE(report->writer().write_meta("host.boot_id", "11-22"));
    process(report, 1, "");
    report->range("step", 0, 50);
  }
  add(&one, "a.sxt");
  add(&two, "b.sxt");
  const std::string how = align_clocks(members_);
  EXPECT_NE(how.find("one monotonic clock"), std::string::npos) << how;
  EXPECT_EQ(how.find("overlap"), std::string::npos) << how;
  // both ranges were at the same moment
  const Lines lines = lines_of(make("nvtx_pushpop_trace", By::kProcess)[0]);
  EXPECT_TRUE(lines[0].starts_with("train (101) of a.sxt|1000|1100|")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("train (101) of b.sxt|1000|1100|")) << lines[1];
}

TEST_F(ReportSet, OtherMachinesAreAlignedByTheTimeOfDay) {
  CudaReport one, two;
  two.clock(query::testing::kZero - 500, query::testing::kMonotonicZero - 1000);
  ASSERT_TRUE(one.writer().write_meta("host.boot_id", "11-22"));
  ASSERT_TRUE(two.writer().write_meta("host.boot_id", "33-44"));
  add(&one, "a.sxt");
  add(&two, "b.sxt");
  const std::string how = align_clocks(members_);
  EXPECT_NE(how.find("2 clocks, aligned by the time of day"), std::string::npos) << how;
  EXPECT_EQ(members_[0].source->time_map().to_ns(query::testing::kZero), 1000);
}

}  // namespace
}  // namespace sextant::stats
