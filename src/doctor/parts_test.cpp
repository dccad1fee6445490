// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts that read foreign text: profiles, the helper's answer, error texts, names to blank.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "doctor/blank.h"
#include "doctor/check.h"
#include "doctor/error_texts.h"
#include "doctor/libraries.h"
#include "doctor/machine.h"
#include "doctor/seccomp_profile.h"

namespace sextant::doctor {
namespace {

constexpr const char* kProfile = R"({"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, "syscalls": [
  {"names": ["read", "write"], "action": "SCMP_ACT_ALLOW", "args": [], "includes": {}, "excludes": {}},
  {"names": ["bpf", "perf_event_open"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_ADMIN"]}},
  {"names": ["perf_event_open"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1, "excludes": {"caps": ["CAP_SYS_ADMIN"]}}]})";

TEST(SeccompProfile, PerfEventOpenIsAllowedOnceAndAllElseIsKept) {
  const auto text = with_perf_event_open(kProfile, "p");
  ASSERT_TRUE(text) << text.error().message;
  const auto json = nlohmann::ordered_json::parse(*text);
  EXPECT_EQ(json["defaultErrnoRet"], 38);
  ASSERT_EQ(json["syscalls"].size(), 3u);  // the one that held nothing else is gone
  EXPECT_EQ(json["syscalls"][0]["names"].size(), 2u);
  EXPECT_EQ(json["syscalls"][1]["names"], nlohmann::ordered_json::array({"bpf"}));
  EXPECT_EQ(json["syscalls"][2]["names"][0], "perf_event_open");
  EXPECT_EQ(json["syscalls"][2]["action"], "SCMP_ACT_ALLOW");
  EXPECT_EQ(json.begin().key(), "defaultAction");  // the order of a profile is kept for those who compare
  // made once more: there is nothing to add
  const auto again = with_perf_event_open(*text, "p");
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("already"), std::string::npos);
}

TEST(SeccompProfile, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "{", "[]", "{}", "7", R"({"defaultAction": 1, "syscalls": []})",
        R"({"defaultAction": "x", "syscalls": {}})", R"({"defaultAction": "x", "syscalls": [1]})",
        R"({"defaultAction": "x", "syscalls": [{"names": ["perf_event_open"], "action": 3}]})"})
    EXPECT_FALSE(with_perf_event_open(text, "p")) << text;
  // damaged at every byte: an error or a profile, never more
  const std::string whole = kProfile;
  for (size_t i = 0; i < whole.size(); ++i) {
    (void)with_perf_event_open(whole.substr(0, i), "p");
    std::string flipped = whole;
    flipped[i] ^= 1;
    (void)with_perf_event_open(flipped, "p");
  }
  EXPECT_FALSE(with_perf_event_open(std::string(100000, '['), "p"));
}

TEST(ProbeAnswer, NamesNumbersAndNonsense) {
  const ProbeAnswer answer = parse_probe_answer(
      "driver 550.54.15\ngpu NVIDIA H100 80GB HBM3\narchitecture 9\nbrand 14\nmig 1\nvirtualization 2\n"
      "process compute 12\nprocess mps 0\nnews 7\ngpu Tesla T4\nproblem GPU 1: NVML error 15\ngpu "
      "\narchitecture 4294967295\n");
  ASSERT_EQ(answer.gpus.size(), 3u);
  EXPECT_EQ(answer.problem, "");
  EXPECT_EQ(answer.gpus[0].generation, Generation::kHopper);
  EXPECT_TRUE(answer.gpus[0].mig);
  EXPECT_EQ(answer.gpus[0].virtualization, Virtualization::kVgpu);
  ASSERT_EQ(answer.gpus[0].processes.size(), 2u);
  EXPECT_EQ(answer.gpus[0].processes[0].pid, 12u);
  EXPECT_EQ(answer.gpus[1].generation, Generation::kTuring);  // by its name
  EXPECT_EQ(answer.gpus[2].generation, Generation::kUnknown);
  EXPECT_EQ(parse_probe_answer("problem no library\n").problem, "no library");
  for (const char* text : {"", "\n\n", "process", "process x", "gpu", "mig", "architecture x\nbrand"})
    (void)parse_probe_answer(text);
}

TEST(ProbeAnswer, GenerationsByProduct) {
  const std::pair<const char*, Generation> kKnown[] = {{"NVIDIA A100-SXM4-80GB", Generation::kAmpere},
                                                       {"NVIDIA H200", Generation::kHopper},
                                                       {"NVIDIA GH200 480GB", Generation::kHopper},
                                                       {"NVIDIA L4", Generation::kAda},
                                                       {"NVIDIA L40S", Generation::kAda},
                                                       {"NVIDIA RTX 6000 Ada Generation", Generation::kAda},
                                                       {"NVIDIA RTX A6000", Generation::kAmpere},
                                                       {"NVIDIA GeForce RTX 4090", Generation::kAda},
                                                       {"NVIDIA GeForce GTX 1080 Ti", Generation::kPascal},
                                                       {"Tesla V100-SXM2-32GB", Generation::kVolta},
                                                       {"Tesla P40", Generation::kPascal},
                                                       {"Tesla T4", Generation::kTuring},
                                                       {"NVIDIA B200", Generation::kBlackwell},
                                                       {"NVIDIA GeForce RTX 5090", Generation::kBlackwell},
                                                       {"NVIDIA A10-24Q", Generation::kAmpere},
                                                       {"something else", Generation::kUnknown}};
  for (const auto& [name, generation] : kKnown) EXPECT_EQ(generation_of_product(name), generation) << name;
}

TEST(ErrorTexts, TextsOfOtherToolsAreKnown) {
  const std::pair<const char*, const char*> kKnown[] = {
      {"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance "
       "Counters on the "
       "target device 0.",
       "administrators only"},
      {"==ERROR== Failed to profile kernel: driver resource was unavailable. Ensure that no other tool (like "
       "DCGM)",
       "could not get the counters"},
      {"CUPTI error CUPTI_ERROR_HARDWARE_BUSY (26)", "performance counters"},
      {"cupti call failed with error 39", "one subscriber"},
      {"Error: Third-party Profiling module returned an unrecoverable error", "DCGM's profiling module"},
      {"NVRM: NV_ERR_STATE_IN_USE at ALLOC_PMA_STREAM", "stream of counters"},
      {"perf_event_open(...): Operation not permitted", "seccomp"},
      {"perf_event_open failed: Permission denied", "paranoid"},
      {"WARNING: CPU IP/backtrace sampling not supported, disabling.", "--cpuctxsw=none"},
      {"ERROR: ld.so: object '/x/agent.so' from LD_PRELOAD cannot be preloaded", "LD_PRELOAD"},
  };
  for (const auto& [text, part] : kKnown) {
    const auto found = explain(text);
    ASSERT_FALSE(found.empty()) << text;
    EXPECT_NE(found[0]->means.find(part), std::string_view::npos) << text << ": " << found[0]->means;
  }
  EXPECT_TRUE(explain("everything is fine").empty());
  EXPECT_TRUE(explain("").empty());
}

TEST(Libraries, TheCurrentFolderIsNoPlaceToLook) {
  EXPECT_EQ(absolute_only("/a:.:lib:/b/c::"), "/a:/b/c");
  EXPECT_EQ(absolute_only(":"), "");
  EXPECT_EQ(absolute_only(""), "");
  EXPECT_EQ(cuda_release("12"), 12);
  EXPECT_EQ(cuda_release("2022.3.0"), 11);
  EXPECT_EQ(cuda_release("2024.1.0"), 12);
  EXPECT_EQ(cuda_release("2025.3.0"), 13);
  EXPECT_EQ(cuda_release(""), 0);
}

TEST(Machine, ReadsNothingButFilesAndLeavesNothingBehind) {
  const Machine machine("");
  EXPECT_FALSE(machine.read("/dev/zero", 10));
  EXPECT_FALSE(machine.read("/proc/self", 10));
  EXPECT_FALSE(machine.read("/no/such/file", 10));
  EXPECT_EQ(machine.read("/proc/self/status", 5), "Name:");
  EXPECT_TRUE(machine.list("/no/such/folder").empty());
  const size_t before = machine.list("/proc/self/fd").size();
  const Surroundings seen = look_around(machine);
  const Diagnosis diagnosis = diagnose(seen);
  EXPECT_EQ(diagnosis.verdicts.size(), size_t{kCapabilities});
  EXPECT_EQ(machine.list("/proc/self/fd").size(), before);
  EXPECT_EQ(machine.read("/proc/thread-self/children", 64).value_or(""), "");
}

/// An environment that knows a host, a user and a home folder.
class Named : public Machine {
 public:
  Named() : Machine("") {}
  std::optional<std::string> read(const std::string& path, size_t most) const override {
    if (path == "/proc/sys/kernel/hostname") return "gpu-node-17\n";
    if (path == "/etc/passwd") return "alice:x:1000:1000::/home/alice:/bin/sh\n";
    if (path == "/proc/self/status") return "Uid:\t1000\t1000\t1000\t1000\n";
    return Machine::read(path, most);
  }
  std::optional<std::string> variable(const std::string& name) const override {
    return name == "HOME" ? std::optional<std::string>("/home/alice") : std::nullopt;
  }
};

TEST(Blanker, NamesAddressesAndIds) {
  const Named machine;
  const Surroundings seen = look_around(machine);
  const Blanker blank(seen, false);
  EXPECT_EQ(blank("on gpu-node-17: /home/alice/run of alice at 10.96.0.1"), "on ***: ~/run of *** at ***");
  EXPECT_EQ(blank("GPU-2b1a33c5-9d57-1b2c-0d3e-5f6a7b8c9d0e 3f2a9c1b7d5e"), "GPU-*** ***");
  EXPECT_EQ(
      blank(
          "Linux 6.1.0-28-amd64, driver 550.54.15, malice, alice2, 2024.3.1.17, 5.15.167.4-WSL2, so.1.2.3.4"),
      "Linux 6.1.0-28-amd64, driver 550.54.15, malice, alice2, 2024.3.1.17, 5.15.167.4-WSL2, so.1.2.3.4");
  EXPECT_EQ(Blanker(seen, true)("gpu-node-17"), "gpu-node-17");
}

}  // namespace
}  // namespace sextant::doctor
