// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What became of the recording that writes a report: the one judgement of it, for commands and the server.
#pragma once

#include <string>
#include <vector>

#include "report/reader.h"

namespace sextant::open {

enum class ReportState {
  kComplete,
  kGrowing,    // a recording still writes it: what is there is sound
  kAbandoned,  // its recording was killed: `sextant recover` has the rest
  kCut,        // its end is missing, and nobody has it
};

struct Standing {
  ReportState state = ReportState::kComplete;
  std::string run_folder = "";  // kAbandoned, kGrowing
};

/// A few system calls, and none for a complete report. A run folder of another user, which does not tell
/// whether a collector works on it, is taken for abandoned when the report was not written for two minutes.
Standing standing_of(const report::Reader& reader);

/// Run folders of a report that no collector works on: beside it, and where it says that its run folder is.
std::vector<std::string> find_leftovers(const report::Reader& reader);
/// The same where the report may be missing, or unreadable.
std::vector<std::string> find_leftovers(const std::string& report_path);

}  // namespace sextant::open
