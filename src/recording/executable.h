// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program to be recorded is: whether it can be run, and whether an agent can be loaded into it.
#pragma once

#include <string>

#include "base/result.h"
#include "spool/format.h"

namespace sextant::recording {

struct Executable {
  std::string path;                                 // as it will be executed
  spool::Untraced untraced = spool::Untraced::kNo;  // why an agent cannot be loaded
};

/// Looks `name` up as a shell does and looks at what it is; scripts are judged by their interpreter.
/// Errors: kNotFound, kDenied (not executable, a folder).
Result<Executable> find_executable(const std::string& name);

}  // namespace sextant::recording
