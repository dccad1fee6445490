// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/recover.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "text/log.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

/// The run folder that a word means: itself, or the one that a report left.
std::string folder_of(const std::string& word) {
  if (!word.ends_with(".sxt")) return word;
  const auto leftovers = recording::find_leftovers(word);
  return leftovers.empty() ? word + ".run" : leftovers.front();
}

std::string outcome_text(const recording::RecoverOutcome& outcome) {
  std::string out =
      fmt::format("{}: {} in {}, {} of them out of the run folder", text::printable(outcome.report),
                  text::counted(outcome.ranges, "range or mark", "ranges and marks"),
                  text::counted(outcome.processes, "process", "processes"), outcome.records_recovered);
  if (outcome.open_ranges > 0) out += fmt::format(", {} never closed", outcome.open_ranges);
  return out + fmt::format(", {} lost\n", outcome.records_lost);
}

}  // namespace

int run_recover(const Arguments& arguments) {
  if (arguments.words().size() != 1) {
    text::error("sextant recover takes one run folder: sextant recover NAME.sxt.run");
    return kExitFailed;
  }
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
