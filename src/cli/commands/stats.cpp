// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "cli/time_filter.h"
#include "stats/registry.h"
#include "text/log.h"
#include "text/output.h"

namespace sextant::cli {

namespace {

struct Chosen {
  std::string name;  // with its arguments
  stats::ReportChoice choice;
  bool by_name;      // else it belongs to the default set
};

std::string list_of_reports() {
  std::string out = "The following reports are there; + marks those printed when none is named.\n\n";
  for (const stats::Report& report : stats::reports())
    out += fmt::format("  {} {}{}\n      {}. {}.\n", report.by_default ? "+" : " ", report.name, report.arguments, report.title, report.meaning);
  return out;
}

/// False: it is unknown or its arguments are wrong, and that was said.
bool choose(std::string_view word, std::vector<Chosen>* chosen) {
  auto choice = stats::choose_report(word);
  if (!choice) {
    text::error("{}", choice.error().message);
    return false;
  }
  if (choice->report != nullptr) {
    chosen->push_back({std::string(word), *choice, true});
    return true;
  }
  const std::string_view name = word.substr(0, word.find(':'));
  std::vector<std::string_view> names;
  for (const stats::Report& report : stats::reports()) names.push_back(report.name);
  const std::string_view close = nearest(name, names);
  text::error("there is no report '{}'{}", name,
              close.empty() ? "; `sextant stats --help-reports` lists all" : fmt::format("; did you mean {}?", close));
  return false;
}

/// Reports named with -r, or the default ones. False: one cannot be printed, and that was said.
bool choose_reports(const Arguments& arguments, std::vector<Chosen>* chosen) {
  bool all_known = true;
  for (const std::string_view list : arguments.all("report"))
    for_each_word(list, ',', [&](std::string_view word) { all_known = choose(word, chosen) && all_known; });
  if (all_known && chosen->empty())
    for (const stats::Report& report : stats::reports())
      if (report.by_default) chosen->push_back({std::string(report.name), {&report, {}}, false});
  return all_known;
}

text::TableFormat format_of(const Arguments& arguments) {
  const auto word = arguments.text("format");
  if (word == "csv") return text::TableFormat::kCsv;
  if (word == "json") return text::TableFormat::kJson;
  return text::TableFormat::kColumn;
}

text::TimeUnit time_unit_of(const Arguments& arguments) {
  const std::string_view word = arguments.text("timeunit").value_or("nsec");
  if (word.starts_with("u")) return text::TimeUnit::kMicroseconds;
  if (word.starts_with("m")) return text::TimeUnit::kMilliseconds;
  return word.starts_with("s") ? text::TimeUnit::kSeconds : text::TimeUnit::kNanoseconds;
}

/// False where the table could not be made; that was said.
bool print_report(const Chosen& chosen, const query::Source& source, text::TableFormat format, text::TimeUnit unit, text::Output* out) {
  const stats::Report& report = *chosen.choice.report;
  auto table = report.make(source, chosen.choice.arguments);
  if (!table) {
    text::error("{}: {}: {}", source.reader().path(), report.name, table.error().message);
    return false;
  }
  table->name = chosen.name;
  table->title = report.title;
  const bool for_people = format == text::TableFormat::kColumn;
  if (table->rows == 0 && !(for_people && chosen.by_name)) text::info("{}: {}", report.name, table->why_empty);
  if (table->rows == 0 && !chosen.by_name) return true;
  text::print_table(out, text::in_time_unit(std::move(*table), unit), format);
  return true;
}

}  // namespace

int run_stats(const Arguments& arguments) {
  if (arguments.flag("help-reports")) return print_result(list_of_reports());
  std::vector<Chosen> chosen;
  if (!choose_reports(arguments, &chosen)) return kExitFailed;
  int code = kExitOk;
  auto report = open_report(arguments, &code);
  if (!report) return code;
  if (const Status limited = limit_time(arguments, &report->source); !limited) {
    text::error("{}", limited.error().message);
    return kExitFailed;
  }
  const text::TableFormat format = format_of(arguments);
  text::Output out(STDOUT_FILENO);
  bool all_made = true;
  for (Chosen& wanted : chosen) {
    wanted.choice.arguments.for_people = format != text::TableFormat::kCsv;
    wanted.choice.arguments.like_nsys = arguments.flag("like-nsys");
    all_made = print_report(wanted, report->source, format, time_unit_of(arguments), &out) && all_made;
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
