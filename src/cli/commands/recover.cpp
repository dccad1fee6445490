// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/recover.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <optional>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "open/report_state.h"
#include "report/reader.h"
#include "text/log.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

/// The run folder that a word means: itself, or the one that a report left.
std::string folder_of(const std::string& word) {
  if (!word.ends_with(".sxt")) return word;
  const auto leftovers = open::find_leftovers(word);
  return leftovers.empty() ? word + ".run" : leftovers.front();
}

/// Where a report is named that needs no recovery, that is said. The exit code then.
std::optional<int> needs_none(const std::string& word) {
  if (!word.ends_with(".sxt") || !open::find_leftovers(word).empty()) return std::nullopt;
  const auto reader = report::Reader::open(word);
  struct stat info {};
  if (!reader || ::stat((word + ".run").c_str(), &info) == 0) return std::nullopt;
  const std::string name = text::printable(word);
  if (reader->complete())
    return print_result(fmt::format("{}: is complete already, nothing is to be recovered\n", name));
  text::error("{}: its end is missing, and its run folder, which would have the rest, is not there either",
              name);
  return kExitNoInput;
}

std::string outcome_text(const recording::RecoverOutcome& outcome) {
  std::string out =
      fmt::format("{}: {} in {}, {} of them out of the run folder", text::printable(outcome.report),
                  text::counted(outcome.ranges, "range or mark", "ranges and marks"),
                  text::counted(outcome.processes, "process", "processes"), outcome.records_recovered);
  if (outcome.runtime_calls > 0)
    out += ", " + text::counted(outcome.runtime_calls, "runtime call", "runtime calls");
  if (outcome.open_ranges > 0) out += fmt::format(", {} never closed", outcome.open_ranges);
  return out + fmt::format(", {} lost\n", outcome.records_lost);
}

}  // namespace

int run_recover(const Arguments& arguments) {
  if (arguments.words().size() != 1) {
    text::error("sextant recover takes one run folder: sextant recover NAME.sxt.run");
    return kExitFailed;
  }
  if (const auto code = needs_none(arguments.words()[0])) return *code;
  recording::RecoverOptions options;
  options.quiet = true;  // this function tells
  options.keep_folder = arguments.flag("keep");
  const auto outcome = recording::recover(folder_of(arguments.words()[0]), options);
  if (!outcome) {
    text::error("{}", outcome.error().message);
    return outcome.error().code == ErrorCode::kNotFound ? kExitNoInput : kExitFailed;
  }
  for (const std::string& note : outcome->notes) text::warn("{}", note);
  return print_result(outcome_text(*outcome));
}

}  // namespace sextant::cli
