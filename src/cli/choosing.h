// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What -r chooses from: the reports of `stats`, the rules of `analyze`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"

namespace sextant::cli {

struct Shelf {
  std::string_view option;       // of the command line, and what one of them is called: "report"
  std::string_view list_option;  // what lists them: "help-reports"
  std::vector<std::string_view> names;
  /// Takes "name:arguments". False: there is no such name. kUsage: it is there, but not with these arguments.
  std::function<Result<bool>(std::string_view word)> take;
};

/// Takes every word that the command line chooses. False: not all could be taken, and that was said.
bool take_chosen(const Arguments& arguments, const Shelf& shelf);

/// A line or two for --help-reports: "  + name:arguments", "      Title. Meaning."
std::string shelf_entry(std::string_view mark, std::string_view name, std::string_view arguments,
                        std::string_view title, std::string_view meaning);

}  // namespace sextant::cli
