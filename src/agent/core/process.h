// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The process as the agent sees it. Two kinds of state:
//   Setup   set once when the agent is loaded, inherited by fork children
//   State   of this process alone, in memory that reads as zeros after any fork (MADV_WIPEONFORK): a child
//   finds kFresh and
//           registers itself. No lock anywhere; waits are bounded.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "spool/format.h"
#include "spool/writer.h"

namespace sextant::agent {

inline constexpr size_t kMaxFolderBytes = 3900;
inline constexpr size_t kLongestFileName = 80;  // of the run folder
inline constexpr uint32_t kNameLevels = 7;

enum class Stage : uint32_t { kFresh = 0, kBusy = 1, kReady = 2, kFailed = 3 };

struct Setup {
  std::atomic<uint32_t> stage;  // Stage of the agent's own start; kFailed: inert
  spool::ControlPage* control;  // mapped for good, with the process pages that follow it
  uint64_t control_pages;       // process pages within that mapping
  base::ClockKind clock;
  uint64_t stopped_stamp;          // what now() gives once the clock may not be read any more (kNoClock)
  bool libc_thread_id;             // base::arch::thread_id_of_libc() can be relied on
  bool has_key;                    // thread ends are noticed
  bool wiped;                      // the kernel clears State in fork children
  bool records_calls;              // of the C library (core/osrt.h): no thread is without events
  std::atomic<uint32_t> confined;  // Confined bits
  uint64_t image_id;
  uintptr_t main_stack_top;          // an address at its upper end
  const spool::ProcessPage* origin;  // the page whose command line fork children copy
  size_t folder_bytes;
  char folder[kMaxFolderBytes];
  char agent_path[kMaxFolderBytes];
};

enum Confined : uint32_t {
  kNoCalls = 1,  // a seccomp filter: no system call any more beyond the clock
  kNoPaths = 2,  // the root changed: the run folder cannot be opened any more
  kNoClock = 4,  // the time stamp counter traps (strict seccomp, PR_SET_TSC): nothing is recorded any more
};

struct ThreadBlocks;

struct State {
  std::atomic<uint32_t> stage;  // Stage of the registration
  std::atomic<uint32_t> stage_owner;
  spool::ProcessPage* page;
  uint32_t epoch;  // page->instance + 1: tells a process from its fork children
  uint32_t pid;
  std::atomic<uint32_t> arena_stage;
  std::atomic<uint32_t> arena_owner;
  uint8_t* arena;
  uint64_t arena_bytes;                      // mapped
  std::atomic<uint64_t> allocate_again_ns;   // after a refusal of the system: not before this time
  std::atomic<uint32_t> refusal;             // its reason, a LossReason
  std::atomic<spool::RingSegment*> strings;  // segment that takes new names
  std::atomic<uint64_t> string_bytes;
  std::atomic<std::atomic<uint64_t>*> names[kNameLevels];
  std::atomic<ThreadBlocks*> threads;
  spool::RingSegment segments[spool::kMaxSegments];  // by descriptor, each written by who took the descriptor
};

extern Setup g_setup;
extern State* g_state;

/// What a path of a file of the run folder takes. Such paths lie on the caller's stack, in as much as they
/// need (alloca): an event may come from a signal handler on an alternate stack of a few KiB, and be the
/// first one.
inline size_t run_path_room() {
  return g_setup.folder_bytes + kLongestFileName;
}

/// Whether this process may still make system calls, and open files of the run folder.
inline bool may_call() {
  return (g_setup.confined.load(std::memory_order_relaxed) & kNoCalls) == 0;
}
inline bool may_open() {
  return g_setup.confined.load(std::memory_order_relaxed) == 0;
}
inline bool clock_stopped() {
  return (g_setup.confined.load(std::memory_order_relaxed) & kNoClock) != 0;
}

inline spool::ArenaHeader* arena_header(const State* s) {
  return reinterpret_cast<spool::ArenaHeader*>(s->arena);
}
/// The stamp where the clock is not the processor's, or must not be read; out of line, for the event path's
/// sake.
uint64_t now_by_system();
inline bool stamped_by_processor() {
  return g_setup.clock == base::ClockKind::kTsc;
}
[[gnu::always_inline]] inline uint64_t now() {
  return __builtin_expect(stamped_by_processor(), 1) ? base::arch::tsc() : now_by_system();
}

/// Starts the agent if it has not been; `argv` may be null. False: inert.
bool start_agent(int argc, char** argv);

/// Makes sure that this process has a page. Never blocks for long. False: it will not be recorded.
bool register_process();

/// Makes sure that this process has an arena. False: none can be had (now or ever).
bool prepare_arena();

/// Claims a process page and returns it in state kFilling with pid-independent fields set, or nullptr
/// (counted).
spool::ProcessPage* claim_page(spool::PageOrigin origin);
void publish_page(spool::ProcessPage* page);

/// A note about a process that will not be recorded; nullptr: no page left.
spool::ProcessPage* note_untraced(uint32_t pid, uint32_t ppid, spool::Untraced reason, const char* path);

/// Counts records that were dropped; async-signal-safe.
void count_lost(uint64_t stamp, uint32_t reason, uint64_t records = 1);
void add_reason(uint32_t reason);

/// True while a collector looked at the run folder in the last two seconds.
bool collector_answers();

/// How the process said it ends. No-op in a child that only borrows this memory (vfork).
void note_exit(spool::ExitKind kind, int code);

/// The start time of a process (field 22 of /proc/PID/stat) and its name; 0 if unknown. pid 0: this process.
uint64_t read_start_time(uint32_t pid, char comm[16], uint32_t* ppid);

}  // namespace sextant::agent
