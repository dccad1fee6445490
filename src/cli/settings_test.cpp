// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sextant::cli {
namespace {

using Words = std::vector<std::string>;

TEST(CommandFile, IsSplitAsAShellDoes) {
  EXPECT_EQ(*split_command_file("-o a  --x='b c'\n# all of it\n\"d \\\" e\" f\\ g h#i ''"),
            (Words{"-o", "a", "--x=b c", "d \" e", "f g", "h#i", ""}));
  EXPECT_EQ(*split_command_file(" \n# only a comment"), Words{});
  EXPECT_EQ(*split_command_file("'$HOME `x`'"), (Words{"$HOME `x`"}));  // nothing is expanded
  EXPECT_FALSE(split_command_file("-o 'a"));
}

TEST(Configuration, SectionsAndLines) {
  const auto settings =
      parse_configuration("quiet = true\n\n# x\n[stats]\n  format=csv \n[ profile ]\noutput = a b=c\r\n");
  ASSERT_TRUE(settings) << settings.error().message;
  ASSERT_EQ(settings->size(), 3u);
  EXPECT_EQ((*settings)[0].command, "");
  EXPECT_EQ((*settings)[1].command, "stats");
  EXPECT_EQ((*settings)[1].value, "csv");
  EXPECT_EQ((*settings)[2].option, "output");
  EXPECT_EQ((*settings)[2].value, "a b=c");
  EXPECT_EQ((*settings)[2].line, 7);
  EXPECT_TRUE(parse_configuration("[nosuch]").error().message.starts_with("1: "));
  EXPECT_TRUE(parse_configuration("\nformat csv").error().message.starts_with("2: "));
}

/// A home of its own, with a configuration file.
class Settings : public ::testing::Test {
 protected:
  Settings() {
    char folder[] = "/tmp/sextant-test-XXXXXX";
    EXPECT_NE(::mkdtemp(folder), nullptr);
    folder_ = folder;
    ::setenv("XDG_CONFIG_HOME", folder, 1);
    std::filesystem::create_directories(folder_ + "/sextant");
  }
  ~Settings() override {
    for (const char* name : {"XDG_CONFIG_HOME", "SEXTANT_STATS_FORMAT", "SEXTANT_PROFILE_BUFFER_SIZE"})
      ::unsetenv(name);
    std::filesystem::remove_all(folder_);
  }
  void write(const std::string& text) const {
    std::ofstream(folder_ + "/sextant/config") << text;
    ::chmod((folder_ + "/sextant/config").c_str(), 0600);
  }
  /// The settled command line, or the message.
  static Result<Arguments> settle(std::string_view command, Words words) {
    SEXTANT_ASSIGN(Arguments arguments, Arguments::parse(*find_command(command), std::move(words)));
    SEXTANT_TRY(apply_settings(&arguments));
    return arguments;
  }
  static std::string error_of(std::string_view command, Words words) {
    const auto settled = settle(command, std::move(words));
    return settled ? "" : settled.error().message;
  }
  std::string folder_;
};

TEST_F(Settings, EachPlaceHidesTheLaterOnes) {
  write("[stats]\nformat = csv\nreport = a\nreport = b\n");
  EXPECT_EQ(settle("stats", {})->text("format"), "csv");
  EXPECT_EQ(settle("stats", {})->all("report"), (std::vector<std::string_view>{"a", "b"}));
  ::setenv("SEXTANT_STATS_FORMAT", "tsv", 1);
  EXPECT_EQ(settle("stats", {})->all("format"), (std::vector<std::string_view>{"tsv"}));
  EXPECT_EQ(settle("stats", {"-f", "json", "-r", "c"})->all("format"),
            (std::vector<std::string_view>{"json"}));
  EXPECT_EQ(settle("stats", {"-f", "json", "-r", "c"})->all("report"), (std::vector<std::string_view>{"c"}));
}

TEST_F(Settings, ACommandFileComesBehindTheCommandLine) {
  ::setenv("SEXTANT_PROFILE_BUFFER_SIZE", "3M", 1);
  std::ofstream(folder_ + "/options") << "--buffer-size=2M -o file -y 1";
  const std::string file = folder_ + "/options";
  const auto settled = settle("profile", {"--command-file", file, "-o", "mine", "prog"});
  ASSERT_TRUE(settled) << settled.error().message;
  EXPECT_EQ(settled->text("output"), "mine");
  EXPECT_EQ(settled->text("buffer-size"), "2M");
  EXPECT_EQ(settled->text("delay"), "1");
  EXPECT_EQ(settle("profile", {"prog"})->text("buffer-size"), "3M");
  std::ofstream(file) << "prog";
  EXPECT_NE(error_of("profile", {"--command-file", file}).find("'prog' is no option"), std::string::npos);
}

TEST_F(Settings, WhatIsWrongNamesItsPlace) {
  write("[stats]\nformat = csvv\n");
  EXPECT_NE(error_of("stats", {}).find("config:2: 'csvv'"), std::string::npos);
  EXPECT_EQ(error_of("info", {}), "");
  write("fromat = csv\n");
  EXPECT_NE(error_of("stats", {}).find("did you mean --format?"), std::string::npos);
  write("format = csv\n");  // an option of some command
  EXPECT_EQ(error_of("info", {}), "");
  write("[stats]\noutput = @rm\n");
  EXPECT_NE(error_of("stats", {}).find("only be named on the command line"), std::string::npos);
  write("[profile]\ndry-run = true\n");
  EXPECT_NE(error_of("profile", {}).find("only be given on the command line"), std::string::npos);
}

TEST_F(Settings, WhatOthersCanWriteIsIgnored) {
  write("[stats]\nformat = csv\n");
  ::chmod((folder_ + "/sextant/config").c_str(), 0666);
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(settle("stats", {})->text("format"));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("is ignored"), std::string::npos);
}

}  // namespace
}  // namespace sextant::cli
