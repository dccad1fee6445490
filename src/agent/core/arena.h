// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments of this process's arena (docs/formats/spool.md §4). Lock-free and async-signal-safe. What the
// shared header offers is checked before it is used: another process may scribble there.
#pragma once

#include <cstdint>

#include "agent/core/process.h"
#include "spool/writer.h"

namespace sextant::agent {

struct Taken {
  spool::RingSegment* segment = nullptr;
  uint32_t loss = 0;  // spool::LossReason when there is none
};

/// A free segment, best of class `wanted`, else the next smaller (not below `least`), else a larger one; from
/// the collector's offers, else allocated here. The caller fills in the descriptor and sets its state.
Taken take_segment(uint32_t wanted, uint32_t least);

/// Returns a segment that was taken and never used.
void give_back_segment(spool::RingSegment* segment);

/// The Source of this process's RingWriters (spool/writer.h).
struct SegmentSource {
  static spool::RingSegment* take(spool::RingWriter* writer, uint64_t sequence);
  static void give_back(spool::RingWriter* writer, spool::RingSegment* segment);
  static bool on_alternate_stack(uintptr_t sp, uintptr_t active);
};

}  // namespace sextant::agent
