// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of `sextant analyze`: one file each, one line in registry.cpp. A rule answers one question about
// a report with findings for people and, below them, the rows that nsys's rule of the same name prints.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "text/table.h"

namespace sextant::analysis {

/// What stands behind a rule's name, as in "gpu_gaps:gap=100:rows=10".
struct RuleArguments {
  int64_t rows = 50;      // most rows of the table, -1: all
  int64_t gap_ms = 500;   // gpu_gaps
  double threshold = 50;  // gpu_time_util: percent
  int64_t chunks = 30;    // gpu_time_util
  int64_t process = -1;   // pid, -1: all
  int64_t thread = -1;
  std::optional<int64_t> start_ns, end_ns;  // only what exists in between
  std::string nvtx;                         // only what exists in the first such range
  bool like_nsys = false;  // figures of nsys also where it is known to be wrong (docs/reports.md)
};

/// Where evidence is: in a thread's calls, or in what a device did for a process.
struct Place {
  uint64_t process = 0;                 // number
  std::optional<uint64_t> tid, device;  // one of them
  int64_t from_ns = 0, to_ns = 0;
  uint16_t table = 0;  // of the one event that begins and ends there; 0: a span of time
};

struct Finding {
  std::string what;      // one sentence: what costs time
  std::string where;     // process, thread, GPU, time
  std::string evidence;  // the figures behind it
  int64_t gain_ns = 0;   // what could be saved at most, in time of the program; what really is saved can be
                         // anything down to nothing
  std::string advice;    // what to do
  std::vector<Place> places;  // first the whole span, then its longest event where there is one
};

struct Outcome {
  std::vector<Finding> findings;  // the most to gain first
  text::Table table;              // the rows; why_empty when there is no problem, or no data
  bool no_data = false;           // nothing that the rule could look at was recorded
};

struct Rule {
  std::string_view name;
  std::string_view arguments;  // as stats::Report::arguments
  std::string_view title;
  std::string_view meaning;  // for --help-rules
  Result<Outcome> (*run)(const query::Source& source, const RuleArguments& arguments);
};

std::span<const Rule> rules();
const Rule* find_rule(std::string_view name);

/// "name:argument=value" understood. kUsage: the rule is there, but not with that argument. A rule of
/// nullptr: no such name.
struct RuleChoice {
  const Rule* rule = nullptr;
  RuleArguments arguments;
};
Result<RuleChoice> choose_rule(std::string_view word);

}  // namespace sextant::analysis
