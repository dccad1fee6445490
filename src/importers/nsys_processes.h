// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of importers/: nsys's packed numbers of processes and threads to those of the report. A process gets
// its number when it is first met; the tables `process` and `thread` are written at the end, when it is known
// which of them had events.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "nsys/tables.h"
#include "report/writer.h"

namespace sextant::importers {

class NsysProcesses {
 public:
  static uint64_t pid_of(uint64_t global) { return global >> 24 & 0xFFFFFF; }

  uint64_t number(uint64_t global_pid) {
    if (global_pid == last_global_ && last_number_ != 0) return last_number_;
    return look_up(global_pid);
  }
  void count_event(uint64_t number) { ++processes_[number - 1].events; }
  void set_name(uint64_t number, uint32_t name) { processes_[number - 1].name = name; }
  void set_thread_name(uint64_t number, uint64_t tid, int64_t priority, uint32_t name);

  size_t count() const { return processes_.size(); }

  /// `session_start`: raw stamp of the session's beginning.
  Status write(report::Writer& writer, uint64_t session_start) const;

 private:
  struct Process {
    uint64_t global = 0;
    uint32_t name = 0;
    uint64_t events = 0;
  };
  struct ThreadName {
    int64_t priority;
    uint32_t name;
  };

  uint64_t look_up(uint64_t global_pid);

  uint64_t last_global_ = 0;
  uint64_t last_number_ = 0;
  std::vector<Process> processes_;  // number - 1
  std::unordered_map<uint64_t, uint64_t> numbers_;
  std::map<std::pair<uint64_t, uint64_t>, ThreadName> threads_;
};

}  // namespace sextant::importers
