// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How a process comes by its arena: it renames one that the collector has made, or makes one where nobody
// answers.
#include "agent/core/arena.h"

#include <alloca.h>

#include "agent/core/sys.h"

namespace sextant::agent {

using spool::ArenaHeader;

namespace {

constexpr int kArenaWaits = 40;         // x 0.5 ms for the collector to make more arenas
constexpr uint64_t kLimitedShare = 16;  // of RLIMIT_AS, where it is set
constexpr uint32_t kOwnArena = UINT32_MAX;

bool arena_path(State* s, char* path, size_t room) {
  sys::Text text(path, room);
  text << g_setup.folder << "/" << uint64_t{s->page->pid} << "-" << s->page->start_time << "-"
       << uint64_t{s->page->instance} << ".ring";
  return text.ok();
}

/// Address space for growth beyond the file's end; little of it where the address space is limited.
bool map_arena(State* s, int fd, uint64_t file_bytes) {
  uint64_t bytes = g_setup.control->arena_reserve_bytes;
  uint64_t limit = sys::resource_limit(RLIMIT_AS).rlim_cur;
  if (limit != RLIM_INFINITY && bytes > limit / kLimitedShare) bytes = limit / kLimitedShare;
  bytes &= ~uint64_t{spool::kPageBytes - 1};
  if (bytes < file_bytes) bytes = file_bytes & ~uint64_t{spool::kPageBytes - 1};
  for (;;) {
    void* base = sys::map(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base != nullptr) {
      s->arena = static_cast<uint8_t*>(base);
      s->arena_bytes = bytes;
      return true;
    }
    if (bytes <= file_bytes) return false;
    bytes = bytes / 2 > file_bytes ? (bytes / 2) & ~uint64_t{spool::kPageBytes - 1}
                                   : file_bytes & ~uint64_t{spool::kPageBytes - 1};
  }
}

/// Opens the file at `path`, maps it and checks its header. `fresh`: the header is still to be written.
bool open_arena(State* s, const char* path, bool fresh) {
  int fd = sys::open_file(path, O_RDWR | O_NOFOLLOW);
  if (fd < 0) return false;
  struct stat info {};
  bool ok = sys::file_status(fd, &info) == 0 && S_ISREG(info.st_mode) &&
            static_cast<uint64_t>(info.st_size) >= spool::kSegmentsOffset &&
            map_arena(s, fd, static_cast<uint64_t>(info.st_size));
  sys::close_file(fd);
  if (!ok) return false;
  ArenaHeader* h = arena_header(s);
  if (fresh || (h->magic == spool::kArenaMagic && h->version == spool::kVersion)) return true;
  sys::unmap(s->arena, s->arena_bytes);
  s->arena = nullptr;
  return false;
}

void sign_arena(State* s, uint32_t number) {
  ArenaHeader* h = arena_header(s);
  h->pid = s->page->pid;
  h->start_time = s->page->start_time;
  h->instance = s->page->instance;
  s->page->arena.store(number == kOwnArena ? number : number + 1, std::memory_order_release);
}

bool claim_number(uint32_t* out) {
  spool::ControlPage* c = g_setup.control;
  uint32_t n = c->arenas_claimed.load(std::memory_order_relaxed);
  while (n < c->arenas_ready.load(std::memory_order_acquire)) {
    if (c->arenas_claimed.compare_exchange_weak(n, n + 1, std::memory_order_acq_rel)) {
      *out = n;
      return true;
    }
  }
  return false;
}

bool claim_arena(State* s, const char* path) {
  char* from = static_cast<char*>(alloca(run_path_room()));
  for (int wait = 0; wait <= kArenaWaits; ++wait) {
    uint32_t n = 0;
    while (claim_number(&n)) {
      sys::Text(from, run_path_room()) << g_setup.folder << "/free-" << uint64_t{n};
      if (sys::system_call(SYS_renameat, AT_FDCWD, reinterpret_cast<long>(from), AT_FDCWD,
                           reinterpret_cast<long>(path)) != 0)
        continue;
      if (!open_arena(s, path, false)) continue;
      sign_arena(s, n);
      return true;
    }
    if (!collector_answers()) return false;
    sys::sleep_ns(500'000);
  }
  return false;
}

/// No collector has one for us: an arena of our own, header and descriptors only.
bool make_arena(State* s, const char* path) {
  spool::ControlPage* c = g_setup.control;
  if (sys::resource_limit(RLIMIT_FSIZE).rlim_cur != RLIM_INFINITY) {
    add_reason(spool::kLossLimits);
    return false;
  }
  if (c->budget_used.load(std::memory_order_relaxed) + spool::kSegmentsOffset > c->budget_bytes) {
    add_reason(spool::kLossBudget);
    return false;
  }
  int fd = sys::open_file(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  long rc = sys::system_call(SYS_fallocate, fd, 0, 0, static_cast<long>(spool::kSegmentsOffset));
  sys::close_file(fd);
  if (rc != 0 || !open_arena(s, path, true)) {
    add_reason(rc != 0 ? spool::kLossNoSpace : spool::kLossLimits);
    sys::system_call(SYS_unlinkat, AT_FDCWD, reinterpret_cast<long>(path), 0);
    return false;
  }
  c->budget_used.fetch_add(spool::kSegmentsOffset, std::memory_order_relaxed);
  ArenaHeader* h = arena_header(s);
  h->version = spool::kVersion;
  h->arena_number = kOwnArena;
  h->file_bytes.store(spool::kSegmentsOffset, std::memory_order_relaxed);
  reinterpret_cast<std::atomic<uint32_t>*>(&h->magic)->store(spool::kArenaMagic, std::memory_order_release);
  sign_arena(s, kOwnArena);
  return true;
}

bool obtain_arena(State* s) {
  char* path = static_cast<char*>(alloca(run_path_room()));
  if (!may_open()) {
    add_reason(spool::kLossSandbox);
    return false;
  }
  return arena_path(s, path, run_path_room()) && (claim_arena(s, path) || make_arena(s, path));
}

}  // namespace

bool prepare_arena() {
  State* s = g_state;
  if (s->arena_stage.load(std::memory_order_acquire) == static_cast<uint32_t>(Stage::kReady)) return true;
  sys::SignalsBlocked until_done(may_call());
  for (int wait = 0; wait < 4000; ++wait) {
    uint32_t stage = s->arena_stage.load(std::memory_order_acquire);
    if (stage == static_cast<uint32_t>(Stage::kReady)) return true;
    if (stage == static_cast<uint32_t>(Stage::kFailed) || !may_call()) return false;
    uint32_t me = sys::thread_id();
    if (stage == static_cast<uint32_t>(Stage::kFresh) &&
        s->arena_stage.compare_exchange_strong(stage, static_cast<uint32_t>(Stage::kBusy),
                                               std::memory_order_acq_rel)) {
      s->arena_owner.store(me, std::memory_order_relaxed);
      bool ok = obtain_arena(s);
      if (!ok)
        s->page->untraced.store(static_cast<uint32_t>(spool::Untraced::kNoArena), std::memory_order_relaxed);
      s->arena_stage.store(static_cast<uint32_t>(ok ? Stage::kReady : Stage::kFailed),
                           std::memory_order_release);
      return ok;
    }
    if (s->arena_owner.load(std::memory_order_relaxed) == me) return false;  // a signal in the middle of it
    sys::sleep_ns(500'000);
  }
  return false;
}

}  // namespace sextant::agent
