// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/ignored_options.h"

#include <gtest/gtest.h>

namespace sextant::cli {
namespace {

using doctor::Capability;

TEST(IgnoredOptions, EachNamesWhatItNeeds) {
  EXPECT_EQ(capability_of("sample", "process-tree"), Capability::kSampling);
  EXPECT_EQ(capability_of("sample", "system-wide"), Capability::kSystemWide);
  EXPECT_EQ(capability_of("cpuctxsw", "process-tree"), Capability::kSwitches);
  EXPECT_EQ(capability_of("gpu-metrics-devices", "all"), Capability::kGpuMetrics);
  EXPECT_EQ(capability_of("trace", "osrt"), Capability::kOsrt);
  EXPECT_EQ(capability_of("trace", "cublas-verbose"), Capability::kCuda);
  EXPECT_EQ(capability_of("trace", "vulkan"), std::nullopt);
  EXPECT_EQ(capability_of("session-new", "x"), std::nullopt);
}

TEST(IgnoredOptions, LinesTellWhatTheMachineSays) {
  const auto lines =
      ignored_lines({"--sample process-tree is ignored: later", "-t cuda,osrt is ignored: later",
                     "--session x is ignored: later", "nothing", ""});
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_TRUE(lines[0].starts_with("--sample process-tree is ignored: later (this machine: sampling "))
      << lines[0];
  EXPECT_TRUE(lines[1].find("(this machine: cuda ") != std::string::npos) << lines[1];
  EXPECT_TRUE(lines[1].find("; osrt ") != std::string::npos) << lines[1];
  EXPECT_EQ(lines[2], "--session x is ignored: later");
  EXPECT_EQ(lines[3], "nothing");
}

// `sextant doctor` must not promise what `sextant profile` ignores, nor the other way round.
TEST(IgnoredOptions, TheDoctorKnowsWhatThisReleaseRecords) {
  for (const Flag& flag : flags()) {
    if (flag.long_name != "trace") continue;
    for_each_word(flag.choices, '|', [](std::string_view source) {
      if (source == "none") return;
      const auto capability =
          source == "nvtx" ? std::optional(Capability::kNvtx) : capability_of("trace", source);
      if (!capability) return;
      EXPECT_TRUE(words_for(*capability).recorded) << source;
    });
    for_each_word(flag.later_choices, '|', [](std::string_view source) {
      const auto capability = capability_of("trace", source);
      if (!capability) return;
      EXPECT_FALSE(words_for(*capability).recorded) << source;
    });
  }
  for (const Flag& flag : flags()) {
    if (flag.long_name != "sample" && flag.long_name != "gpu-metrics-devices") continue;
    const auto capability = capability_of(flag.long_name, "");
    ASSERT_TRUE(capability);
    EXPECT_EQ(words_for(*capability).recorded, flag.availability == Availability::kNow) << flag.long_name;
  }
}

}  // namespace
}  // namespace sextant::cli
