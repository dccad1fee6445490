// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Help texts, made from the flag table.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/flags.h"

namespace sextant::cli {

std::string general_help();

/// `topic`: "" for everything but the options of later releases, or a tag of the command's options. kUsage
/// for an unknown one.
Result<std::string> command_help(const Command& command, std::string_view topic);

std::string version_text();

}  // namespace sextant::cli
