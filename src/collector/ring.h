// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Ring: what the collector knows of one thread's ring: its segments, how far it has been read and written,
// and the stacks of open ranges, one per domain. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "spool/reader.h"

namespace sextant::collector {

struct OpenRange {
  uint64_t start;
  uint32_t name;  // report string id
  uint8_t flags;  // spool::RecordFlags; kHasAttributes: `attributes` has an entry
};

/// The open ranges of one domain in one ring.
struct DomainStack {
  std::vector<OpenRange> ranges;
  std::vector<spool::Attributes> attributes;  // of those that have some, in the same order
  uint64_t too_deep = 0;                      // pushes that were not kept (kMaxOpenRanges)
};

inline constexpr size_t kMaxOpenRanges = 1u << 20;  // per ring: 16 MiB of a thread that pushes for ever

struct Ring {
  uint32_t serial = 0;
  uint32_t tid = 0;
  uint64_t next = 0;                     // sequence number of the next record to read
  uint64_t committed = 0;                // everything before is in the report
  std::vector<spool::Segment> segments;  // not yet recycled, by first_sequence
  std::vector<DomainStack> stacks;       // by domain id
  size_t open_ranges = 0;
  int32_t contribution = -1;      // index in the shared group, -1: none
  bool started = false;           // `next` is known
  uint64_t last_head = 0;         // end of what was reserved at the last look at the stock
  uint64_t slots_per_look = 0;    // its speed
  uint64_t hole = UINT64_MAX;     // sequence number of the empty slot it stands at
  uint64_t waiting_since_ns = 0;  // since when it stands there, or at a domain without a name
  uint64_t idle_since_ns = 0;

  DomainStack& stack(uint16_t domain) {
    if (domain >= stacks.size()) stacks.resize(size_t{domain} + 1);
    return stacks[domain];
  }
};

}  // namespace sextant::collector
