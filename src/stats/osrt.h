// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the reports about OS runtime calls share: which calls wait, what they are about, and threads by what
// they are called.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/result.h"
#include "event/osrt_functions.h"
#include "query/query.h"

namespace sextant::stats {

enum class CallState : uint8_t {
  kWaits,  // until somebody else does something, or time has gone by
  kMoves,  // data, and may wait for them
  kWorks,  // everything else
};

/// Of a call as a recording of our own has it, and, where `family` is 0, of an imported one by its function:
/// there a read counts as moving data, whatever it read from.
CallState call_state(std::string_view function, uint64_t family, uint64_t flags);

/// "2097152 bytes asked for", "limit 5.00 ms", "O_RDWR|O_CREAT", "IPv4 port 80", "SIGTERM"; "" for nothing.
std::string detail_text(uint64_t kind, uint64_t detail);

/// "EAGAIN" and what it means; a number that has no name as "error 4711".
std::string error_name(uint64_t number);
std::string error_meaning(uint64_t number);

/// What is known of a function by the name that reports show; nullptr: nothing.
const event::OsrtFunction* osrt_function(std::string_view name);

/// A call that is listed: neither a note of nsys's about its own tracing nor of another class.
bool is_osrt_call(uint64_t event_class, uint64_t nulls);

/// Names of threads by process number and tid: their own, or that of the process for its first thread.
class ThreadNames {
 public:
  explicit ThreadNames(const query::Source& source);
  std::string_view name(uint64_t process, uint64_t tid) const;  // valid while the source is; any bytes
  const query::Process* process(uint64_t number) const;
  bool is_first_thread(uint64_t process, uint64_t tid) const;

 private:
  std::map<std::pair<uint64_t, uint64_t>, std::string_view> names_;
  std::map<uint64_t, const query::Process*> processes_;
};

/// Paths of files by their number.
class FilePaths {
 public:
  static Result<FilePaths> load(const query::Source& source);
  uint64_t path(uint64_t file) const;  // its string; 0: not known. File 0 is none

 private:
  std::unordered_map<uint64_t, uint64_t> paths_;
};

/// "descriptor 5", "0x55d0c8a0", "process 17"; "" for nothing.
std::string object_text(uint64_t kind, uint64_t object);

}  // namespace sextant::stats
