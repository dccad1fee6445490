// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// RingWriter: one thread appends records to its ring (docs/formats/spool.md §4, §5). Allocation-free,
// lock-free, async-signal-safe: a signal handler of the same thread may append in the middle of an append,
// and may leave by siglongjmp. Only the owning thread uses a RingWriter; readers see nothing of it but the
// shared segments.
//
// Where segments come from is the Source's business, a type with static functions:
//   RingSegment* take(RingWriter*, sequence)    a segment whose descriptor is filled in and kRing already, or
//   nullptr void give_back(RingWriter*, RingSegment*)   one that was taken but not used (a handler was
//   faster) bool on_alternate_stack(sp, active)         sp lies on the thread's alternate signal stack,
//   `active` does not
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/system_call.h"
#include "spool/format.h"

namespace sextant::spool {

/// A segment as its owner sees it: private copies, so that nobody who scribbles in the run folder can
/// misdirect a store.
struct RingSegment {
  SegmentDescriptor* shared = nullptr;
  Slot* slots = nullptr;
  uint64_t first_sequence = 0;
  uint32_t limit = 0;  // slots in it
  uint32_t active_from =
      0;  // no record before this slot is unfinished; a lower bound, raised when one was abandoned
};

inline constexpr uint32_t kMaxDeferred = 2;
inline constexpr uint32_t kFirstRingClass = 2;  // 16 KiB

struct RingWriter {
  RingSegment* current = nullptr;  // &none: no segment; nullptr: not in use
  uintptr_t active_sp = 0;         // stack pointer of the outermost append that is under way, 0: none
  RingSegment none;                // limit 0
  SegmentDescriptor nothing{};     // what `none` counts in
  RingSegment* deferred[kMaxDeferred] =
      {};             // full segments in which an interrupted append may still have a slot
  uint64_t lost = 0;  // records dropped since the last segment was full
  uint32_t tid = 0;
  uint32_t ring = 0;
  uint32_t next_class = kFirstRingClass;

  void start(uint32_t owner_tid, uint32_t serial) {
    tid = owner_tid;
    ring = serial;
    next_class = kFirstRingClass;
    lost = 0;
    active_sp = 0;
    none.shared = &nothing;
    none.first_sequence = 0;
    deferred[0] = deferred[1] = nullptr;
    __atomic_store_n(&current, &none, __ATOMIC_RELEASE);
  }
};

/// The words of a record before it has a place.
struct RecordWords {
  uint64_t word[2 * 8];  // the longest record has 8 slots at most
  uint32_t slots;
};

inline constexpr uint64_t first_word(uint64_t stamp, Kind kind) {
  return stamp << 8 | static_cast<uint8_t>(kind);
}
inline constexpr uint64_t second_word(uint32_t name, uint16_t domain, uint32_t slots, uint32_t flags) {
  return name | uint64_t{domain} << 32 | uint64_t{slots} << 48 | uint64_t{flags} << 56;
}

namespace writer_detail {

inline uint64_t* words_of(Slot* slot) {
  return reinterpret_cast<uint64_t*>(slot);
}

/// §5: length first, then the rest, the first word last.
[[gnu::always_inline]] inline void fill(Slot* slot, const uint64_t* words, uint32_t slots) {
  uint64_t* to = words_of(slot);
  __atomic_store_n(to + 1, words[1], __ATOMIC_RELAXED);
  if (slots > 1) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (uint32_t i = 2; i < slots * 2; ++i) __atomic_store_n(to + i, words[i], __ATOMIC_RELAXED);
  }
  __atomic_store_n(to, words[0], __ATOMIC_RELEASE);
}

inline void fill_void(Slot* slot, uint32_t slots) {
  uint64_t words[2] = {first_word(0, Kind::kVoid), second_word(0, 0, slots, 0)};
  fill(slot, words, 1);
}

/// Every empty slot at or above active_from belongs to an append that never ends: says so.
inline void void_unfinished(RingSegment* segment) {
  uint32_t end = segment->shared->used < segment->limit ? segment->shared->used : segment->limit;
  for (uint32_t i = segment->active_from; i < end;) {
    uint64_t* words = words_of(segment->slots + i);
    uint32_t length = static_cast<uint8_t>(__atomic_load_n(words + 1, __ATOMIC_RELAXED) >> 48);
    if (length == 0 || length > end - i) length = 1;
    if (__atomic_load_n(words, __ATOMIC_RELAXED) == 0) fill_void(segment->slots + i, length);
    i += length;
    // What was looked at is done with, also if a handler interrupts this and jumps away, time after time.
    __atomic_store_n(&segment->active_from, i, __ATOMIC_RELAXED);
  }
}

inline void close(RingSegment* segment) {
  segment->shared->state.store(static_cast<uint32_t>(SegmentState::kClosed), std::memory_order_release);
}

inline void close_deferred(RingWriter* w) {
  for (RingSegment*& slot : w->deferred) {
    if (RingSegment* segment = __atomic_exchange_n(&slot, nullptr, __ATOMIC_RELAXED)) close(segment);
  }
}

/// `old` is full and no longer current. An append further up the stack may still hold a slot of it: closed
/// later then, since a closed segment is soon somebody else's.
inline void retire(RingWriter* w, RingSegment* old, bool nested) {
  if (!nested) {
    close_deferred(w);
    if (old != &w->none) close(old);
  } else if (old != &w->none) {
    if (RingSegment* oldest = w->deferred[kMaxDeferred - 1]) close(oldest);
    for (uint32_t i = kMaxDeferred - 1; i > 0; --i) w->deferred[i] = w->deferred[i - 1];
    w->deferred[0] = old;
  }
}

inline void raise_sequence(uint64_t* to, uint64_t value) {
  uint64_t seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (seen < value &&
         !__atomic_compare_exchange_n(to, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

/// Puts another segment in the place of the full `old`. False: there is none.
template <typename Source>
bool next_segment(RingWriter* w, RingSegment* old, bool nested) {
  if (__atomic_load_n(&w->current, __ATOMIC_RELAXED) != old) return true;  // a handler did it meanwhile
  uint64_t sequence = __atomic_load_n(&old->first_sequence, __ATOMIC_RELAXED) + old->limit;
  uint64_t lost = __atomic_load_n(&w->lost, __ATOMIC_RELAXED);
  RingSegment* fresh = Source::take(w, sequence);
  RingSegment* to = fresh;
  if (fresh == nullptr) {
    if (old == &w->none) return false;
    raise_sequence(&w->none.first_sequence, sequence);
    to = &w->none;
  } else {
    fresh->shared->lost.store(lost, std::memory_order_relaxed);
  }
  RingSegment* expected = old;
  if (__atomic_compare_exchange_n(&w->current, &expected, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    retire(w, old, nested);
    if (fresh != nullptr) base::arch::fetch_add_same_thread(&w->lost, uint64_t{0} - lost);
    return fresh != nullptr;
  }
  if (fresh != nullptr) Source::give_back(w, fresh);
  return true;
}

/// The reservation at `at` in `segment` did not fit. False: dropped.
template <typename Source>
[[gnu::noinline]] bool append_elsewhere(RingWriter* w, RingSegment* segment, uint32_t at,
                                        const RecordWords& record, bool nested) {
  for (int attempts = 0; attempts < 16; ++attempts) {
    if (at < segment->limit) fill_void(segment->slots + at, segment->limit - at);
    if (segment->limit != 0)
      __atomic_store_n(&segment->shared->used, segment->limit, __ATOMIC_RELAXED);  // no overflow
    if (segment == &w->none) w->nothing.used = 0;
    if (!next_segment<Source>(w, segment, nested)) return false;
    segment = __atomic_load_n(&w->current, __ATOMIC_RELAXED);
    segment->active_from = segment->shared->used;
    at = base::arch::fetch_add_same_thread(&segment->shared->used, record.slots);
    if (uint64_t{at} + record.slots <= segment->limit) {
      fill(segment->slots + at, record.word, record.slots);
      return true;
    }
  }
  return false;  // handlers fill every segment before it can be used
}

inline void drop(RingWriter* w) {
  base::arch::fetch_add_same_thread(&w->lost, uint64_t{1});
}

/// Another append of this thread is under way, or was abandoned by a siglongjmp.
template <typename Source>
[[gnu::noinline]] bool append_inside(RingWriter* w, const RecordWords& record) {
  uintptr_t active = w->active_sp;
  uintptr_t sp = base::arch::stack_pointer();
  bool live = sp < active || Source::on_alternate_stack(sp, active);
  if (!live) {
    void_unfinished(w->current);
    for (RingSegment* segment : w->deferred)
      if (segment != nullptr) void_unfinished(segment);
    close_deferred(w);
    base::arch::store_stack_pointer(&w->active_sp);
  }
  RingSegment* segment = __atomic_load_n(&w->current, __ATOMIC_RELAXED);
  if (!live) segment->active_from = segment->shared->used;
  uint32_t at = base::arch::fetch_add_same_thread(&segment->shared->used, record.slots);
  bool kept = true;
  if (uint64_t{at} + record.slots <= segment->limit)
    fill(segment->slots + at, record.word, record.slots);
  else
    kept = append_elsewhere<Source>(w, segment, at, record, live);
  if (!live) w->active_sp = 0;
  if (!kept) drop(w);
  return kept;
}

}  // namespace writer_detail

/// Where a record goes, or why the common case does not hold.
struct Place {
  Slot* slot;            // nullptr: call append_slowly() with the other two
  RingSegment* segment;  // nullptr: an append is under way further up the stack, nothing is reserved
  uint32_t at;
};

/// First half of an append, for callers whose common case must be free of calls: active_sp is set from here
/// to commit() or append_slowly(). `stamp` is called just before the reservation.
template <uint32_t kSlots, typename Stamp>
[[gnu::always_inline]] inline Place reserve(RingWriter* w, Stamp stamp) {
  if (__builtin_expect(w->active_sp != 0, 0)) return {nullptr, nullptr, 0};
  base::arch::store_stack_pointer(&w->active_sp);
  RingSegment* segment =
      __atomic_load_n(&w->current, __ATOMIC_RELAXED);  // only now: a handler may have gone on to another
  uint32_t* used = &segment->shared->used;
  asm volatile("" : "+r"(used));
  stamp();
  uint32_t at = base::arch::fetch_add_same_thread(used, kSlots);
  if (__builtin_expect(uint64_t{at} + kSlots > segment->limit, 0)) return {nullptr, segment, at};
  return {segment->slots + at, segment, at};
}

/// The other half.
template <uint32_t kSlots>
[[gnu::always_inline]] inline void commit(RingWriter* w, Place place, const uint64_t* words) {
  writer_detail::fill(place.slot, words, kSlots);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&w->active_sp, 0, __ATOMIC_RELAXED);
}

/// The other half where reserve() found no place. False: dropped, and counted in w->lost.
template <typename Source, uint32_t kSlots>
[[gnu::noinline, gnu::cold]] bool append_slowly(RingWriter* w, Place place, const uint64_t* words) {
  RecordWords record{{}, kSlots};
  for (uint32_t i = 0; i < kSlots * 2; ++i) record.word[i] = words[i];
  if (place.segment == nullptr) return writer_detail::append_inside<Source>(w, record);
  bool kept = writer_detail::append_elsewhere<Source>(w, place.segment, place.at, record, false);
  if (!kept) writer_detail::drop(w);
  __atomic_store_n(&w->active_sp, 0, __ATOMIC_RELAXED);
  return kept;
}

/// Appends a record of kSlots slots. False: dropped, and counted in w->lost.
template <typename Source, uint32_t kSlots>
[[gnu::always_inline]] inline bool append(RingWriter* w, const uint64_t (&words)[kSlots * 2]) {
  Place place = reserve<kSlots>(w, [] {});
  if (__builtin_expect(place.slot == nullptr, 0)) {
    uint64_t copy[kSlots * 2];  // so that the words themselves stay in registers
    for (uint32_t i = 0; i < kSlots * 2; ++i) copy[i] = words[i];
    return append_slowly<Source, kSlots>(w, place, copy);
  }
  commit<kSlots>(w, place, words);
  return true;
}

/// The thread ends or its ring is given up: the segment becomes the collector's.
inline void finish(RingWriter* w) {
  RingSegment* last = __atomic_exchange_n(&w->current, nullptr, __ATOMIC_RELAXED);
  if (last != nullptr && last != &w->none) {
    last->active_from = 0;
    writer_detail::void_unfinished(last);
    writer_detail::close(last);
  }
}

}  // namespace sextant::spool
