// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The shell of `sextant sql`: statements typed at a terminal, one after the other, over an open report; and
// the commands with a dot, which are also understood where statements come from elsewhere.
#pragma once

#include <map>
#include <string>

#include "cli/sql_printer.h"
#include "sql/database.h"

namespace sextant::cli {

/// Commands with a dot that the database does not know: .help .quit .exit .mode .timer
class ShellCommands {
 public:
  /// The printer stays the caller's.
  explicit ShellCommands(SqlPrinter* printer) : printer_(printer) {}

  Result<sql::Command> run(std::string_view line);
  bool timer() const { return timer_; }

 private:
  SqlPrinter* printer_;
  bool timer_ = false;
};

/// Reads statements from the terminal until its end or .quit, and runs them. A wrong one is told, and the
/// next one asked for. Error: standard output cannot be written.
Status run_shell(sql::Database* database, const std::string& report,
                 const std::map<std::string, std::string>& parameters, SqlPrinter* printer);

}  // namespace sextant::cli
