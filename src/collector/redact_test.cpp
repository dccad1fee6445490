// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/redact.h"

#include <gtest/gtest.h>

namespace sextant::collector {
namespace {

std::string redacted(const std::vector<std::string>& arguments) {
  return join_arguments(redact_arguments(arguments));
}

TEST(Redact, BlanksValuesOfSecretOptions) {
  EXPECT_EQ(redacted({"p", "--password", "hunter2", "x"}), "p --password *** x");
  EXPECT_EQ(redacted({"p", "--api-key=abc"}), "p --api-key=***");
  EXPECT_EQ(redacted({"p", "--auth-token", "abc", "--next"}), "p --auth-token *** --next");
  EXPECT_EQ(redacted({"p", "AWS_SECRET_ACCESS_KEY=abc", "HOME=/root"}),
            "p AWS_SECRET_ACCESS_KEY=*** HOME=/root");
  EXPECT_EQ(redacted({"p", "-pwd", "abc"}), "p -pwd ***");
}

TEST(Redact, BlanksUsersInAddresses) {
  EXPECT_EQ(redacted({"curl", "https://me:secret@host/path?x=1"}), "curl https://***@host/path?x=1");
  EXPECT_EQ(redacted({"git", "clone", "ssh://git@host/repo"}), "git clone ssh://git@host/repo");
  EXPECT_EQ(redacted({"p", "a=https://u:p@h,https://v:q@i"}), "p a=https://***@h,https://***@i");
}

TEST(Redact, LeavesOthersAlone) {
  EXPECT_EQ(redacted({"p", "--tokens-per-batch"}), "p --tokens-per-batch");
  EXPECT_EQ(redacted({"p", "-p", "8080", "--passes", "3"}), "p -p 8080 --passes 3");
  EXPECT_EQ(redacted({"p", "--no-password", "--verbose"}), "p --no-password --verbose");
}

TEST(Redact, JoinsSoThatAShellWouldSplitAlike) {
  EXPECT_EQ(join_arguments({"a b", "", "it's", "$x"}), "'a b' '' 'it'\\''s' '$x'");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"a b", "", "it's", "$x"}, std::vector<std::string>{"plain"},
        std::vector<std::string>{}})
    EXPECT_EQ(split_words(join_arguments(words)), words);
  EXPECT_EQ(split_arguments(std::string_view("a\0b c\0\0", 7)), (std::vector<std::string>{"a", "b c", ""}));
}

}  // namespace
}  // namespace sextant::collector
