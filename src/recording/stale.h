// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Run folders that recordings left behind: which of them may go. One that a collector works on, or into which
// a living process may still record, is alive.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace sextant::recording {

enum class Staleness {
  kAlive,     // never touched
  kRemains,   // its making or its removal was cut short: nothing is in it
  kComplete,  // the report has all that it holds
  kEvents,    // holds events that no report has: `sextant recover`
  kForeign,   // no run folder, or one of another version or user
};

struct StaleFolder {
  std::string path;
  Staleness staleness = Staleness::kForeign;
  std::string report;  // whose it is, where that is known
  std::string note;    // why it is kAlive or kForeign
  uint64_t bytes = 0;  // on disk
};

/// Everything in `folders` that is named like a run folder, by path. Folders that cannot be read are passed
/// over.
std::vector<StaleFolder> find_run_folders(const std::vector<std::string>& folders);

/// Removes it unless it is alive or foreign; looks again before. kDenied: it has come alive; kIo.
Status remove_run_folder(const StaleFolder& folder);

}  // namespace sextant::recording
