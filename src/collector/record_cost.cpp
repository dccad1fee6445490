// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/record_cost.h"

#include <algorithm>
#include <vector>

#include "spool/writer.h"

namespace sextant::collector {

namespace {

constexpr uint32_t kRecords = 2048;
constexpr int kRounds = 8;

struct NoMoreSegments {
  static spool::RingSegment* take(spool::RingWriter*, uint64_t) { return nullptr; }
  static void give_back(spool::RingWriter*, spool::RingSegment*) {}
  static bool on_alternate_stack(uintptr_t, uintptr_t) { return false; }
};

}  // namespace

double ticks_per_record(base::ClockKind clock) {
  std::vector<spool::Slot> slots(kRecords);
  spool::SegmentDescriptor descriptor{};
  spool::RingSegment segment{&descriptor, slots.data(), 0, kRecords, 0};
  spool::RingWriter writer;
  writer.start(1, 1);
  writer.current = &segment;
  uint64_t best = UINT64_MAX;
  for (int round = 0; round < kRounds; ++round) {
    descriptor.used = 0;
    const uint64_t begin = base::stamp(clock);
    for (uint32_t i = 0; i < kRecords; ++i) {
      const uint64_t words[2] = {spool::first_word(base::stamp(clock), spool::Kind::kMark),
                                 spool::second_word(i, 0, 1, 0)};
      spool::append<NoMoreSegments, 1>(&writer, words);
    }
    best = std::min(best, base::stamp(clock) - begin);
  }
  return static_cast<double>(best) / kRecords;
}

}  // namespace sextant::collector
