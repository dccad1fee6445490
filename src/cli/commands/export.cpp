// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>

#include <optional>

#include "cli/commands.h"
#include "cli/open_report.h"
#include "exporters/output_file.h"
#include "exporters/registry.h"
#include "text/log.h"
#include "text/progress.h"

namespace sextant::cli {

namespace {

/// Beside the report, and never the file that is read.
std::string default_output(const OpenedReport& report, std::string_view extension) {
  const std::string output = fmt::format("{}{}", report.stem, extension);
  return output == report.path ? fmt::format("{}.sextant{}", report.stem, extension) : output;
}

/// Of one report the file that was named; of several one with the report's name in it, or in a folder.
std::string named_output(const std::string& named, const OpenedReport& report, std::string_view extension) {
  if (report.set_name.empty()) return named;
  struct stat status {};
  if (::stat(named.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    return fmt::format("{}/{}{}", named, report.set_name, extension);
  const std::string_view ending = named.ends_with(extension) ? extension : std::string_view();
  return fmt::format("{}_{}{}", std::string_view(named).substr(0, named.size() - ending.size()),
                     report.set_name, ending);
}

int write(const exporters::Format& format, const Arguments& arguments, const OpenedReport& report,
          const std::string& output) {
  std::optional<text::ProgressBar> bar;
  exporters::ExportOptions options;
  options.replace = arguments.flag("force-overwrite");
  options.by_thread = arguments.flag("by-thread");
  options.progress = [&](uint64_t done, uint64_t total) {
    if (!bar) bar.emplace(output, total);
    bar->update(done);
  };
  if (output == "-" && !format.streams) {
    text::error("-t {} cannot go to standard output; ./- names a file", format.name);
    return kExitFailed;
  }
  Status written = exporters::refuse_the_report_itself(report.path, output);
  if (written) written = format.write(report.source, output, options);
  bar.reset();
  if (!written) {
    text::error("{}", written.error().message);
    return kExitFailed;
  }
  if (output != "-") text::info("wrote {}", output);
  return report.conclude();
}

int export_all(const Arguments& arguments, const exporters::Format& format) {
  const auto named = arguments.text("output");
  return for_each_report(arguments, arguments.words(), false, [&](OpenedReport& report) {
    if (named == "-" && !report.set_name.empty()) {
      text::error("-o - takes one report at a time; without -o each output gets a file beside its report");
      return kExitFailed;
    }
    return write(format, arguments, report,
                 named ? named_output(std::string(*named), report, format.extension)
                       : default_output(report, format.extension));
  });
}

}  // namespace

int run_export(const Arguments& arguments) {
  const auto type = arguments.text("type");
  const exporters::Format* format = type ? exporters::find_format(*type) : nullptr;
  if (format != nullptr) return export_all(arguments, *format);
  text::error("{}", type ? fmt::format("-t {} cannot be written by this release", *type)
                         : std::string("-t is missing: sextant export -t sqlite REPORT"));
  return kExitFailed;
}

int run_flame(const Arguments& arguments) {
  return export_all(arguments, *exporters::find_format("flame"));
}

}  // namespace sextant::cli
