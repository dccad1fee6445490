// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests only: a rule run by its word, as on the command line.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "analysis/rule.h"
#include "query/query.h"

namespace sextant::analysis::testing {

inline Outcome run(const query::Source& source, std::string_view word) {
  auto choice = choose_rule(word);
  EXPECT_TRUE(choice && choice->rule != nullptr) << word;
  auto outcome = choice->rule->run(source, choice->arguments);
  EXPECT_TRUE(outcome) << word;
  return std::move(*outcome);
}

}  // namespace sextant::analysis::testing
