// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Error texts of nsys, ncu, CUPTI, DCGM, PyTorch and containers, in plain words.
#pragma once

#include <string_view>
#include <vector>

namespace sextant::doctor {

struct ErrorText {
  std::string_view pattern;  // part of the text, without regard to case; parts that must all be there: "a|b"
  std::string_view means;
  std::string_view check;  // the command to run next
};

/// All that match, the most telling first; empty where the text is unknown.
std::vector<const ErrorText*> explain(std::string_view text);

}  // namespace sextant::doctor
