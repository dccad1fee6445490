// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected rows are those that nsys 2023.4.4 prints for the same events, but where a comment says otherwise.
#include "event/schema_target.h"
#include "query/query.h"
#include "stats/gpu_busy.h"
#include "stats/registry.h"
#include "stats/rows_for_tests.h"

namespace sextant::stats {
namespace {

using testing::CudaReport;
using testing::Lines;

Lines rows(const std::string& path, std::string_view word, const query::Window& window = {},
           bool like_nsys = false) {
  auto source = query::Source::open(path);
  EXPECT_TRUE(source) << source.error().message;
  source->set_window(window);
  auto choice = choose_report(word);
  EXPECT_TRUE(choice && choice->report != nullptr) << word;
  choice->arguments.like_nsys = like_nsys;
  auto table = choice->report->make(*source, choice->arguments);
  EXPECT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->why_empty.empty(), table->rows > 0) << word;
  return testing::lines_of(*table);
}

/// Launches within and outside of ranges of all kinds.
struct Launches : CudaReport {
  Launches() {
    process(1, 100, "p");
    process(2, 200, "q");
    row(event::kGpu, {{event::gpu::kNumber, 0}, {event::gpu::kName, id("Tesla T4")}});
    imported_domain("Dom", 3);
    imported_range("start/end", 100, 1000, 2, true);
    imported_range("outer", 200, 900, 3);
    imported_range("in domain", 250, 800, 4, false, 0, 3);
    imported_range("closed elsewhere", 150, 2000, 5, true, 11);
    imported_range("crossing", 340, 700, 6);
    imported_range("crosses too", 360, 900, 7);
    launch(300, 304, 1), kernel("kernA(int)", 400, 500, 1);
    launch(334, 336, 2), kernel("kernB(int)", 600, 650, 2);
    api("cudaMemcpyAsync_v3020", 500, 510, 3), copy(700, 800, 3, 4096);
    launch(1500, 1510, 4), kernel("kernA(int)", 1600, 1700, 4);         // outside of all ranges
    launch(1520, 1530, 5, 1, 12), kernel("kernA(int)", 1700, 1800, 5);  // on a thread without ranges
    launch(1540, 1550, 1, 2, 12),
        kernel("kernA(int)", 1800, 1900, 1, 2);                    // the same correlation in another process
    launch(3000, 3010, 8), kernel("kernA(int)", 3004, 3020, 8);    // began before its launch returned
    launch(3300, 3310, 11), kernel("kernA(int)", 3310, 3330, 11);  // began at once
    kernel("kernA(int)", 5000, 5010, 99);                          // its launch was not recorded
    finish();
  }
  void launch(int64_t start, int64_t end, uint64_t correlation, uint64_t in_process = 1, uint64_t tid = 10) {
    api("cudaLaunchKernel_v7000", start, end, correlation, in_process, tid);
  }
};

struct Case {
  std::string_view report;
  query::Window window;
  Lines rows;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"cuda_gpu_kern_sum",
       {},
       Lines{"89.9|446|7|63.7|100.0|10|100|45.3|kernA(int)", "10.1|50|1|50.0|50.0|50|50|0.0|kernB(int)"}},
      {"cuda_gpu_kern_sum:base",
       {},
       Lines{"89.9|446|7|63.7|100.0|10|100|45.3|kernA", "10.1|50|1|50.0|50.0|50|50|0.0|kernB"}},
      {"cuda_gpu_kern_sum:nvtx-name",
       {},
       Lines{"69.8|346|6|57.7|60.0|10|100|46.5|kernA(int)",
             "20.2|100|1|100.0|100.0|100|100|0.0|in domain/kernA(int)",
             "10.1|50|1|50.0|50.0|50|50|0.0|in domain/kernB(int)"}},
      {"cuda_gpu_kern_gb_sum:base",
       {},
       Lines{"89.9|446|7|63.7|100.0|10|100|45.3|   1    2    3| 128    1    1|kernA",
             "10.1|50|1|50.0|50.0|50|50|0.0|   1    2    3| 128    1    1|kernB"}},
      {"cuda_api_sum",
       {},
       Lines{"84.8|56|7|8.0|10.0|2|10|3.5|cudaLaunchKernel",
             "15.2|10|1|10.0|10.0|10|10|0.0|cudaMemcpyAsync"}},
      {"cuda_gpu_sum",
       {},
       Lines{"74.8|446|7|63.7|100.0|10|100|45.3|CUDA_KERNEL|kernA(int)",
             "16.8|100|1|100.0|100.0|100|100|0.0|MEMORY_OPER|[CUDA memcpy Host-to-Device]",
             "8.4|50|1|50.0|50.0|50|50|0.0|CUDA_KERNEL|kernB(int)"}},
      {"cuda_api_gpu_sum",
       {},
       Lines{"67.4|446|7|63.7|100.0|10|100|45.3|CUDA_KERNEL|kernA(int)",
             "15.1|100|1|100.0|100.0|100|100|0.0|MEMORY_OPER|[CUDA memcpy Host-to-Device]",
             "8.5|56|7|8.0|10.0|2|10|3.5|CUDA_API|cudaLaunchKernel",
             "7.6|50|1|50.0|50.0|50|50|0.0|CUDA_KERNEL|kernB(int)",
             "1.5|10|1|10.0|10.0|10|10|0.0|CUDA_API|cudaMemcpyAsync"}},
      {"cuda_gpu_mem_size_sum",
       {},
       Lines{"0.004|1|0.004|0.004|0.004|0.004|0.000|[CUDA memcpy Host-to-Device]"}},
      {"cuda_kern_exec_trace",
       {},
       Lines{
           "300|4|304|96|400|100|200|100|10|0|cudaLaunchKernel|   1    2    3| 128    1    1|kernA(int)",
           "334|2|336|264|600|50|316|100|10|0|cudaLaunchKernel|   1    2    3| 128    1    1|kernB(int)",
           "1500|10|1510|90|1600|100|200|100|10|0|cudaLaunchKernel|   1    2    3| 128    1    1|kernA(int)",
           "1520|10|1530|170|1700|100|280|100|12|0|cudaLaunchKernel|   1    2    3| 128    1    1|kernA(int)",
           "1540|10|1550|250|1800|100|360|200|12|0|cudaLaunchKernel|   1    2    3| 128    1    1|kernA(int)",
           "3000|10|||3004|16|20|100|10|0|cudaLaunchKernel|   1    2    3| 128    1    1|kernA(int)",
           "3300|10|3310|0|3310|20|30|100|10|0|cudaLaunchKernel|   1    2    3| 128    1    1|kernA(int)"}},
      {"cuda_kern_exec_sum",
       {},
       Lines{"200|12|0|1|1|360.0|360.0|360|360|0.0|10.0|10.0|10|10|0.0|250.0|250.0|250|250|0.0|100.0|100.0|"
             "100|100|0.0|cudaLaunchKernel|kernA(int)",
             "100|10|0|1|1|316.0|316.0|316|316|0.0|2.0|2.0|2|2|0.0|264.0|264.0|264|264|0.0|50.0|50.0|50|50|0."
             "0|cudaLaunchKernel|kernB(int)",
             "100|12|0|1|1|280.0|280.0|280|280|0.0|10.0|10.0|10|10|0.0|170.0|170.0|170|170|0.0|100.0|100.0|"
             "100|100|0.0|cudaLaunchKernel|kernA(int)",
             "100|10|0|4|3|112.5|115.0|20|200|101.1|8.5|10.0|4|10|3.0|62.0|90.0|0|96|53.8|59.0|60.0|16|100|"
             "47.4|cudaLaunchKernel|kernA(int)"}},
      {"nvtx_sum",
       {},
       Lines{"37.8|1850|1|1850.0|1850.0|1850|1850|0.0|StartEnd|closed elsewhere",
             "18.4|900|1|900.0|900.0|900|900|0.0|StartEnd|start/end",
             "14.3|700|1|700.0|700.0|700|700|0.0|PushPop|outer",
             "11.2|550|1|550.0|550.0|550|550|0.0|PushPop|Dom:in domain",
             "11.0|540|1|540.0|540.0|540|540|0.0|PushPop|crosses too",
             "7.3|360|1|360.0|360.0|360|360|0.0|PushPop|crossing"}},
      {"nvtx_pushpop_trace",
       {},
       Lines{"200|900|700|1090|-390|outer|100|10|0|2|3||:3|outer",
             "250|800|550|360|190|Dom:in domain|100|10|1|1|4|3|:3:4|--Dom:in domain",
             "340|700|360|0|360|crossing|100|10|2|0|6|4|:3:4:6|----crossing",
             "360|900|540|0|540|crosses too|100|10|1|0|7|3|:3:7|--crosses too"}},
      {"nvtx_gpu_proj_trace",
       {},
       Lines{"|1600|1730||||100|10|5||0|||", "start/end|400|400|100|900|StartEnd|100|10|3|0|1|2||:2",
             "outer|400|400|200|700|PushPop|100|10|3|1|2|3|2|:2:3",
             "Dom:in domain|400|400|250|550|PushPop|100|10|3|2|1|4|3|:2:3:4",
             "crossing|700|100|340|360|PushPop|100|10|1|3|0|6|4|:2:3:4:6",
             "crosses too|700|100|360|540|PushPop|100|10|1|2|0|7|3|:2:3:7"}},
      {"nvtx_gpu_proj_sum",
       {},
       Lines{"Dom:in domain|PushPop|400|550|1|400.0|400.0|400|400|0.0|3|3.0|2.0|1.0",
             "outer|PushPop|400|700|1|400.0|400.0|400|400|0.0|3|3.0|1.0|2.0",
             "start/end|StartEnd|400|900|1|400.0|400.0|400|400|0.0|3|3.0|0.0|1.0",
             "crosses too|PushPop|100|540|1|100.0|100.0|100|100|0.0|1|1.0|2.0|0.0",
             "crossing|PushPop|100|360|1|100.0|100.0|100|100|0.0|1|1.0|3.0|0.0"}},
      {"nvtx_kern_sum",
       {},
       Lines{"||||0|1|10|10.0|10.0|10|10|0.0|kernA(int)", "||100|10|0|3|136|45.3|20.0|16|100|47.4|kernA(int)",
             "||100|12|0|1|100|100.0|100.0|100|100|0.0|kernA(int)",
             "||200|12|0|1|100|100.0|100.0|100|100|0.0|kernA(int)",
             "Dom:in domain|PushPop|100|10|1|1|100|100.0|100.0|100|100|0.0|kernA(int)",
             "Dom:in domain|PushPop|100|10|1|1|50|50.0|50.0|50|50|0.0|kernB(int)",
             "outer|PushPop|100|10|1|1|100|100.0|100.0|100|100|0.0|kernA(int)",
             "outer|PushPop|100|10|1|1|50|50.0|50.0|50|50|0.0|kernB(int)",
             "start/end|StartEnd|100|10|1|1|100|100.0|100.0|100|100|0.0|kernA(int)",
             "start/end|StartEnd|100|10|1|1|50|50.0|50.0|50|50|0.0|kernB(int)"}},
      {"cuda_api_trace",
       {},
       Lines{"300|4|cudaLaunchKernel|0|1|100|10||", "334|2|cudaLaunchKernel|0|2|100|10||",
             "500|10|cudaMemcpyAsync|0|3|100|10||", "1500|10|cudaLaunchKernel|0|4|100|10||",
             "1520|10|cudaLaunchKernel|0|5|100|12||", "1540|10|cudaLaunchKernel|0|1|200|12||",
             "3000|10|cudaLaunchKernel|0|8|100|10||", "3300|10|cudaLaunchKernel|0|11|100|10||"}},
      {"cuda_gpu_trace:nvtx-name",
       {},
       Lines{"400|100|1|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|in domain/kernA(int)",
             "600|50|2|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|in domain/kernB(int)",
             "700|100|3||||||||||0.004|40960.000|Pageable|Device|Tesla T4 (0)|1||7|[CUDA memcpy "
             "Host-to-Device]",
             "1600|100|4|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|kernA(int)",
             "1700|100|5|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|kernA(int)",
             "1800|100|1|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|kernA(int)",
             "3004|16|8|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|kernA(int)",
             "3310|20|11|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|kernA(int)",
             "5000|10|99|1|2|3|128|1|1|0|0.000|0.000|||||Tesla T4 (0)|1||7|kernA(int)"}},
      {"cuda_gpu_kern_sum:nvtx-name",
       {350, 700},
       Lines{"66.7|100|1|100.0|100.0|100|100|0.0|in domain/kernA(int)",
             "33.3|50|1|50.0|50.0|50|50|0.0|in domain/kernB(int)"}},
      {"cuda_api_sum", {350, 700}, Lines{"100.0|10|1|10.0|10.0|10|10|0.0|cudaMemcpyAsync"}},
  };
  return all;
}

TEST(CudaReports, AreThoseOfNsys) {
  const Launches report;
  for (const Case& one : cases())
    EXPECT_EQ(rows(report.path(), one.report, one.window, one.report == "nvtx_gpu_proj_trace"), one.rows)
        << one.report;
}

TEST(NvtxGpuProjTrace, WorkOutsideOfRangesByThread) {  // nsys has one line for all
  const Launches report;
  Lines lines = rows(report.path(), "nvtx_gpu_proj_trace");
  ASSERT_EQ(lines.size(), 8u);
  lines.resize(3);
  EXPECT_EQ(lines, (Lines{"|1600|1730||||100|10|3||0|||", "|1700|100||||100|12|1||0|||",
                          "|1800|100||||200|12|1||0|||"}));
}

TEST(CudaReports, DomainsKeepTheirNamesInAWindow) {  // nsys shows "in domain": it looks for the domain within
                                                     // the window, too
  const Launches report;
  EXPECT_EQ(rows(report.path(), "nvtx_pushpop_sum", {350, 700})[1],
            "25.6|550|1|550.0|550.0|550|550|0.0|Dom:in domain");
}

TEST(CudaReports, ThereAreNoMangledNames) {
  const Launches report;
  EXPECT_EQ(rows(report.path(), "cuda_gpu_kern_sum:mangled"), rows(report.path(), "cuda_gpu_kern_sum"));
}

TEST(NvtxKernSum, AKernelCountsOnceInRangesOfOneName) {  // nsys adds its time once for each range
  CudaReport report;
  report.process(1, 100, "p");
  report.imported_range("twin", 100, 900, 1);
  report.imported_range("twin", 200, 800, 2);
  report.api("cudaLaunchKernel_v7000", 300, 310, 1);
  report.kernel("k(int)", 400, 500, 1);
  report.finish();
  EXPECT_EQ(rows(report.path(), "nvtx_kern_sum"),
            (Lines{"twin|PushPop|100|10|2|1|100|100.0|100.0|100|100|0.0|k(int)"}));
  EXPECT_EQ(rows(report.path(), "nvtx_kern_sum", {}, true),
            (Lines{"twin|PushPop|100|10|2|1|200|100.0|100.0|100|100|0.0|k(int)"}));
}

TEST(NvtxPushpopTrace, RangesThatBeginAndEndTogetherAreKept) {  // nsys drops them
  CudaReport report;
  report.process(1, 100, "p");
  report.imported_range("outside", 100, 900, 1);
  report.imported_range("inner", 200, 800, 2);
  report.imported_range("outer", 200, 800, 3);
  report.finish();
  EXPECT_EQ(rows(report.path(), "nvtx_pushpop_trace"),
            (Lines{"100|900|800|600|200|outside|100|10|0|1|1||:1|outside",
                   "200|800|600|600|0|outer|100|10|1|1|3|1|:1:3|--outer",
                   "200|800|600|0|600|inner|100|10|2|0|2|3|:1:3:2|----inner"}));
  EXPECT_EQ(rows(report.path(), "nvtx_pushpop_trace", {}, true),
            (Lines{"100|900|800|0|800|outside|100|10|0|0|1||:1|outside"}));
}

TEST(NvtxSum, ImportedRangesThatWereNeverClosedEndWithTheSession) {
  CudaReport report;
  report.process(1, 100, "p");
  report.imported_range("open", 200, -1, 1);
  report.finish(CudaReport::raw(1200));
  EXPECT_EQ(rows(report.path(), "nvtx_sum"),
            (Lines{"100.0|1000|1|1000.0|1000.0|1000|1000|0.0|PushPop|open"}));
}

TEST(CudaGpuTrace, ThroughputOfCopies) {
  CudaReport report;
  report.process(1, 100, "p");
  report.copy(0, 12, 1, 3000);                          // nsys: 1 s / 12 ns is rounded down
  report.copy(100, 100, 2, 5);                          // no time, no throughput
  report.copy(200, 200 + 600'000'000, 3, 600'000'000);  // nsys says 600.000: 1 s / 0.6 s is 1
  report.finish();
  const auto throughput = [&](size_t row, bool like_nsys) {
    std::string line = rows(report.path(), "cuda_gpu_trace", {}, like_nsys)[row];
    for (int i = 0; i < 13; ++i) line.erase(0, line.find('|') + 1);
    return line.substr(0, line.find('|'));
  };
  EXPECT_EQ(throughput(0, false), "249999.999");
  EXPECT_EQ(throughput(1, false), "");
  EXPECT_EQ(throughput(2, false), "1000.000");
  EXPECT_EQ(throughput(2, true), "600.000");
}

TEST(CudaGpuKernSum, SaysHowBusyTheGpuWas) {
  CudaReport report;
  report.process(1, 100, "p");
  report.api("cudaLaunchKernel_v7000", 0, 100, 1);
  report.kernel("k(int)", 100, 200, 1);
  report.kernel("k(int)", 150, 300, 2);  // overlaps: the GPU was busy from 100 to 300
  report.copy(900, 1000, 3, 10);
  report.finish();
  auto source = query::Source::open(report.path());
  ASSERT_TRUE(source);
  const auto busy = query::gpu_busy(*source);
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->range_ns, 1000);
  EXPECT_EQ(busy->busy_ns, 300);
  EXPECT_EQ(busy->gpus, 1u);
  EXPECT_NEAR(busy->percent(), 30.0, 1e-9);
  const auto table = find_report("cuda_gpu_kern_sum")->make(*source, {});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->notes.size(), 1u);
  EXPECT_NE(table->notes[0].find("The GPU was busy 30.0 % of the 1 us"), std::string::npos)
      << table->notes[0];
  std::vector<text::Cell> cells(table->columns.size());
  table->fill(0, cells);
  EXPECT_EQ(table->columns[1].header(), "Of Range (%)");
  EXPECT_NEAR(cells[1].real, 25.0, 1e-9);  // two kernels, 250 ns
  EXPECT_EQ(table->columns[2].header(), "GPU Busy (%)");
  EXPECT_NEAR(cells[2].real, 30.0, 1e-9);
}

TEST(ChooseReport, UnderstandsArgumentsAndRefusesWrongOnes) {
  const auto choice = choose_report("cuda_gpu_kern_sum:nvtx-name:base");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->report, find_report("cuda_gpu_kern_sum"));
  EXPECT_TRUE(choice->arguments.nvtx_name);
  EXPECT_EQ(choice->arguments.kernel_name, ReportArguments::KernelName::kBase);
  EXPECT_EQ(choose_report("um_sum:rows=3")->arguments.rows, 3);
  EXPECT_EQ(choose_report("network_congestion:ticks_threshold=1.5")->arguments.ticks, 1.5);
  EXPECT_EQ(choose_report("nothing:base")->report, nullptr);
  for (const std::string_view wrong :
       {"um_sum:rows=x", "um_sum:rows", "um_sum:base", "cuda_api_sum:base", "nvtx_kern_sum:nvtx-name",
        "cuda_gpu_kern_sum:", "cuda_gpu_kern_sum:bas"})
    EXPECT_FALSE(choose_report(wrong)) << wrong;
}

}  // namespace
}  // namespace sextant::stats
