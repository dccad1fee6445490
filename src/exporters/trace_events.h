// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of export -t chrome: the JSON of trace events, and the rows that they lie in. A row must hold only
// slices that nest; those that overlap otherwise go to further rows of the same name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/output.h"

namespace sextant::exporters {

/// Whose rows: a process, or a GPU as a process of its own.
struct TracePlace {
  uint64_t pid = 0, tid = 0;
};

class TraceEvents {
 public:
  explicit TraceEvents(text::Output& out);

  /// A process of the trace; equal numbers of different ones are told apart. Returns what to use for it.
  uint64_t add_process(uint64_t wanted_pid, std::string_view name, int64_t sort_index);
  /// The next row of a process. The wanted number, if it is free, is the thread's, so that others find it.
  uint64_t add_row(uint64_t pid, uint64_t wanted_tid, std::string_view name);

  /// `arguments`: JSON members without braces, or "".
  void slice(TracePlace at, std::string_view category, std::string_view name, int64_t start_ns,
             int64_t end_ns, std::string_view arguments);
  void mark(TracePlace at, std::string_view category, std::string_view name, int64_t ns,
            std::string_view arguments);
  /// A range that may begin in one thread and end in another. `id`: its own.
  void span(TracePlace begin, TracePlace end, std::string_view category, std::string_view name, uint64_t id,
            int64_t start_ns, int64_t end_ns, std::string_view arguments);
  /// An arrow from a call to what it caused: `from` lies in the slice of the call, `to` begins that of the
  /// work.
  void arrow(TracePlace from, int64_t from_ns, TracePlace to, int64_t to_ns, uint64_t id);
  void counter(uint64_t pid, std::string_view name, int64_t ns, double value);

  void finish(std::string_view other_data);

 private:
  void begin(char phase, TracePlace at, std::string_view category, std::string_view name, int64_t ns);
  void end();
  void metadata(std::string_view what, TracePlace at, std::string_view member, std::string_view value);

  text::Output& out_;
  std::string line_;
  bool first_ = true;
  std::map<uint64_t, uint64_t> last_row_;  // of each process
  std::map<std::pair<uint64_t, uint64_t>, bool> rows_;
};

/// Appends nanoseconds as microseconds with three decimals.
void append_microseconds(std::string* out, int64_t ns);

/// Appends `"name":` in front of a value, with a comma where there is something before.
void append_argument(std::string* arguments, std::string_view name, std::string_view text);
void append_argument(std::string* arguments, std::string_view name, int64_t number);
void append_argument(std::string* arguments, std::string_view name, uint64_t number);
void append_argument(std::string* arguments, std::string_view name, double number);

/// Which of several rows a slice goes to, so that those in each of them nest. Slices come by start, of equal
/// starts the longer one first.
class NestingRows {
 public:
  size_t place(int64_t start_ns, int64_t end_ns);

 private:
  std::vector<std::vector<int64_t>> open_;  // ends of the slices that are open, of each row
};

}  // namespace sextant::exporters
