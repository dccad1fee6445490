// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// CaptureWindows: the collector's side of the run folder's `filter` (spool/filter.h): which domains are
// wanted, and when capture windows were open. What agents write there is checked: texts are cut, numbers are
// only shown. Not thread-safe; agents write meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/mapping.h"
#include "base/result.h"
#include "report/writer.h"
#include "spool/filter.h"
#include "spool/run_folder.h"

namespace sextant::collector {

/// What the options ask for.
struct FilterRequest {
  spool::DomainFilter domains = spool::DomainFilter::kAll;
  std::vector<std::string> listed;  // domains by name
  bool default_listed = false;      // and the default domain

  bool capture = false;
  std::string range;
  spool::CaptureDomain capture_domain = spool::CaptureDomain::kDefault;
  std::string domain;
  uint32_t windows = 1;  // 0: any number
  bool to_the_end = false;
  bool repeats = false;          // each window has a report of its own
  bool wait_for_report = false;  // the program waits for it
  bool shut_down = false;        // the program ends with the last window
  bool delayed = false;          // --delay comes first

  bool any() const { return capture || domains != spool::DomainFilter::kAll; }
};

class CaptureWindows {
 public:
  /// Makes the file. Error: kUsage (too long a list or name), kIo.
  static Result<CaptureWindows> make(const spool::RunFolder& folder, const FilterRequest& request);

  const FilterRequest& request() const { return request_; }
  uint32_t opened() const { return page().opened.load(std::memory_order_acquire); }
  uint32_t closed() const { return page().closed.load(std::memory_order_acquire); }
  bool over() const;

  /// The records of report number `current` (from 1) lie between these stamps; without `repeats` of all.
  void set_current(uint32_t current) {
    current_ = current;
    outside_before_ = count_outside();
  }
  uint64_t from() const { return current_ <= opened() ? stamp(page().opened_at, current_) : 0; }
  uint64_t until() const { return current_ <= closed() ? stamp(page().closed_at, current_) : UINT64_MAX; }

  void arm();         // --delay is over
  void stop();        // no window opens any more, and one that is open closes now (--duration)
  void close_open();  // the process that opened it is gone
  uint32_t opener_pid() const { return page().opener_pid.load(std::memory_order_relaxed); }
  void set_written(uint32_t window) { page().written.store(window, std::memory_order_release); }

  uint64_t outside() const { return count_outside() - outside_before_; }  // events that no window held
  uint64_t excluded() const;       // events of domains that were not wanted
  std::string range_text() const;  // RANGE@DOMAIN

  /// "the capture range X never opened; ranges that occurred: ..." or what was not recorded. "": nothing to
  /// say.
  std::string verdict() const;

  /// Rows of capture_window: of the current one where each has a report, else of all.
  void add_rows(report::Rows* rows, report::Writer& writer) const;

 private:
  CaptureWindows() = default;
  uint64_t count_outside() const;
  spool::FilterPage& page() const { return *reinterpret_cast<spool::FilterPage*>(mapping_.data()); }
  static uint64_t stamp(const spool::Shared<uint64_t>* of, uint32_t window) {
    return of[window % spool::kWindowStamps].load(std::memory_order_relaxed);
  }
  void add_row(report::Rows* rows, report::Writer& writer, uint32_t window) const;

  base::Mapping mapping_;
  FilterRequest request_;
  uint32_t current_ = 1;
  uint64_t outside_before_ = 0;  // counted for earlier reports
};

}  // namespace sextant::collector
