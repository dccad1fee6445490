// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a recording does just now: its busiest ranges and calls, and its processes in the last seconds that
// are in the report. Memory and time follow the span, not the report: chunks outside of it are not read.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/open_report.h"
#include "query/query.h"

namespace sextant::cli {

struct LiveRange {
  std::string name;     // with its domain
  int64_t busy_ns = 0;  // within the span, all threads together
  uint64_t count = 0;   // that exist at some moment of the span
  uint64_t open = 0;    // of them not closed yet
  int64_t longest_ns = 0;
};

/// A function of the C library.
struct LiveCall {
  std::string name;
  int64_t time_ns = 0;  // within the span, all threads together
  uint64_t count = 0;   // that exist at some moment of the span
  uint64_t waits = 0;   // of them those that wait for somebody else
  int64_t longest_ns = 0;
};

struct LiveProcess {
  const query::Process* process;
  uint64_t ranges = 0;  // in the span
  int64_t busy_ns = 0;
};

struct Look {
  int64_t from_ns = 0, to_ns = 0;  // the span
  uint64_t ranges = 0;             // in it
  uint64_t lost = 0;               // since the start
  uint64_t running = 0;            // processes
  std::vector<LiveRange> busiest;  // by falling busy_ns
  uint64_t calls = 0;              // of the C library, in the span
  std::vector<LiveCall> slowest;   // by falling time_ns
  std::vector<LiveProcess> processes;
};

/// --interval. Error: so short that looking would take the processors away from what is recorded.
Result<std::chrono::nanoseconds> time_between_looks(const Arguments& arguments);

/// Asks the collector of a growing report to write what is slow soon, not within ten seconds; holds for five
/// seconds. Does nothing where the run folder is not the report's, or not ours to touch.
void ask_for_news(const OpenedReport& report);

/// `span_ns` 0: everything so far. `rows`: most ranges, and most calls. The window of the source is set. The
/// look points into the source.
Result<Look> take_look(query::Source* source, int64_t span_ns, size_t rows);

/// Lines no wider than `width`.
std::string look_text(const OpenedReport& report, const Look& look, size_t width);

/// One line.
std::string look_json(const OpenedReport& report, const Look& look);

}  // namespace sextant::cli
