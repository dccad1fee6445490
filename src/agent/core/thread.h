// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a thread that records owns: its ring and its memory of names. Blocks lie in memory that fork children
// find wiped, so a stale pointer in a child's thread-local storage leads to zeros, and from there to
// attach_thread().
#pragma once

#include <cstdint>

#include "agent/core/arena.h"
#include "agent/core/names.h"
#include "agent/core/process.h"

namespace sextant::agent {

inline constexpr uint32_t kInlineDomains = 32;
inline constexpr uint32_t kMaxDomains = 65535;
/// Calls within calls that are shown.
inline constexpr uint32_t kCallLevels = sizeof(spool::CallsInProgress::call) / sizeof(spool::CallInProgress);

struct alignas(64) ThreadBlock {
  spool::RingWriter ring;  // ring.current == nullptr: not in use (or wiped)
  const uint8_t* arena;
  spool::CallsInProgress* calls;   // where calls of the C library are recorded, and there was room
  uintptr_t call_sp[kCallLevels];  // stack pointers of those
  uint32_t epoch;
  uint32_t tid;
  uint64_t ranges;                 // last range id given
  uint32_t ends;                   // how often the C library said that the thread ends
  std::atomic<uint32_t> taken;     // 1: belongs to a thread
  int32_t levels[kInlineDomains];  // depth of the push/pop stack by domain
  int32_t* more_levels;            // of domains kInlineDomains.., mapped when first needed
  NameCache names;
};

}  // namespace sextant::agent

// Plain C names: the vfork wrapper in assembly sets them.
extern "C" {
extern __thread sextant::agent::ThreadBlock* sextant_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern __thread uint32_t sextant_borrowed __attribute__((tls_model("initial-exec"), visibility("hidden")));
}

namespace sextant::agent {

/// In sextant_borrowed, beside the count: the vfork child has put itself behind a filter or another root.
inline constexpr uint32_t kBorrowerConfined = 1u << 31;
/// Likewise: this thread has ended as far as the C library tells; what still happens in it is not recorded.
inline constexpr uint32_t kThreadOver = 1u << 30;

/// Registers the calling thread, and its process if need be. nullptr: cannot be recorded; counted as one lost
/// record, unless the recording is paused (a paused thread gets a block too: levels and range ids go on).
/// Async-signal-safe.
ThreadBlock* attach_thread();

/// The calling thread's block if it has one already, else nullptr.
[[gnu::always_inline]] inline ThreadBlock* known_thread() {
  ThreadBlock* t = sextant_thread;
  return __builtin_expect(t != nullptr && t->ring.current != nullptr, 1) ? t : nullptr;
}

/// The calling thread's block, or nullptr as attach_thread().
[[gnu::always_inline]] inline ThreadBlock* this_thread() {
  ThreadBlock* t = known_thread();
  return __builtin_expect(t != nullptr, 1) ? t : attach_thread();
}

/// A record was refused: counts it, unless the recording is paused.
void record_refused(ThreadBlock* t, uint64_t stamp);

/// Maps ahead what a process that is about to confine itself will need to record.
void prepare_to_be_confined();

/// Its ring is finished and its block free.
void detach_thread(void* block);

/// The C library destroys the thread's values. It does so in rounds: where its calls are recorded, the last
/// one counts.
void thread_ends(void* block);

template <uint32_t kSlots>
[[gnu::always_inline]] inline bool record(ThreadBlock* t, const uint64_t (&words)[kSlots * 2]) {
  bool kept = spool::append<SegmentSource, kSlots>(&t->ring, words);
  if (__builtin_expect(!kept, 0)) record_refused(t, words[0] >> 8);
  return kept;
}

/// The record of one slot for which reserve() found no place.
inline void record_elsewhere(ThreadBlock* t, spool::Place place, uint64_t first, uint64_t second) {
  uint64_t words[2] = {first, second};
  if (!spool::append_slowly<SegmentSource, 1>(&t->ring, place, words)) record_refused(t, first >> 8);
}

/// The thread has no call in progress (any more).
inline void forget_calls(ThreadBlock* t) {
  if (t->calls == nullptr) return;
  for (spool::CallInProgress& call : t->calls->call)
    if (call.first.load(std::memory_order_relaxed) != 0) call.first.store(0, std::memory_order_relaxed);
}

/// Records what the system calls a thread from now on, where this one records (or, where calls of the C
/// library are recorded, can). `name`: as the kernel has taken it, longer ones are cut.
void note_thread_name(uint32_t tid, const char* name);

/// Depth counter of a domain; never nullptr.
int32_t* far_level(ThreadBlock* t, uint16_t domain);
[[gnu::always_inline]] inline int32_t* level_of(ThreadBlock* t, uint16_t domain) {
  return __builtin_expect(domain < kInlineDomains, 1) ? &t->levels[domain] : far_level(t, domain);
}

}  // namespace sextant::agent
