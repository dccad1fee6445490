// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The tool's signals: as a descriptor while it waits, and as its caller had set them for the program.
#pragma once

#include <signal.h>

#include "base/fd.h"

namespace sextant::recording {

class ToolSignals {
 public:
  /// Blocks what is read through the descriptor. Make it before anything is forked.
  static ToolSignals take();

  int descriptor() const { return descriptor_.get(); }

  /// The caller had this signal ignored, as nohup does.
  bool caller_ignores(int number) const { return ::sigismember(&ignored_, number) == 1; }

  /// In the program's process, before exec: mask and actions of the caller.
  void give_back() const;

 private:
  ToolSignals() = default;

  base::Fd descriptor_;
  sigset_t mask_{};     // the caller's
  sigset_t ignored_{};  // by the caller
};

}  // namespace sextant::recording
