// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "cli/commands.h"
#include "cli/open_report.h"
#include "exporters/registry.h"
#include "text/log.h"
#include "text/progress.h"

namespace sextant::cli {

namespace {

/// Beside the report, and never the file that is read.
std::string default_output(const std::string& report, std::string_view extension) {
  const std::string stem = report_stem(report);
  const std::string output = fmt::format("{}{}", stem, extension);
  return output == report ? fmt::format("{}.sextant{}", stem, extension) : output;
}

}  // namespace

int run_export(const Arguments& arguments) {
  const auto type = arguments.text("type");
  const exporters::Format* format = type ? exporters::find_format(*type) : nullptr;
  if (format == nullptr) {
    text::error("{}", type ? fmt::format("-t {} cannot be written by this release", *type)
                           : std::string("-t is missing: sextant export -t sqlite REPORT"));
    return kExitFailed;
  }
  int code = kExitOk;
  const auto report = open_report(arguments, &code);
  if (!report) return code;
  const auto named = arguments.text("output");
  const std::string output = named ? std::string(*named) : default_output(report->path, format->extension);
  std::optional<text::ProgressBar> bar;
  exporters::ExportOptions options;
  options.replace = arguments.flag("force-overwrite");
  options.progress = [&](uint64_t done, uint64_t total) {
    if (!bar) bar.emplace(output, total);
    bar->update(done);
  };
  const Status written = format->write(report->source, output, options);
  bar.reset();
  if (!written) {
    text::error("{}", written.error().message);
    return kExitFailed;
  }
  if (output != "-") text::info("wrote {}", output);
  return report->conclude();
}

}  // namespace sextant::cli
