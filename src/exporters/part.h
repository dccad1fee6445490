// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A part of a report as a report of its own. What exists at some moment of the window stays, whole and with
// its stamps as they are, so that every figure is that of the whole report. Processes, threads, clocks,
// losses and their reasons all stay; so does what has no time. Memory: a group of chunks, the strings that
// are kept, and 16 bytes for each start/end range of the part.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "exporters/registry.h"
#include "query/query.h"

namespace sextant::exporters {

struct PartOutcome {
  uint64_t rows = 0, of_rows = 0;  // kept, and all that could be read
  uint64_t left_out = 0;  // chunks that could not be read, or are of a later release: see diagnostics
};

/// Sets the window of `source`. `output` gets a temporary name first; nothing is left behind on error.
/// kDenied: it exists and is not to be replaced; kIo.
Result<PartOutcome> write_part(query::Source* source, const query::Window& window, const std::string& output,
                               const ExportOptions& options);

}  // namespace sextant::exporters
