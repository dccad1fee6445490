// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every endpoint, answered for one small report, against tests/golden/http_api. SEXTANT_UPDATE_GOLDEN=1
// writes these files anew. What differs from run to run is made equal first: ids, ETags, paths, sizes,
// milliseconds.
#include "serve/api.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "stats/rows_for_tests.h"

namespace sextant::serve {
namespace {

using stats::testing::CudaReport;
using Json_ = nlohmann::ordered_json;

/// A training step in small: ranges, calls, work on a GPU, a lost record, odd names.
void write_report(CudaReport* report) {
  report->process(1, 4242, "train", CudaReport::raw(90'000));
  report->row(event::kDiagnostic, {{event::diagnostic::kCode, report->id("records_lost")},
                                   {event::diagnostic::kProcessId, 1},
                                   {event::diagnostic::kCount, 3},
                                   {event::diagnostic::kFirst, CudaReport::raw(60'000)},
                                   {event::diagnostic::kLast, CudaReport::raw(62'000)},
                                   {event::diagnostic::kText, report->id("3 records were lost")}});
  report->range("step", 50, 10'000, "", 1, 4242);
  report->range("load", 100, 1'000, "", 1, 4242);
  report->range("<b>\"odd\"\n\xff</b>", 2'000, 500, "io", 1, 4242);
  report->start_range("async", 7, 200, 1, 4242);
  report->end_range(7, 5'000, 1, 4242);
  report->open("never closed", 30'000, 1, 1);
  report->api("cudaLaunchKernel", 6'000, 6'500, 11, 1, 4242);
  report->api("cudaMemcpy", 7'000, 9'000, 12, 1, 4242);
  report->kernel("gemm(float*)", 7'000, 8'000, 11);
  report->copy(8'000, 8'800, 12, 4096);
  // more than a tile gives one by one
  for (uint64_t i = 0; i < 5'000; ++i)
    report->range(i % 3 == 0 ? "tick" : "tock", 20'000 + i * 10, 8, "many", 1, 77);
}

std::string golden_folder() {
  return SEXTANT_GOLDEN_FOLDER;
}

class ApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write_report(&report_);
    const std::string& path = report_.finish();
    open::OpenOptions options;
    options.no_cache = true;
    auto collection = Collection::make({std::filesystem::path(path).parent_path().string()}, options);
    ASSERT_TRUE(collection) << collection.error().message;
    collection_ = std::move(*collection);
    const auto items = collection_->list();
    ASSERT_EQ(items.size(), 1u);
    item_ = items[0];
    api_.emplace(*collection_);
  }

  http::Response ask(const std::string& what, std::string method = "GET", std::string body = "") {
    http::Request request;
    const size_t mark = what.find('?');
    request.method = std::move(method), request.body = std::move(body);
    request.path = "/api/v1/reports" + what.substr(0, mark);
    if (const size_t place = request.path.find("/ID"); place != std::string::npos)
      request.path.replace(place, 3, "/" + item_.id);
    if (mark != std::string::npos) request.query = what.substr(mark + 1);
    request.content_type = request.body.empty() ? "" : "application/json";
    request.if_none_match = if_none_match_;
    return api_->answer(request);
  }

  std::string made_equal(std::string text) const {
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (size_t at = text.find(from); !from.empty() && at != std::string::npos;
           at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    };
    replace(item_.id, "r0123456789ab");
    replace(item_.summary.etag, "0123456789abcdef");
    replace(item_.folder, "runs");
    text = std::regex_replace(text, std::regex("\"bytes\":" + std::to_string(item_.stamp.bytes)),
                              "\"bytes\":4096");
    return std::regex_replace(text, std::regex("\"ms\":[0-9]+"), "\"ms\":1");
  }

  /// The golden file's content; written first where that is asked for.
  static std::string golden(const std::string& name, const std::string& now) {
    const std::string path = golden_folder() + "/" + name;
    if (::getenv("SEXTANT_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << now;
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
  }

  void check_json(const std::string& name, const http::Response& response, unsigned status = 200) {
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_EQ(response.content_type, "application/json");
    const Json_ now = Json_::parse(made_equal(response.body), nullptr, false);
    ASSERT_FALSE(now.is_discarded()) << response.body;
    EXPECT_EQ(now.dump(1) + "\n", golden(name, now.dump(1) + "\n")) << name;
  }

  size_t track(std::string_view kind, size_t which = 0) {
    const auto report = collection_->open(item_.id);
    const Timeline& timeline = **(*report)->timeline();
    for (size_t t = 0; t < timeline.tracks().size(); ++t)
      if (timeline.tracks()[t].kind == kind && which-- == 0) return t;
    ADD_FAILURE() << kind;
    return 0;
  }
  uint64_t first_event(size_t of) {
    const Json_ answer = Json_::parse(ask("/ID/events?limit=1&track=" + std::to_string(of)).body);
    return answer["rows"][0][0].get<uint64_t>();
  }

  CudaReport report_;
  std::unique_ptr<Collection> collection_;
  std::optional<Api> api_;
  Item item_;
  std::string if_none_match_;
};

TEST_F(ApiTest, Golden) {
  const auto n = [](size_t number) { return std::to_string(number); };
  check_json("reports.json", ask(""));
  check_json("report.json", ask("/ID"));
  check_json("tracks.json", ask("/ID/tracks"));
  check_json("names.json", ask("/ID/names?from=0&count=100"));
  check_json("events.json", ask("/ID/events?track=" + n(track("nvtx")) + "&sort=duration&order=desc"));
  check_json("event.json", ask("/ID/event/" + n(track("kernels")) + "/" + n(first_event(track("kernels")))));
  check_json("search.json", ask("/ID/search?text=O&limit=3"));
  check_json("stats.json", ask("/ID/stats?report=cuda_gpu_kern_sum"));
  check_json("range.json", ask("/ID/range?from=0&to=8000"));
  check_json("sql.json",
             ask("/ID/sql", "POST", R"({"sql":"SELECT start, text FROM NVTX_EVENTS ORDER BY 1 LIMIT 3"})"));
  check_json("stacks.json", ask("/ID/stacks?track=" + n(track("nvtx"))));
  check_json("stacks_device.json", ask("/ID/stacks?by=device"));
  check_json("busy.json", ask("/ID/busy?from=0&to=10000"));
  check_json("busy_threads.json", ask("/ID/busy?of=threads&from=0&to=10000"));
  check_json("source.json", ask("/ID/source/" + n(track("nvtx")) + "/" + n(first_event(track("nvtx")))));
  check_json("histogram.json", ask("/ID/histogram?track=" + n(track("nvtx", 2)) + "&bins=4"));
  check_json("row_sql.json", ask("/ID/row_sql?track=" + n(track("nvtx", 1)) + "&from=0&to=9000"));
  check_json("tags_error.json", ask("/ID/tags", "POST", R"({"tags":["good"]})"), 422);
  check_json("error.json", ask("/ID/events?track=999"), 404);
  const std::string events = ask("/ID/tiles/" + n(track("nvtx")) + "/5/0").body;
  EXPECT_EQ(events, golden("tile_events.bin", events));
  const std::string buckets = ask("/ID/tiles/" + n(track("nvtx", 2)) + "/8/0").body;
  EXPECT_EQ(buckets, golden("tile_buckets.bin", buckets));
  EXPECT_EQ(events[5], 1);
  EXPECT_EQ(buckets[5], 2);
}

TEST_F(ApiTest, SeveralTilesAtOnceAreThoseOfSingleRequests) {
  const std::string nvtx = std::to_string(track("nvtx"));
  const std::string one = nvtx + "/5/0", wrong = nvtx + "/43/0", other = nvtx + "/8/0";
  const http::Response answer = ask("/ID/tiles?of=" + one + "," + wrong + "," + other);
  ASSERT_EQ(answer.status, 200u);
  std::vector<std::string> tiles;
  for (size_t at = 0; at < answer.body.size();) {
    uint64_t size = 0;
    ASSERT_LE(at + sizeof size, answer.body.size());
    std::memcpy(&size, answer.body.data() + at, sizeof size);
    ASSERT_LE(size, answer.body.size() - at - sizeof size);
    EXPECT_EQ(size % 8, 0u);
    tiles.push_back(answer.body.substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  ASSERT_EQ(tiles.size(), 3u);
  EXPECT_EQ(tiles[0], ask("/ID/tiles/" + one).body);
  EXPECT_EQ(tiles[1], "") << "no such tile: nothing is said of it here";
  EXPECT_EQ(tiles[2], ask("/ID/tiles/" + other).body);
  std::string many = one;
  for (int i = 0; i < 64; ++i) many += "," + one;
  EXPECT_EQ(ask("/ID/tiles?of=" + many).status, 400u);
  EXPECT_EQ(ask("/ID/tiles?of=" + nvtx + "/5").status, 400u);
  for (const char* none : {"/ID/tiles?of=", "/ID/tiles"}) {
    const http::Response refused = ask(none);
    EXPECT_EQ(refused.status, 400u) << none;
    EXPECT_NE(refused.body.find("of= is empty"), std::string::npos) << refused.body;
  }
}

/// Their words are those of `sextant analyze` and change with it: only what there is is looked at.
TEST_F(ApiTest, FindingsAndTheListOfReports) {
  const Json_ findings = Json_::parse(ask("/ID/findings").body);
  EXPECT_TRUE(findings["findings"].is_array() && findings["reasons"].is_array());
  EXPECT_GT(findings["findings"].size() + findings["reasons"].size(), 0u);
  const Json_ stats = Json_::parse(ask("/ID/stats").body);
  bool found = false;
  for (const auto& report : stats["reports"]) found = found || report["name"] == "nvtx_sum";
  EXPECT_TRUE(found);
}

TEST_F(ApiTest, AnswersAreKeptByTheirETag) {
  const http::Response first = ask("/ID/tracks");
  std::string etag;
  for (const auto& [name, value] : first.headers)
    if (name == "ETag") etag = value;
  ASSERT_FALSE(etag.empty());
  if_none_match_ = etag;
  EXPECT_EQ(ask("/ID/tracks").status, 304u);
  if_none_match_ = "\"other\"";
  EXPECT_EQ(ask("/ID/tracks").status, 200u);
}

TEST_F(ApiTest, WrongRequestsAreErrorsAndNothingElse) {
  for (const char* what : {"/rffffffffffff", "/ID/nothing", "/ID/tracks/1", "/../../etc/passwd",
                           "/ID/tiles/1/2", "/ID/event/0/0"})
    EXPECT_EQ(ask(what).status, 404u) << what;
  const std::string nvtx = std::to_string(track("nvtx"));
  for (const std::string& what :
       {"/ID/tiles/" + nvtx + "/43/0", "/ID/tiles/" + nvtx + "/0/-1",
        "/ID/tiles/" + nvtx + "/0/99999999999999999999", "/ID/tiles/" + nvtx + "/42/4000",
        "/ID/events?sort=colour&track=" + nvtx, "/ID/events?limit=999999&track=" + nvtx,
        "/ID/events?from=9&to=1&track=" + nvtx, "/ID/histogram?bins=0&track=" + nvtx,
        std::string("/ID/stacks?by=colour"), std::string("/ID/busy?of=colour"), std::string("/ID/search"),
        std::string("/ID/names?from=-1")})
    EXPECT_EQ(ask(what).status, 400u) << what;
  EXPECT_EQ(ask("/ID/stats?report=no_such").status, 404u);
  EXPECT_EQ(ask("/ID/sql").status, 405u);
  EXPECT_EQ(ask("/ID/tags").status, 405u);
  EXPECT_EQ(ask("/ID/tracks", "POST", "{}").status, 405u);
  EXPECT_EQ(ask("/ID/tracks", "DELETE").status, 405u);
  for (const char* body :
       {"", "[]", "{", R"({"sql":1})", R"({"sql":"x","limit":-1})", R"({"sql":"DROP TABLE x"})",
        R"({"sql":"ATTACH '/tmp/x.db' AS x"})", R"({"sql":"SELECT"})"})
    EXPECT_EQ(ask("/ID/sql", "POST", body).status, 400u) << body;
  EXPECT_EQ(std::string(1, ask("/ID/sql", "POST", R"({"sql":"SELECT 1"})").body[0]), "{");
  const std::string large = ask("/ID/sql", "POST", R"j({"sql":"SELECT hex(zeroblob(200000000))"})j").body;
  EXPECT_NE(large.find("more memory than 256"), std::string::npos) << large;
  EXPECT_EQ(large.find("--memory-limit"), std::string::npos) << "no option of this command: " << large;
}

TEST_F(ApiTest, NothingOutsideOfTheServedFolder) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(report_.path()).parent_path();
  const fs::path outside = folder.string() + "-outside";
  fs::create_directory(outside);
  fs::copy_file(report_.path(), outside / "secret.sxt");
  fs::create_symlink(outside / "secret.sxt", folder / "link.sxt");
  fs::create_directory_symlink(outside, folder / "linked");
  open::OpenOptions options;
  const auto again = Collection::make({folder.string()}, options);
  EXPECT_EQ((*again)->list().size(), 1u);
  const auto theirs = Collection::make({outside.string()}, options);
  const std::string id = (*theirs)->list().at(0).id;
  EXPECT_FALSE((*again)->open(id));
  fs::remove(folder / "link.sxt");
  fs::remove(folder / "linked");
  fs::remove_all(outside);
}

TEST_F(ApiTest, WhatIsNamedAReportAndIsNoneIsListedWithTheReason) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(report_.path()).parent_path();
  std::ofstream(folder / "empty.sxt").flush();
  std::ofstream(folder / "text.sxt") << "text";
  std::ofstream(folder / "notes.txt") << "text";
  open::OpenOptions options;
  const auto again = Collection::make({folder.string()}, options);
  const std::vector<Item> items = (*again)->list();
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].name, "empty.sxt");
  EXPECT_EQ(items[0].summary.state, "unreadable");
  EXPECT_NE(items[0].summary.verdict.find("the file is empty"), std::string::npos)
      << items[0].summary.verdict;
  EXPECT_EQ(items[2].name, "text.sxt");
  EXPECT_EQ(items[2].summary.state, "unreadable");
  EXPECT_NE(items[2].summary.verdict.find("is no report"), std::string::npos) << items[2].summary.verdict;
  const auto opened = (*again)->open(items[0].id);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, items[0].summary.verdict);
  fs::remove(folder / "empty.sxt"), fs::remove(folder / "text.sxt"), fs::remove(folder / "notes.txt");
}

TEST_F(ApiTest, AFileThatGrowsIsOpenedAgain) {
  const auto before = collection_->open(item_.id);
  ASSERT_TRUE(before);
  EXPECT_EQ(collection_->open(item_.id)->get(), before->get());
  std::ofstream(report_.path(), std::ios::app | std::ios::binary) << std::string(16, '\0');
  const auto after = collection_->open(item_.id);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_NE(after->get(), before->get());
  EXPECT_NE((*after)->etag, (*before)->etag);
  std::filesystem::rename(report_.path(), report_.path() + ".gone");
  EXPECT_EQ(collection_->open(item_.id).error().code, ErrorCode::kNotFound);
  std::filesystem::rename(report_.path() + ".gone", report_.path());
}

TEST_F(ApiTest, WhatIsDamagedOrCutOffIsSaid) {
  const auto lacks = [&](const std::string& code) {
    const Json_ answer = Json_::parse(ask("/ID").body);
    std::string text;
    for (const auto& lack : answer["diagnostics"]) {
      if (lack["code"] != code) continue;
      text += lack["text"].get<std::string>();
      EXPECT_TRUE(lack["first_ns"].is_null());
    }
    return std::pair(text, answer["verdict"].get<std::string>());
  };
  EXPECT_EQ(lacks("damage").first, "");
  EXPECT_EQ(lacks("cut").first, "");
  uint64_t place = 0;
  {
    const auto open = collection_->open(item_.id);
    for (const report::ChunkRef& chunk : (*open)->source.reader().chunks())
      if (chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) &&
          chunk.header.table == event::kCudaKernel)
        place = chunk.offset + sizeof(report::ChunkHeader);
  }
  ASSERT_NE(place, 0u);
  std::fstream file(report_.path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(place)) << "damaged";
  file.close();
  std::filesystem::last_write_time(
      report_.path(), std::filesystem::last_write_time(report_.path()) + std::chrono::seconds(1));
  const auto [damage, verdict] = lacks("damage");
  EXPECT_TRUE(damage.starts_with("damaged at byte ")) << damage;
  EXPECT_EQ(verdict.find("nothing lost"), std::string::npos) << verdict;
  EXPECT_NE(verdict.find("damaged in 1 place"), std::string::npos) << verdict;
  std::filesystem::resize_file(report_.path(), std::filesystem::file_size(report_.path()) - 10);
  EXPECT_NE(lacks("cut").first.find("the end of the file is missing"), std::string::npos)
      << lacks("cut").first;
}

TEST(Reports, ProcessesThatWereNotRecordedAreInTheVerdict) {
  CudaReport report;
  report.process(1, 4242, "train", CudaReport::raw(90'000));
  report.row(event::kDiagnostic, {{event::diagnostic::kCode, report.id("processes_dropped")},
                                  {event::diagnostic::kCount, 88},
                                  {event::diagnostic::kText, report.id("no room")}});
  const auto collection =
      Collection::make({std::filesystem::path(report.finish()).parent_path().string()}, {});
  ASSERT_TRUE(collection) << collection.error().message;
  const auto items = (*collection)->list();
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].summary.verdict, "complete; 88 processes not recorded");
}

}  // namespace
}  // namespace sextant::serve
