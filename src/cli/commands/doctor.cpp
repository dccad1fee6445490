// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant doctor, status, seccomp and explain-error: what this machine lets a profiler do.
#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "doctor/error_texts.h"
#include "doctor/machine.h"
#include "doctor/print.h"
#include "doctor/seccomp_profile.h"
#include "recording/agent_version.h"
#include "recording/environment.h"
#include "recording/osrt.h"
#include "text/log.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

constexpr size_t kMostErrorText = 1 << 20;

std::string list_of_goals() {
  std::string out = "Goals of --for:\n\n";
  for (const doctor::Goal& goal : doctor::goals()) out += fmt::format("  {:<17} {}\n", goal.name, goal.what);
  return out;
}

doctor::Machine this_machine() {
  const auto agent = recording::find_agent();
  if (!agent) return doctor::Machine(agent.error().message, agent.error().message);
  const auto checked = recording::check_agent_version(*agent);
  const auto osrt = recording::find_osrt_agent(*agent);
  return doctor::Machine(checked ? "" : checked.error().message, osrt ? "" : osrt.error().message);
}

/// False: there is no such goal, and that was said.
bool choose_goal(std::string_view word, const doctor::Goal** goal) {
  *goal = doctor::find_goal(word);
  if (*goal != nullptr) return true;
  std::vector<std::string_view> names;
  for (const doctor::Goal& one : doctor::goals()) names.push_back(one.name);
  const std::string_view close = nearest(word, names);
  text::error(
      "there is no goal '{}'{}", text::printable(word),
      close.empty() ? "; `sextant doctor --for=help` lists all" : fmt::format("; did you mean {}?", close));
  return false;
}

int exit_code(const doctor::Diagnosis& diagnosis, const doctor::Goal* goal) {
  if (goal == nullptr) return kExitOk;
  switch (outcome_of(diagnosis, *goal)) {
    case doctor::Outcome::kMet:
      return kExitOk;
    case doctor::Outcome::kNotRecorded:
      return kExitNotRecorded;
    case doctor::Outcome::kNotMet:
      break;
  }
  return kExitNotMet;
}

std::optional<std::string> read_standard_input() {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = ::read(STDIN_FILENO, buffer, sizeof buffer)) != 0 && text.size() < kMostErrorText;) {
    if (n < 0) return std::nullopt;
    text.append(buffer, static_cast<size_t>(n));
  }
  return text;
}

}  // namespace

int run_doctor(const Arguments& arguments) {
  doctor::PrintOptions options{.full = arguments.flag("full")};
  if (const auto word = arguments.text("for")) {
    if (*word == "help") return print_result(list_of_goals());
    if (!choose_goal(*word, &options.goal)) return kExitFailed;
  }
  if (!arguments.words().empty()) {
    text::error("doctor takes no arguments; a goal is named with --for: sextant doctor --for {}",
                text::printable(arguments.words()[0]));
    return kExitFailed;
  }
  if (arguments.flag("json") + arguments.flag("k8s") + arguments.flag("fix") > 1) {
    text::error("--json, --k8s and --fix exclude each other: each prints something else");
    return kExitFailed;
  }
  const doctor::Machine machine = this_machine();
  const doctor::Surroundings seen = doctor::look_around(machine, arguments.flag("probe"));
  const doctor::Diagnosis diagnosis = doctor::diagnose(seen);
  if (arguments.flag("k8s")) return print_result(as_pod_fields(seen, diagnosis, options));
  if (arguments.flag("fix")) return print_result(as_script(seen, diagnosis, options));
  const int printed = print_result(arguments.flag("json") ? as_json(seen, diagnosis, options)
                                                          : as_text(seen, diagnosis, options));
  return printed != kExitOk ? printed : exit_code(diagnosis, options.goal);
}

int run_status(const Arguments& arguments) {
  if (!arguments.flag("environment")) {
    text::error("status without --environment tells of sessions, which this release does not have yet");
    return kExitFailed;
  }
  const doctor::Machine machine = this_machine();
  const doctor::Surroundings seen = doctor::look_around(machine);
  const doctor::Diagnosis diagnosis = doctor::diagnose(seen);
  return print_result(as_nsys_prints_it(seen, diagnosis) + "\n" +
                      as_text(seen, diagnosis, {.full = arguments.flag("full")}));
}

int run_seccomp(const Arguments& arguments) {
  const doctor::Machine machine("");
  std::string path(arguments.text("from").value_or(""));
  if (path.empty()) {
    const auto found = doctor::find_seccomp_profile(machine);
    if (!found) {
      text::error("{}", found.error().message);
      return kExitNoInput;
    }
    path = *found;
  }
  const auto json = machine.read(path, 4 << 20);
  if (!json) {
    text::error("{}: cannot be read", text::printable(path));
    return kExitNoInput;
  }
  const auto profile = doctor::with_perf_event_open(*json, text::printable(path));
  if (!profile) {
    text::error("{}", profile.error().message);
    return profile.error().code == ErrorCode::kCorrupt ? kExitNoInput : kExitFailed;
  }
  text::info("{} plus perf_event_open", text::printable(path));
  return print_result(*profile);
}

int run_explain_error(const Arguments& arguments) {
  std::string text = fmt::format("{}", fmt::join(arguments.words(), " "));
  if (text.empty()) {
    text::error("no text to explain: sextant explain-error 'TEXT', or - for standard input");
    return kExitFailed;
  }
  if (text == "-") {
    const auto input = read_standard_input();
    if (!input) {
      text::error("standard input cannot be read");
      return kExitNoInput;
    }
    text = *input;
  }
  const auto found = doctor::explain(text);
  if (found.empty()) {
    text::error("this text is not known; `sextant doctor` says what is denied on this machine");
    return kExitFailed;
  }
  std::string out;
  for (const doctor::ErrorText* one : found)
    out += fmt::format("{}.\n  To check: {}\n", one->means, one->check);
  return print_result(out);
}

}  // namespace sextant::cli
