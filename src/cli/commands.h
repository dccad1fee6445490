// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands, one file each in commands/. Each takes an understood command line and returns the program's exit code
// (docs/exit-codes.md). Results go to standard output, everything else to standard error.
#pragma once

#include "cli/arguments.h"

namespace sextant::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;      // wrong command line, or nothing could be done
inline constexpr int kExitIncomplete = 5;  // a result was printed or written, but the report is damaged or lacks its end

int run_profile(const Arguments& arguments);
int run_stats(const Arguments& arguments);
int run_info(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_recover(const Arguments& arguments);
int run_verify(const Arguments& arguments);
int run_help(const Arguments& arguments);
int run_version(const Arguments& arguments);

}  // namespace sextant::cli
