// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "recording/environment.h"
#include "recording/executable.h"
#include "recording/manifest.h"
#include "recording/output_name.h"
#include "recording/recover.h"

namespace sextant::recording {
namespace {

bool none_taken(const std::string&) {
  return false;
}

TEST(OutputName, ExpandsWhatNsysExpands) {
  ::setenv("SEXTANT_TEST_RANK", "3", 1);
  EXPECT_EQ(*output_name("run-%p", 12, none_taken), "run-12.sxt");
  EXPECT_EQ(*output_name("a%q{SEXTANT_TEST_RANK}%%.sxt", 12, none_taken), "a3%.sxt");
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  EXPECT_EQ(*output_name("%h", 12, none_taken), std::string(host) + ".sxt");
  EXPECT_EQ(*output_name("r%n", 12, [](const std::string& n) { return n != "r4.sxt"; }), "r4.sxt");
}

TEST(OutputName, RefusesWhatItDoesNotKnow) {
  for (const char* pattern : {"%x", "a%", "%q{", "%q{SEXTANT_TEST_UNSET}", "", "folder/"}) {
    auto name = output_name(pattern, 1, none_taken);
    ASSERT_FALSE(name) << pattern;
    EXPECT_EQ(name.error().code, ErrorCode::kUsage);
  }
}

std::string variable(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& entry : environment)
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  return "(unset)";
}

TEST(Environment, PutsTheAgentBeforeOtherPreloads) {
  std::vector<std::string> environment = {"LD_PRELOAD=/x.so", "LD_PRELOAD_NOT=1"};
  std::string other;
  ASSERT_TRUE(add_agent(&environment, "/lib/agent.so", "/run/r.sxt.run", {}, &other));
  EXPECT_EQ(variable(environment, "LD_PRELOAD"), "/lib/agent.so:/x.so");
  EXPECT_EQ(variable(environment, "NVTX_INJECTION64_PATH"), "/lib/agent.so");
  EXPECT_EQ(variable(environment, "SEXTANT_RUN"), "/run/r.sxt.run");
  EXPECT_EQ(other, "");
}

TEST(Environment, LeavesNvtxToAnotherTool) {
  std::vector<std::string> environment = {"NVTX_INJECTION64_PATH=/other.so"};
  std::string other;
  ASSERT_TRUE(add_agent(&environment, "/lib/agent.so", "/run", {}, &other));
  EXPECT_EQ(other, "/other.so");
  EXPECT_EQ(variable(environment, "NVTX_INJECTION64_PATH"), "/other.so");
  EXPECT_FALSE(add_agent(&environment, "/a folder/agent.so", "/run", {}, &other));
}

TEST(Environment, SafePreloadsNothingAndNoAgentComesTwice) {
  std::vector<std::string> environment = {"LD_PRELOAD=/lib/agent.so:/x.so"};
  std::string other;
  ASSERT_TRUE(add_agent(&environment, "/lib/agent.so", "/run", {}, &other));
  EXPECT_EQ(variable(environment, "LD_PRELOAD"), "/lib/agent.so:/x.so");
  environment.clear();
  ASSERT_TRUE(add_agent(&environment, "/lib/agent.so", "/run", {.preload = false}, &other));
  EXPECT_EQ(variable(environment, "LD_PRELOAD"), "(unset)");
  EXPECT_EQ(variable(environment, "NVTX_INJECTION64_PATH"), "/lib/agent.so");
}

TEST(Environment, ExportsOfOpenclComeBehindTheAgent) {
  std::vector<std::string> environment = {"LD_PRELOAD=/x.so"};
  std::string other;
  const AgentVariables what{.opencl_exports = "/lib/exports.so"};
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(add_agent(&environment, "/lib/agent.so", "/run", what, &other));
    EXPECT_EQ(variable(environment, "LD_PRELOAD"), "/lib/agent.so:/lib/exports.so:/x.so");
  }
}

TEST(Environment, ChangesAreToldByName) {
  EXPECT_EQ(environment_changes({"A=1", "B=2", "C=3"}, {"A=1", "B=4", "D=5"}),
            (std::vector<std::string>{"+B=4", "+D=5", "-C"}));
  EXPECT_TRUE(environment_changes({"A=1"}, {"A=1"}).empty());
}

TEST(Executable, TellsWhatCanBeRun) {
  EXPECT_EQ(find_executable("sh")->untraced, spool::Untraced::kNo);
  EXPECT_EQ(find_executable("no-such-program-here").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(find_executable("/").error().code, ErrorCode::kDenied);
  char folder[] = "/tmp/sextant-recording-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  const std::string script = std::string(folder) + "/script";
  std::ofstream(script) << "#!/bin/sh\necho\n";
  EXPECT_EQ(find_executable(script).error().code, ErrorCode::kDenied);
  ::chmod(script.c_str(), 0755);
  EXPECT_EQ(find_executable(script)->untraced, spool::Untraced::kNo);
  const std::string pipe = std::string(folder) + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0700), 0);
  EXPECT_TRUE(find_executable(pipe)) << "and nobody is waited for who writes into it";
  std::filesystem::remove_all(folder);
}

TEST(Manifest, GoesRoundWithOddNames) {
  Manifest manifest;
  manifest.report = "/tmp/a \"b\"\\\n\x01/r.sxt";
  manifest.program = "p 'x'";
  manifest.host = "h";
  auto back = parse_manifest(manifest_text(manifest));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->report, manifest.report);
  EXPECT_EQ(back->program, manifest.program);
  for (const char* bad :
       {"", "{}", "{\"report\": 3}", "{\"report\": \"", "{\"report\": \"\\", "{\"report\": \"\\u0000\"}"})
    EXPECT_FALSE(parse_manifest(bad)) << bad;
}

TEST(Recover, RefusesWhatIsNoRunFolder) {
  EXPECT_EQ(recover("/nonexistent/r.sxt.run").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(recover("/usr"));
}

}  // namespace
}  // namespace sextant::recording
