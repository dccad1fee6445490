// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What every command that reads a report does first and last: open it, and say what it lacks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "open/report_state.h"
#include "query/query.h"

namespace sextant::cli {

using open::ReportState;

struct OpenedReport {
  query::Source source;
  ReportState state;
  std::string path;           // as it was named: source.reader().path() is another one where it was imported
  std::string run_folder;     // kAbandoned, kGrowing
  std::string stem = "";      // the path without its ending: what is written beside it is called so
  std::string set_name = "";  // one of several reports: a name that no other of them has, for files

  /// Prints one line each about a missing end, damage and parts of later releases, after everything was read.
  /// Returns the exit code: kExitOk, or kExitIncomplete where the report is damaged, cut or abandoned.
  int conclude() const;
};

/// A report as a command line names it; `stem` and `set_name` as in OpenedReport.
struct NamedReport {
  std::string path, stem, set_name;
};

/// The reports behind words of a command line: files for files, all that is in a folder, the report of a run
/// folder. nullopt, with the exit code: there are none, and that was said.
std::optional<std::vector<NamedReport>> name_reports(const Arguments& arguments,
                                                     const std::vector<std::string>& words, int* exit_code);

/// Opens them one after the other, and calls use(report), which returns an exit code, for each. Of several
/// ones that cannot be opened are told and left out. Returns the gravest exit code. `with_heading`: of
/// several, their names are printed as they come.
int for_each_report(const Arguments& arguments, const std::vector<std::string>& words, bool with_heading,
                    const std::function<int(OpenedReport&)>& use);

/// All at once, for commands that look at them as one set. Prints the errors; nullopt where one cannot be
/// opened.
std::optional<std::vector<OpenedReport>> open_reports(const Arguments& arguments,
                                                      const std::vector<NamedReport>& reports,
                                                      int* exit_code);

/// The gravest of two exit codes of a command.
int graver(int one, int other);

/// One report, imported where it is a file of another tool. Prints the error; nullopt and the exit code
/// otherwise.
std::optional<OpenedReport> open_report(const Arguments& arguments, const std::string& path, int* exit_code);

/// The path without an ending that says that it is a report: what is made of it gets names beside it.
std::string report_stem(const std::string& path);

/// "growing" ... for machines.
std::string_view state_word(ReportState state);

}  // namespace sextant::cli
