// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "text/log.h"

namespace sextant::cli {

int run_help(const Arguments& arguments) {
  if (arguments.words().empty()) return print_result(general_help());
  const std::string& name = arguments.words()[0];
  const Command* command = find_command(name);
  if (command == nullptr) {
    text::error("there is no command '{}'; `sextant --help` lists what there is", name);
    return kExitFailed;
  }
  return print_result(*command_help(*command, ""));
}

int run_version(const Arguments&) {
  return print_result(version_text());
}

}  // namespace sextant::cli
