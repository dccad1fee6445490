// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// LaunchedProgram: the program as a child that waits, before exec, for its environment: its pid is needed to
// name the report and must be known to the collector before it records. Destroying it before run() ends the
// child.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "recording/signals.h"
#include "recording/user.h"

namespace sextant::recording {

class LaunchedProgram {
 public:
  /// Forks. The child keeps descriptors 0-2 (1 and 2 become /dev/null without `show_output`), every inherited
  /// one, and the caller's signals. With `user` it becomes that one before exec.
  static Result<LaunchedProgram> fork(bool show_output, const ToolSignals& signals,
                                      const User* user = nullptr);

  LaunchedProgram(LaunchedProgram&& other) noexcept;
  LaunchedProgram& operator=(LaunchedProgram&&) = delete;
  ~LaunchedProgram();

  pid_t pid() const { return pid_; }

  /// Lets it execute `path`. Returns when exec has succeeded; kDenied/kNotFound with the reason when it has
  /// not.
  Status run(const std::string& path, const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment);

 private:
  LaunchedProgram() = default;

  pid_t pid_ = -1;
  base::Fd go_;       // we write the length and text of what to execute
  base::Fd failure_;  // it writes errno where exec fails; closed by a successful exec
  bool running_ = false;
};

}  // namespace sextant::recording
