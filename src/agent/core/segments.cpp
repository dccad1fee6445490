// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <alloca.h>

#include <csignal>

#include "agent/core/arena.h"
#include "agent/core/sys.h"

namespace sextant::agent {

using spool::ArenaHeader;
using spool::RingSegment;
using spool::SegmentDescriptor;
using spool::SegmentState;

namespace {

constexpr int kMadvisePopulateWrite = 23;  // Linux 5.14; where it is missing the first touch does it
constexpr uint64_t kRetryNs = 10'000'000;  // after the system refused an allocation
constexpr uint32_t kOfferTries = 8;

SegmentDescriptor* descriptor(State* s, uint32_t index) {
  return reinterpret_cast<SegmentDescriptor*>(s->arena + spool::kDescriptorsOffset) + index;
}

/// Our private copy of a segment that lies within the mapping; nullptr if the descriptor says something
/// absurd.
RingSegment* adopt(State* s, uint32_t index, uint64_t offset, uint32_t bytes) {
  if (bytes < spool::kSegmentClass0Bytes || (bytes & (bytes - 1)) != 0 ||
      bytes > spool::kSegmentClass0Bytes << (spool::kSegmentClasses - 1))
    return nullptr;
  if (offset % spool::kPageBytes != 0 || offset < spool::kSegmentsOffset || offset > s->arena_bytes ||
      bytes > s->arena_bytes - offset)
    return nullptr;
  RingSegment* segment = &s->segments[index];
  segment->shared = descriptor(s, index);
  segment->slots = reinterpret_cast<spool::Slot*>(s->arena + offset);
  segment->limit = bytes / spool::kSlotBytes;
  segment->active_from = 0;
  segment->shared->used = 0;
  return segment;
}

uint32_t class_of(uint32_t bytes) {
  return 31u - static_cast<uint32_t>(__builtin_clz(bytes | 1)) - 12u;  // kSegmentClass0Bytes is 1 << 12
}
static_assert(spool::kSegmentClass0Bytes == 1 << 12);

/// Slot in `offers` that suits best, or -1.
int best_offer(State* s, uint32_t wanted, uint32_t least, uint32_t* its_class) {
  ArenaHeader* h = arena_header(s);
  int best = -1;
  uint32_t best_class = 0;
  for (uint32_t i = 0; i < spool::kMaxOffers; ++i) {
    uint32_t offer = h->offers[i].load(std::memory_order_relaxed);
    if (offer == 0 || offer > spool::kMaxSegments) continue;
    uint32_t c = class_of(descriptor(s, offer - 1)->size_bytes);
    if (c >= spool::kSegmentClasses || c < least) continue;
    bool better = best < 0 || (c <= wanted ? best_class > wanted || c > best_class
                                           : best_class > wanted && c < best_class);
    if (!better) continue;
    best = static_cast<int>(i);
    best_class = c;
    if (c == wanted) break;
  }
  *its_class = best_class;
  return best;
}

RingSegment* take_offer(State* s, uint32_t wanted, uint32_t least, bool* exact) {
  ArenaHeader* h = arena_header(s);
  for (uint32_t tries = 0; tries < kOfferTries; ++tries) {
    uint32_t c = 0;
    int i = best_offer(s, wanted, least, &c);
    if (i < 0) return nullptr;
    uint32_t offer = h->offers[i].exchange(0, std::memory_order_acq_rel);
    if (offer == 0 || offer > spool::kMaxSegments) continue;
    SegmentDescriptor* d = descriptor(s, offer - 1);
    if (d->state.load(std::memory_order_acquire) != static_cast<uint32_t>(SegmentState::kFree)) continue;
    RingSegment* segment = adopt(s, offer - 1, d->offset, d->size_bytes);
    if (segment == nullptr) continue;
    *exact = class_of(segment->limit * spool::kSlotBytes) == wanted;
    return segment;
  }
  return nullptr;
}

void want(State* s, uint32_t wanted) {
  ArenaHeader* h = arena_header(s);
  uint32_t seen = h->wanted_class.load(std::memory_order_relaxed);
  while (seen < wanted + 1 &&
         !h->wanted_class.compare_exchange_weak(seen, wanted + 1, std::memory_order_relaxed)) {
  }
}

bool add_within(std::atomic<uint64_t>* counter, uint64_t add, uint64_t limit, uint64_t floor, uint64_t* old) {
  uint64_t seen = counter->load(std::memory_order_relaxed);
  for (;;) {
    uint64_t from = seen < floor ? floor : seen;
    if (from > limit || add > limit - from) return false;
    if (counter->compare_exchange_weak(seen, from + add, std::memory_order_acq_rel)) {
      *old = from;
      return true;
    }
  }
}

bool reserve_descriptor(State* s, uint32_t* index) {
  ArenaHeader* h = arena_header(s);
  uint32_t n = h->segment_count.load(std::memory_order_relaxed);
  while (n < spool::kMaxSegments) {
    if (h->segment_count.compare_exchange_weak(n, n + 1, std::memory_order_acq_rel)) {
      *index = n;
      return true;
    }
  }
  return false;
}

/// File space for the range, never sparse: a store into a hole on a full disk would be a SIGBUS.
bool allocate_file(State* s, uint64_t offset, uint32_t bytes) {
  char* path = static_cast<char*>(alloca(run_path_room()));
  spool::ArenaHeader* h = arena_header(s);
  sys::Text(path, run_path_room()) << g_setup.folder << "/" << uint64_t{s->pid} << "-" << h->start_time << "-"
                                   << uint64_t{s->epoch - 1} << ".ring";
  int fd = sys::open_file(path, O_RDWR | O_NOFOLLOW);
  if (fd < 0) return false;
  long rc;
  do rc = sys::system_call(SYS_fallocate, fd, 0, static_cast<long>(offset), bytes);
  while (rc == -4 /* EINTR */);
  sys::close_file(fd);
  if (rc == 0) sys::advise(s->arena + offset, bytes, kMadvisePopulateWrite);
  return rc == 0;
}

/// One allocation of exactly this class. The reason why not, else 0.
uint32_t allocate_class(State* s, uint32_t c, RingSegment** out) {
  spool::ControlPage* control = g_setup.control;
  uint32_t bytes = static_cast<uint32_t>(spool::kSegmentClass0Bytes << c);
  uint64_t ignored = 0;
  if (!add_within(&control->budget_used, bytes, control->budget_bytes, 0, &ignored))
    return spool::kLossBudget;
  uint32_t reason = 0;
  uint32_t index = 0;
  uint64_t offset = 0;
  // NOLINTNEXTLINE(bugprone-branch-clone): asked first, since the rest costs something
  if (arena_header(s)->segment_count.load(std::memory_order_relaxed) >= spool::kMaxSegments) {
    reason = spool::kLossSegments;
  } else if (!add_within(&arena_header(s)->file_bytes, bytes, s->arena_bytes, spool::kSegmentsOffset,
                         &offset)) {
    reason = spool::kLossLimits;
  } else if (!allocate_file(s, offset, bytes)) {
    uint64_t end = offset + bytes;  // hand the range back, unless somebody has reserved behind it
    arena_header(s)->file_bytes.compare_exchange_strong(end, offset, std::memory_order_acq_rel);
    reason = spool::kLossNoSpace;
  } else if (!reserve_descriptor(s, &index)) {  // the last one went meanwhile
    reason = spool::kLossSegments;
  }
  if (reason != 0) {
    control->budget_used.fetch_sub(bytes, std::memory_order_relaxed);
    return reason;
  }
  SegmentDescriptor* d = descriptor(s, index);
  d->size_bytes = bytes;
  d->offset = offset;
  *out = adopt(s, index, offset, bytes);
  return *out != nullptr ? 0 : static_cast<uint32_t>(spool::kLossLimits);
}

/// RLIMIT_FSIZE: growing a file beyond it raises a signal that kills the target.
Taken allocate_segment(State* s, uint32_t wanted, uint32_t least) {
  if (!may_open()) return {nullptr, spool::kLossSandbox};
  spool::ControlPage* control = g_setup.control;
  uint64_t used = control->budget_used.load(std::memory_order_relaxed);
  if (used + (spool::kSegmentClass0Bytes << least) > control->budget_bytes)
    return {nullptr, spool::kLossBudget};
  uint64_t time = base::clock_ns(CLOCK_MONOTONIC_COARSE);
  if (time < s->allocate_again_ns.load(std::memory_order_relaxed))
    return {nullptr, s->refusal.load(std::memory_order_relaxed)};
  uint32_t reason = spool::kLossLimits;
  if (sys::resource_limit(RLIMIT_FSIZE).rlim_cur == RLIM_INFINITY) {
    for (uint32_t c = wanted + 1; c-- > least;) {
      RingSegment* segment = nullptr;
      reason = allocate_class(s, c, &segment);
      if (reason == 0) return {segment, 0};
      if (reason == spool::kLossSegments) break;
    }
  }
  if (reason != spool::kLossBudget) {
    s->refusal.store(reason, std::memory_order_relaxed);
    s->allocate_again_ns.store(time + kRetryNs, std::memory_order_release);
  }
  return {nullptr, reason};
}

}  // namespace

Taken take_segment(uint32_t wanted, uint32_t least) {
  State* s = g_state;
  bool exact = false;
  RingSegment* segment = take_offer(s, wanted, least, &exact);
  if (!exact) want(s, wanted);
  if (segment != nullptr) return {segment, 0};
  return allocate_segment(s, wanted, least);
}

void give_back_segment(RingSegment* segment) {
  State* s = g_state;
  uint32_t index = static_cast<uint32_t>(segment - s->segments);
  segment->shared->used = 0;
  segment->shared->state.store(static_cast<uint32_t>(SegmentState::kFree), std::memory_order_release);
  for (auto& offer : arena_header(s)->offers) {
    uint32_t empty = 0;
    if (offer.compare_exchange_strong(empty, index + 1, std::memory_order_acq_rel)) return;
  }
  segment->shared->state.store(static_cast<uint32_t>(SegmentState::kClosed), std::memory_order_release);
}

RingSegment* SegmentSource::take(spool::RingWriter* w, uint64_t sequence) {
  if (g_setup.control->collecting.load(std::memory_order_relaxed) == 0) return nullptr;
  Taken taken = take_segment(w->next_class, 0);
  bool block = (g_setup.control->flags & spool::kBlockWhenFull) != 0 && may_call();
  while (taken.segment == nullptr && block && collector_answers()) {
    sys::sleep_ns(200'000);
    taken = take_segment(w->next_class, 0);
  }
  if (taken.segment == nullptr) {
    add_reason(taken.loss);
    return nullptr;
  }
  SegmentDescriptor* d = taken.segment->shared;
  taken.segment->first_sequence = sequence;
  d->tid = w->tid;
  d->ring = w->ring;
  d->first_sequence = sequence;
  d->state.store(static_cast<uint32_t>(SegmentState::kRing), std::memory_order_release);
  uint32_t c = class_of(taken.segment->limit * spool::kSlotBytes);
  w->next_class = c + 1 < spool::kSegmentClasses ? c + 1 : spool::kSegmentClasses - 1;
  return taken.segment;
}

void SegmentSource::give_back(spool::RingWriter*, RingSegment* segment) {
  give_back_segment(segment);
}

bool SegmentSource::on_alternate_stack(uintptr_t sp, uintptr_t active) {
  if (!may_call()) return false;
  stack_t stack{};
  if (sys::system_call(SYS_sigaltstack, 0, reinterpret_cast<long>(&stack)) != 0 ||
      (stack.ss_flags & SS_DISABLE) != 0)
    return false;
  uintptr_t low = reinterpret_cast<uintptr_t>(stack.ss_sp);
  return sp - low < stack.ss_size && active - low >= stack.ss_size;
}

}  // namespace sextant::agent
