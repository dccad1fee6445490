// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// CaptureReports: capture windows in the collector's loop: --delay and --duration, and where each window has
// a report of its own (--capture-range-end repeat), one report after the other: it ends where its window
// closed and everything before has been drained; the next one begins when another window opens. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "collector/collector.h"

namespace sextant::collector {

class CaptureReports {
 public:
  struct Events {
    std::function<void(uint32_t window)> opened;
    std::function<void(uint32_t window, const std::string& verdict)> written;  // its report is complete
    std::function<void()> over;  // the last window is closed, and its report (if it has one) written
    std::function<Result<report::Writer>(uint32_t number)> next_report;
  };

  CaptureReports(Collector& collector, CaptureWindows& windows, Events events)
      : collector_(collector), windows_(windows), events_(std::move(events)) {}

  void set_times(uint64_t delay_ns, uint64_t duration_ns) {
    delay_ns_ = delay_ns;
    duration_ns_ = duration_ns;
  }

  /// After each pass; `age_ns`: since the start, `read`: what the pass read.
  void step(uint64_t age_ns, uint64_t read);

  uint32_t reports() const { return reports_; }  // completed so far
  /// Windows that are over, or open, wait for their reports to be begun or completed.
  bool pending() const;
  const std::string& error() const { return error_; }

 private:
  void watch_opener();
  void end_report();
  void tell_over();  // once

  Collector& collector_;
  CaptureWindows& windows_;
  Events events_;
  uint64_t delay_ns_ = 0, duration_ns_ = 0;
  uint64_t first_opened_age_ns_ = 0;
  uint32_t told_ = 0, reports_ = 0, quiet_passes_ = 0;
  bool over_told_ = false;
  std::string error_;
};

}  // namespace sextant::collector
