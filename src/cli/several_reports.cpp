// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Command lines that name several reports.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "open/open.h"
#include "recording/recover.h"
#include "text/log.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// A run folder stands for the report that is or was written from it.
std::string behind_run_folder(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (!path.ends_with(".run") || !is_folder(path)) return path;
  if (const auto report = recording::report_of(path)) return *report;
  return path;
}

/// Names for files: each once, whatever the folders and endings are called.
void give_names(std::vector<NamedReport>* reports) {
  std::map<std::string, size_t> stems, names;
  for (NamedReport& report : *reports) {
    report.stem = report_stem(report.path);
    report.set_name = report.stem.substr(report.stem.rfind('/') + 1);
    const auto make_unique = [](std::map<std::string, size_t>* taken, std::string* name) {
      const std::string wanted = *name;
      for (size_t n = 2; !taken->try_emplace(*name, 0).second; ++n) *name = fmt::format("{}_{}", wanted, n);
    };
    make_unique(&stems, &report.stem);
    make_unique(&names, &report.set_name);
  }
  if (reports->size() == 1) (*reports)[0].set_name.clear();
}

}  // namespace

std::optional<std::vector<NamedReport>> name_reports(const Arguments& arguments,
                                                     const std::vector<std::string>& words, int* exit_code) {
  if (words.empty()) {
    text::error("sextant {} wants a report: sextant {} {}", arguments.command().name,
                arguments.command().name, arguments.command().usage);
    *exit_code = kExitFailed;
    return std::nullopt;
  }
  std::vector<NamedReport> reports;
  for (const std::string& word : words) {
    const std::string path = behind_run_folder(word);
    const auto files = open::expand(std::span(&path, 1));
    if (!files) {
      text::error("{}", files.error().message);
      *exit_code = kExitNoInput;
      return std::nullopt;
    }
    for (const std::string& file : *files) reports.push_back({file, "", ""});
  }
  give_names(&reports);
  return reports;
}

int graver(int one, int other) {
  constexpr std::array kByGravity = {kExitOk, kExitIncomplete, kExitNoInput, kExitFailed};
  const auto gravity = [&](int code) { return std::find(kByGravity.begin(), kByGravity.end(), code); };
  return gravity(one) < gravity(other) ? other : one;
}

int for_each_report(const Arguments& arguments, const std::vector<std::string>& words, bool with_heading,
                    const std::function<int(OpenedReport&)>& use) {
  int code = kExitOk;
  const auto reports = name_reports(arguments, words, &code);
  if (!reports) return code;
  for (const NamedReport& named : *reports) {
    int opened = kExitOk;
    auto report = open_report(arguments, named.path, &opened);
    code = graver(code, opened);
    if (!report) continue;
    report->stem = named.stem;
    report->set_name = named.set_name;
    if (with_heading && !named.set_name.empty())
      code = graver(code, print_result(fmt::format("{}=== {} ===\n", &named == &reports->front() ? "" : "\n",
                                                   text::printable(named.path))));
    code = graver(code, use(*report));
  }
  return code;
}

std::optional<std::vector<OpenedReport>> open_reports(const Arguments& arguments,
                                                      const std::vector<NamedReport>& reports,
                                                      int* exit_code) {
  std::vector<OpenedReport> all;
  for (const NamedReport& named : reports) {
    auto report = open_report(arguments, named.path, exit_code);
    if (!report) return std::nullopt;
    report->stem = named.stem;
    report->set_name = named.set_name;
    all.push_back(std::move(*report));
  }
  return all;
}

}  // namespace sextant::cli
