// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant top: looks at a recording that is still going, again and again.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <thread>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/live.h"
#include "cli/open_report.h"
#include "recording/recover.h"
#include "text/log.h"
#include "text/units.h"

namespace sextant::cli {

namespace {

struct TopOptions {
  bool once, json, redraw;
  std::chrono::nanoseconds interval;
  int64_t span_ns;
  size_t rows = 0;
};

std::optional<TopOptions> options_of(const Arguments& arguments) {
  const auto interval = time_between_looks(arguments);
  if (!interval) {
    text::error("{}", interval.error().message);
    return std::nullopt;
  }
  TopOptions options{arguments.flag("once"), arguments.flag("json"), false, *interval,
                     *text::parse_duration(arguments.text("span").value_or("10"))};
  options.redraw = !options.once && !options.json && ::isatty(STDOUT_FILENO) == 1;
  const std::string_view rows = arguments.text("rows").value_or("15");
  const auto [end, error] = std::from_chars(rows.data(), rows.data() + rows.size(), options.rows);
  if (error == std::errc() && end == rows.data() + rows.size() && options.rows > 0) return options;
  text::error("'{}' is not a value of --rows: a number from 1 on", rows);
  return std::nullopt;
}

winsize terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  if (size.ws_col == 0) size.ws_col = 160;
  return size;
}

/// The lines that a terminal of that height shows below each other; more would scroll the busiest away.
std::string_view first_lines(std::string_view text, size_t most) {
  size_t end = 0;
  for (size_t line = 0; line < most && end < text.size(); ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

/// The last one stays on the terminal, whole.
std::string picture_of(const OpenedReport& report, const Look& look, const TopOptions& options, bool last) {
  if (options.json) return look_json(report, look);
  const winsize size = terminal_size();
  std::string text = look_text(report, look, size.ws_col);
  if (!options.redraw) return text;
  return fmt::format("\x1b[H\x1b[J{}",
                     first_lines(text, size.ws_row > 1 && !last ? size.ws_row - 1u : text.size()));
}

}  // namespace

int run_top(const Arguments& arguments) {
  if (arguments.words().size() != 1) {
    text::error("sextant top takes one report or run folder: sextant top NAME.sxt");
    return kExitFailed;
  }
  const auto options = options_of(arguments);
  if (!options) return kExitFailed;
  const std::string& word = arguments.words()[0];
  const std::string path = recording::report_of(word).value_or(word);  // a run folder stands for its report
  for (;;) {
    int code = kExitOk;
    auto report = open_report(arguments, path, &code);
    if (!report) return code;
    ask_for_news(*report);
    const auto look = take_look(&report->source, options->span_ns, options->rows);
    if (!look) {
      text::error("{}: {}", path, look.error().message);
      return kExitFailed;
    }
    const bool last = options->once || report->state != ReportState::kGrowing;
    std::string picture = picture_of(*report, *look, *options, last);
    if (!last && !options->redraw && !options->json) picture += "\n";
    if (const int printed = print_result(picture); printed != kExitOk) return printed;
    if (last) return report->conclude();
    std::this_thread::sleep_for(options->interval);
  }
}

}  // namespace sextant::cli
