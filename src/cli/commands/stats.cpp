// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "cli/choosing.h"
#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/open_report.h"
#include "cli/table_output.h"
#include "cli/time_filter.h"
#include "stats/registry.h"
#include "text/log.h"

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
    out += shelf_entry(report.by_default ? "+ " : "  ", report.name, report.arguments, report.title,
                       report.meaning);
  return out;
}

/// Reports named with -r, or the default ones. False: one cannot be printed, and that was said.
bool choose_reports(const Arguments& arguments, std::vector<Chosen>* chosen) {
  Shelf shelf{"report", "help-reports", {}, [chosen](std::string_view word) -> Result<bool> {
                SEXTANT_ASSIGN(const stats::ReportChoice choice, stats::choose_report(word));
                if (choice.report != nullptr) chosen->push_back({std::string(word), choice, true});
                return choice.report != nullptr;
              }};
  for (const stats::Report& report : stats::reports()) shelf.names.push_back(report.name);
  if (!take_chosen(arguments, shelf)) return false;
  if (chosen->empty())
    for (const stats::Report& report : stats::reports())
      if (report.by_default) chosen->push_back({std::string(report.name), {&report, {}}, false});
  return true;
}

/// Prints reports one after the other.
class Printer {
 public:
  Printer(const OpenedReport& report, const Arguments& arguments)
      : source_(report.source), like_nsys_(arguments.flag("like-nsys")), out_(arguments, report.path) {}

  bool failed() const { return out_.failed(); }

  /// False where the table could not be made or written; that was said.
  bool print(const Chosen& chosen) {
    const stats::Report& report = *chosen.choice.report;
    stats::ReportArguments arguments = chosen.choice.arguments;
    arguments.for_people = text::is_for_people(out_.format());
    arguments.like_nsys = like_nsys_;
    auto table = report.make(source_, arguments);
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
    if (table->rows == 0 && out_.format() != text::TableFormat::kColumn)
      text::info("{}: {}", report.name, table->why_empty);
    return out_.print(std::move(*table));
  }

  /// False: standard output could not be written, and that was said.
  bool finish() {
    const bool written = out_.finish();
    if (written && !empty_.empty()) text::info("no data for {}; `sextant stats -r NAME` says why", empty_);
    return written;
  }

 private:
  static constexpr std::string_view kAlwaysRecorded = "nvtx_sum";

  const query::Source& source_;
  bool like_nsys_;
  TableOutput out_;
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
  Printer printer(*report, arguments);
  bool all_made = true;
  for (const Chosen& wanted : chosen) {
    all_made = printer.print(wanted) && all_made;
    if (printer.failed()) break;
  }
  if (!printer.finish()) return kExitFailed;
  const int lacks = report->conclude();
  return all_made ? lacks : kExitFailed;
}

}  // namespace sextant::cli
