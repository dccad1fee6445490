// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/pages.h"

#include <gtest/gtest.h>

namespace sextant::cli {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ManualPage, HasEveryOptionOfThisRelease) {
  for (const Command& command : commands()) {
    const std::string page = manual_page(&command);
    EXPECT_TRUE(has(page, ".SH SYNOPSIS")) << command.name;
    for (const Flag& flag : flags()) {
      if ((flag.commands & command.bit) == 0 || flag.availability != Availability::kNow) continue;
      std::string name(flag.long_name);
      for (size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
      EXPECT_TRUE(has(page, "\\-\\-" + name + "\\fR")) << command.name << " " << name;
    }
    EXPECT_TRUE(has(manual_page(nullptr), "sextant " + std::string(command.name)) ||
                command.name.find('-') != std::string_view::npos);
  }
}

TEST(ManualPage, NoLineOfTextIsARequest) {
  for (const Command& command : commands()) {
    const std::string page = manual_page(&command);
    for (size_t at = 0; at < page.size(); at = page.find('\n', at) + 1) {
      if (page[at] == '.') {
        EXPECT_TRUE(std::isalpha(static_cast<unsigned char>(page[at + 1]))) << page.substr(at, 40);
      }
      EXPECT_NE(page[at], '\'');
      if (page.find('\n', at) == std::string::npos) break;
    }
  }
}

TEST(Completion, OffersCommandsOptionsAndValues) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(shell);
    ASSERT_TRUE(script);
    EXPECT_TRUE(has(*script, "nvtx_sum") || has(*script, "report")) << shell;
    for (const char* part :
         {"profile", "buffer-size", "sqlite", "primary all", "column table csv tsv json md"})
      EXPECT_TRUE(has(*script, part)) << shell << " " << part;
    EXPECT_FALSE(has(*script, "cudabacktrace")) << shell;  // options of later releases are not offered
  }
  EXPECT_FALSE(completion_script("tcsh"));
}

}  // namespace
}  // namespace sextant::cli
