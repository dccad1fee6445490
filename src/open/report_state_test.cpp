// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "open/report_state.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "report/writer.h"
#include "spool/run_folder.h"

namespace sextant::open {
namespace {

namespace fs = std::filesystem;

class ReportStateTest : public testing::Test {
 protected:
  ReportStateTest() {
    std::string name = (fs::temp_directory_path() / "sextant-state-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    auto writer = report::Writer::create(report(), {});
    EXPECT_TRUE(writer && writer->write_meta("a", "b"));
    writer_.emplace(std::move(*writer));
  }
  ~ReportStateTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string report() const { return folder_ + "/r.sxt"; }
  std::string run_folder() const { return report() + ".run"; }
  Standing standing() const {
    const auto reader = report::Reader::open(report());
    EXPECT_TRUE(reader) << reader.error().message;
    return standing_of(*reader);
  }
  void age_report() const {
    const timespec long_ago[] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    EXPECT_EQ(::utimensat(AT_FDCWD, report().c_str(), long_ago, 0), 0);
  }

  std::string folder_;
  std::optional<report::Writer> writer_;
};

TEST_F(ReportStateTest, FollowsTheRecording) {
  EXPECT_EQ(standing().state, ReportState::kCut);  // no run folder has the rest
  {
    auto folder = spool::RunFolder::create(run_folder(), {});
    ASSERT_TRUE(folder) << folder.error().message;
    age_report();  // a collector that has the folder writes again, however long ago it last did
    EXPECT_EQ(standing().state, ReportState::kGrowing);
    EXPECT_EQ(standing().run_folder, run_folder());
    EXPECT_TRUE(find_leftovers(report()).empty());
  }
  EXPECT_EQ(standing().state, ReportState::kAbandoned);
  EXPECT_EQ(standing().run_folder, run_folder());
  EXPECT_EQ(find_leftovers(report()), std::vector{run_folder()});
  ASSERT_TRUE(writer_->finish());
  EXPECT_EQ(standing().state, ReportState::kComplete);
}

/// As of another user: nobody tells whether a collector works on it.
TEST_F(ReportStateTest, AFolderThatCannotBeAskedIsJudgedByTheReportsAge) {
  fs::create_directory(run_folder());
  EXPECT_EQ(standing().state, ReportState::kGrowing);
  age_report();
  EXPECT_EQ(standing().state, ReportState::kAbandoned);
}

TEST(FindLeftovers, OfNoReportAreNone) {
  EXPECT_TRUE(find_leftovers("/nonexistent/r.sxt").empty());
}

}  // namespace
}  // namespace sextant::open
