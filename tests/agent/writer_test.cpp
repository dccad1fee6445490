// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The ring writer in this process, with a reader that drains at the same time: built for ThreadSanitizer as
// well.
#include "spool/writer.h"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "spool/reader.h"

namespace sextant::spool {
namespace {

constexpr uint32_t kSegments = 64;
constexpr uint32_t kSegmentBytes = 16384;
constexpr uint32_t kSlots = kSegmentBytes / kSlotBytes;

/// An arena's worth of segments in plain memory. Free ones are in state kFree; a full store refuses.
struct Store {
  std::vector<Slot> slots = std::vector<Slot>(kSegments * kSlots);
  std::unique_ptr<SegmentDescriptor[]> descriptors{new SegmentDescriptor[kSegments]()};
  std::unique_ptr<RingSegment[]> segments{new RingSegment[kSegments]};

  Store() {
    for (uint32_t i = 0; i < kSegments; ++i) {
      descriptors[i].size_bytes = kSegmentBytes;
      descriptors[i].offset = uint64_t{i} * kSegmentBytes;
      descriptors[i].state.store(static_cast<uint32_t>(SegmentState::kFree));
    }
  }
  Slot* at(uint32_t index) { return slots.data() + uint64_t{index} * kSlots; }
};

Store* g_store;
std::atomic<bool> g_refuse;

struct Source {
  static RingSegment* take(RingWriter* w, uint64_t sequence) {
    if (g_refuse.load(std::memory_order_relaxed)) return nullptr;
    for (uint32_t i = 0; i < kSegments; ++i) {
      uint32_t free = static_cast<uint32_t>(SegmentState::kFree);
      SegmentDescriptor& d = g_store->descriptors[i];
      if (!d.state.compare_exchange_strong(free, static_cast<uint32_t>(SegmentState::kRecycling),
                                           std::memory_order_acquire))
        continue;
      d.used = 0;
      d.tid = w->tid;
      d.ring = w->ring;
      d.first_sequence = sequence;
      RingSegment* s = &g_store->segments[i];
      s->shared = &d;
      s->slots = g_store->at(i);
      s->limit = kSlots;
      s->first_sequence = sequence;
      s->active_from = 0;
      d.state.store(static_cast<uint32_t>(SegmentState::kRing), std::memory_order_release);
      return s;
    }
    return nullptr;
  }
  static void give_back(RingWriter*, RingSegment* s) {
    s->shared->used = 0;
    s->shared->state.store(static_cast<uint32_t>(SegmentState::kFree), std::memory_order_release);
  }
  static bool on_alternate_stack(uintptr_t, uintptr_t) { return false; }
};

bool mark(RingWriter* w, uint32_t name) {
  uint64_t words[2] = {first_word(name, Kind::kMark), second_word(name, 0, 1, 0)};
  return append<Source, 1>(w, words);
}
bool start(RingWriter* w, uint32_t name) {
  uint64_t words[8] = {
      first_word(name, Kind::kStart), second_word(name, 0, 4, kHasAttributes), name, 0, name, 0, name, 0};
  return append<Source, 4>(w, words);
}

/// Reads whole segments in the order of a ring.
struct Found {
  std::vector<Record> records;
  uint32_t holes = 0, voids = 0, unknown = 0;
};
Found read_segment(Store& store, uint32_t index, uint32_t used) {
  Found found;
  for (uint32_t i = 0; i < used;) {
    Record r;
    spool::Found f = next_record(store.at(index) + i, kSlots - i, &r);
    if (f == spool::Found::kRecord)
      found.records.push_back(r);
    else if (f == spool::Found::kHole)
      ++found.holes;
    else if (r.kind == Kind::kVoid)
      ++found.voids;
    else
      ++found.unknown;
    i += r.slots;
  }
  return found;
}

class WriterTest : public ::testing::Test {
 protected:
  WriterTest() {
    g_store = &store_;
    g_refuse = false;
    writer_.start(77, 3);
  }
  Store store_;
  RingWriter writer_;
};

TEST_F(WriterTest, FillsSegmentAfterSegment) {
  for (uint32_t i = 1; i <= 3 * kSlots; ++i) ASSERT_TRUE(mark(&writer_, i));
  finish(&writer_);
  uint32_t next = 1;
  for (uint32_t s = 0; s < 3; ++s) {
    EXPECT_EQ(store_.descriptors[s].state.load(), static_cast<uint32_t>(SegmentState::kClosed));
    EXPECT_EQ(store_.descriptors[s].first_sequence, uint64_t{s} * kSlots);
    EXPECT_EQ(store_.descriptors[s].tid, 77u);
    Found found = read_segment(store_, s, kSlots);
    ASSERT_EQ(found.records.size(), kSlots);
    for (const Record& r : found.records) ASSERT_EQ(r.name, next++);
  }
}

TEST_F(WriterTest, ARecordThatDoesNotFitLeavesVoid) {
  for (uint32_t i = 0; i < kSlots - 3; ++i) ASSERT_TRUE(mark(&writer_, 1));
  ASSERT_TRUE(start(&writer_, 2));
  Found first = read_segment(store_, 0, kSlots);
  EXPECT_EQ(first.records.size(), kSlots - 3);
  EXPECT_EQ(first.voids, 1u);
  EXPECT_EQ(first.holes, 0u);
  Found second = read_segment(store_, 1, 4);
  ASSERT_EQ(second.records.size(), 1u);
  EXPECT_EQ(second.records[0].slots, 4u);
}

TEST_F(WriterTest, CountsWhatItDropsAndTellsTheNextSegment) {
  for (uint32_t i = 0; i < kSlots; ++i) ASSERT_TRUE(mark(&writer_, 1));
  g_refuse = true;
  for (uint32_t i = 0; i < 1000; ++i) ASSERT_FALSE(mark(&writer_, 1));
  EXPECT_EQ(writer_.lost, 1000u);
  EXPECT_EQ(store_.descriptors[0].state.load(), static_cast<uint32_t>(SegmentState::kClosed));
  EXPECT_EQ(store_.descriptors[0].used, kSlots);
  g_refuse = false;
  ASSERT_TRUE(mark(&writer_, 2));
  EXPECT_EQ(store_.descriptors[1].lost.load(), 1000u);
  EXPECT_EQ(store_.descriptors[1].first_sequence, kSlots);
  EXPECT_EQ(writer_.lost, 0u);
}

TEST_F(WriterTest, AnAbandonedRecordBecomesVoid) {
  ASSERT_TRUE(mark(&writer_, 1));
  // what an append leaves that was interrupted after its reservation, by a handler that never came back
  RingSegment* segment = writer_.current;
  writer_.active_sp = base::arch::stack_pointer() - 4096;
  segment->active_from = 1;
  segment->shared->used += 3;
  uint64_t* words = reinterpret_cast<uint64_t*>(segment->slots + 2);
  words[1] = second_word(9, 0, 2, 0);  // the second of two: its length was stored already
  ASSERT_TRUE(mark(&writer_, 2));
  EXPECT_EQ(writer_.active_sp, 0u);
  Found found = read_segment(store_, 0, segment->shared->used);
  EXPECT_EQ(found.records.size(), 2u);
  EXPECT_EQ(found.voids, 2u);
  EXPECT_EQ(found.holes, 0u);
}

TEST_F(WriterTest, AnInterruptedAppendKeepsItsSegmentOpen) {
  ASSERT_TRUE(mark(&writer_, 1));
  RingSegment* first = writer_.current;
  writer_.active_sp = UINTPTR_MAX;  // an append further up the stack is under way
  first->active_from = 1;
  first->shared->used += 1;
  for (uint32_t i = 0; i < kSlots; ++i) ASSERT_TRUE(mark(&writer_, 2));
  EXPECT_NE(writer_.current, first);
  EXPECT_EQ(first->shared->state.load(), static_cast<uint32_t>(SegmentState::kRing));
  writer_.active_sp = 0;  // it finishes
  for (uint32_t i = 0; i < kSlots; ++i) ASSERT_TRUE(mark(&writer_, 3));
  EXPECT_EQ(first->shared->state.load(), static_cast<uint32_t>(SegmentState::kClosed));
}

RingWriter* g_signal_writer;
std::atomic<uint32_t> g_signal_marks;
void on_signal(int) {
  if (mark(g_signal_writer, 7)) g_signal_marks.fetch_add(1, std::memory_order_relaxed);
}

/// Writers in several threads, one of them interrupted by handlers that record, and a reader that recycles
/// what is closed.
TEST_F(WriterTest, AReaderDrainsWhileThreadsWrite) {
  constexpr uint32_t kThreads = 3;
  constexpr uint32_t kEach = 200000;
  std::atomic<uint32_t> running{kThreads};
  std::atomic<uint64_t> refused{0};
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  RingWriter writers[kThreads];
  g_signal_writer = &writers[0];
  g_signal_marks = 0;
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    writers[t].start(t, t + 1);
    threads.emplace_back([&, t] {
      for (uint32_t i = 1; i <= kEach; ++i)
        if (!(i % 5 == 0 ? start(&writers[t], i) : mark(&writers[t], i))) refused.fetch_add(1);
      while (t == 0 && running.load() > 1)
        std::this_thread::yield();  // a writer must outlive the signals to it
      finish(&writers[t]);
      running.fetch_sub(1);
    });
  }
  std::thread sender([&] {
    for (int i = 0; i < 2000 && running.load() == kThreads; ++i) {
      pthread_kill(threads[0].native_handle(), SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  uint64_t records = 0, from_handler = 0, unknown = 0, holes = 0;
  bool last = false;
  for (;;) {
    last = running.load() == 0;
    for (uint32_t s = 0; s < kSegments; ++s) {
      SegmentDescriptor& d = store_.descriptors[s];
      if (d.state.load(std::memory_order_acquire) != static_cast<uint32_t>(SegmentState::kClosed)) continue;
      uint32_t used = std::min(__atomic_load_n(&d.used, __ATOMIC_RELAXED), kSlots);
      Found found = read_segment(store_, s, used);
      for (const Record& r : found.records) from_handler += r.name == 7 && r.stamp == 7 && d.tid == 0 ? 1 : 0;
      records += found.records.size();
      unknown += found.unknown;
      holes += found.holes;
      std::memset(static_cast<void*>(store_.at(s)), 0, kSegmentBytes);
      d.state.store(static_cast<uint32_t>(SegmentState::kFree), std::memory_order_release);
    }
    if (last) break;
  }
  sender.join();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(unknown, 0u);
  EXPECT_EQ(holes, 0u);
  EXPECT_EQ(records + refused.load(), uint64_t{kThreads} * kEach + g_signal_marks.load());
  EXPECT_GE(from_handler, g_signal_marks.load());
}

}  // namespace
}  // namespace sextant::spool
