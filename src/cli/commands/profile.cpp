// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant profile: options into recording::ProfileOptions.
#include "recording/profile.h"

#include <fmt/format.h>
#include <signal.h>

#include <charconv>
#include <optional>

#include "cli/commands.h"
#include "text/log.h"
#include "text/units.h"

namespace sextant::cli {

namespace {

Result<int> parse_signal(std::string_view word) {
  if (word == "none") return recording::kKillNone;
  if (word == "sigterm" || word == "SIGTERM") return SIGTERM;
  if (word == "sigkill" || word == "SIGKILL") return SIGKILL;
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && number > 0 && number <= SIGRTMAX)
    return number;
  return fail(
      ErrorCode::kUsage,
      fmt::format("'{}' is not a value of --kill: none, sigterm, sigkill or a signal's number", word));
}

bool starts_variable(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  for (const char c : word.substr(0, equals))
    if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_') return false;
  return true;
}

/// "A=B,C=D" into variables. A comma that is not followed by NAME= belongs to the value.
Status parse_variables(std::string_view list, std::vector<std::pair<std::string, std::string>>* out) {
  Status status;
  bool first = true;
  for (size_t at = 0; at <= list.size() && status;) {
    const size_t comma = std::min(list.find(',', at), list.size());
    const std::string_view word = list.substr(at, comma - at);
    if (starts_variable(word)) {
      const size_t equals = word.find('=');
      out->emplace_back(word.substr(0, equals), word.substr(equals + 1));
    } else if (first) {
      status = fail(ErrorCode::kUsage,
                    fmt::format("'{}' is not a value of --env-var: NAME=VALUE[,NAME=VALUE]", list));
    } else {
      out->back().second += fmt::format(",{}", word);
    }
    first = false;
    at = comma + 1;
  }
  return status;
}

std::string quoted_command_line(const Arguments& arguments) {
  std::string line = "sextant profile";
  for (const std::string& word : arguments.given()) {
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n'\"\\$`&|;<>()*?[]{}!#~") == std::string::npos;
    line += ' ';
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) c == '\'' ? line += "'\\''" : line += c;
    line += '\'';
  }
  return line;
}

double seconds(const Arguments& arguments, std::string_view name) {
  const auto word = arguments.text(name);
  return word ? static_cast<double>(*text::parse_duration(*word)) / 1e9 : 0;
}

Result<recording::ProfileOptions> profile_options(const Arguments& arguments) {
  recording::ProfileOptions options;
  options.program = arguments.words();
  if (options.program.empty())
    return fail(
        ErrorCode::kUsage,
        "no program to run: sextant profile [OPTIONS] PROGRAM [ARGUMENTS] (a program named true or false "
        "behind a boolean option needs `--` before it)");
  for (const std::string_view sources : arguments.all("trace"))
    options.trace_nvtx = sources.find("nvtx") != std::string_view::npos;
  if (const auto text = arguments.text("output")) options.output = *text;
  options.force_overwrite = arguments.flag("force-overwrite");
  options.duration_seconds = seconds(arguments, "duration");
  options.delay_seconds = seconds(arguments, "delay");
  if (const auto text = arguments.text("kill")) {
    SEXTANT_ASSIGN(options.kill_signal, parse_signal(*text));
  }
  if (arguments.text("wait") == "primary") options.wait = recording::WaitFor::kPrimary;
  for (const std::string_view list : arguments.all("env-var"))
    SEXTANT_TRY(parse_variables(list, &options.environment));
  options.show_output = arguments.flag("show-output", true);
  if (const auto text = arguments.text("buffer-size")) options.buffer_bytes = *text::parse_bytes(*text);
  if (const auto text = arguments.text("spool-dir")) options.spool_dir = *text;
  options.quiet = arguments.flag("quiet");
  if (const auto text = arguments.text("status-file")) options.status_file = *text;
  options.block = arguments.flag("block");
  const auto lines = arguments.text("record-cmdline");
  if (lines == "full") options.record_command_line = recording::RecordCommandLine::kFull;
  if (lines == "none") options.record_command_line = recording::RecordCommandLine::kNone;
  options.strict = arguments.flag("strict");
  options.fail_if_empty = arguments.flag("fail-if-empty");
  options.recorder_command_line = quoted_command_line(arguments);
  return options;
}

}  // namespace

int run_profile(const Arguments& arguments) {
  const auto options = profile_options(arguments);
  if (!options) {
    text::error("{}", options.error().message);
    return recording::kExitUsage;
  }
  return recording::profile(*options);
}

}  // namespace sextant::cli
