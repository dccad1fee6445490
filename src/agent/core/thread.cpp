// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/core/thread.h"

#include <pthread.h>

#include "agent/core/init.h"
#include "agent/core/sys.h"

__thread sextant::agent::ThreadBlock* sextant_thread __attribute__((tls_model("initial-exec")));
__thread uint32_t sextant_borrowed __attribute__((tls_model("initial-exec")));

namespace sextant::agent {

inline constexpr uint32_t kBlocks = 64;

/// Blocks come by the 64; chunks are chained and never freed.
struct ThreadBlocks {
  ThreadBlocks* next;
  std::atomic<spool::CallsInProgress*> calls;  // of each block, once they are needed
  ThreadBlock block[kBlocks];
};
static_assert(kBlocks <= spool::kThreadsOfCalls);

namespace {

constexpr int kMadviseWipeOnFork = 18;     // Linux 4.14
constexpr uint32_t kDestructorRounds = 4;  // of thread-specific values, as the C library's limits.h has it

ThreadBlock* free_block(ThreadBlocks* chunk) {
  for (; chunk != nullptr; chunk = chunk->next) {
    for (ThreadBlock& block : chunk->block) {
      uint32_t free = 0;
      if (block.taken.load(std::memory_order_relaxed) == 0 &&
          block.taken.compare_exchange_strong(free, 1, std::memory_order_acquire))
        return &block;
    }
  }
  return nullptr;
}

/// Where thread ends cannot be noticed (no key): blocks of threads that are gone are taken back when one is
/// needed.
bool collect_dead_threads(State* s) {
  bool any = false;
  for (ThreadBlocks* chunk = s->threads.load(std::memory_order_acquire); chunk != nullptr;
       chunk = chunk->next) {
    for (ThreadBlock& block : chunk->block) {
      uint32_t tid = block.tid;
      if (block.taken.load(std::memory_order_acquire) != 1 || tid == 0) continue;
      if (sys::system_call(SYS_tgkill, s->pid, tid, 0) != -3 /* ESRCH */) continue;
      uint32_t taken = 1;
      if (!block.taken.compare_exchange_strong(taken, 2, std::memory_order_acq_rel)) continue;
      forget_calls(&block);
      spool::finish(&block.ring);
      block.tid = 0;
      block.taken.store(0, std::memory_order_release);
      any = true;
    }
  }
  return any;
}

ThreadBlock* take_block(State* s) {
  for (int tries = 0; tries < 64; ++tries) {
    ThreadBlocks* head = s->threads.load(std::memory_order_acquire);
    if (ThreadBlock* block = free_block(head)) return block;
    if (!may_call()) return nullptr;
    if (!g_setup.has_key && head != nullptr && collect_dead_threads(s)) continue;
    auto* fresh = static_cast<ThreadBlocks*>(sys::map_private(sizeof(ThreadBlocks)));
    if (fresh == nullptr) return nullptr;
    sys::advise(fresh, sizeof(ThreadBlocks), kMadviseWipeOnFork);
    fresh->next = head;
    if (!s->threads.compare_exchange_strong(head, fresh, std::memory_order_acq_rel))
      sys::unmap(fresh, sizeof(ThreadBlocks));
  }
  return nullptr;
}

/// Where a block shows its calls in progress: the blocks of a chunk have a segment together.
spool::CallsInProgress* calls_of(State* s, const ThreadBlock* block) {
  ThreadBlocks* chunk = s->threads.load(std::memory_order_acquire);
  while (chunk != nullptr && (block < chunk->block || block >= chunk->block + kBlocks)) chunk = chunk->next;
  if (chunk == nullptr) return nullptr;
  spool::CallsInProgress* calls = chunk->calls.load(std::memory_order_acquire);
  if (calls == nullptr) {
    spool::RingSegment* segment = take_segment(0, 0).segment;
    if (segment == nullptr) return nullptr;
    auto* fresh = reinterpret_cast<spool::CallsInProgress*>(segment->slots);
    if (chunk->calls.compare_exchange_strong(calls, fresh, std::memory_order_acq_rel)) {
      segment->shared->state.store(static_cast<uint32_t>(spool::SegmentState::kCalls),
                                   std::memory_order_release);
      calls = fresh;
    } else {
      give_back_segment(segment);
    }
  }
  return calls + (block - chunk->block);
}

/// Calls that the thread ends in: it was cancelled, or a signal handler ended it.
void record_unreturned(ThreadBlock* block) {
  if (block->calls == nullptr) return;
  const uint64_t end = clock_stopped() ? g_setup.stopped_stamp : now();
  for (spool::CallInProgress& call : block->calls->call) {
    const uint64_t first = call.first.exchange(0, std::memory_order_relaxed);
    if ((first & 0xff) == 0) continue;
    constexpr uint64_t kFlag = uint64_t{spool::kOsrtUnfinished} << 56;
    const uint64_t duration = (end - (first >> 8)) & spool::kOsrtMaxDuration;
    const uint64_t words[4] = {first, call.second.load(std::memory_order_relaxed) | kFlag, duration,
                               call.value.load(std::memory_order_relaxed)};
    record<2>(block, words);
  }
}

uint32_t own_thread_id() {
  if (may_call()) return sys::thread_id();
  return g_setup.libc_thread_id ? base::arch::thread_id_of_libc() : 0;
}

void start_block(State* s, ThreadBlock* block, uint32_t tid) {
  block->arena = s->arena;
  block->epoch = s->epoch;
  block->tid = tid;
  uint32_t serial = arena_header(s)->next_ring.fetch_add(1, std::memory_order_relaxed) + 1;
  block->ranges = uint64_t{s->epoch & 0xffff} << 48 | uint64_t{serial & 0xffff} << 32;
  std::memset(block->levels, 0, sizeof block->levels);
  if (block->more_levels != nullptr) std::memset(block->more_levels, 0, kMaxDomains * sizeof(int32_t));
  block->names.filling = false;
  block->ends = 0;
  block->calls = g_setup.records_calls ? calls_of(s, block) : nullptr;
  if (block->calls != nullptr) {
    forget_calls(block);
    for (spool::CallInProgress& call : block->calls->call) call.tid.store(tid, std::memory_order_relaxed);
  }
  block->ring.start(tid, serial);
}

/// nullptr: refused, and `reason` says why.
ThreadBlock* attach(State* s, uint32_t* reason) {
  *reason = spool::kLossThreads;
  if (!prepare_arena()) {
    *reason = 0;  // prepare_arena() gave one
    return nullptr;
  }
  uint32_t tid = own_thread_id();
  ThreadBlock* block = tid != 0 ? take_block(s) : nullptr;
  if (block == nullptr) {
    if (!may_call()) *reason = spool::kLossSandbox;
    return nullptr;
  }
  start_block(s, block, tid);
  ThreadBlock* other = sextant_thread;
  if (other != nullptr && other->ring.current != nullptr) {  // a signal handler was faster
    spool::finish(&block->ring);
    block->taken.store(0, std::memory_order_release);
    return other;
  }
  sextant_thread = block;
  watch_thread_end(block);
  return block;
}

}  // namespace

ThreadBlock* attach_thread() {
  State* s = g_state;
  if (s == nullptr) return nullptr;
  if (__builtin_expect(clock_stopped(), 0)) {
    if (s->page != nullptr) count_lost(g_setup.stopped_stamp, spool::kLossSandbox);
    return nullptr;
  }
  if (sextant_borrowed == kThreadOver) return nullptr;
  if (sextant_borrowed != 0) {  // a vfork child: the thread and its ring are the parent's
    count_lost(now(), spool::kLossVfork);
    return nullptr;
  }
  if (s->stage.load(std::memory_order_acquire) != static_cast<uint32_t>(Stage::kReady) && !register_process())
    return nullptr;
  uint64_t begin = now();
  uint32_t reason = 0;
  ThreadBlock* block = attach(s, &reason);
  if (block == nullptr && g_setup.control->collecting.load(std::memory_order_relaxed) != 0)
    count_lost(begin, reason);
  s->page->slow_ticks.fetch_add(now() - begin, std::memory_order_relaxed);
  return block;
}

void prepare_to_be_confined() {
  State* s = g_state;
  bool recording = may_open() && s != nullptr && s->page != nullptr &&
                   (s->page->nvtx_instances.load(std::memory_order_relaxed) != 0 || g_setup.records_calls);
  if (!recording || sextant_borrowed != 0 || !register_process() || !prepare_arena()) return;
  prepare_names();
  if (ThreadBlock* block = take_block(s)) block->taken.store(0, std::memory_order_release);
}

void record_refused(ThreadBlock* t, uint64_t stamp) {
  if (g_setup.control->collecting.load(std::memory_order_relaxed) != 0)
    count_lost(stamp, 0);
  else
    t->ring.lost = 0;
}

void detach_thread(void* pointer) {
  auto* block = static_cast<ThreadBlock*>(pointer);
  if (block == nullptr || sextant_thread != block || block->ring.current == nullptr) return;
  record_unreturned(block);
  sextant_thread = nullptr;
  spool::finish(&block->ring);
  block->tid = 0;
  block->taken.store(0, std::memory_order_release);
}

void thread_ends(void* pointer) {
  auto* block = static_cast<ThreadBlock*>(pointer);
  if (g_setup.records_calls && block == sextant_thread && known_thread() != nullptr) {
    if (++block->ends < kDestructorRounds)
      return watch_thread_end(block);  // later destructors make calls, too
    sextant_borrowed |= kThreadOver;
  }
  detach_thread(block);
}

void note_thread_name(uint32_t tid, const char* name) {
  if (sextant_borrowed != 0) return;  // the kernel names the child, not the thread whose memory this is
  ThreadBlock* t = g_setup.records_calls ? this_thread() : known_thread();
  if (t == nullptr) return;
  char text[16];  // as the kernel has it
  sys::copy_text(text, sizeof text, name);
  const uint64_t words[4] = {
      spool::first_word(now(), spool::Kind::kThreadName),
      spool::second_word(name_of(&t->names, t->arena, text), 0, 2, spool::kNameOfSystem),
      tid != 0 ? tid : t->tid, 0};
  record<2>(t, words);
}

int32_t* far_level(ThreadBlock* t, uint16_t domain) {
  static int32_t shared_level;  // no memory for more: the depth is not told, nothing else is lost
  if (t->more_levels == nullptr) {
    if (!may_call()) return &shared_level;
    t->more_levels = static_cast<int32_t*>(sys::map_private(kMaxDomains * sizeof(int32_t)));
    if (t->more_levels == nullptr) return &shared_level;
  }
  return &t->more_levels[domain];
}

}  // namespace sextant::agent
