// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands, one file each in commands/. Each takes an understood command line and returns the program's
// exit code (docs/cli.md). Results go to standard output, everything else to standard error.
#pragma once

#include "cli/arguments.h"

namespace sextant::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;   // wrong command line, or it could not be done
inline constexpr int kExitNoInput = 2;  // what was named is not there, cannot be read, or is no report
inline constexpr int kExitIncomplete =
    5;  // a result was printed or written, but the report is damaged or lacks its end
inline constexpr int kExitNotMet = 3;       // doctor: the goal is denied here, or not possible
inline constexpr int kExitNotRecorded = 6;  // doctor: the machine allows it, this release does not record it

int run_profile(const Arguments& arguments);
int run_stats(const Arguments& arguments);
int run_analyze(const Arguments& arguments);
int run_info(const Arguments& arguments);
int run_sql(const Arguments& arguments);
int run_explain(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_flame(const Arguments& arguments);
int run_recover(const Arguments& arguments);
int run_verify(const Arguments& arguments);
int run_doctor(const Arguments& arguments);
int run_status(const Arguments& arguments);
int run_seccomp(const Arguments& arguments);
int run_explain_error(const Arguments& arguments);
int run_help(const Arguments& arguments);
int run_completion(const Arguments& arguments);
int run_cut(const Arguments& arguments);
int run_clean(const Arguments& arguments);
int run_top(const Arguments& arguments);
int run_serve(const Arguments& arguments);
int run_view(const Arguments& arguments);
int run_demo(const Arguments& arguments);
int run_version(const Arguments& arguments);

}  // namespace sextant::cli
