// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/collector.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "collector/collector_page.h"
#include "collector/exit_status.h"
#include "collector/untraced_text.h"
#include "spool/opencl.h"

namespace sextant::collector {

namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kLookNs = 100'000'000;  // pages that live are read again so often
constexpr int kLongestWaitMs = 20;
constexpr uint64_t kSoloSlots = 32768;  // a ring with so much to read gets chunks of its own
constexpr uint64_t kWorthWaking =
    4096;  // slots in a pass: each pass takes some processor time away from the target
constexpr uint64_t kMaxGroupRecords = 4 * report::kChunkRows;

}  // namespace

Collector::Collector(spool::RunFolder folder, report::Writer writer, Options options)
    : folder_(std::move(folder)),
      writer_(std::move(writer)),
      options_(options),
      clock_(folder_.control().clock_kind == static_cast<uint32_t>(base::ClockKind::kTsc)
                 ? base::ClockKind::kTsc
                 : base::ClockKind::kMonotonic),
      processes_(options.command_lines),
      process_rows_(*event::find_table(event::kProcess)),
      thread_rows_(*event::find_table(event::kThread)),
      diagnostic_rows_(*event::find_table(event::kDiagnostic)),
      overhead_rows_(*event::find_table(event::kProfilerOverhead)),
      clock_rows_(*event::find_table(event::kClockSync)),
      window_rows_(*event::find_table(event::kCaptureWindow)),
      untimed_rows_(*event::find_table(event::kOpenclUntimed)),
      unreturned_rows_(*event::find_table(event::kOsrtCall)) {
  const spool::ControlPage& control = folder_.control();
  processes_.set_deaf({.nvtx_not_wanted = (control.flags & spool::kTraceNvtx) == 0,
                       .not_always_collecting = control.collecting.load(std::memory_order_relaxed) == 0});
}

Collector::~Collector() = default;

Status Collector::start() {
  folder_.control().heartbeat_ns.store(monotonic_ns());
  folder_.control().collector_pid = static_cast<uint32_t>(::getpid());
  provide(monotonic_ns());
  note_clock();
  SEXTANT_TRY(flush_small(false, false));
  folder_.control().collector_state.store(static_cast<uint32_t>(spool::CollectorState::kRunning),
                                          std::memory_order_release);
  return {};
}

void Collector::adopt(Restored restored) {
  restored_ = std::move(restored);
  thread_names_ = restored_.threads;
  folder_.control().collector_pid = static_cast<uint32_t>(::getpid());
  note_clock();
}

uint64_t Collector::pass() {
  const uint64_t now = monotonic_ns();
  folder_.control().heartbeat_ns.store(now, std::memory_order_relaxed);
  processes_.poll_ends(stamp());
  const uint32_t pages_before = next_page_;
  find_pages(false);
  uint64_t read = between_reports_ ? 0 : drain_all(Phase::kLive);
  const bool lasted = provide(now);
  if (!between_reports_ && flush_due(now)) (void)flush(shared_);
  if (now - last_look_ns_ >= kLookNs) {
    last_look_ns_ = now;
    for (auto& [index, page] : pages_)
      if (page->seen) refresh_page(*page), keep_up();
    release_ended();
  }
  if (now - last_small_ns_ >= kSecondNs) {
    last_small_ns_ = now;
    watched_ = folder_.watched();
    processes_.look_at_unwatched(stamp());
    if (!between_reports_) {
      note_threads(false);
      note_clock();
      (void)flush_small(false, false);
    }
  }
  set_wait(read, next_page_ != pages_before || !lasted);
  return read;
}

/// What is on offer to a ring lasts for several passes at the speed that was seen, so that a pass may come
/// late; new processes take from a stock that does not grow with their number.
void Collector::set_wait(uint64_t read, bool short_of_stock) {
  if (read > kSoloSlots)
    wait_ms_ = 0;
  else if (short_of_stock)
    wait_ms_ = 1;
  else if (read > kWorthWaking)
    wait_ms_ = std::max(wait_ms_ / 2, 1);
  else
    wait_ms_ = std::min(std::max(wait_ms_, 1) * 2, kLongestWaitMs);
}

// Pages
// -------------------------------------------------------------------------------------------------------------

void Collector::find_pages(bool final) {
  uint32_t claimed =
      std::min(folder_.control().pages_claimed.load(std::memory_order_acquire), folder_.pages());
  if (options_.recovering) claimed = folder_.pages();  // the counter may be damaged
  for (; next_page_ < claimed; ++next_page_) {
    pages_[next_page_] = std::make_unique<Page>();
    pages_[next_page_]->index = next_page_;
  }
  for (auto& [index, page] : pages_) {
    const bool is_new = !page->seen;
    if (page->taken_back || (is_new && !first_sight(*page, final))) continue;
    if (page->instance == nullptr && !page->arena_failed) open_arena(*page);
    if (is_new) keep_up();
  }
}

bool Collector::first_sight(Page& page, bool final) {
  if (!spool::copy_page(*folder_.page(page.index), &page.copy)) return false;
  page.taken_back =
      page.copy.origin == spool::PageOrigin::kUntraced && page.copy.untraced == spool::Untraced::kNo;
  if (page.taken_back) return false;
  page.seen = true;
  Process& process = processes_.note_page(page.index, page.copy, final);
  page.process = process.number;
  if (auto events = restored_.events.find(process.number); events != restored_.events.end()) {
    process.events += events->second;
    restored_.events.erase(events);
  }
  if (auto unended = restored_.unended.find(process.number); unended != restored_.unended.end()) {
    process.unended += unended->second;
    restored_.unended.erase(unended);
  }
  if (auto calls = restored_.osrt_calls.find(process.number); calls != restored_.osrt_calls.end()) {
    process.osrt_calls += calls->second;
    process.osrt_unreturned += restored_.unreturned[process.number].size();
    restored_.osrt_calls.erase(calls);
  }
  if (auto opencl = restored_.opencl.find(process.number); opencl != restored_.opencl.end()) {
    process.opencl_calls += std::exchange(opencl->second.calls, 0);
    process.opencl_commands += std::exchange(opencl->second.commands, 0);
  }
  if (!page.copy.version_ok)
    diagnostics_.set("version", process.number, 1, untraced_text(spool::Untraced::kOtherVersion));
  refresh_page(page);
  return true;
}

void Collector::open_arena(Page& page) {
  const uint32_t arena_word = folder_.page(page.index)->arena.load(std::memory_order_acquire);
  if (arena_word == 0) return;
  Instance::Origin origin{page.index, page.process, page.copy.start_stamp, page.copy.pid};
  if (const Process* process = processes_.find(page.process))
    for (const uint32_t index :
         process->pages)  // of images that are gone: one after the other has the process
      if (index < page.index && (folder_.page(index)->loss_reasons.load() & spool::opencl::kBegun) != 0)
        ++origin.earlier_opencl;
  if (auto made = free_arenas_.find(arena_word - 1);
      made != free_arenas_.end() && made->second.reader().valid()) {
    page.instance = std::make_unique<Instance>(origin, std::move(made->second), writer_);
    free_arenas_.erase(made);
  } else {
    auto arena =
        spool::Arena::open(folder_, spool::arena_file_name(page.copy.pid, page.copy.start_time, page.index));
    if (!arena) {
      page.arena_failed = true;
      if (folder_.page(page.index)->state.load() != static_cast<uint32_t>(spool::PageState::kDone))
        diagnostics_.set("damaged_arena", page.process, 1,
                         "its events cannot be read: " + arena.error().message);
      return;
    }
    page.instance = std::make_unique<Instance>(origin, std::move(*arena), writer_);
  }
  for (auto& [key, ring] : restored_.rings)
    if (key.first == page.index) page.instance->restore_ring(key.second, std::move(ring));
  for (auto& [key, name] : restored_.domains)
    if (key.first == page.index) page.instance->restore_domain(key.second, writer_.string_id(name));
  for (const Restored::Registration& r : restored_.registrations[page.index])
    page.instance->extras().restore(r.domain, r.what, r.id, r.description);
  if (windows_ != nullptr && windows_->request().repeats) page.instance->use_windows(windows_);
  for (const auto& [stamp, tid] : restored_.unreturned[page.process])
    page.instance->restore_unreturned(stamp, tid);
  restore_opencl(page);
}

void Collector::restore_opencl(Page& page) {
  const auto found = restored_.opencl.find(page.process);
  if (found == restored_.opencl.end()) return;
  OpenclSource& opencl = page.instance->opencl();
  for (const auto& [queue, of] : found->second.queues) opencl.restore_queue(queue, of.first, of.second);
  for (const auto& [correlation, e] : found->second.enqueued)
    opencl.restore_enqueued(correlation, e.stamp, e.tid, e.queue, e.function);
  for (const uint64_t correlation : found->second.early) opencl.restore_early(correlation);
}

void Collector::refresh_page(Page& page) {
  spool::PageCopy copy;
  if (!spool::copy_page(*folder_.page(page.index), &copy)) return;
  page.copy = copy;
  Process* process = processes_.find(page.process);
  if (process == nullptr) return;
  note_counts(page, *process);
  if (process->untraced == spool::Untraced::kNo && copy.untraced != spool::Untraced::kNo) {
    process->untraced = copy.untraced;
    process->dirty = true;
  }
  if (process->alive) return;
  bool newest = !process->pages.empty() && process->pages.back() == page.index;
  if (!newest) return;
  if (copy.exit_kind == spool::ExitKind::kExec && copy.exec_untraced != spool::Untraced::kNo) {
    processes_.note_untraced_exec(*process, copy);
    return;  // the page knows when the program was replaced, not when it ended
  }
  bool says_code =
      copy.exit_kind == spool::ExitKind::kExit || copy.exit_kind == spool::ExitKind::kUnderscoreExit;
  if (!process->has_status && says_code && process->exit == event::process::Exit::kRunning) {
    process->exit = event::process::Exit::kExited;
    process->exit_code = copy.exit_code & 0xff;
    process->dirty = true;
  }
  uint64_t end = copy.end_stamp;
  if (end == 0 && page.instance != nullptr) end = std::max(process->end_stamp, page.instance->last_stamp());
  if (end != 0 && end != process->end_stamp) {
    process->end_stamp = end;
    process->dirty = true;
  }
}

void Collector::note_counts(const Page& page, Process& process) {
  const spool::PageCopy& copy = page.copy;
  uint64_t instances = 0, lost = 0, names = 0, first = 0, last = 0;
  uint32_t reasons = 0;
  for (uint32_t index : process.pages) {
    auto other = pages_.find(index);
    const spool::PageCopy* c = other != pages_.end() && other->second->seen ? &other->second->copy : nullptr;
    spool::PageCopy done;
    if (c == nullptr && spool::copy_page(*folder_.page(index), &done)) c = &done;
    if (c == nullptr) continue;
    instances += c->nvtx_instances;
    lost += c->lost_records;
    names += c->names_dropped;
    reasons |= c->loss_reasons;
    if (c->lost_first != 0 && (first == 0 || c->lost_first < first)) first = c->lost_first;
    last = std::max(last, c->lost_last);
  }
  lost += process.cut;
  if (instances != process.nvtx_instances || lost != process.lost) process.dirty = true;
  process.nvtx_instances = instances;
  process.lost = lost;
  if (lost != 0)
    diagnostics_.set(
        "lost_records", process.number, lost,
        loss_text(reasons & ~uint32_t{spool::kLossNames | spool::kLossTruncated | spool::kSharedThread}),
        first, last);
  if (process.cut != 0)
    diagnostics_.set(
        "ranges_cut_by_loss", process.number, process.cut,
        "ranges that were open where records were lost: their ends are unknown, they count as lost");
  if (names != 0) diagnostics_.set("names_dropped", process.number, names, loss_text(spool::kLossNames));
  if ((reasons & spool::kLossTruncated) != 0)
    diagnostics_.set("names_cut", process.number, 1, loss_text(spool::kLossTruncated));
  if ((reasons & spool::kSharedThread) != 0)
    diagnostics_.set("shared_thread", process.number, 1,
                     "children that share memory and thread-local storage (clone with CLONE_VM, without "
                     "CLONE_SETTLS): what they do is told of the thread that made them, and may be damaged");
  if (copy.untraced != spool::Untraced::kNo)
    diagnostics_.set("untraced_process", process.number, 1, untraced_text(copy.untraced));
  if (copy.exec_untraced != spool::Untraced::kNo && copy.exit_kind == spool::ExitKind::kExec)
    diagnostics_.set("untraced_process", process.number, 1,
                     copy.exec_path + ": " + untraced_text(copy.exec_untraced));
  if (page.instance == nullptr) return;
  const InstanceCounts& counts = page.instance->counts();
  const struct {
    const char* code;
    uint64_t count;
    const char* text;
  } lines[] = {
      {"pop_without_push", counts.pops_without_push, "pops on an empty stack: ignored"},
      {"abandoned_record", counts.abandoned, "records begun and never finished (killed or jumped out of)"},
      {"damaged_record", counts.damaged + page.instance->damaged_names(),
       "records, segments or names in its rings that make no sense: skipped"},
      {"unknown_domain", counts.unknown_domains, "domains whose name was not found"},
      {"too_deep", counts.too_deep, "ranges opened on a thread with over a million open ones: not kept"},
  };
  for (const auto& line : lines)
    diagnostics_.set_of_page(line.code, process.number, page.index, line.count, line.text);
  if (process.osrt_unreturned != 0)
    diagnostics_.set(
        "unfinished_call", process.number, process.osrt_unreturned,
        "calls of the C library that never returned: they count until the thread, the process or the "
        "recording ended");
  note_extras(page, process.number);
  note_opencl(page, process.number);
}

void Collector::note_extras(const Page& page, uint32_t process) {
  const ExtraCounts& counts = page.instance->extras().counts();
  const struct {
    const char* code;
    uint64_t count;
    const char* text;
  } lines[] = {
      {"payload_incomplete", counts.incomplete,
       "structured payloads of which a part is missing (lost, or ended in the middle): left out"},
      {"payload_schema_unknown", counts.no_schema,
       "structured payloads and counter samples whose schema was not found: kept as bytes, samples left out"},
      {"damaged_description", counts.damaged,
       "NVTX schemas, counters and the like that make no sense or are too long"},
      {"unknown_nvtx_call", counts.unknown_calls,
       "calls of NVTX functions that are newer than this release of Sextant: not recorded"},
      {"capture_late", page.instance->counts().late,
       "events of threads that had not noticed the end of a capture range: not recorded"},
  };
  for (const auto& line : lines)
    diagnostics_.set_of_page(line.code, process, page.index, line.count, line.text);
}

void Collector::note_opencl(const Page& page, uint32_t process) {
  const OpenclSource& opencl = page.instance->opencl();
  const OpenclCounts& counts = opencl.counts();
  const uint64_t error_ns =
      opencl.has_clock()
          ? static_cast<uint64_t>(std::llround(std::min(opencl.worst_clock_error() / ticks_per_ns(), 4e18)))
          : 0;
  const struct {
    const char* code;
    uint64_t count;
    const char* text;
  } lines[] = {
      {"opencl_profiling_forced", counts.forced,
       "OpenCL queues that measure because of the recording, which can change the program's timing "
       "(--opencl-force-profiling=false leaves them alone)"},
      {"opencl_untimed", counts.untimed,
       "OpenCL commands without times on their device: table opencl_untimed"},
      {"opencl_untraced_call", counts.untraced,
       "entry points of OpenCL that are not traced and were asked for or called: table opencl_untraced_call"},
      {"opencl_clock", opencl.has_clock() ? std::max<uint64_t>(error_ns, 1) : 0,
       "nanoseconds: bound of the error of times on OpenCL devices, at its worst (table device_clock)"},
      {"opencl_damaged", counts.damaged, "records of OpenCL that make no sense"},
  };
  for (const auto& line : lines)
    if (line.count != 0) diagnostics_.set(line.code, process, line.count, line.text);
}

/// Nobody writes into the page's arena any more: the process is gone, or runs another image.
bool Collector::writer_gone(const Page& page) {
  Process* process = processes_.find(page.process);
  if (process == nullptr || !process->alive) return true;
  return page.copy.exit_kind == spool::ExitKind::kExec && process->image_id != page.copy.image_id;
}

void Collector::release_ended() {
  for (auto it = pages_.begin(); it != pages_.end();) {
    Page& page = *it->second;
    bool over = page.seen && writer_gone(page);
    bool pending = between_reports_ || (page.instance != nullptr && !page.instance->all_committed());
    if (!pending && page.instance != nullptr)
      for (const auto& entry : page.instance->rings())
        pending = pending || page.instance->backlog(*entry.second) != 0;
    if (!over || pending || options_.recovering) {
      ++it;
      continue;
    }
    refresh_page(page);
    if (page.instance != nullptr) {
      note_unfinished(page);
      // Before what they were read from goes.
      if (unreturned_rows_.count() != 0 && !flush_small(false, false)) {
        ++it;
        continue;
      }
      for (const auto& entry : page.instance->rings()) open_ranges_ += entry.second->open_ranges;
      page.instance->arena().release(spool::arena_file_name(page.copy.pid, page.copy.start_time, page.index));
    }
    folder_.page(page.index)
        ->state.store(static_cast<uint32_t>(spool::PageState::kDone), std::memory_order_release);
    it = pages_.erase(it);
  }
}

void Collector::note_threads(bool new_ones_only) {
  for (auto& [index, page] : pages_) {
    if (page->instance == nullptr) continue;
    Process* process = processes_.find(page->process);
    for (const auto& entry : page->instance->rings()) {
      uint32_t tid = entry.second->tid;
      if (process == nullptr || page->instance->named_threads().contains(tid)) continue;
      auto known = thread_names_.find({page->process, tid});
      if (known != thread_names_.end() && (new_ones_only || !process->alive)) continue;
      std::string name = process->pidfd.valid() ? thread_comm(process->pid, tid) : "";
      if (name.empty() && known != thread_names_.end()) continue;
      if (name.empty() && tid == process->pid) name = page->copy.comm;
      if (known != thread_names_.end() && known->second == name) continue;
      thread_names_[{page->process, tid}] = name;
      append_row(&thread_rows_, {page->process, tid, writer_.string_id(name)});
    }
  }
}

// Draining
// ----------------------------------------------------------------------------------------------------------

uint64_t Collector::drain_all(Phase phase) {
  if (write_failed() && monotonic_ns() < retry_ns_) return 0;
  uint64_t read = 0;
  for (auto& [index, page] : pages_) {
    if (page->instance == nullptr) continue;
    if (phase == Phase::kLive) keep_up();
    Instance& instance = *page->instance;
    Phase own = phase == Phase::kLive && writer_gone(*page) ? Phase::kDead : phase;
    instance.scan(own);
    uint64_t here = 0, waiting = 0;
    for (const auto& entry : instance.rings()) {
      here += drain_ring(instance, *entry.second, own);
      waiting += instance.backlog(*entry.second);
    }
    if (own == Phase::kDead && here == 0 && waiting != 0 && !write_failed())
      for (const auto& entry : instance.rings()) here += drain_ring(instance, *entry.second, Phase::kLast);
    read += here;
  }
  return read;
}

uint64_t Collector::drain_ring(Instance& instance, Ring& ring, Phase phase) {
  const uint64_t backlog = instance.backlog(ring);
  if (backlog == 0) return 0;
  const uint64_t now = monotonic_ns();
  const uint64_t before = ring.next;
  if (backlog >= kSoloSlots) {
    if (ring.contribution >= 0 && !flush(shared_)) return 0;
    if (!solo_.empty() && !flush(solo_)) return 0;  // left over from a failed write
    instance.drain(ring, solo_, report::kChunkRows, now, phase);
    (void)flush(solo_);
  } else {
    if (!solo_.empty() && !flush(solo_)) return 0;
    instance.drain(ring, shared_, report::kChunkRows, now, phase);
    if (shared_.rows() >= report::kChunkRows || shared_.records >= kMaxGroupRecords + 4 * ring.open_ranges)
      (void)flush(shared_);
  }
  return ring.next - before;
}

}  // namespace sextant::collector
