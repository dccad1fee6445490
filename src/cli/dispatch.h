// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// dispatch: from the words of the command line to a command's exit code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant::cli {

/// `words`: argv without the program's name.
int dispatch(const std::vector<std::string>& words);

/// Prints a result to standard output. 0, or non-zero where it could not be written: quietly when the reader
/// is gone, else with a line.
int print_result(std::string_view text);

}  // namespace sextant::cli
