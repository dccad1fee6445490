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
  bool by_name;  // else it belongs to the default set
};

std::string list_of_reports() {
  std::string out = "The following reports are there; + marks those printed when none is named.\n\n";
  for (const stats::Report& report : stats::reports())
    out += fmt::format("  {} {}{}\n      {}. {}.\n", report.by_default ? "+" : " ", report.name,
                       report.arguments, report.title, report.meaning);
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
              close.empty() ? "; `sextant stats --help-reports` lists all"
                            : fmt::format("; did you mean {}?", close));
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

/// Prints reports one after the other.
class Printer {
 public:
  Printer(const query::Source& source, const Arguments& arguments)
      : source_(source), format_(format_of(arguments)), unit_(time_unit_of(arguments)) {}

  text::TableFormat format() const { return format_; }
  bool failed() const { return out_.failed(); }

  /// False where the table could not be made; that was said.
  bool print(const Chosen& chosen) {
    const stats::Report& report = *chosen.choice.report;
    auto table = report.make(source_, chosen.choice.arguments);
    if (!table) {
      text::error("{}: {}: {}", source_.reader().path(), report.name, table.error().message);
      return false;
    }
    table->name = chosen.name;
    table->title = report.title;
    if (table->rows == 0 && !chosen.by_name) {
      if (report.name == kAlwaysRecorded)
        text::info("{}: {}", report.name, table->why_empty);
      else
        empty_ += fmt::format("{}{}", empty_.empty() ? "" : ", ", report.name);
      return true;
    }
    if (table->rows == 0 && format_ != text::TableFormat::kColumn)
      text::info("{}: {}", report.name, table->why_empty);
    text::print_table(&out_, text::in_time_unit(std::move(*table), unit_), format_);
    return true;
  }

  /// False: standard output could not be written, and that was said.
  bool finish() {
    const Status written = out_.finish();
    if (!written && !out_.broken_pipe()) text::error("{}", written.error().message);
    if (written && !empty_.empty()) text::info("no data for {}; `sextant stats -r NAME` says why", empty_);
    return written.has_value();
  }

 private:
  static constexpr std::string_view kAlwaysRecorded = "nvtx_sum";

  const query::Source& source_;
  text::TableFormat format_;
  text::TimeUnit unit_;
  text::Output out_{STDOUT_FILENO};
  std::string empty_;  // reports of the default set
};

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
  Printer printer(report->source, arguments);
  bool all_made = true;
  for (Chosen& wanted : chosen) {
    wanted.choice.arguments.for_people = printer.format() != text::TableFormat::kCsv;
    wanted.choice.arguments.like_nsys = arguments.flag("like-nsys");
    all_made = printer.print(wanted) && all_made;
    if (printer.failed()) break;
  }
  if (!printer.finish()) return kExitFailed;
  const int lacks = report->conclude();
  return all_made ? lacks : kExitFailed;
}

}  // namespace sextant::cli
