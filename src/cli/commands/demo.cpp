// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sextant demo: the reports that come with the program.
#include <fmt/format.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/serving.h"
#include "open/open.h"
#include "text/log.h"
#include "text/table.h"
#include "text/units.h"

namespace sextant::cli {

namespace {

namespace fs = std::filesystem;

/// Beside the program, in a build as in an installation. Empty: not there.
std::string demo_folder() {
  char self[PATH_MAX];
  const ssize_t n = ::readlink("/proc/self/exe", self, sizeof self);
  const fs::path program(std::string(self, n > 0 ? static_cast<size_t>(n) : 0));
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(program.parent_path() / "../share/sextant/demo", error);
  return !error && fs::is_directory(folder, error) ? folder.string() : std::string();
}

std::vector<std::string> reports_in(const std::string& folder) {
  std::vector<std::string> reports;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".sxt") reports.push_back(entry.path().string());
  std::sort(reports.begin(), reports.end());
  return reports;
}

}  // namespace

int run_demo(const Arguments& arguments) {
  if (!arguments.words().empty()) {
    text::error("sextant demo takes no report; `sextant view {}` shows one", arguments.words()[0]);
    return kExitFailed;
  }
  const std::string folder = demo_folder();
  const std::vector<std::string> reports = reports_in(folder);
  if (reports.empty()) {
    text::error(
        "the reports that come with sextant are not there (share/sextant/demo beside bin/): install it "
        "whole");
    return kExitNoInput;
  }
  if (arguments.flag("open")) {
    auto options = serve_options(arguments);
    if (!options) {
      text::error("{}", options.error().message);
      return kExitFailed;
    }
    options->paths = {folder};
    return serve_until_ended(*options);
  }
  std::string out;
  for (const std::string& path : reports) {
    const auto report = open::open(path, {});
    if (!report) {
      text::error("{}", report.error().message);
      return kExitFailed;
    }
    const auto& meta = report->reader().meta();
    const auto program = meta.find("program.command_line");
    out += fmt::format("{}\n    {}, {}, {}\n", path, program == meta.end() ? "" : program->second,
                       text::duration(report->duration_ns()),
                       text::counted(report->processes().size(), "process", "processes"));
  }
  out += "\n`sextant demo --open` shows them in a browser; every other command takes their paths.\n";
  return print_result(out);
}

}  // namespace sextant::cli
