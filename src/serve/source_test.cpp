// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What may be seen of source files, and from a call stack to its lines.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "event/schema_system.h"
#include "serve/api.h"
#include "stats/rows_for_tests.h"
#include "symbols/source_place.h"

namespace sextant::serve {
namespace {

namespace fs = std::filesystem;
using stats::testing::CudaReport;

class Sources : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("sextant-source-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "allowed/src");
    fs::create_directories(folder_ / "other");
    write("allowed/src/train.py", "import x\n\ndef step():\n  pass\n");
    write("other/secret.py", "secret\n");
    fs::create_symlink(folder_ / "other/secret.py", folder_ / "allowed/link.py");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  SourceFiles files(const std::string& root = "allowed") {
    auto made = SourceFiles::make({(folder_ / root).string()});
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string finished(CudaReport* report) {
    if (path_of_report_.empty() || finished_ != report) path_of_report_ = report->finish();
    finished_ = report;
    return path_of_report_;
  }
  /// GET source of the first event of a kind of track.
  nlohmann::json ask(CudaReport* report, SourceFiles sources, std::string_view kind,
                     const std::string& query = "") {
    open::OpenOptions options;
    options.no_cache = true;
    auto collection = Collection::make({finished(report)}, options);
    EXPECT_TRUE(collection);
    const std::string id = (*collection)->list().at(0).id;
    Api api(**collection, nullptr, std::move(sources));
    http::Request request;
    request.method = "GET";
    const std::string root = "/api/v1/reports/" + id;
    request.path = root + "/tracks";
    size_t track = SIZE_MAX;
    const auto tracks = nlohmann::json::parse(api.answer(request).body);
    for (const auto& one : tracks["tracks"])
      if (track == SIZE_MAX && one["kind"] == kind) track = one["id"];
    request.path = root + "/events", request.query = "track=" + std::to_string(track);
    const auto events = nlohmann::json::parse(api.answer(request).body);
    request.path = root + "/source/" + std::to_string(track) + "/" +
                   std::to_string(events["rows"][0][0].get<uint64_t>());
    request.query = query;
    const http::Response response = api.answer(request);
    EXPECT_EQ(response.status, 200u) << response.body;
    for (const auto& [name, value] : response.headers)
      EXPECT_NE(name, "ETag");  // files change without the report
    return nlohmann::json::parse(response.body);
  }

  fs::path folder_;
  CudaReport* finished_ = nullptr;
  std::string path_of_report_;
};

TEST_F(Sources, OnlyRegularFilesWithinTheFoldersAreOpened) {
  const SourceFiles all = files();
  EXPECT_TRUE(all.open(path("allowed/src/train.py")));
  EXPECT_TRUE(all.open("src/train.py"));
  EXPECT_TRUE(all.open("/build/of/somebody/src/train.py"));
  EXPECT_EQ(all.open("./src/../src/train.py")->path, path("allowed/src/train.py"));
  ASSERT_EQ(::mkfifo(path("allowed/pipe.py").c_str(), 0600), 0);
  for (const std::string& name :
       {path("other/secret.py"), std::string("../other/secret.py"), std::string("src/../../other/secret.py"),
        path("allowed/link.py"), std::string("link.py"), std::string("pipe.py"), std::string("src"),
        std::string("/"), std::string(""), std::string("/etc/passwd"), std::string("/dev/zero"),
        std::string("src/train.py\0.c", 14), std::string(100'000, 'a'), std::string(5'000, '/') + "x"})
    EXPECT_FALSE(all.open(name)) << name.substr(0, 100);
  EXPECT_FALSE(SourceFiles::make({path("nothing")}));
  EXPECT_FALSE(SourceFiles::make({path("other/secret.py")}));
  EXPECT_FALSE(SourceFiles().allowed());
  EXPECT_FALSE(SourceFiles().open(path("allowed/src/train.py")));
}

TEST_F(Sources, LinesOfTextAndNothingElse) {
  const SourceFiles all = files();
  using Lines = std::vector<std::string>;
  EXPECT_EQ(*SourceFiles::lines(*all.open("src/train.py"), 1, 2), (Lines{"import x", ""}));
  EXPECT_EQ(*SourceFiles::lines(*all.open("src/train.py"), 4, 9), (Lines{"  pass"}));
  EXPECT_TRUE(SourceFiles::lines(*all.open("src/train.py"), 9, 9)->empty());
  write("allowed/binary", std::string("a\0b", 3));
  EXPECT_FALSE(SourceFiles::lines(*all.open("binary"), 1, 1));
  fs::resize_file(folder_ / "allowed/binary", 9 << 20);
  EXPECT_FALSE(SourceFiles::lines(*all.open("binary"), 1, 1));
  write("allowed/long", std::string(10'000, 'x'));
  EXPECT_EQ(SourceFiles::lines(*all.open("long"), 1, 1)->at(0).size(), 504u);
}

TEST_F(Sources, ANameOfAnEventLeadsToItsLine) {
  CudaReport report;
  report.process(1, 100, "p");
  report.range("src/train.py(3): step", 100, 50, "", 1, 100);
  const auto none = ask(&report, {}, "nvtx");
  EXPECT_EQ(none["allowed"], false);
  EXPECT_FALSE(none.contains("file"));
  EXPECT_NE(none["reason"].get<std::string>().find("--source-path"), std::string::npos);
  const auto found = ask(&report, files(), "nvtx");
  EXPECT_TRUE(found["reason"].is_null()) << found.dump();
  EXPECT_EQ(found["file"], "src/train.py");
  EXPECT_EQ(found["line"], 3);
  EXPECT_EQ(found["first"], 1);
  EXPECT_EQ(found["lines"][2], "def step():");
  const auto elsewhere = ask(&report, files("other"), "nvtx");
  EXPECT_FALSE(elsewhere.contains("lines"));
  EXPECT_NE(elsewhere["reason"].get<std::string>().find("src/train.py is not in the folders"),
            std::string::npos);
}

TEST_F(Sources, ANameThatIsNoPlaceOrALineThatIsNotThereIsSaid) {
  for (const auto& [name, words] :
       std::map<std::string, std::string>{{"plain", "names no line"},
                                          {"train.py(x): f", "names no line"},
                                          {"train.py(12", "names no line"},
                                          {"train.py(0): f", "names no line"},
                                          {"src/train.py(99): f", "has no line 99"},
                                          {"train.py(99999999999999999999): f", "names no line"}}) {
    CudaReport report;
    finished_ = nullptr;
    report.process(1, 100, "p");
    report.range(name, 100, 50, "", 1, 100);
    const auto answer = ask(&report, files(), "nvtx");
    EXPECT_NE(answer["reason"].get<std::string>().find(words), std::string::npos) << name << answer.dump();
  }
}

TEST_F(Sources, AFrameLeadsToItsLineByTheDebugInformationOfItsFile) {
  if (!symbols::reads_debug_info()) GTEST_SKIP() << "built without libdw";
  void* library = ::dlopen(SEXTANT_EXAMPLE, RTLD_NOW);
  ASSERT_NE(library, nullptr) << ::dlerror();
  int line = 0;
  const auto address =
      reinterpret_cast<uint64_t>(reinterpret_cast<void* (*)(int*)>(::dlsym(library, "example_frame"))(&line));
  CudaReport report;
  report.process(1, 100, "p");
  using namespace event::call_frame;
  report.row(event::kCpuSample, {{event::cpu_sample::kSample, 1},
                                 {event::cpu_sample::kTime, CudaReport::raw(50)},
                                 {event::cpu_sample::kProcess, 1},
                                 {event::cpu_sample::kTid, 100}});
  const auto frame = [&](uint64_t depth, const char* function, const std::string& module, uint64_t at,
                         bool kernel) {
    report.row(event::kCallFrame, {{kSource, 0},
                                   {kChain, 1},
                                   {kDepth, depth},
                                   {kSymbol, report.id(function)},
                                   {kModule, report.id(module)},
                                   {kAddress, at},
                                   {kKernelMode, kernel ? 1u : 0u}});
  };
  frame(0, "schedule", "[kernel.kallsyms]", 0xffffffff81000000, true);
  frame(1, "example_frame", SEXTANT_EXAMPLE, address, false);
  frame(2, "main", "/nowhere/program", 0x401000, false);
  auto both = SourceFiles::make({fs::path(SEXTANT_EXAMPLE).parent_path().string(), SEXTANT_EXAMPLE_SOURCE});
  ASSERT_TRUE(both);
  const auto found = ask(&report, *both, "samples", "frame=1");
  EXPECT_TRUE(found["reason"].is_null()) << found.dump();
  EXPECT_EQ(found["line"], line);
  EXPECT_EQ(found["exact"], true);
  EXPECT_NE(found["lines"][12].get<std::string>().find("__LINE__"), std::string::npos);
  // of the program it may see, of the source not
  auto one = SourceFiles::make({fs::path(SEXTANT_EXAMPLE).parent_path().string()});
  const auto half = ask(&report, *one, "samples", "frame=1");
  EXPECT_EQ(half["line"], line);
  EXPECT_FALSE(half.contains("lines"));
  for (const auto& [query, words] :
       std::map<std::string, std::string>{{"frame=0", "operating system"},
                                          {"frame=2", "/nowhere/program is not in"},
                                          {"frame=3", "no frame of this number"},
                                          {"", "names no line"}}) {
    const auto answer = ask(&report, *both, "samples", query);
    EXPECT_NE(answer["reason"].get<std::string>().find(words), std::string::npos) << query << answer.dump();
  }
}

}  // namespace
}  // namespace sextant::serve
