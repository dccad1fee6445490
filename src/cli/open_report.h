// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What every command that reads a report does first and last: open it, and say what it lacks.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.h"
#include "query/query.h"

namespace sextant::cli {

enum class ReportState {
  kComplete,
  kGrowing,    // a recording still writes it: what is there is sound
  kAbandoned,  // its recording was killed: `sextant recover` has the rest
  kCut,        // its end is missing, and nobody has it
};

struct OpenedReport {
  query::Source source;
  ReportState state;
  std::string path;        // as it was named: source.reader().path() is another one where it was imported
  std::string run_folder;  // kAbandoned

  /// Prints one line each about a missing end, damage and parts of later releases, after everything was read.
  /// Returns the exit code: kExitOk, or kExitIncomplete where the report is damaged, cut or abandoned.
  int conclude() const;
};

/// The one report that a command line names, imported where it is a file of another tool. Prints the error;
/// nullopt and the exit code otherwise.
std::optional<OpenedReport> open_report(const Arguments& arguments, int* exit_code);

/// The same for a command line that names more than the report.
std::optional<OpenedReport> open_report(const Arguments& arguments, const std::string& path, int* exit_code);

/// The path without an ending that says that it is a report: what is made of it gets names beside it.
std::string report_stem(const std::string& path);

/// "growing" ... for machines.
std::string_view state_word(ReportState state);

}  // namespace sextant::cli
