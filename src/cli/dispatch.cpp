// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/dispatch.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/ignored_options.h"
#include "cli/settings.h"
#include "text/log.h"
#include "text/output.h"

namespace sextant::cli {

namespace {

int unknown_command(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  const std::string_view close = nearest(word, names);
  if (!close.empty()) {
    text::error("unknown command '{}'; did you mean `sextant {}`?", word, close);
  } else {
    text::error("unknown command '{}'; `sextant --help` lists what there is", word);
  }
  return kExitFailed;
}

void check_log_variable() {
  const char* word = std::getenv("SEXTANT_LOG");
  if (word != nullptr && *word != 0 && !text::parse_log_level(word))
    text::warn("SEXTANT_LOG: '{}' is no level (quiet, error, warning, info, debug) and is ignored", word);
}

int run_command(const Command& command, std::vector<std::string> words) {
  auto arguments = Arguments::parse(command, std::move(words));
  if (!arguments) {
    text::error("{}", arguments.error().message);
    return kExitFailed;
  }
  if (arguments->flag("quiet")) text::set_log_level(std::min(text::log_level(), text::LogLevel::kError));
  check_log_variable();
  const bool asks_for_help = arguments->text("help").has_value();
  if (const Status settled = asks_for_help ? Status() : apply_settings(&*arguments); !settled) {
    text::error("{}", settled.error().message);
    return kExitFailed;
  }
  if (const auto level = arguments->text("log-level")) text::set_log_level(*text::parse_log_level(*level));
  if (const auto topic = arguments->text("help")) {
    const auto help = command_help(command, *topic);
    if (help) return print_result(*help);
    text::error("{}", help.error().message);
    return kExitFailed;
  }
  if (arguments->flag("quiet")) text::set_log_level(std::min(text::log_level(), text::LogLevel::kError));
  if (text::log_level() >= text::LogLevel::kWarning)
    for (const std::string& line : ignored_lines(arguments->warnings())) text::warn("{}", line);
  return command.run(*arguments);
}

}  // namespace

int print_result(std::string_view result) {
  text::Output out(STDOUT_FILENO);
  out.write(result);
  if (const Status status = out.finish(); !status) {
    if (!out.broken_pipe()) text::error("{}", status.error().message);
    return kExitFailed;
  }
  return kExitOk;
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    print_result(general_help());
    return kExitFailed;
  }
  const std::string& first = words[0];
  if (first == "--help" || first == "-h") return print_result(general_help());
  if (first == "--version" || first == "-v" || first == "-V") return print_result(version_text());
  if (const Command* command = find_command(first))
    return run_command(*command, {words.begin() + 1, words.end()});
  return unknown_command(first);
}

}  // namespace sextant::cli
