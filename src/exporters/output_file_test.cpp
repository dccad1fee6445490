// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/output_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "exporters/database_test.h"

namespace sextant::exporters {
namespace {

using Create = Result<OutputFile> (*)(const std::string&, bool);

std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

size_t files_in(const std::string& folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

class BothWays : public testing::TestWithParam<Create> {
 protected:
  void put(OutputFile& file, const std::string& text) {
    ASSERT_EQ(::write(file.fd(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  test::Folder folder_;
};
INSTANTIATE_TEST_SUITE_P(Nameless, BothWays, testing::Values(Create{&OutputFile::create}));
INSTANTIATE_TEST_SUITE_P(Named, BothWays, testing::Values(Create{&OutputFile::create_named}));

TEST_P(BothWays, AppearsWhenCommitted) {
  const std::string path = folder_.file("out");
  {
    auto file = GetParam()(path, false);
    ASSERT_TRUE(file);
    put(*file, "whole");
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(read(path), "whole");
  }
  EXPECT_EQ(files_in(folder_.path()), 1u);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(static_cast<mode_t>(std::filesystem::status(path).permissions()), 0666 & ~mask);
}

TEST_P(BothWays, ReplacesNothingButFiles) {
  const std::string pipe = folder_.file("pipe"), link = folder_.file("link");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(::symlink("/dev/null", link.c_str()), 0);
  for (const std::string& path : {pipe, link, std::string("/dev/stdout"), std::string("/proc/self/fd/1")}) {
    auto file = GetParam()(path, true);
    ASSERT_FALSE(file) << path;
    EXPECT_NE(file.error().message.find("not a regular file"), std::string::npos) << file.error().message;
  }
  EXPECT_EQ(files_in(folder_.path()), 2u);
}

TEST_P(BothWays, LeavesNothingWithoutCommit) {
  {
    auto file = GetParam()(folder_.file("out"), false);
    ASSERT_TRUE(file);
    put(*file, "half");
  }
  EXPECT_EQ(files_in(folder_.path()), 0u);
}

TEST_P(BothWays, ReplacesOnlyWhenAsked) {
  const std::string path = folder_.file("out");
  std::ofstream(path) << "old";
  const auto refused = GetParam()(path, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().message.find(path), std::string::npos);
  {
    auto file = GetParam()(path, true);
    ASSERT_TRUE(file);
    put(*file, "new");
    EXPECT_EQ(read(path), "old");
    ASSERT_TRUE(file->commit());
  }
  EXPECT_EQ(read(path), "new");
  EXPECT_EQ(files_in(folder_.path()), 1u);
}

TEST_P(BothWays, NeverReplacesWhatCameUpMeanwhile) {
  const std::string path = folder_.file("out");
  {
    auto file = GetParam()(path, false);
    ASSERT_TRUE(file);
    put(*file, "mine");
    std::ofstream(path) << "theirs";
    const Status status = file->commit();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  }
  EXPECT_EQ(read(path), "theirs");
  EXPECT_EQ(files_in(folder_.path()), 1u);
}

TEST_P(BothWays, SaysWhatIsWrongWithTheName) {
  for (const std::string& name : {folder_.path(), folder_.path() + "/", std::string()}) {
    const auto file = GetParam()(name, true);
    ASSERT_FALSE(file) << name;
    EXPECT_EQ(file.error().code, ErrorCode::kUsage) << name;
  }
  const auto file = GetParam()(folder_.file("no/such/folder"), false);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kNotFound);
}

TEST_P(BothWays, ASignalLeavesNothing) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(signal, SIG_DFL);
      auto file = GetParam()(folder_.file("out"), false);
      ::raise(signal);
      ::_exit(file ? 1 : 2);  // not reached
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_EQ(files_in(folder_.path()), 0u);
  }
}

TEST(OutputFile, SignalHandlersArePutBack) {
  test::Folder folder;
  ::signal(SIGTERM, SIG_DFL);
  {
    auto file = OutputFile::create_named(folder.file("out"), false);
    ASSERT_TRUE(file);
    struct sigaction during;
    ::sigaction(SIGTERM, nullptr, &during);
    EXPECT_NE(during.sa_handler, SIG_DFL);
  }
  struct sigaction after;
  ::sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace sextant::exporters
