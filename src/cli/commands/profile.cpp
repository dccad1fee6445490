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
#include "cli/dispatch.h"
#include "text/log.h"
#include "text/units.h"

namespace sextant::cli {

namespace {

constexpr uint64_t kLeastBuffer = 1u << 20;  // a first arena for each of a few processes

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

/// Nanoseconds as nsys has them, or with a unit.
Result<uint64_t> parse_threshold(std::string_view text) {
  constexpr std::pair<std::string_view, uint64_t> kUnits[] = {
      {"", 1}, {"ns", 1}, {"us", 1000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  for (const auto& [name, ns] : kUnits)
    if (error == std::errc() && unit == name && number <= UINT64_MAX / ns / 16) return number * ns;
  return fail(ErrorCode::kUsage,
              fmt::format("--osrt-threshold {}: nanoseconds, or a number with a unit, as 20us", text));
}

void take_capture(const Arguments& arguments, recording::CaptureOptions* to) {
  to->nvtx = arguments.text("capture-range") == "nvtx";
  if (const auto text = arguments.text("nvtx-capture")) to->range = *text;
  if (const auto text = arguments.text("capture-range-end")) to->at_end = *text;
  const auto join = [&](std::string_view option, std::string* list, bool* given) {
    for (const std::string_view text : arguments.all(option)) {
      list->append(list->empty() ? "" : ",").append(text);
      *given = true;
    }
  };
  join("nvtx-domain-include", &to->include, &to->include_given);
  join("nvtx-domain-exclude", &to->exclude, &to->exclude_given);
}

Result<recording::ProfileOptions> profile_options(const Arguments& arguments) {
  recording::ProfileOptions options;
  options.program = arguments.words();
  if (options.program.empty())
    return fail(
        ErrorCode::kUsage,
        "no program to run: sextant profile [OPTIONS] PROGRAM [ARGUMENTS] (a program named true or false "
        "behind a boolean option needs `--` before it)");
  for (const std::string_view sources : arguments.all("trace")) {
    options.trace_nvtx = sources.find("nvtx") != std::string_view::npos;
    options.trace_osrt = sources.find("osrt") != std::string_view::npos;
    options.trace_opencl = sources.find("opencl") != std::string_view::npos;
  }
  options.force_profiling = arguments.flag("opencl-force-profiling", true);
  if (const auto text = arguments.text("osrt-threshold")) {
    SEXTANT_ASSIGN(options.osrt.threshold_ns, parse_threshold(*text));
  }
  options.osrt.file_access = arguments.flag("osrt-file-access");
  for (const std::string_view list : arguments.all("osrt-exclude"))
    options.osrt.exclude.append(options.osrt.exclude.empty() ? "" : ",").append(list);
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
  take_capture(arguments, &options.capture);
  options.show_output = arguments.flag("show-output", true);
  if (const auto text = arguments.text("buffer-size")) {
    options.buffer_bytes = *text::parse_bytes(*text);
    if (options.buffer_bytes < kLeastBuffer)
      return fail(ErrorCode::kUsage,
                  fmt::format("--buffer-size {}: too little to record anything; 1M is the least", *text));
  }
  if (const auto text = arguments.text("spool-dir")) options.spool_dir = *text;
  options.quiet = arguments.flag("quiet");
  if (const auto text = arguments.text("status-file")) options.status_file = *text;
  options.block = arguments.flag("block");
  const auto lines = arguments.text("record-cmdline");
  if (lines == "full") options.record_command_line = recording::RecordCommandLine::kFull;
  if (lines == "none") options.record_command_line = recording::RecordCommandLine::kNone;
  options.strict = arguments.flag("strict");
  options.partly_ignored = !arguments.warnings().empty();
  options.fail_if_empty = arguments.flag("fail-if-empty");
  if (const auto text = arguments.text("run-as")) options.run_as = *text;
  options.inherit_environment = arguments.flag("inherit-environment", true);
  options.stop_on_exit = arguments.flag("stop-on-exit", true);
  if (!options.stop_on_exit && options.duration_seconds <= 0)
    return fail(ErrorCode::kUsage, "-x false needs -d SECONDS: nothing else would end the recording");
  options.safe = arguments.flag("safe");
  for (const std::string_view list : arguments.all("record-env"))
    for_each_word(list.empty() ? "*" : list, ',',
                  [&](std::string_view word) { options.record_environment.emplace_back(word); });
  options.recorder_command_line = quoted_command_line(arguments);
  SEXTANT_TRY(recording::filter_request(options.capture));
  return options;
}

}  // namespace

namespace {

/// `words` as the command line of another command.
int run_other(std::string_view name, std::vector<std::string> words) {
  const Command* command = find_command(name);
  const auto arguments = Arguments::parse(*command, std::move(words));
  if (!arguments) {
    text::error("{}", arguments.error().message);
    return kExitFailed;
  }
  return command->run(*arguments);
}

/// --stats and --export, which may fail without changing the program's exit code.
void read_report(const Arguments& arguments, const recording::ProfileOutcome& outcome) {
  for (const std::string_view list : arguments.all("export"))
    for_each_word(list, ',', [&](std::string_view type) {
      if (type == "none") return;
      std::vector<std::string> words = {"-t", std::string(type), outcome.report};
      if (arguments.flag("force-overwrite")) words.emplace_back("--force-overwrite=true");
      if (run_other("export", std::move(words)) != kExitOk)
        text::error("--export {}: the report is there, but not the export", type);
    });
  if (arguments.flag("stats") && run_other("stats", {outcome.report}) != kExitOk)
    text::error("--stats: not everything could be printed; `sextant stats {}`", outcome.report);
}

}  // namespace

int run_profile(const Arguments& arguments) {
  const auto options = profile_options(arguments);
  if (!options) {
    text::error("{}", options.error().message);
    return recording::kExitUsage;
  }
  if (arguments.flag("dry-run")) {
    const auto plan = recording::dry_run(*options);
    if (plan) return print_result(*plan);
    text::error("{}", plan.error().message);
    return plan.error().code == ErrorCode::kUsage ? recording::kExitUsage : recording::kExitRefused;
  }
  recording::ProfileOutcome outcome;
  const int code = recording::profile(*options, &outcome);
  if (outcome.complete)
    read_report(arguments, outcome);
  else if (!outcome.report.empty() && (arguments.flag("stats") || !arguments.all("export").empty()))
    text::error("--stats and --export are left out, since {} is not complete", outcome.report);
  return code;
}

}  // namespace sextant::cli
