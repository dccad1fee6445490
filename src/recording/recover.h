// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a recording leaves when its collector was killed: the report as far as it was written, and the run
// folder with the events that were not yet in it. recover() brings both together: every event once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sextant::recording {

struct RecoverOptions {
  bool quiet = false;        // no lines on stderr (the caller prints the outcome)
  bool keep_folder = false;  // leave the run folder where it is
};

struct RecoverOutcome {
  std::string report;  // path of the finished report
  uint64_t processes = 0;
  uint64_t ranges = 0;             // ranges and marks in the report, those from before included
  uint64_t records_recovered = 0;  // of them, closed or made by what was still in the run folder
  uint64_t runtime_calls = 0;      // calls of the C library in the report, those from before included
  uint64_t records_lost = 0;       // counted by the programs or met damaged
  uint64_t open_ranges = 0;        // never closed
  std::vector<std::string> notes;  // one sentence each: damage, doubts
};

/// Errors: kNotFound (no run folder there), kDenied (a collector still works on it: it names the pid),
/// kCorrupt, kIo. After an error the run folder is as it was, and recover() may be called again.
Result<RecoverOutcome> recover(const std::string& run_folder, const RecoverOptions& options = {});

/// The report of a run folder, for those who only want to read what is there. nullopt: no run folder, or its
/// report is not there.
std::optional<std::string> report_of(const std::string& run_folder);

}  // namespace sextant::recording
