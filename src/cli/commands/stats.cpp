// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "stats/registry.h"
#include "text/log.h"
#include "text/output.h"

namespace sextant::cli {

namespace {

std::string list_of_reports() {
  std::string out = "The following reports are there; + marks those printed when none is named.\n\n";
  for (const stats::Report& report : stats::reports())
    out += fmt::format("  {} {:<20} {}\n      {}\n", report.by_default ? "+" : " ", report.name, report.title, report.meaning);
  return out;
}

/// Reports named with -r, or the default ones. False: one is unknown, and that was said.
bool choose_reports(const Arguments& arguments, std::vector<const stats::Report*>* chosen) {
  bool all_known = true;
  for (const std::string_view list : arguments.all("report")) {
    for_each_word(list, ',', [&](std::string_view name) {
      if (const stats::Report* report = stats::find_report(name)) return chosen->push_back(report);
      std::vector<std::string_view> names;
      for (const stats::Report& report : stats::reports()) names.push_back(report.name);
      const std::string_view close = nearest(name, names);
      text::error("there is no report '{}'{}", name,
                  close.empty() ? "; `sextant stats --help-reports` lists all" : fmt::format("; did you mean {}?", close));
      all_known = false;
    });
  }
  if (all_known && chosen->empty())
    for (const stats::Report& report : stats::reports())
      if (report.by_default) chosen->push_back(&report);
  return all_known;
}

text::TableFormat format_of(const Arguments& arguments) {
  const auto word = arguments.text("format");
  if (word == "csv") return text::TableFormat::kCsv;
  if (word == "json") return text::TableFormat::kJson;
  return text::TableFormat::kColumn;
}

/// False where the table could not be made; that was said.
bool print_report(const stats::Report& report, const query::Source& source, text::TableFormat format, text::Output* out) {
  auto table = report.make(source);
  if (!table) {
    text::error("{}: {}: {}", source.reader().path(), report.name, table.error().message);
    return false;
  }
  table->name = report.name;
  table->title = report.title;
  text::print_table(out, *table, format);
  if (table->rows == 0 && format != text::TableFormat::kColumn) text::info("{}: {}", report.name, table->why_empty);
  return true;
}

}  // namespace

int run_stats(const Arguments& arguments) {
  if (arguments.flag("help-reports")) return print_result(list_of_reports());
  std::vector<const stats::Report*> chosen;
  if (!choose_reports(arguments, &chosen)) return kExitFailed;
  int code = kExitOk;
  const auto report = open_report(arguments, &code);
  if (!report) return code;
  text::Output out(STDOUT_FILENO);
  bool all_made = true;
  for (const stats::Report* wanted : chosen) {
    all_made = print_report(*wanted, report->source, format_of(arguments), &out) && all_made;
    if (out.failed()) break;
  }
  if (const Status written = out.finish(); !written) {
    if (!out.broken_pipe()) text::error("{}", written.error().message);
    return kExitFailed;
  }
  const int lacks = report->conclude();
  return all_made ? lacks : kExitFailed;
}

}  // namespace sextant::cli
