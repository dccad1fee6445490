// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "cli/arguments.h"
#include "cli/dispatch.h"
#include "cli/help.h"

namespace sextant::cli {
namespace {

using Words = std::vector<std::string>;

Result<Arguments> parse(std::string_view command, Words words) {
  return Arguments::parse(*find_command(command), std::move(words));
}

std::string error_of(std::string_view command, Words words) {
  const auto arguments = parse(command, std::move(words));
  return arguments ? "" : arguments.error().message;
}

TEST(Arguments, EverySpellingOfAValue) {
  for (const Words& words : {Words{"-o", "x", "prog"}, Words{"--output=x", "prog"},
                             Words{"--output", "x", "prog"}, Words{"-o=x", "prog"}}) {
    const auto a = parse("profile", words);
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(a->text("output"), "x");
    EXPECT_EQ(a->words(), (Words{"prog"}));
  }
}

TEST(Arguments, BooleansTakeTrueAndFalseOnly) {
  EXPECT_TRUE(parse("profile", {"-f", "prog"})->flag("force-overwrite"));
  EXPECT_EQ(parse("profile", {"-f", "prog"})->words(), (Words{"prog"}));
  EXPECT_TRUE(parse("profile", {"-f", "true", "prog"})->flag("force-overwrite"));
  EXPECT_FALSE(parse("profile", {"-f", "false", "prog"})->flag("force-overwrite"));
  EXPECT_FALSE(parse("profile", {"--force-overwrite=false", "prog"})->flag("force-overwrite"));
  EXPECT_EQ(parse("profile", {"-f", "--", "true"})->words(), (Words{"true"}));
  EXPECT_EQ(parse("profile", {"-q", "true"})->words(), (Words{"true"}));  // a switch takes no word
  EXPECT_NE(error_of("profile", {"--force-overwrite=yes", "prog"}).find("true, false"), std::string::npos);
  EXPECT_TRUE(parse("profile", {"prog"})->flag("show-output", true));
}

TEST(Arguments, EverythingBehindTheProgramBelongsToIt) {
  const auto a = parse("profile", {"-t", "nvtx", "prog", "-o", "x", "--", "--help"});
  ASSERT_TRUE(a);
  EXPECT_EQ(a->words(), (Words{"prog", "-o", "x", "--", "--help"}));
  EXPECT_FALSE(a->text("output"));
  EXPECT_EQ(parse("profile", {"--", "-o"})->words(), (Words{"-o"}));
  EXPECT_EQ(parse("stats", {"r.sxt", "-q"})->words(), (Words{"r.sxt"}));  // runs no program: options anywhere
  EXPECT_TRUE(parse("stats", {"r.sxt", "-q"})->flag("quiet"));
  EXPECT_EQ(parse("stats", {"-"})->words(), (Words{"-"}));
}

TEST(Arguments, TheLastValueCountsAndListsAddUp) {
  const auto a = parse("stats", {"-r", "a,b", "-f", "csv", "-r", "c", "-f", "json"});
  ASSERT_TRUE(a);
  EXPECT_EQ(a->text("format"), "json");
  EXPECT_EQ(a->all("report"), (std::vector<std::string_view>{"a,b", "c"}));
}

TEST(Arguments, UnknownOptionsNameTheNearest) {
  EXPECT_NE(error_of("profile", {"--ouput=r", "p"}).find("did you mean --output?"), std::string::npos);
  EXPECT_NE(error_of("stats", {"--fromat", "csv"}).find("did you mean --format?"), std::string::npos);
  EXPECT_NE(error_of("profile", {"--force", "p"}).find("did you mean --force-overwrite?"), std::string::npos);
  EXPECT_EQ(error_of("profile", {"--xyzzyqwerty", "p"}).find("did you mean"), std::string::npos);
  EXPECT_NE(error_of("profile", {"-Z", "p"}).find("'-Z'"), std::string::npos);
  EXPECT_NE(error_of("profile", {"-fo", "p"}).find("'-fo'"), std::string::npos);
  EXPECT_NE(error_of("profile", {"--Output=r", "p"}), "");  // case matters
}

TEST(Arguments, WrongValuesNameTheRightOnes) {
  EXPECT_NE(error_of("profile", {"-d", "soon"}).find("soon"), std::string::npos);
  EXPECT_NE(error_of("profile", {"-t", "everything"}).find("opencl, none"), std::string::npos);
  EXPECT_NE(error_of("profile", {"-t", "nvtx,nvt"}).find("did you mean nvtx?"), std::string::npos);
  EXPECT_NE(error_of("profile", {"--wait=some"}).find("primary, all"), std::string::npos);
  EXPECT_NE(error_of("profile", {"--buffer-size=-3"}).find("-3"), std::string::npos);
  EXPECT_NE(error_of("profile", {"-o"}).find("needs a value"), std::string::npos);
}

TEST(Arguments, LaterOptionsWarnOnceUnlessTheyAskForNothing) {
  EXPECT_EQ(parse("profile", {"--sample=none", "--cpuctxsw", "none", "-c", "none", "--stats=false", "p"})
                ->warnings()
                .size(),
            0u);
  EXPECT_EQ(parse("profile", {"--sample=process-tree", "p"})->warnings().size(), 1u);
  EXPECT_EQ(parse("profile", {"--gpu-metrics-devices", "all", "-b", "dwarf", "p"})->warnings().size(), 2u);
  EXPECT_EQ(parse("profile", {"--stats", "p"})->words(), (Words{"p"}));
  EXPECT_EQ(parse("profile", {"-x", "true", "--trace-fork-before-exec=true", "p"})->warnings().size(), 0u);
  const auto sources = parse("profile", {"-t", "cuda,nvtx,mpi", "p"});
  ASSERT_EQ(sources->warnings().size(), 1u);
  EXPECT_NE(sources->warnings()[0].find("cuda,mpi"), std::string::npos);
}

TEST(Arguments, HelpTakesATopicOfTheCommandAndNothingElse) {
  EXPECT_EQ(parse("profile", {"--help", "time"})->text("help"), "time");
  EXPECT_EQ(parse("profile", {"-h", "time", "x"})->words(), (Words{"x"}));
  EXPECT_EQ(parse("stats", {"--help", "time"})->text("help"), "");
  EXPECT_EQ(parse("profile", {"--help", "prog"})->text("help"), "");
  EXPECT_EQ(parse("profile", {"--help=time"})->text("help"), "time");
}

TEST(Nearest, SwapsAndPrefixes) {
  EXPECT_EQ(nearest("profil", {"profile", "stats"}), "profile");
  EXPECT_EQ(nearest("sttas", {"profile", "stats"}), "stats");
  EXPECT_EQ(nearest("nvtx_s", {"nvtx_pushpop_sum", "nvtx_sum"}), "nvtx_sum");
  EXPECT_EQ(nearest("zzz", {"profile", "stats"}), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), {"profile"}), "");
}

TEST(FlagTable, NamesAreUniqueInEachCommand) {
  for (const Command& command : commands()) {
    std::set<std::string_view> long_names;
    std::set<char> short_names;
    for (const Flag& flag : flags()) {
      if ((flag.commands & command.bit) == 0) continue;
      EXPECT_TRUE(long_names.insert(flag.long_name).second) << command.name << " --" << flag.long_name;
      if (flag.short_name != 0) {
        EXPECT_TRUE(short_names.insert(flag.short_name).second) << command.name << " -" << flag.short_name;
      }
    }
  }
}

TEST(FlagTable, EveryFlagIsDescribed) {
  for (const Flag& flag : flags()) {
    EXPECT_FALSE(flag.help.empty()) << flag.long_name;
    EXPECT_FALSE(flag.tag.empty()) << flag.long_name;
    EXPECT_NE(flag.commands, 0u) << flag.long_name;
    EXPECT_EQ(flag.kind == ValueKind::kSwitch, flag.argument.empty()) << flag.long_name;
    if (flag.kind == ValueKind::kChoice) {
      EXPECT_FALSE(flag.choices.empty()) << flag.long_name;
    }
  }
}

TEST(Help, EveryCommandHasOne) {
  for (const Command& command : commands()) {
    const auto help = command_help(command, "");
    ASSERT_TRUE(help);
    EXPECT_NE(help->find("usage: sextant " + std::string(command.name)), std::string::npos);
    EXPECT_NE(general_help().find(command.name), std::string::npos);
    for (size_t at = 0; at < help->size();) {
      const size_t end = help->find('\n', at);
      EXPECT_LE(end - at, 140u) << help->substr(at, end - at);
      at = end + 1;
    }
  }
}

TEST(Help, TopicsSelectOptions) {
  const Command& profile = *find_command("profile");
  EXPECT_NE(command_help(profile, "")->find("--buffer-size"), std::string::npos);
  EXPECT_EQ(command_help(profile, "")->find("--cudabacktrace"), std::string::npos);
  EXPECT_NE(command_help(profile, "later")->find("--cudabacktrace"), std::string::npos);
  EXPECT_EQ(command_help(profile, "time")->find("--buffer-size"), std::string::npos);
  EXPECT_FALSE(command_help(profile, "cooking"));
}

TEST(Dispatch, ExitCodes) {
  const auto code = [](const Words& words) {
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int result = dispatch(words);
    const std::string out = ::testing::internal::GetCapturedStdout(),
                      err = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(result == 0 || !err.empty() || words.empty());
    return result;
  };
  EXPECT_EQ(code({}), 1);
  EXPECT_EQ(code({"--help"}), 0);
  EXPECT_EQ(code({"--version"}), 0);
  EXPECT_EQ(code({"help", "stats"}), 0);
  EXPECT_EQ(code({"stats", "--help"}), 0);
  EXPECT_EQ(code({"stats", "--help-reports"}), 0);
  EXPECT_EQ(code({"profil"}), 1);
  EXPECT_EQ(code({"stats"}), 1);
  EXPECT_EQ(code({"stats", "-r", "nosuch", "r.sxt"}), 1);
  EXPECT_EQ(code({"stats", "/nonexistent/r.sxt"}), 2);
  EXPECT_EQ(code({"export", "/nonexistent/r.sxt"}), 1);
  EXPECT_EQ(code({"export", "-t", "hdf", "/nonexistent/r.sxt"}), 1);
  EXPECT_EQ(code({"profile"}), 1);
}

}  // namespace
}  // namespace sextant::cli
