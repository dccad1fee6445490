// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "cli/choosing.h"
#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/live.h"
#include "cli/open_report.h"
#include "cli/table_output.h"
#include "cli/time_filter.h"
#include "stats/registry.h"
#include "stats/report_set.h"
#include "text/log.h"
#include "text/units.h"

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

/// Makes the tables of a report: one, or with --by more.
using Make = std::function<Result<std::vector<text::Table>>(const stats::Report& report,
                                                            const stats::ReportArguments& arguments)>;

/// Prints reports one after the other.
class Printer {
 public:
  /// `report`: names files and messages.
  Printer(const OpenedReport& report, const Arguments& arguments, Make make)
      : path_(report.path),
        make_(std::move(make)),
        why_incomplete_(why_incomplete(report)),
        like_nsys_(arguments.flag("like-nsys")),
        out_(arguments, report) {}

  bool failed() const { return out_.failed(); }

  /// False where a table could not be made or written; that was said.
  bool print(const Chosen& chosen) {
    const stats::Report& report = *chosen.choice.report;
    stats::ReportArguments arguments = chosen.choice.arguments;
    arguments.for_people = text::is_for_people(out_.format());
    arguments.like_nsys = like_nsys_;
    auto tables = make_(report, arguments);
    if (!tables) {
      text::error("{}: {}: {}", path_, report.name, tables.error().message);
      return false;
    }
    for (text::Table& table : *tables)
      if (table.rows == 0 && !why_incomplete_.empty()) table.why_empty = why_incomplete_;
    text::Table& first = tables->front();
    if (first.rows == 0 && !chosen.by_name) {
      if (report.name == kAlwaysRecorded)
        text::info("{}: {}", report.name, first.why_empty);
      else
        empty_ += fmt::format("{}{}", empty_.empty() ? "" : ", ", report.name);
      return true;
    }
    if (first.rows == 0 && out_.format() != text::TableFormat::kColumn)
      text::info("{}: {}", report.name, first.why_empty);
    bool good = true;
    for (text::Table& table : *tables) {
      table.name = chosen.name + table.name;
      table.title = std::string(report.title) + table.title;
      good = out_.print(std::move(table)) && good;
    }
    return good;
  }

  /// False: standard output could not be written, and that was said.
  bool finish() {
    const bool written = out_.finish();
    if (written && !empty_.empty()) text::info("no data for {}; `sextant stats -r NAME` says why", empty_);
    return written;
  }

 private:
  static constexpr std::string_view kAlwaysRecorded = "nvtx_sum";

  /// Of a report that does not have everything yet, no table can say that there is nothing.
  static std::string why_incomplete(const OpenedReport& report) {
    if (report.state == ReportState::kAbandoned)
      return fmt::format(
          "Nothing in the report: its recording was killed, and events are still in the run "
          "folder; `sextant recover {}` brings them.",
          report.run_folder);
    return report.state == ReportState::kGrowing ? "Nothing in the report yet: the recording still goes on."
                                                 : "";
  }

  std::string path_;
  Make make_;
  std::string why_incomplete_;  // "" where it is complete
  bool like_nsys_;
  TableOutput out_;
  std::string empty_;  // reports of the default set
};

/// Prints all that were chosen.
int print_all(const std::vector<Chosen>& chosen, Printer* printer) {
  bool all_made = true;
  for (const Chosen& wanted : chosen) {
    all_made = printer->print(wanted) && all_made;
    if (printer->failed()) break;
  }
  return printer->finish() && all_made ? kExitOk : kExitFailed;
}

int stats_of(const Arguments& arguments, const std::vector<Chosen>& chosen, OpenedReport* report) {
  if (const Status limited = limit_time(arguments, &report->source); !limited) {
    text::error("{}", limited.error().message);
    return kExitFailed;
  }
  Printer printer(*report, arguments,
                  [&](const stats::Report& wanted,
                      const stats::ReportArguments& how) -> Result<std::vector<text::Table>> {
                    std::vector<text::Table> tables(1);
                    SEXTANT_ASSIGN(tables[0], wanted.make(report->source, how));
                    return tables;
                  });
  const int printed = print_all(chosen, &printer);
  return graver(printed, report->conclude());
}

/// --follow: the same again and again, until the recording has ended.
int follow(const Arguments& arguments, const std::vector<Chosen>& chosen, OpenedReport* report) {
  const auto interval = time_between_looks(arguments);
  if (!interval) {
    text::error("{}", interval.error().message);
    return kExitFailed;
  }
  const bool redraw = prints_for_people(arguments) && ::isatty(STDOUT_FILENO) == 1;
  for (;;) {
    ask_for_news(*report);
    if (redraw)
      if (const int wiped = print_result("\x1b[H\x1b[J"); wiped != kExitOk) return wiped;
    const int code = stats_of(arguments, chosen, report);
    if (code != kExitOk || report->state != ReportState::kGrowing) return code;
    std::this_thread::sleep_for(*interval);
    int opened = kExitOk;
    auto again = open_report(arguments, report->path, &opened);
    if (!again) return opened;
    again->stem = report->stem;
    again->set_name = report->set_name;
    *report = std::move(*again);
  }
}

/// All reports as one set, with its groups beside each other.
int stats_by_group(const Arguments& arguments, const std::vector<Chosen>& chosen, stats::By by) {
  int code = kExitOk;
  const auto named = name_reports(arguments, arguments.words(), &code);
  auto reports = named ? open_reports(arguments, *named, &code) : std::nullopt;
  if (!reports) return code;
  std::vector<stats::SetMember> members;
  for (OpenedReport& report : *reports) members.push_back({report.path, &report.source});
  const auto say = [](const std::string& sentence) {
    if (!sentence.empty()) text::info("{}", sentence);
  };
  say(stats::align_clocks(members));
  for (OpenedReport& report : *reports) {
    if (const Status limited = limit_time(arguments, &report.source); !limited) {
      text::error("{}: {}", report.path, limited.error().message);
      return kExitFailed;
    }
  }
  const auto grouping = stats::group_set(members, by);
  if (!grouping) {
    text::error("{}", grouping.error().message);
    return kExitFailed;
  }
  for (const std::string& note : grouping->notes) say(note);
  reports->front().set_name.clear();  // one set, one file for each table
  Printer printer(reports->front(), arguments,
                  [&](const stats::Report& wanted, const stats::ReportArguments& how) {
                    return stats::make_by_group(wanted, how, members, *grouping);
                  });
  code = print_all(chosen, &printer);
  for (const OpenedReport& report : *reports) code = graver(code, report.conclude());
  return code;
}

}  // namespace

int run_stats(const Arguments& arguments) {
  if (arguments.flag("help-reports")) return print_result(list_of_reports());
  std::vector<Chosen> chosen;
  if (!choose_reports(arguments, &chosen)) return kExitFailed;
  if (const auto by = arguments.text("by")) return stats_by_group(arguments, chosen, *stats::parse_by(*by));
  return for_each_report(arguments, arguments.words(), prints_for_people(arguments),
                         [&](OpenedReport& report) {
                           return arguments.flag("follow") ? follow(arguments, chosen, &report)
                                                           : stats_of(arguments, chosen, &report);
                         });
}

}  // namespace sextant::cli
