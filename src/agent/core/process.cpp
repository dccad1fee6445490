// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/core/process.h"

#include <alloca.h>

#include <cerrno>

#include "agent/core/sys.h"
#include "agent/core/thread.h"

namespace sextant::agent {

using spool::ControlPage;
using spool::PageOrigin;
using spool::PageState;
using spool::ProcessPage;
using spool::Untraced;

constinit Setup g_setup{};
State* g_state;

namespace {

constexpr uint64_t kHeartbeatNs = 2'000'000'000;
constexpr int kPageWaits = 40;  // x 0.5 ms: how long a new process waits for the collector to add pages

/// Pages beyond the first mapping: one at a time.
ProcessPage* map_page(uint64_t index) {
  if (index < g_setup.control_pages) {
    return reinterpret_cast<ProcessPage*>(reinterpret_cast<uint8_t*>(g_setup.control) +
                                          (1 + index) * spool::kPageBytes);
  }
  if (!may_open()) return nullptr;
  char* path = static_cast<char*>(alloca(run_path_room()));
  sys::Text(path, run_path_room()) << g_setup.folder << "/control";
  int fd = sys::open_file(path, O_RDWR | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  void* page = sys::map(nullptr, spool::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                        (1 + index) * spool::kPageBytes);
  sys::close_file(fd);
  return static_cast<ProcessPage*>(page);
}

/// CAS, not fetch_add: a process that finds no page must not burn one that comes later.
bool claim_index(uint32_t* out) {
  ControlPage* c = g_setup.control;
  for (int wait = 0; wait <= kPageWaits; ++wait) {
    uint32_t n = c->pages_claimed.load(std::memory_order_relaxed);
    while (n < c->pages_ready.load(std::memory_order_acquire)) {
      if (c->pages_claimed.compare_exchange_weak(n, n + 1, std::memory_order_acq_rel)) {
        *out = n;
        return true;
      }
    }
    if (!may_call() || !collector_answers()) return false;
    sys::sleep_ns(500'000);
  }
  return false;
}

uint32_t current_thread() {
  if (g_setup.libc_thread_id) return base::arch::thread_id_of_libc();
  return may_call() ? sys::thread_id() : 1;
}

bool fill_fork_page(State* s) {
  uint64_t begin = now();
  ProcessPage* page = claim_page(PageOrigin::kFork);
  if (page == nullptr) return false;
  if (may_call()) {
    page->pid = sys::process_id();
    page->ppid = static_cast<uint32_t>(sys::system_call(SYS_getppid));
    uint32_t ppid = 0;
    page->start_time = read_start_time(0, page->comm, &ppid);
    page->uid = static_cast<uint32_t>(sys::system_call(SYS_getuid));
  } else {  // the C library has just stored the child's thread id, which is its process id
    page->pid = current_thread();
    page->ppid = g_setup.origin->pid;
    page->uid = g_setup.origin->uid;
  }
  page->image_id = g_setup.image_id;
  page->args_bytes = g_setup.origin->args_bytes;
  std::memcpy(page->args, g_setup.origin->args, sizeof page->args);
  std::memcpy(page->exe, g_setup.origin->exe, sizeof page->exe);
  std::memcpy(page->launcher, g_setup.origin->launcher, sizeof page->launcher);
  page->exe[sizeof page->exe - 1] = 0;
  page->nvtx_instances.store(  // a fork child has its parent's clients
      g_setup.origin->nvtx_instances.load(std::memory_order_relaxed), std::memory_order_relaxed);
  page->start_stamp = begin;
  s->page = page;
  s->epoch = page->instance + 1;
  s->pid = page->pid;
  g_setup.origin = page;
  page->init_ticks = now() - begin;
  publish_page(page);
  return true;
}

}  // namespace

uint64_t now_by_system() {
  if (__builtin_expect(clock_stopped(), 0)) {
    detach_thread(sextant_thread);  // so that the event goes on to attach_thread(), which counts it
    return g_setup.stopped_stamp;
  }
  return base::clock_ns(CLOCK_MONOTONIC);
}

bool collector_answers() {
  ControlPage* c = g_setup.control;
  uint64_t beat = c->heartbeat_ns.load(std::memory_order_relaxed);
  uint64_t time = base::clock_ns(CLOCK_MONOTONIC);
  return beat != 0 && time - beat < kHeartbeatNs &&
         c->collector_state.load(std::memory_order_relaxed) <=
             static_cast<uint32_t>(spool::CollectorState::kDraining);
}

ProcessPage* claim_page(PageOrigin origin) {
  uint32_t index = 0;
  ProcessPage* page = claim_index(&index) ? map_page(index) : nullptr;
  if (page == nullptr) {
    g_setup.control->processes_dropped.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  page->state.store(static_cast<uint32_t>(PageState::kFilling), std::memory_order_relaxed);
  page->magic = spool::kProcessMagic;
  page->version = spool::kVersion;
  page->origin = static_cast<uint32_t>(origin);
  page->instance = index;
  return page;
}

void publish_page(ProcessPage* page) {
  page->state.store(static_cast<uint32_t>(PageState::kLive), std::memory_order_release);
}

ProcessPage* note_untraced(uint32_t pid, uint32_t ppid, Untraced reason, const char* path) {
  ProcessPage* page = claim_page(PageOrigin::kUntraced);
  if (page == nullptr) return nullptr;
  page->pid = pid;
  uint32_t real_ppid = ppid;
  page->start_time = read_start_time(pid, page->comm, &real_ppid);
  page->ppid = ppid;
  page->start_stamp = now();
  page->untraced.store(static_cast<uint32_t>(reason), std::memory_order_relaxed);
  sys::copy_text(page->exec_path, sizeof page->exec_path, path);
  publish_page(page);
  return page;
}

uint64_t read_start_time(uint32_t pid, char comm[16], uint32_t* ppid) {
  char path[32];
  sys::Text text(path, sizeof path);
  if (pid == 0)
    text << "/proc/self/stat";
  else
    text << "/proc/" << uint64_t{pid} << "/stat";
  int fd = sys::open_file(path, O_RDONLY);
  if (fd < 0) return 0;
  char line[1024];
  long n = sys::read_at(fd, line, sizeof line - 1, 0);
  sys::close_file(fd);
  if (n <= 0) return 0;
  line[n] = 0;
  char* open = std::strchr(line, '(');
  char* close = std::strrchr(line, ')');
  if (open == nullptr || close == nullptr || close < open) return 0;
  *close = 0;
  sys::copy_text(comm, 16, open + 1);
  uint64_t value = 0;
  int field = 2;
  for (char* p = close + 1; *p != 0 && field <= 22; ++p) {
    if (*p == ' ') {
      if (field == 4) *ppid = static_cast<uint32_t>(value);
      if (field == 22) break;
      ++field;
      value = 0;
    } else if (*p >= '0' && *p <= '9') {
      value = value * 10 + static_cast<uint64_t>(*p - '0');
    }
  }
  return field == 22 ? value : 0;
}

bool register_process() {
  State* s = g_state;
  if (s->stage.load(std::memory_order_acquire) == static_cast<uint32_t>(Stage::kReady)) return true;
  sys::SignalsBlocked until_done(may_call());
  for (int wait = 0; wait < 2000; ++wait) {
    uint32_t stage = s->stage.load(std::memory_order_acquire);
    if (stage == static_cast<uint32_t>(Stage::kReady)) return true;
    if (stage == static_cast<uint32_t>(Stage::kFailed)) return false;
    uint32_t me = current_thread();
    if (stage == static_cast<uint32_t>(Stage::kFresh) &&
        s->stage.compare_exchange_strong(stage, static_cast<uint32_t>(Stage::kBusy),
                                         std::memory_order_acq_rel)) {
      s->stage_owner.store(me, std::memory_order_relaxed);
      bool ok = g_setup.stage.load(std::memory_order_acquire) == static_cast<uint32_t>(Stage::kReady) &&
                fill_fork_page(s);
      s->stage.store(static_cast<uint32_t>(ok ? Stage::kReady : Stage::kFailed), std::memory_order_release);
      return ok;
    }
    if (s->stage_owner.load(std::memory_order_relaxed) == me) return false;  // a signal in the middle of it
    if (!may_call()) return false;
    sys::sleep_ns(500'000);
  }
  return false;
}

void add_reason(uint32_t reason) {
  ProcessPage* page = g_state->page;
  if (page != nullptr && (page->loss_reasons.load(std::memory_order_relaxed) & reason) != reason)
    page->loss_reasons.fetch_or(reason, std::memory_order_relaxed);
}

void count_lost(uint64_t stamp, uint32_t reason, uint64_t records) {
  ProcessPage* page = g_state->page;
  if (page == nullptr) return;
  uint64_t none = 0;
  page->lost_first.compare_exchange_strong(none, stamp, std::memory_order_relaxed);
  page->lost_last.store(stamp, std::memory_order_relaxed);
  page->lost_records.fetch_add(records, std::memory_order_relaxed);
  add_reason(reason);
}

void note_exit(spool::ExitKind kind, int code) {
  State* s = g_state;
  if (s == nullptr || s->page == nullptr ||
      s->stage.load(std::memory_order_acquire) != static_cast<uint32_t>(Stage::kReady))
    return;
  if (may_call() && sys::process_id() != s->pid) return;
  s->page->exit_code.store(code & 0xff, std::memory_order_relaxed);
  s->page->end_stamp.store(now(), std::memory_order_relaxed);
  s->page->exit_kind.store(static_cast<uint32_t>(kind), std::memory_order_release);
}

}  // namespace sextant::agent
