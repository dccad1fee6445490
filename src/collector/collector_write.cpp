// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of Collector that provides memory for agents and writes groups.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "collector/collector.h"
#include "collector/collector_page.h"
#include "collector/record_cost.h"
#include "text/units.h"

namespace sextant::collector {

namespace {

constexpr uint32_t kMostPagesAhead = 8192, kPagesLeast = 16;
constexpr uint32_t kMostArenasAhead = 16;
constexpr uint64_t kRetryNs = 1'000'000'000;  // after a failed write or allocation
constexpr uint64_t kSoonNs = 500'000'000, kLateNs = 10'000'000'000, kTightNs = 50'000'000;
constexpr size_t kSoonRows = 4096;
constexpr uint64_t kLastTriesNs = 3'000'000'000;  // for a full disk to get room again once everybody is gone

}  // namespace

// Memory for agents
// -------------------------------------------------------------------------------------------------

/// Within a pass, too: with many processes and little processor time one takes seconds, in which new
/// processes wait for pages, and take a collector that gives no sign for dead.
void Collector::keep_up() {
  if (options_.recovering) return;
  const uint64_t now = monotonic_ns();
  folder_.control().heartbeat_ns.store(now, std::memory_order_relaxed);
  offer_pages(now);
}

void Collector::offer_pages(uint64_t now_ns) {
  const uint32_t claimed = folder_.control().pages_claimed.load(std::memory_order_relaxed);
  if (folder_.pages() >= claimed + pages_ahead_ / 2 || now_ns < arena_retry_ns_) return;
  if (claimed >= folder_.pages() && folder_.pages() != 0)  // somebody may have gone without
    pages_ahead_ = std::min(pages_ahead_ * 2, kMostPagesAhead);
  Status added = folder_.add_pages(pages_ahead_);
  if (!added) added = folder_.add_pages(kPagesLeast);
  if (added) return;
  diagnostics_.add("no_pages", 0, 1, added.error().message);
  arena_retry_ns_ = now_ns + kRetryNs;
}

/// False: somebody may have found nothing on offer.
bool Collector::provide(uint64_t now_ns) {
  spool::ControlPage& control = folder_.control();
  if (options_.recovering) return true;
  offer_pages(now_ns);
  uint32_t ready = control.arenas_ready.load(std::memory_order_relaxed);
  const uint32_t claimed = std::min(control.arenas_claimed.load(std::memory_order_acquire), ready);
  if (ready != 0 && claimed == ready) arenas_ahead_ = std::min(arenas_ahead_ * 2, kMostArenasAhead);
  while (ready - claimed < arenas_ahead_ && ready < spool::kMaxPages && now_ns >= arena_retry_ns_) {
    auto arena = spool::Arena::make(folder_, ready);
    if (!arena) {
      diagnostics_.add("no_arena", 0, 1, "no memory for another process: " + arena.error().message);
      arena_retry_ns_ = now_ns + kRetryNs;
      break;
    }
    free_arenas_.emplace(ready, std::move(*arena));
    control.arenas_ready.store(++ready, std::memory_order_release);
  }
  return stock_rings();
}

bool Collector::stock_rings() {
  uint64_t rings = 0;
  for (auto& [index, page] : pages_)
    if (page->instance != nullptr && !writer_gone(*page)) rings += page->instance->rings().size();
  uint32_t largest = spool::kSegmentClasses - 1;  // so that four for each ring fit the budget
  const uint64_t budget = folder_.control().budget_bytes;
  while (largest > 2 && (spool::kSegmentClass0Bytes << largest) * 4 * rings > budget) --largest;
  bool lasted = true;
  for (auto& [index, page] : pages_)
    if (page->instance != nullptr && !writer_gone(*page)) lasted = page->instance->stock(largest) && lasted;
  bool full = folder_.control().budget_used.load(std::memory_order_relaxed) + (64u << 10) > budget;
  if (full && !std::exchange(budget_was_full_, true))
    diagnostics_.set("budget_full", 0, 1, "--buffer-size was used up for a while");
  bool tight = folder_.control().budget_used.load(std::memory_order_relaxed) > budget / 2;
  if (tight && !shared_.empty() &&
      (shared_.rows() >= kSoonRows || monotonic_ns() - shared_.since_ns > kTightNs))
    (void)flush(shared_);  // what is in the report can be recycled
  return lasted;
}

// Writing
// -----------------------------------------------------------------------------------------------------------

bool Collector::flush_due(uint64_t now_ns) const {
  if (shared_.empty() || now_ns <= shared_.since_ns) return false;  // begun within this pass
  const uint64_t age = now_ns - shared_.since_ns;
  return age >= (watched_ ? kSoonNs : kLateNs) || (age >= kSoonNs && shared_.rows() >= kSoonRows);
}

Status Collector::flush(Group& group) {
  if (group.empty()) return {};
  const uint64_t now = monotonic_ns();
  if (write_failed() && now < retry_ns_) return fail(ErrorCode::kIo, write_error_);
  std::vector<report::Provenance> provenance;
  provenance.reserve(group.contributions.size());
  for (const Contribution& c : group.contributions) {
    c.instance->add_open_rows(*c.ring, group);
    provenance.push_back(
        {c.instance->origin().page, c.ring->serial, c.first_sequence, c.end_sequence - c.first_sequence});
  }
  note_threads(true);
  for (size_t i = 0; i < thread_rows_.columns.size();
       ++i) {  // after what the system says: NVTX's name counts
    thread_rows_.columns[i].insert(thread_rows_.columns[i].end(), group.threads.columns[i].begin(),
                                   group.threads.columns[i].end());
    group.threads.columns[i].clear();
  }
  if (!group.opencl.done.empty()) group.opencl.settle(ticks_per_ns());
  std::vector<const report::Rows*> parts = {
      &group.domains,          &group.categories,        &thread_rows_,          &group.ranges.finished(),
      &group.marks.finished(), &group.starts.finished(), &group.ends.finished(), &group.opens.finished()};
  for (const report::Rows* rows : group.extra.all()) parts.push_back(rows);
  for (const report::Rows* rows : group.opencl.all()) parts.push_back(rows);
  Status written = writer_.write_group(parts, provenance);
  group.opens.clear();
  if (!written) {
    write_error_ = written.error().message;
    retry_ns_ = now + kRetryNs;
    diagnostics_.add("write_failed", 0, 1, "the report could not be written for a while: " + write_error_);
    return written;
  }
  write_error_.clear();
  thread_rows_.clear();
  for (const Contribution& c : group.contributions) {
    c.ring->contribution = -1;
    c.instance->commit(*c.ring, c.end_sequence);
  }
  for (auto& [index, page] : pages_) {
    if (page->instance == nullptr) continue;
    Process* process = processes_.find(page->process);
    if (process == nullptr) continue;
    const InstanceCounts& counts = page->instance->counts();
    process->events += counts.events - std::exchange(page->events_before, counts.events);
    process->cut += counts.cut - std::exchange(page->cut_before, counts.cut);
    process->unended += counts.unended - std::exchange(page->unended_before, counts.unended);
    process->osrt_calls += counts.calls - std::exchange(page->osrt_calls_before, counts.calls);
    process->osrt_unreturned +=
        counts.unreturned - std::exchange(page->osrt_unreturned_before, counts.unreturned);
    const OpenclCounts& opencl = page->instance->opencl().counts();
    process->opencl_calls += opencl.calls - std::exchange(page->opencl_calls_before, opencl.calls);
    process->opencl_commands +=
        opencl.enqueued - std::exchange(page->opencl_commands_before, opencl.enqueued);
  }
  group.clear();
  return {};
}

Status Collector::flush_small(bool everything, bool final) {
  processes_.add_rows(&process_rows_, writer_, everything, final);
  diagnostics_.add_rows(&diagnostic_rows_, writer_);
  const report::Rows* parts[] = {&process_rows_, &thread_rows_, &diagnostic_rows_, &overhead_rows_,
                                 &clock_rows_,   &window_rows_, &untimed_rows_,    &unreturned_rows_};
  if (std::all_of(std::begin(parts), std::end(parts),
                  [](const report::Rows* rows) { return rows->count() == 0; }))
    return {};
  const uint64_t now = monotonic_ns();
  if (write_failed() && now < retry_ns_) return fail(ErrorCode::kIo, write_error_);
  Status written = writer_.write_group(parts, {});
  if (!written) {
    write_error_ = written.error().message;
    retry_ns_ = now + kRetryNs;
    return written;
  }
  write_error_.clear();
  for (report::Rows* rows : {&process_rows_, &thread_rows_, &diagnostic_rows_, &overhead_rows_, &clock_rows_,
                             &window_rows_, &untimed_rows_, &unreturned_rows_})
    rows->clear();
  return {};
}

void Collector::note_clock() {
  base::ClockSync sync = base::take_clock_sync(clock_);
  if (first_sync_.monotonic_ns == 0) first_sync_ = sync;
  if (rate_from_.monotonic_ns == 0) rate_from_ = sync;
  last_clock_ns_ = sync.monotonic_ns;
  append_row(&clock_rows_, {sync.raw, sync.monotonic_ns, sync.realtime_ns, sync.error_ns});
}

double Collector::ticks_per_ns() const {
  if (clock_ == base::ClockKind::kMonotonic) return 1.0;
  const base::ClockSync now = base::take_clock_sync(clock_);
  if (now.monotonic_ns <= rate_from_.monotonic_ns) return 1.0;
  return static_cast<double>(now.raw - rate_from_.raw) /
         static_cast<double>(now.monotonic_ns - rate_from_.monotonic_ns);
}

void Collector::note_overhead() {
  const uint64_t cpu_ns = base::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  append_row(&overhead_rows_,
             {0, 0, first_sync_.raw, static_cast<uint64_t>(static_cast<double>(cpu_ns) * ticks_per_ns()),
              writer_.string_id(options_.recovering ? "recovery CPU time" : "collector CPU time")});
  for (uint32_t index = 0; index < next_page_; ++index) {
    spool::PageCopy copy;
    if (!spool::copy_page(*folder_.page(index), &copy)) continue;
    const auto page = pages_.find(index);
    const uint32_t process = page != pages_.end() ? page->second->process : 0;
    if (copy.init_ticks != 0)
      append_row(&overhead_rows_,
                 {process, 0, copy.start_stamp, copy.init_ticks, writer_.string_id("agent start")});
    if (copy.slow_ticks != 0)
      append_row(&overhead_rows_,
                 {process, 0, copy.start_stamp, copy.slow_ticks, writer_.string_id("agent slow paths")});
  }
  const double per_range = 2 * ticks_per_record(clock_);
  for (const auto& process : processes_.all())
    if (process->osrt_calls != 0)
      append_row(&overhead_rows_,
                 {process->number, 0, process->start_stamp,
                  static_cast<uint64_t>(static_cast<double>(process->osrt_calls) * per_range),
                  writer_.string_id("calls of the C library (estimated from the cost of a record)")});
  for (const auto& process : processes_.all())
    if (process->events != 0)
      append_row(&overhead_rows_, {process->number, 0, process->start_stamp,
                                   static_cast<uint64_t>(static_cast<double>(process->events) * per_range),
                                   writer_.string_id("NVTX ranges (estimated from the cost of a record)")});
}

// The end
// -----------------------------------------------------------------------------------------------------------

Status Collector::finish(bool cut) {
  spool::ControlPage& control = folder_.control();
  control.collector_state.store(static_cast<uint32_t>(spool::CollectorState::kDraining),
                                std::memory_order_relaxed);
  if (cut) control.collecting.store(0, std::memory_order_relaxed);
  const uint64_t until = monotonic_ns() + kLastTriesNs;
  Status status;
  do {
    if (write_failed()) ::usleep(50'000);
    control.heartbeat_ns.store(monotonic_ns(), std::memory_order_relaxed);
    status = write_rest(cut);
  } while (!status && monotonic_ns() < until);
  control.collector_state.store(static_cast<uint32_t>(spool::CollectorState::kGone),
                                std::memory_order_release);
  return status;
}

Status Collector::write_rest(bool cut) {
  if (between_reports_) return {};
  processes_.poll_ends(stamp());
  find_pages(true);
  while (drain_all(Phase::kDead) != 0) {
  }
  SEXTANT_TRY(flush(solo_));
  SEXTANT_TRY(flush(shared_));
  if (write_failed()) return fail(ErrorCode::kIo, write_error_);
  processes_.settle_target();
  for (auto& [index, page] : pages_) {
    note_unfinished(*page);
    if (page->seen) refresh_page(*page);
  }
  const uint64_t dropped = folder_.control().processes_dropped.load(std::memory_order_relaxed);
  if (dropped != 0)
    diagnostics_.set("processes_dropped", 0, dropped,
                     "processes that found no room in the table of processes");
  if (cut && processes_.any_alive())
    diagnostics_.set("survivors", 0, processes_.alive_count(),
                     "processes still ran when the recording ended: what they did later is not in it");
  for (const auto& p : processes_.all())
    if (!p->alive && p->exit == event::process::Exit::kRunning && !p->has_status)
      diagnostics_.set("unknown_exit", p->number, 1, "how it ended is not known");
  note_threads(false);
  note_windows();
  if (!std::exchange(end_noted_, true)) {
    note_clock();
    note_overhead();
  }
  SEXTANT_TRY(flush_small(true, true));
  return writer_.finish();
}

/// Nothing will be heard of its commands any more.
void Collector::note_unfinished(Page& page) {
  Process* process = processes_.find(page.process);
  if (page.instance == nullptr || process == nullptr || std::exchange(page.unfinished_noted, true)) return;
  process->opencl_unfinished += page.instance->opencl().unfinished();
  page.instance->opencl().add_unfinished(&untimed_rows_);
  uint64_t end = stamp(), until = UINT64_MAX;
  if (windows_ != nullptr && windows_->request().capture) {
    if (windows_->opened() == 0) return;
    if (windows_->closed() == windows_->opened()) until = windows_->until();
  }
  if (page.copy.end_stamp != 0)
    end = page.copy.end_stamp;
  else if (!process->alive)
    end = std::max(process->end_stamp, page.instance->last_stamp());
  const size_t calls = page.instance->add_calls_in_progress(end, until, &unreturned_rows_);
  process->osrt_calls += calls;
  page.osrt_calls_before += calls;
  process->osrt_unreturned += calls;
  page.osrt_unreturned_before += calls;
  note_counts(page, *process);
}

void Collector::note_windows() {
  if (windows_ == nullptr) return;
  if (!windows_noted_) windows_->add_rows(&window_rows_, writer_);
  windows_noted_ = true;
  if (const uint64_t count = windows_->outside(); count != 0)
    diagnostics_.set(
        "outside_capture", 0, count,
        "events outside of the capture range " + windows_->range_text() + ": not recorded (-c nvtx)");
  if (const uint64_t count = windows_->excluded(); count != 0)
    diagnostics_.set("domain_not_wanted", 0, count,
                     "events of NVTX domains that were not wanted: not recorded (--nvtx-domain-include, "
                     "--nvtx-domain-exclude)");
  if (windows_->request().capture && windows_->opened() == 0)
    diagnostics_.set("capture_never_opened", 0, 1, windows_->verdict().substr(2));
}

Status Collector::end_report() {
  SEXTANT_TRY(flush(solo_));
  SEXTANT_TRY(flush(shared_));
  for (auto& [index, page] : pages_)
    if (page->seen) refresh_page(*page);
  note_threads(false);
  note_windows();
  note_clock();
  note_overhead();
  SEXTANT_TRY(flush_small(true, true));
  SEXTANT_TRY(writer_.finish());
  between_reports_ = true;
  for (auto& [index, page] : pages_)
    if (page->instance != nullptr) page->instance->end_report();
  return {};
}

Status Collector::begin_report(report::Writer writer) {
  writer_ = std::move(writer);
  between_reports_ = windows_noted_ = false;
  thread_names_.clear();
  diagnostics_.touch();
  open_ranges_ = 0;
  for (const auto& process : processes_.all()) {
    process->osrt_calls = process->osrt_unreturned = 0;
    process->events = process->opencl_calls = process->opencl_commands = process->opencl_unfinished = 0;
    process->unended = 0;
  }
  for (auto& [index, page] : pages_) {
    if (page->instance == nullptr) continue;
    page->instance->begin_report(shared_);
    page->unended_before = 0;
    page->events_before = page->instance->counts().events;
    page->osrt_calls_before = page->instance->counts().calls;
    page->osrt_unreturned_before = page->instance->counts().unreturned;
    page->opencl_calls_before = page->instance->opencl().counts().calls;
    page->opencl_commands_before = page->instance->opencl().counts().enqueued;
  }
  first_sync_ = {};
  note_clock();
  return flush_small(true, false);
}

Totals Collector::totals() const {
  Totals t;
  t.processes = processes_.all().size();
  for (const auto& p : processes_.all()) {
    t.events += p->events;
    t.osrt_calls += p->osrt_calls;
    t.opencl_calls += p->opencl_calls;
    t.opencl_commands += p->opencl_commands;
    t.opencl_unfinished += p->opencl_unfinished;
    t.lost += p->lost;
    t.open_ranges += static_cast<uint64_t>(std::max<int64_t>(p->unended, 0));
    if (ProcessTable::traced(*p) == event::process::Traced::kUntraced) ++t.untraced;
  }
  t.open_ranges += open_ranges_;
  for (const auto& [index, page] : pages_)
    if (page->instance != nullptr)
      for (const auto& entry : page->instance->rings()) t.open_ranges += entry.second->open_ranges;
  t.dropped_processes = folder_.control().processes_dropped.load(std::memory_order_relaxed);
  t.names_dropped = diagnostics_.count("names_dropped");
  t.damaged = diagnostics_.count("damaged_record") + diagnostics_.count("damaged_arena");
  return t;
}

}  // namespace sextant::collector
