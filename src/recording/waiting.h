// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The tool's part while the program runs: signals on to the program, its end to the collector, the time
// limit.
#pragma once

#include <sys/types.h>

#include "collector/loop.h"
#include "recording/profile.h"
#include "recording/signals.h"

namespace sextant::recording {

struct WaitOutcome {
  int exit_code = 0;  // of the program, for the shell
  bool program_ended = false;
  bool report_finished = false;   // the collector said so
  collector::FromCollector last;  // its last message; kind 0: it went away without a word
};

/// Waits for the collector's first word. kReady, or the error in `last`.
collector::FromCollector wait_until_ready(int socket);

/// Returns when the program has ended and the report is finished, or the waiting was broken off by a second
/// signal.
WaitOutcome wait_for_end(pid_t program, int socket, const ToolSignals& signals,
                         const ProfileOptions& options);

}  // namespace sextant::recording
