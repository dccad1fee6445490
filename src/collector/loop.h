// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The collector process's main loop and what it says to the command line tool: fixed-size messages over a
// SOCK_SEQPACKET pair. When the tool is gone (end of file), the collector finishes once the recorded
// processes are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collector/capture_reports.h"
#include "collector/collector.h"

namespace sextant::collector {

struct ToCollector {
  enum Kind : uint32_t {
    kTarget = 1,  // pid and start time of the program, before it runs
    kEnded = 2,   // it has ended: value = wait(2) status; orphans: it has left processes behind
    kFinish = 3,  // write what there is, now
    kSignal = 4,  // send value to every recorded process that lives
  };
  uint32_t kind = 0;
  uint32_t pid = 0;
  int32_t value = 0;
  uint32_t orphans = 0;
  uint64_t start_time = 0;
};

struct FromCollector {
  enum Kind : uint32_t {
    kReady = 1,
    kFinished = 2,
    kFailed = 3,         // before ready, or the report is incomplete
    kWindowOpened = 4,   // text: the capture range
    kReportWritten = 5,  // text: path and verdict of one of several reports
    kCaptureOver = 6     // no other window will open
  };
  uint32_t kind = 0;
  uint32_t text_bytes = 0;
  Totals totals;
  char text[4064 - sizeof(Totals)] = {};  // verdict, or the error
};

struct LoopOptions {
  std::vector<std::string> arguments;  // of the program
  std::string exe;
  spool::Untraced untraced = spool::Untraced::kNo;
  uint64_t delay_ns = 0;
  uint64_t duration_ns = 0;  // 0: no end

  FilterRequest filter;
  /// For capture windows with a report each: the report that follows, by its number; and what it is called.
  std::function<Result<report::Writer>(uint32_t number)> next_report;
  std::function<std::string(uint32_t number)> report_name;
};

bool send_to_collector(int socket, const ToCollector& message);
bool send_from_collector(int socket, FromCollector::Kind kind, const Totals& totals, const std::string& text);

/// Runs from start() to finish(). The folder is removed when the report is complete. Returns whether it is.
bool run_collector(Collector& collector, int socket, const LoopOptions& options);

}  // namespace sextant::collector
