// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What is found out from several rows: CPUs, states of threads, ranges on devices (as `sextant stats` has
// them), call stacks, where a device's time went; tags; what a self-contained page holds.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "event/schema_system.h"
#include "serve/busy.h"
#include "serve/flame.h"
#include "serve/page_data.h"
#include "serve/tags.h"
#include "stats/registry.h"
#include "stats/rows_for_tests.h"

namespace sextant::serve {
namespace {

using stats::testing::CudaReport;

class RowsReport : public CudaReport {
 public:
  void sched(int64_t ns, uint64_t cpu, bool in, uint64_t tid, uint64_t state = 0) {
    using namespace event::sched_event;
    row(event::kSchedEvent, {{kTime, raw(ns)},
                             {kCpu, cpu},
                             {kIsIn, in ? 1u : 0u},
                             {kProcess, 1},
                             {kTid, tid},
                             {kThreadState, state}});
  }
  void sample(int64_t ns, uint64_t number, uint64_t tid) {
    using namespace event::cpu_sample;
    row(event::kCpuSample, {{kSample, number}, {kTime, raw(ns)}, {kProcess, 1}, {kTid, tid}});
  }
  void frame(uint64_t source, uint64_t chain, uint64_t depth, std::string_view function) {
    using namespace event::call_frame;
    row(event::kCallFrame, {{kSource, source}, {kChain, chain}, {kDepth, depth}, {kSymbol, id(function)}});
  }
};

/// An open report with its tracks.
class Rows : public ::testing::Test {
 protected:
  void open() {
    auto source = query::Source::open(report_.finish());
    ASSERT_TRUE(source) << source.error().message;
    source_.emplace(std::move(*source));
    auto timeline = Timeline::make(*source_, cache_);
    ASSERT_TRUE(timeline) << timeline.error().message;
    timeline_ = std::move(*timeline);
  }
  size_t track(std::string_view kind, size_t which = 0) {
    for (size_t t = 0; t < timeline_->tracks().size(); ++t)
      if (timeline_->tracks()[t].kind == kind && which-- == 0) return t;
    ADD_FAILURE() << "no track of kind " << kind;
    return 0;
  }
  /// "from-to name" of every event.
  std::vector<std::string> events(size_t of) {
    std::vector<std::string> out;
    EXPECT_TRUE(timeline_->visit(timeline_->tracks()[of], 0, 1'000'000, [&](const Event& event) {
      out.push_back(std::to_string(event.start_ns) + "-" +
                    (event.unfinished ? std::string("open") : std::to_string(event.end_ns)) + " " +
                    std::string(timeline_->names().text(event.name)));
      return true;
    }));
    return out;
  }
  std::map<std::string, int64_t> weights(const Result<Flame>& flame) {
    std::map<std::string, int64_t> out;
    EXPECT_TRUE(flame) << flame.error().message;
    for (const auto& [path, weight] : flame->weights) {
      std::string text;
      for (const uint32_t name : path)
        text += (text.empty() ? "" : ";") + std::string(timeline_->names().text(name));
      out[text] = weight;
    }
    return out;
  }

  RowsReport report_;
  SliceCache cache_;
  std::optional<query::Source> source_;
  std::unique_ptr<Timeline> timeline_;
};

using Lines = std::vector<std::string>;

TEST_F(Rows, CpusAndStatesFollowFromSwitches) {
  report_.process(1, 4242, "train");
  report_.sched(100, 0, false, 4242);  // was on before the recording: nobody knows since when
  report_.sched(200, 0, true, 4242);
  report_.sched(500, 0, false, 4242, 2);
  report_.sched(500, 0, true, 77);
  report_.sched(600, 1, true, 4242);  // the end of what 77 does is not seen: 88 comes instead
  report_.sched(900, 0, true, 88);
  open();
  EXPECT_EQ(timeline_->tracks()[track("group")].name, "CPUs");
  EXPECT_EQ(events(track("cpu", 0)),
            (Lines{"200-500 train [4242]", "500-900 train [77]", "900-open train [88]"}));
  EXPECT_EQ(events(track("cpu", 1)), (Lines{"600-open train [4242]"}));
  EXPECT_EQ(events(track("state", 0)),
            (Lines{"100-200 not running", "200-500 running", "500-600 sleeping", "600-open running"}));
}

TEST_F(Rows, CallsThatNeverReturnedAreAsDeepAsTheyAreNested) {
  report_.process(1, 4242, "app", CudaReport::raw(1000));
  const auto call = [&](std::string_view name, int64_t from, int64_t to, uint64_t tid) {
    using namespace event::osrt_call;
    report_.row(event::kOsrtCall, {{kStart, CudaReport::raw(from)},
                                   {kDuration, to < 0 ? 0 : CudaReport::ticks(to - from)},
                                   {kProcess, 1},
                                   {kTid, tid},
                                   {kName, report_.id(name)},
                                   {kNulls, to < 0 ? CudaReport::null({kDuration}) : 0}});
  };
  call("read", 100, 200, 10);
  call("pthread_join", 300, -1, 10);
  call("nanosleep", 400, -1, 10);  // of a handler of a signal, within the other
  call("poll", 100, -1, 20);
  call("write", 200, 300, 20);  // within poll: what was closed has the first row
  call("futex", 500, -1, 30);   // all that its thread has
  open();
  const auto rows = [&](size_t which) {
    std::vector<std::string> out;
    const Track& track = timeline_->tracks()[this->track("osrt", which)];
    EXPECT_TRUE(timeline_->visit(track, 0, 1000, [&](const Event& event) {
      out.push_back(std::to_string(event.row) + " " + std::string(timeline_->names().text(event.name)));
      return true;
    }));
    std::sort(out.begin(), out.end());
    return out;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(rows(0), (Texts{"0 pthread_join", "0 read", "1 nanosleep"}));
  EXPECT_EQ(rows(1), (Texts{"0 write", "1 poll"}));
  EXPECT_EQ(rows(2), (Texts{"0 futex"}));
  const Track& first = timeline_->tracks()[track("osrt")];
  EXPECT_EQ(timeline_->sums(first).rows, 2u);
  EXPECT_EQ(timeline_->sums(first).busy_ns, 800);
}

TEST_F(Rows, WhatTheProfilerTookIsNamedAfterIt) {
  report_.process(1, 4242, "app", CudaReport::raw(1000));
  const auto took = [&](uint64_t process, uint64_t tid) {
    using namespace event::overhead;
    report_.row(event::kProfilerOverhead, {{kProcessId, process},
                                           {kTid, tid},
                                           {kStart, CudaReport::raw(0)},
                                           {kDuration, 5},
                                           {kName, report_.id("agent start")}});
  };
  took(1, 4242), took(1, 0), took(0, 0);
  open();
  std::vector<std::string> names;
  for (const Track& track : timeline_->tracks())
    if (track.kind == "thread") names.push_back(track.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"main thread [4242]", "profiler's agent", "profiler's collector"}));
}

TEST_F(Rows, RangesOnADeviceAreThoseOfStats) {
  report_.process(1, 100, "p");
  report_.range("outer", 50, 1000, "", 1, 10);  // ticks of two nanoseconds
  report_.range("inner", 100, 100, "", 1, 10);
  report_.range("without work", 400, 100, "", 1, 10);
  report_.api("cudaLaunchKernel", 220, 240, 1);
  report_.api("cudaLaunchKernel", 300, 310, 2);
  report_.api("cudaLaunchKernel", 1500, 1510, 3);
  report_.kernel("a()", 3000, 3100, 1);
  report_.kernel("b()", 3200, 3300, 2);
  report_.kernel("b()", 4000, 4500, 3);
  open();
  EXPECT_EQ(events(track("nvtx_gpu")), (Lines{"3000-4500 outer", "3000-3300 inner"}));
  const auto choice = stats::choose_report("nvtx_gpu_proj_trace");
  ASSERT_TRUE(choice);
  const auto table = choice->report->make(*source_, choice->arguments);
  ASSERT_TRUE(table);
  const auto lines = stats::testing::lines_of(*table);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].substr(0, 15), "outer|3000|1500");
  EXPECT_EQ(lines[1].substr(0, 14), "inner|3000|300");
  std::vector<size_t> all;
  for (size_t t = 0; t < timeline_->tracks().size(); ++t) all.push_back(t);
  EXPECT_EQ(weights(flame_of_devices(*timeline_, all, {0, 4'100})),
            (std::map<std::string, int64_t>{
                {"outer;b()", 100}, {"outer;inner;a()", 100}, {"outer;inner;b()", 100}}));
}

TEST_F(Rows, SamplesAreCountedByCallStack) {
  report_.process(1, 10, "p");
  report_.sample(100, 1, 10);
  report_.sample(200, 2, 10);
  report_.sample(300, 3, 10);
  report_.sample(900, 4, 10);  // beyond the span
  report_.frame(1, 1, 0, "of a call of the C library, not of a sample");
  for (const uint64_t sample : {1, 2, 4}) {
    report_.frame(0, sample, 1, "main");
    report_.frame(0, sample, 0, "work");
  }
  open();
  EXPECT_EQ(weights(flame_of_samples(*timeline_, {track("samples")}, {0, 500})),
            (std::map<std::string, int64_t>{{"main;work", 2}, {"sample", 1}}));
}

TEST_F(Rows, TheTimeOfADeviceHasOneCauseEach) {
  report_.process(1, 100, "p");
  report_.api("cudaMalloc", 0, 100, 7);
  report_.api("cudaDeviceSynchronize", 500, 1000, 8);
  report_.kernel("k()", 200, 400, 1);
  report_.copy(300, 450, 2, 64);
  report_.kernel("k()", 600, 700, 3);
  open();
  const auto times = device_times(*timeline_, {0, 2000});
  ASSERT_TRUE(times) << times.error().message;
  ASSERT_EQ(times->size(), 1u);
  const auto& parts = times->front().parts;
  EXPECT_EQ(parts[kKernel].ns, 300);
  EXPECT_EQ(parts[kCopy].ns, 50);
  EXPECT_EQ(parts[kSyncWait].ns, 400);
  EXPECT_EQ(parts[kSyncWait].longest.start, 700);
  EXPECT_EQ(parts[kSyncWait].longest.end, 1000);
  EXPECT_EQ(parts[kApi].ns, 100);
  EXPECT_EQ(parts[kOsrtWait].ns, 0);
  EXPECT_EQ(parts[kNothing].ns, 1150);
}

TEST_F(Rows, RanksAreGroupsWithTheProcessesBelowThem) {
  for (const uint64_t number : {1, 2}) {
    using namespace event::process;
    const std::string launcher = "RANK=" + std::to_string(2 - number);
    report_.row(event::kProcess, {{kId, number},
                                  {kPid, 100 + number},
                                  {kName, report_.id("rank")},
                                  {kLauncher, report_.id(launcher)}});
  }
  report_.row(event::kProcess, {{event::process::kId, 3},
                                {event::process::kPid, 103},
                                {event::process::kParent, 1},
                                {event::process::kName, report_.id("loader")}});
  open();
  Lines tree;
  for (const Track& t : timeline_->tracks())
    tree.push_back((t.parent ? timeline_->tracks()[*t.parent].name + " > " : "") + t.name);
  EXPECT_EQ(tree, (Lines{"Rank 0", "Rank 0 > rank 0: rank [102]", "Rank 1", "Rank 1 > rank 1: rank [101]",
                         "Rank 1 > loader [103]"}));
}

TEST(TagsOfReports, AreKeptInTheFileAndNowhereElse) {
  const std::string path = testing::TempDir() + "/sextant-tags-" + std::to_string(::getpid());
  std::filesystem::remove(path);
  auto tags = Tags::load(path);
  ASSERT_TRUE(tags) << tags.error().message;
  EXPECT_TRUE((*tags)->set("/runs/a b.sxt", {"good", "baseline 1"}));
  EXPECT_TRUE((*tags)->set("/runs/c.sxt", {"bad"}));
  EXPECT_TRUE((*tags)->set("/runs/c.sxt", {}));
  for (const std::string& wrong : {std::string(), std::string("a\tb"), std::string(65, 'x')})
    EXPECT_FALSE((*tags)->set("/runs/c.sxt", {wrong}));
  const auto again = Tags::load(path);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->of("/runs/a b.sxt"), (Lines{"good", "baseline 1"}));
  EXPECT_TRUE((*again)->of("/runs/c.sxt").empty());
  EXPECT_FALSE((*Tags::load(""))->can_set());
  std::filesystem::remove(path);
}

/// The tiles hold every event, and what is said of the container is true.
TEST(SelfContainedPage, HoldsTilesDetailsAndLinks) {
  CudaReport report;
  report.process(1, 100, "p");
  for (uint64_t i = 0; i < 6000; ++i) report.range("tick", 20 + i * 10, 8, "", 1, 10);
  report.api("cudaLaunchKernel", 220, 240, 1);
  report.kernel("k()", 3000, 3100, 1);
  const std::string& path = report.finish();
  auto collection = Collection::make({path}, {});
  ASSERT_TRUE(collection) << collection.error().message;
  const auto data = gather_page(**collection, (*collection)->list().at(0), 1 << 24);
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_TRUE(data->all_tiles);
  // all have details, and whatever is cut off leaves the longest of each row
  EXPECT_EQ(data->events.size(), 6002u);
  EXPECT_EQ(data->events_in_report, 6002u);
  std::set<std::string> rows;
  for (size_t e = 0; e < 3; ++e)
    rows.insert(data->events[e].first.substr(0, data->events[e].first.find('/')));
  EXPECT_EQ(rows.size(), 3u);
  const std::string container = data->container(data->tiles.size(), data->events.size(), "");
  uint32_t size = 0;
  for (int i = 3; i >= 0; --i) size = size << 8 | static_cast<uint8_t>(container[static_cast<size_t>(i)]);
  const auto header = nlohmann::json::parse(container.substr(4, size), nullptr, false);
  ASSERT_TRUE(header.is_object());
  EXPECT_EQ(header["version"], 1);
  EXPECT_TRUE(header["thinned"].is_null());
  ASSERT_EQ(header["links"].size(), 1u);
  EXPECT_EQ(header["links"][0][4], "launches");
  EXPECT_EQ(header["events"].size(), data->events.size());
  std::string id;
  for (const auto& [key, value] : header["answers"].items())
    if (key.ends_with("/tracks")) id = key.substr(0, key.rfind('/'));
  for (const char* what : {"", "/names", "/findings", "/busy", "/stats", "/stats?report=nvtx_sum"})
    EXPECT_TRUE(header["answers"].contains(id + what)) << what;
  std::map<int, uint64_t> events;  // by track, of tiles that hold them one by one
  for (const auto& tile : header["tiles"]) {
    const std::string bytes = container.substr(4 + size + tile[3].get<size_t>(), tile[4].get<size_t>());
    ASSERT_EQ(bytes.substr(0, 4), "SXT1");
    if (bytes[5] == 1)
      events[tile[0].get<int>()] +=
          static_cast<uint8_t>(bytes[8]) | static_cast<uint64_t>(static_cast<uint8_t>(bytes[9])) << 8;
  }
  uint64_t most = 0;
  for (const auto& [track, count] : events) most = std::max(most, count);
  EXPECT_GE(most, 6000u);  // those at the borders of tiles are in two
  EXPECT_LE(most, 6010u);
}

}  // namespace
}  // namespace sextant::serve
