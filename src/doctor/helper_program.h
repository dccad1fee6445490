// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// HelperProgram: sextant-probe, started and asked. It opens the vendor's libraries, which a static program
// cannot, and what hangs or crashes in them ends with it. Not thread-safe. The process has ended when the
// destructor returns.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"

namespace sextant::doctor {

class HelperProgram {
 public:
  HelperProgram() = default;
  ~HelperProgram();
  HelperProgram(const HelperProgram&) = delete;
  HelperProgram& operator=(const HelperProgram&) = delete;

  /// Starts it with these arguments; returns at once. Call once.
  void start(std::vector<std::string> arguments);

  /// All that it printed, or one line "problem TEXT"; "" if it was never started. Waits at most `most_ms` for
  /// its end.
  std::string answer(int most_ms);

 private:
  std::string problem_;
  pid_t pid_ = -1;
  base::Fd output_;
};

}  // namespace sextant::doctor
