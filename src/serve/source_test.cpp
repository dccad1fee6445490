// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What may be seen of source files.
#include "serve/source_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sextant::serve {
namespace {

namespace fs = std::filesystem;

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

  fs::path folder_;
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

}  // namespace
}  // namespace sextant::serve
