// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/capture_reports.h"

#include <algorithm>

namespace sextant::collector {

namespace {

/// Passes that read nothing after a window closed: its report has everything then.
constexpr uint32_t kQuietPasses = 2;

}  // namespace

/// A window whose opener has died closes.
void CaptureReports::watch_opener() {
  if (windows_.closed() >= windows_.opened()) return;
  const uint32_t pid = windows_.opener_pid();
  bool seen = false;
  for (const auto& p : collector_.processes().all()) {
    if (p->pid != pid) continue;
    if (p->alive) return;
    seen = true;
  }
  if (seen) windows_.close_open();
}

void CaptureReports::end_report() {
  const uint32_t number = reports_ + 1;
  if (Status ended = collector_.end_report(); !ended) {
    error_ = ended.error().message;
    return;
  }
  reports_ = number;
  windows_.set_written(number);
  if (events_.written) events_.written(number, collector_.verdict());
}

bool CaptureReports::pending() const {
  if (!windows_.request().repeats || !error_.empty()) return false;
  return windows_.closed() > reports_ || (collector_.between_reports() && windows_.opened() > reports_);
}

void CaptureReports::tell_over() {
  if (!windows_.over() || over_told_) return;
  over_told_ = true;
  if (events_.over) events_.over();
}

void CaptureReports::step(uint64_t age_ns, uint64_t read) {
  if (age_ns >= delay_ns_) windows_.arm();
  for (; told_ < windows_.opened(); ++told_) {
    if (first_opened_age_ns_ == 0) first_opened_age_ns_ = std::max<uint64_t>(age_ns, 1);
    if (events_.opened) events_.opened(told_ + 1);
  }
  if (duration_ns_ != 0 && first_opened_age_ns_ != 0 && age_ns - first_opened_age_ns_ >= duration_ns_ &&
      !windows_.over())
    windows_.stop();
  watch_opener();
  if (!windows_.request().repeats) {
    tell_over();
    return;
  }
  if (!error_.empty()) return;
  if (collector_.between_reports()) {
    if (windows_.opened() > reports_) {
      auto writer = events_.next_report(reports_ + 1);
      Status begun = writer ? Status() : tl::unexpected<Error>(writer.error());
      windows_.set_current(reports_ + 1);
      if (begun) begun = collector_.begin_report(std::move(*writer));
      if (!begun) error_ = begun.error().message;
    } else {
      tell_over();
    }
    return;
  }
  quiet_passes_ = windows_.closed() > reports_ && read == 0 ? quiet_passes_ + 1 : 0;
  if (quiet_passes_ >= kQuietPasses) {
    quiet_passes_ = 0;
    end_report();
  }
}

}  // namespace sextant::collector
