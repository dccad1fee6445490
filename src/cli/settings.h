// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command line leaves open. The order, each before what follows it (docs/cli.md):
//   the command line
//   the files of --command-file
//   variables SEXTANT_COMMAND_OPTION, such as SEXTANT_PROFILE_BUFFER_SIZE
//   the configuration file, $XDG_CONFIG_HOME/sextant/config or ~/.config/sextant/config
// An option that one of them gives hides what later ones give for it. The current directory is never looked
// at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"

namespace sextant::cli {

/// Adds to the command line what the other places say. kUsage: something there is wrong; names the place.
Status apply_settings(Arguments* arguments);

/// Where the configuration file would be; "" without a home.
std::string configuration_path();

/// Words of a command file: as a shell splits them ('...', "...", backslashes, # comments), without
/// expansions. kUsage: a quote that is not closed.
Result<std::vector<std::string>> split_command_file(std::string_view text);

/// A line of a configuration file that sets something.
struct Setting {
  std::string command;  // the [section] it stands in, "" before the first: for every command that has it
  std::string option, value;
  int line;
};
/// kUsage: a line that is no setting; the message begins with its number.
Result<std::vector<Setting>> parse_configuration(std::string_view text);

}  // namespace sextant::cli
