// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/instance.h"

#include <algorithm>

namespace sextant::collector {

namespace nvtx = event::nvtx;
using spool::Kind;
using spool::SegmentState;

namespace {

constexpr uint64_t kHoleWaitNs = 100'000'000;  // docs/formats/spool.md §5
constexpr uint64_t kDomainWaitNs =
    2'000'000'000;  // the record that names a domain lies in another thread's ring
constexpr uint64_t kRingIdleNs = 2'000'000'000;
constexpr uint32_t kFirstClass = 2;  // 16 KiB: what a thread begins with
constexpr uint32_t kBatch = 256;     // slots between two looks at the number of rows
constexpr uint32_t kSlotsAhead =
    128;  // 2 KiB: what another processor wrote takes long to come, in each page anew
constexpr size_t kMaxRings = 1u << 16;  // of one instance at a time; hostile serials stop there

uint64_t end_of(const spool::Segment& segment) {
  return segment.first_sequence + segment.slots;
}

}  // namespace

Instance::Instance(Origin origin, spool::Arena arena, report::Writer& writer)
    : origin_(origin),
      arena_(std::move(arena)),
      writer_(writer),
      extras_(writer),
      opencl_(origin.process, origin.earlier_opencl, arena_, writer, names_),
      attached_(spool::kMaxSegments),
      damaged_(spool::kMaxSegments),
      unsafe_(spool::kMaxSegments) {
  domains_.resize(1);
  domains_[0].known = true;
}

void Instance::set_domain(uint16_t id, uint32_t name) {
  if (id >= domains_.size()) domains_.resize(size_t{id} + 1);
  domains_[id] = {name, true};
}

// Segments
// ----------------------------------------------------------------------------------------------------------

void Instance::scan(Phase phase) {
  written_to_ = phase == Phase::kLive;
  const uint32_t count = arena_.reader().segment_count();
  bool refreshed = false;
  for (uint32_t i = 0; i < count; ++i) {
    if (attached_[i]) continue;
    SegmentState state = arena_.reader().state(i);
    if (state != SegmentState::kRing && state != SegmentState::kClosed) continue;
    spool::Segment segment;
    bool damaged = false;
    bool ok = arena_.reader().segment(i, &segment, &damaged);
    if (!ok && damaged && !refreshed) {  // the agent may have let the file grow
      arena_.refresh();
      refreshed = true;
      ok = arena_.reader().segment(i, &segment, &damaged);
    }
    if (ok) {
      attach(segment);
    } else if (damaged && !damaged_[i]) {
      damaged_[i] = true;
      ++counts_.damaged;
    }
  }
  for (auto& [serial, ring] : rings_) {
    if (!ring->started) start_ring(*ring, phase);
  }
}

void Instance::attach(const spool::Segment& segment) {
  auto found = rings_.find(segment.ring);
  if (found == rings_.end()) {
    if (rings_.size() >= kMaxRings) return;
    found = rings_.emplace(segment.ring, std::make_unique<Ring>()).first;
    Ring& ring = *found->second;
    ring.serial = segment.ring;
    ring.tid = segment.tid;
    if (auto known = restored_.find(segment.ring); known != restored_.end()) {
      ring.next = ring.committed = known->second.next;
      ring.stacks = std::move(known->second.stacks);
      ring.open_ranges = known->second.open_ranges;
      ring.started = true;
      restored_.erase(known);
    } else if (segment.first_sequence == 0) {
      ring.next = ring.committed = segment.consumed;
      ring.started = true;
    }
  }
  Ring& ring = *found->second;
  auto at =
      std::lower_bound(ring.segments.begin(), ring.segments.end(), segment.first_sequence,
                       [](const spool::Segment& s, uint64_t first) { return s.first_sequence < first; });
  if (at != ring.segments.end() && at->first_sequence == segment.first_sequence) {
    if (!damaged_[segment.index]) ++counts_.damaged;  // two segments with the same numbers
    damaged_[segment.index] = true;
    return;
  }
  ring.segments.insert(at, segment);
  attached_[segment.index] = true;
}

/// A ring that did not begin at 0 in our sight: only the second look at all its segments tells which one is
/// the first.
void Instance::start_ring(Ring& ring, Phase phase) {
  if (ring.idle_since_ns == 0 && phase == Phase::kLive) {
    ring.idle_since_ns = 1;
    return;
  }
  const spool::Segment& first = ring.segments.front();
  ring.next = ring.committed = first.first_sequence + first.consumed;
  ring.started = true;
}

uint64_t Instance::backlog(const Ring& ring) const {
  uint64_t sum = 0;
  for (const spool::Segment& segment : ring.segments) {
    uint64_t reserved = segment.first_sequence + arena_.reader().used(segment);
    if (reserved > ring.next) sum += reserved - std::max(ring.next, segment.first_sequence);
  }
  return sum;
}

void Instance::commit(Ring& ring, uint64_t sequence) {
  ring.committed = std::max(ring.committed, sequence);
  size_t kept = 0;
  for (spool::Segment& segment : ring.segments) {
    if (sequence > segment.first_sequence) {
      uint32_t consumed =
          static_cast<uint32_t>(std::min<uint64_t>(sequence - segment.first_sequence, segment.slots));
      segment.consumed = consumed;
      arena_.descriptor(segment.index).consumed.store(consumed, std::memory_order_release);
      // A closed segment is the collector's, once read to the end.
      bool whole = consumed == segment.slots && arena_.reader().state(segment.index) == SegmentState::kClosed;
      if (whole && !unsafe_[segment.index]) {
        if (written_to_)
          arena_.recycle(segment);
        else
          arena_.retire(segment);
        attached_[segment.index] = false;
        continue;
      }
    }
    ring.segments[kept++] = segment;
  }
  ring.segments.resize(kept);
}

bool Instance::all_committed() const {
  return std::all_of(rings_.begin(), rings_.end(), [](const auto& entry) {
    return entry.second->contribution < 0 && entry.second->committed == entry.second->next;
  });
}

void Instance::drop_ended(uint64_t now_ns) {
  for (auto it = rings_.begin(); it != rings_.end();) {
    Ring& ring = *it->second;
    bool ended = ring.segments.empty() && ring.open_ranges == 0 && ring.contribution < 0;
    if (!ended) ring.idle_since_ns = now_ns;
    if (ended && now_ns - ring.idle_since_ns > kRingIdleNs) {
      it = rings_.erase(it);
    } else {
      ++it;
    }
  }
}

// Records
// -----------------------------------------------------------------------------------------------------------

bool Instance::drain(Ring& ring, Group& group, size_t row_limit, uint64_t now_ns, Phase phase) {
  if (!ring.started || ring.segments.empty()) return false;
  const uint64_t first = ring.next;
  for (spool::Segment& segment : ring.segments) {
    if (ring.next >= end_of(segment)) continue;
    if (ring.next < segment.first_sequence) {
      // The segment before is not in sight: not yet, if it is the second look; never, if nobody writes any
      // more.
      if (phase == Phase::kLive && ring.hole != segment.first_sequence) {
        ring.hole = segment.first_sequence;
        break;
      }
      ++counts_.damaged;
      ring.next = segment.first_sequence;
    }
    if (!drain_segment(ring, segment, group, row_limit, now_ns, phase)) break;
  }
  group.end_ring(origin_.process, ring.tid);
  if (ring.next == first) return false;
  if (group.contributions.empty()) group.since_ns = now_ns;
  group.records += ring.next - first;
  if (ring.contribution < 0) {
    ring.contribution = static_cast<int32_t>(group.contributions.size());
    group.contributions.push_back({this, &ring, first, ring.next});
  } else {
    group.contributions[static_cast<size_t>(ring.contribution)].end_sequence = ring.next;
  }
  return true;
}

/// The common records, quickly: pushes and pops of one slot in the default domain. Stops at the first other
/// one.
uint32_t Instance::drain_plain(Ring& ring, const spool::Segment& segment, uint32_t position, uint32_t end,
                               Group& group) {
  DomainStack& stack = ring.stack(0);
  if (stack.too_deep != 0 || ring.open_ranges + kBatch > kMaxOpenRanges || windows_ != nullptr)
    return position;
  const uint64_t reference = origin_.start_stamp;
  uint64_t stamp = last_stamp_;
  uint64_t events = 0;
  for (; position < end; ++position) {
    const spool::Slot* at = segment.data + position;
    __builtin_prefetch(at + kSlotsAhead);
    const uint64_t first = spool::load_word(at, __ATOMIC_ACQUIRE);
    const uint64_t second = spool::load_word(&at->name, __ATOMIC_RELAXED);
    if (second >> 32 != uint64_t{1} << 16) break;  // domain 0, one slot, no flags
    const Kind kind = static_cast<Kind>(first & 0xff);
    if (kind == Kind::kPush) {
      stamp = spool::whole_stamp(first >> 8, reference);
      stack.ranges.push_back({stamp, name(static_cast<uint32_t>(second)), 0});
      ++ring.open_ranges;
    } else if (kind == Kind::kPop && !stack.ranges.empty() && stack.ranges.back().flags == 0) {
      stamp = spool::whole_stamp(first >> 8, reference);
      const OpenRange range = stack.ranges.back();
      stack.ranges.pop_back();
      --ring.open_ranges;
      ++events;
      group.ranges.add_range(range.start, stamp, static_cast<uint32_t>(stack.ranges.size()), range.name, 0, 0,
                             nullptr);
    } else {
      break;
    }
  }
  counts_.events += events;
  last_stamp_ = std::max(last_stamp_, stamp);
  return position;
}

bool Instance::drain_segment(Ring& ring, spool::Segment& segment, Group& group, size_t row_limit,
                             uint64_t now_ns, Phase phase) {
  // The state first: once it says closed, `used` is final.
  const bool closed = arena_.reader().state(segment.index) == SegmentState::kClosed;
  const uint32_t used = arena_.reader().used(segment);
  uint32_t position = static_cast<uint32_t>(ring.next - segment.first_sequence);
  bool more = true;
  // The writer tells losses before this segment ahead of the segment's first record.
  if (position == 0 && used > 0 && spool::load_word(segment.data, __ATOMIC_ACQUIRE) != 0 &&
      arena_.descriptor(segment.index).lost.load(std::memory_order_relaxed) != 0)
    give_up_stacks(ring);
  for (uint32_t count_at = position; position < used;) {
    if (position >= count_at) {  // counting the rows of all tables takes as long as reading some records
      if (group.rows() >= row_limit) {
        more = false;
        break;
      }
      count_at = position + kBatch;
    }
    position = drain_plain(ring, segment, position, std::min(used, position + kBatch), group);
    if (position >= used) break;
    spool::Record record;
    spool::Found found = spool::next_record(segment.data + position, used - position, &record);
    if (found == spool::Found::kRecord) {
      if (!take(ring, record, group, now_ns, phase)) {
        more = false;
        break;
      }
    } else if (found == spool::Found::kHole) {
      if (wait_at_hole(ring, segment, position, used, closed, now_ns, phase)) {
        more = false;
        break;
      }
      ++counts_.abandoned;
      if (phase == Phase::kLive) unsafe_[segment.index] = true;
    } else if (record.kind != Kind::kVoid) {
      ++counts_.damaged;
    }
    position += record.slots;
  }
  position = std::min(position, segment.slots);
  if (more && position >= used && closed) position = segment.slots;
  ring.next = segment.first_sequence + position;
  return more && position == segment.slots;
}

/// True: come back later. Whoever writes may just have been interrupted; at the end of what is there waiting
/// costs nothing.
bool Instance::wait_at_hole(Ring& ring, const spool::Segment& segment, uint32_t position, uint32_t used,
                            bool closed, uint64_t now_ns, Phase phase) {
  if (phase != Phase::kLive) return false;
  uint64_t sequence = segment.first_sequence + position;
  if (ring.hole != sequence) {
    ring.hole = sequence;
    ring.waiting_since_ns = now_ns;
  }
  if (!closed && used - position <= spool::kMaxRecordSlots) return true;
  return now_ns - ring.waiting_since_ns < kHoleWaitNs;
}

/// Whether the ring has stood long enough at a record that needs what another thread tells.
bool Instance::gave_up_waiting(Ring& ring, uint64_t now_ns, Phase phase) const {
  if (ring.waiting_since_ns == 0 || ring.hole != ring.next) {
    ring.hole = ring.next;
    ring.waiting_since_ns = now_ns;
  }
  return now_ns - ring.waiting_since_ns >= kDomainWaitNs || phase == Phase::kLast;
}

bool Instance::domain_known(Ring& ring, uint16_t domain, uint64_t now_ns, Phase phase) {
  if (domain < domains_.size() && domains_[domain].known) [[likely]]
    return true;
  if (!gave_up_waiting(ring, now_ns, phase)) return false;
  ++counts_.unknown_domains;
  set_domain(domain, writer_.string_id("(unknown domain " + std::to_string(domain) + ")"));
  return true;
}

bool Instance::take(Ring& ring, const spool::Record& record, Group& group, uint64_t now_ns, Phase phase) {
  const uint64_t stamp = spool::whole_stamp(record.stamp, origin_.start_stamp);
  if (record.domain != 0 && record.kind != Kind::kDomain && spool::has_nvtx_domain(record.kind) &&
      !domain_known(ring, record.domain, now_ns, phase))
    return false;
  if (extras_.must_wait(record, ring.serial) && !gave_up_waiting(ring, now_ns, phase)) return false;
  if (windows_ != nullptr) {
    if (stamp > windows_->until()) return false;
    if (stamp < windows_->from() && record.kind <= Kind::kEnd) {
      ++counts_.late;
      return true;
    }
  }
  last_stamp_ = std::max(last_stamp_, stamp);
  switch (record.kind) {
    case Kind::kPush:
      push(ring, record, stamp);
      break;
    case Kind::kPop:
      pop(ring, record, stamp, group);
      break;
    case Kind::kMark:
    case Kind::kStart: {
      uint32_t extra = record.kind == Kind::kStart ? 1 : 0;
      NvtxRows& rows = record.kind == Kind::kStart ? group.starts : group.marks;
      spool::Attributes attributes;
      bool has = (record.flags & spool::kHasAttributes) != 0;
      if (has) attributes = spool::attributes(record, 1 + extra);
      rows.add(stamp, has ? message_of(record, attributes) : name(record.name), domain_name(record.domain),
               record.flags, has ? &attributes : nullptr);
      counts_.unended += extra;
      if (extra != 0) rows.column(nvtx::kRangeId).push_back(spool::value_slot(record, 1).a);
      ++counts_.events;
      break;
    }
    case Kind::kEnd:
      --counts_.unended;
      group.ends.add(stamp, 0, 0, 0, nullptr);
      group.ends.column(nvtx::kRangeId).push_back(spool::value_slot(record, 1).a);
      break;
    case Kind::kThreadName:
      if ((record.flags & spool::kNameOfSystem) == 0)
        note_lasting(true, 0, spool::value_slot(record, 1).a, record.name, group);
      else if (!named_threads_.contains(static_cast<uint32_t>(spool::value_slot(record, 1).a)))
        append_row(&group.threads, {origin_.process, spool::value_slot(record, 1).a, name(record.name)});
      break;
    case Kind::kCategoryName:
      note_lasting(false, record.domain, spool::value_slot(record, 1).a, record.name, group);
      break;
    case Kind::kDomain:
      set_domain(record.domain, name(record.name));
      domains_[record.domain].created = stamp;
      append_row(&group.domains,
                 {origin_.process, stamp, domain_name(record.domain), origin_.page, record.domain});
      break;
    default:
      take_extra(ring, record, stamp, group);
      break;
  }
  return true;
}

void Instance::push(Ring& ring, const spool::Record& record, uint64_t stamp) {
  DomainStack& stack = ring.stack(record.domain);
  if (stack.too_deep != 0 || ring.open_ranges >= kMaxOpenRanges) [[unlikely]] {
    ++stack.too_deep;
    ++counts_.too_deep;
    return;
  }
  ++ring.open_ranges;
  if ((record.flags & spool::kHasAttributes) == 0) {
    stack.ranges.push_back({stamp, name(record.name), record.flags});
    return;
  }
  stack.attributes.push_back(spool::attributes(record, 1));
  stack.ranges.push_back({stamp, message_of(record, stack.attributes.back()), record.flags});
}

void Instance::pop(Ring& ring, const spool::Record& record, uint64_t stamp, Group& group) {
  DomainStack& stack = ring.stack(record.domain);
  if (stack.too_deep != 0) [[unlikely]] {
    --stack.too_deep;
    return;
  }
  if (stack.ranges.empty()) [[unlikely]] {
    ++counts_.pops_without_push;
    return;
  }
  OpenRange range = stack.ranges.back();
  stack.ranges.pop_back();
  --ring.open_ranges;
  ++counts_.events;
  const spool::Attributes* attributes = nullptr;
  if ((range.flags & spool::kHasAttributes) != 0) attributes = &stack.attributes.back();
  group.ranges.add_range(range.start, stamp, static_cast<uint32_t>(stack.ranges.size()), range.name,
                         domain_name(record.domain), range.flags, attributes);
  if (attributes != nullptr) stack.attributes.pop_back();
}

// Records beside ranges and marks are in instance_extras.cpp.

/// Which of the open ranges have been closed by a lost record is not known: rather none than one with a wrong
/// end.
void Instance::give_up_stacks(Ring& ring) {
  counts_.cut += ring.open_ranges;
  ring.open_ranges = 0;
  ring.stacks.clear();
}

void Instance::add_open_rows(const Ring& ring, Group& group) const {
  for (size_t domain = 0; domain < ring.stacks.size(); ++domain) {
    const DomainStack& stack = ring.stacks[domain];
    size_t attribute = 0, level = 0;
    for (const OpenRange& range : stack.ranges) {
      const spool::Attributes* attributes = nullptr;
      if ((range.flags & spool::kHasAttributes) != 0) attributes = &stack.attributes[attribute++];
      group.opens.add(range.start, range.name, domain_name(static_cast<uint16_t>(domain)), range.flags,
                      attributes);
      group.opens.column(nvtx::kLevel).push_back(level++);
      group.opens.column(nvtx::kInstance).push_back(origin_.page);
      group.opens.column(nvtx::kRing).push_back(ring.serial);
      group.opens.column(nvtx::kDomainId).push_back(domain);
    }
  }
  group.opens.set_origin(origin_.process, ring.tid);
}

// Stock
// -------------------------------------------------------------------------------------------------------------

/// The smallest class that lasts for eight looks at a ring of that speed.
uint32_t Instance::useful_class(Ring& ring, uint32_t largest_class) {
  const spool::Segment& last = ring.segments.back();
  const uint64_t head = last.first_sequence + arena_.reader().used(last);
  ring.slots_per_look = std::max(head - std::min(head, ring.last_head), ring.slots_per_look * 3 / 4);
  ring.last_head = head;
  uint32_t useful = kFirstClass;
  while (useful < largest_class &&
         spool::kSegmentClass0Bytes << useful < ring.slots_per_look * spool::kSlotBytes * 8)
    ++useful;
  return useful;
}

bool Instance::stock(uint32_t largest_class) {
  uint32_t want[spool::kSegmentClasses] = {};
  uint32_t most = kFirstClass;
  want[spool::kStringClass] = 1;
  want[kFirstClass] = 4;  // new threads
  for (auto& [serial, ring] : rings_) {
    if (ring->segments.empty()) continue;
    const uint32_t useful = useful_class(*ring, largest_class);
    most = std::max(most, useful);
    // A growing ring takes each twice as large as the one before, perhaps several before we look again.
    for (uint32_t c = std::min(ring->segments.back().segment_class + 1, useful); c <= useful; ++c) ++want[c];
    ++want[useful];
  }
  uint32_t missed = arena_.header().wanted_class.exchange(0, std::memory_order_relaxed);
  if (missed != 0) ++want[std::min(missed - 1, std::max(most, spool::kStringClass))];
  uint32_t have[spool::kSegmentClasses];
  arena_.count_offers(have);
  const bool lasted =
      rings_.empty() || std::any_of(have + kFirstClass, std::end(have), [](uint32_t n) { return n != 0; });
  uint32_t surplus = 0;
  for (uint32_t c = spool::kSegmentClasses; c-- > 0;) {
    uint32_t there = have[c] + surplus;
    surplus = there > want[c] ? there - want[c] : 0;
    for (; there < want[c]; ++there)
      if (!arena_.add_segment(c)) return lasted;
  }
  return lasted;
}

}  // namespace sextant::collector
