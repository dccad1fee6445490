// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant cut: a span of time of a report as a report of its own.
#include <fmt/format.h>

#include <optional>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "cli/time_filter.h"
#include "exporters/output_file.h"
#include "exporters/part.h"
#include "text/log.h"
#include "text/progress.h"
#include "text/utf8.h"

namespace sextant::cli {

int run_cut(const Arguments& arguments) {
  if (arguments.words().size() != 1) {
    text::error("sextant cut takes one report: sextant cut --from 1s --to 2s NAME.sxt");
    return kExitFailed;
  }
  if (arguments.text("output") == "-") {
    text::error("a report cannot go to standard output; ./- names a file");
    return kExitFailed;
  }
  const auto from = arguments.text("from"), to = arguments.text("to");
  if (!from && !to) {
    text::error("nothing to cut: --from or --to is missing (1s, 500ms, 2000; no unit: nanoseconds)");
    return kExitFailed;
  }
  const auto window = parse_window(fmt::format("{}/{}", from.value_or(""), to.value_or("")));
  if (!window) {
    text::error("--from {} --to {}: {}", from.value_or("(the beginning)"), to.value_or("(the end)"),
                window.error().message);
    return kExitFailed;
  }
  int code = kExitOk;
  auto report = open_report(arguments, arguments.words()[0], &code);
  if (!report) return code;
  const auto named = arguments.text("output");
  const std::string output = named ? std::string(*named) : report_stem(report->path) + "-cut.sxt";
  std::optional<text::ProgressBar> bar;
  exporters::ExportOptions options;
  options.replace = arguments.flag("force-overwrite");
  options.progress = [&](uint64_t done, uint64_t total) {
    if (!bar) bar.emplace(output, total);
    bar->update(done);
  };
  if (const Status other = exporters::refuse_the_report_itself(report->path, output); !other) {
    text::error("{}", other.error().message);
    return kExitFailed;
  }
  const auto written = exporters::write_part(&report->source, *window, output, options);
  bar.reset();
  if (!written) {
    text::error("{}", written.error().message);
    return kExitFailed;
  }
  text::info("wrote {}: {} of {} rows", output, written->rows, written->of_rows);
  return report->conclude();
}

}  // namespace sextant::cli
