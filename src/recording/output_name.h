// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of reports: the pattern of -o.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "spool/run_places.h"

namespace sextant::recording {

inline constexpr const char* kReportSuffix = ".sxt";
using spool::kRunSuffix;

/// Expands %p (pid of the program), %h (host name), %q{VAR} (environment), %% and %n (the smallest number
/// from 1 for which `taken` is false), and appends ".sxt" where it is missing. kUsage: another letter after
/// %, an unset variable, or an empty name.
Result<std::string> output_name(const std::string& pattern, int pid,
                                const std::function<bool(const std::string&)>& taken);

/// Something with that name, or a run folder of it, exists.
bool name_taken(const std::string& path);

}  // namespace sextant::recording
