// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading what agents wrote, as hostile input: every field is copied once and checked, whatever is outside
// the arena or absurd is refused, never followed. Used on live arenas (the writer goes on meanwhile) and on
// those of dead processes.
//
// Nothing here allocates but name(). No ownership: the arena's memory is the caller's.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

#include "spool/format.h"

namespace sextant::spool {

/// A checked copy of a segment descriptor.
struct Segment {
  uint32_t index = 0;
  SegmentState state = SegmentState::kNone;
  uint32_t segment_class = 0;
  uint32_t slots = 0;  // capacity
  uint32_t tid = 0;
  uint32_t ring = 0;
  uint64_t first_sequence = 0;
  uint32_t consumed = 0;  // <= slots
  const Slot* data = nullptr;
};

class ArenaReader {
 public:
  ArenaReader() = default;
  /// `bytes` exist behind `base` (page aligned); more may be added with set_bytes as the file grows.
  ArenaReader(const uint8_t* base, uint64_t bytes) : base_(base), bytes_(bytes) {}

  uint64_t bytes() const { return bytes_; }
  void set_bytes(uint64_t bytes) { bytes_ = bytes; }

  /// Magic, version, room for the descriptors.
  bool valid() const;

  /// Descriptors in use; never more than kMaxSegments.
  uint32_t segment_count() const;

  /// Class of a descriptor's state alone, the cheap first look. kNone for anything unknown.
  SegmentState state(uint32_t index) const;

  /// False: kNone, or damaged (`damaged` then tells: offset, size or position out of bounds, or beyond
  /// bytes()).
  bool segment(uint32_t index, Segment* out, bool* damaged) const;

  /// Slots reserved so far, cut to the capacity.
  uint32_t used(const Segment& segment) const;

  /// The bytes of a name, cut at kMaxNameBytes. False: no valid name there (or not yet).
  bool name(uint32_t id, std::string* out) const;

 private:
  const SegmentDescriptor* descriptor(uint32_t index) const;

  const uint8_t* base_ = nullptr;
  uint64_t bytes_ = 0;
};

// Records
// ----------------------------------------------------------------------------------------------------------

inline constexpr uint32_t kMaxRecordSlots = 8;
inline constexpr uint64_t kStampMask = (uint64_t{1} << 56) - 1;

struct Attributes {
  uint32_t color = 0;
  uint32_t category = 0;
  uint64_t payload = 0;
  uint8_t has_color = 0;
  uint8_t payload_type = 0;
  uint8_t registered = 0;
};

struct Record {
  Kind kind = Kind::kNone;
  uint8_t slots = 1;  // at least 1
  uint8_t flags = 0;
  uint16_t domain = 0;
  uint32_t name = 0;
  uint64_t stamp = 0;  // 56 bits
  const Slot* at = nullptr;
};

enum class Found {
  kRecord,
  kHole,     // reserved, not filled; `slots` says how far to step once it is given up
  kUnknown,  // a kind or length that no agent writes; step over `slots`
};

inline uint64_t load_word(const void* address, int order) {
  return order == __ATOMIC_ACQUIRE ? __atomic_load_n(static_cast<const uint64_t*>(address), __ATOMIC_ACQUIRE)
                                   : __atomic_load_n(static_cast<const uint64_t*>(address), __ATOMIC_RELAXED);
}

/// The length a kind must have. 0: unknown kind.
inline uint32_t record_slots(Kind kind, uint8_t flags) {
  uint32_t attributes = (flags & kHasAttributes) != 0 ? 2 : 0;
  switch (kind) {
    case Kind::kPush:
    case Kind::kMark:
      return 1 + attributes;
    case Kind::kStart:
      return 2 + attributes;
    case Kind::kPop:
    case Kind::kDomain:
    case Kind::kDomainEnd:
    case Kind::kUnknownCall:
      return 1;
    case Kind::kEnd:
    case Kind::kThreadName:
    case Kind::kCategoryName:
    case Kind::kSync:
    case Kind::kRegister:
    case Kind::kCounter:
    case Kind::kClCall:
    case Kind::kClObject:
    case Kind::kClClock:
    case Kind::kClUntraced:
      return 2;
    case Kind::kOsrtCall:
      return (flags & kOsrtNamed) != 0 ? 3 : 2;
    case Kind::kResource:
    case Kind::kClEnqueue:
      return 3;
    case Kind::kMemory:
    case Kind::kPayload:
    case Kind::kPayloadPart:
    case Kind::kClBuild:
      return 4;
    case Kind::kClDone:
      return 6;
    default:
      return 0;
  }
}

/// Whether `domain` in the first slot of this kind is an NVTX domain.
constexpr bool has_nvtx_domain(Kind kind) {
  return kind <= Kind::kUnknownCall;
}

/// Looks at the record that begins at `at`, with `room` >= 1 slots behind it in the segment.
inline Found next_record(const Slot* at, uint32_t room, Record* out) {
  uint64_t first = load_word(at, __ATOMIC_ACQUIRE);
  uint64_t second = load_word(&at->name, __ATOMIC_RELAXED);
  static_assert(offsetof(Slot, name) == 8 && offsetof(Slot, domain) == 12 && offsetof(Slot, slots) == 14 &&
                offsetof(Slot, flags) == 15);
  out->kind = static_cast<Kind>(first & 0xff);
  out->stamp = first >> 8;
  out->name = static_cast<uint32_t>(second);
  out->domain = static_cast<uint16_t>(second >> 32);
  out->slots = static_cast<uint8_t>(second >> 48);
  out->flags = static_cast<uint8_t>(second >> 56);
  out->at = at;
  uint32_t length = out->slots;
  if (first == 0 || out->kind == Kind::kVoid || out->kind == Kind::kNone) {
    if (length == 0 || length > kMaxRecordSlots || length > room) out->slots = 1;
    return first == 0 ? Found::kHole : Found::kUnknown;
  }
  if (length == 0 || length != record_slots(out->kind, out->flags) || length > room) {
    if (length == 0 || length > kMaxRecordSlots || length > room) out->slots = 1;
    return Found::kUnknown;
  }
  return Found::kRecord;
}

/// The words of a slot behind the first (written before the record was published).
inline ValueSlot value_slot(const Record& record, uint32_t index) {
  ValueSlot value;
  value.a = load_word(record.at + index, __ATOMIC_RELAXED);
  value.b = load_word(reinterpret_cast<const uint8_t*>(record.at + index) + 8, __ATOMIC_RELAXED);
  return value;
}

/// The attributes in slots `index` and `index + 1`.
inline Attributes attributes(const Record& record, uint32_t index) {
  ValueSlot head = value_slot(record, index);
  Attributes a;
  a.color = static_cast<uint32_t>(head.a);
  a.category = static_cast<uint32_t>(head.a >> 32);
  a.has_color = (head.b & 0xff) != 0;
  a.payload_type = static_cast<uint8_t>(head.b >> 8);
  a.payload = value_slot(record, index + 1).a;
  return a;
}

/// The whole stamp: the one with these 56 low bits that lies nearest to `reference`.
inline uint64_t whole_stamp(uint64_t stamp56, uint64_t reference) {
  uint64_t difference = (stamp56 - reference) & kStampMask;
  bool before = difference > kStampMask / 2;
  return before ? reference - ((reference - stamp56) & kStampMask) : reference + difference;
}

// Process pages
// ----------------------------------------------------------------------------------------------------

/// A copy of a process page whose strings end with NUL and whose numbers are within bounds.
struct PageCopy {
  PageState state = PageState::kFree;
  PageOrigin origin = PageOrigin::kImage;
  ExitKind exit_kind = ExitKind::kNone;
  Untraced untraced = Untraced::kNo;
  Untraced exec_untraced = Untraced::kNo;
  uint32_t pid = 0, ppid = 0, uid = 0, arena = 0, nvtx_instances = 0, loss_reasons = 0;
  int32_t exit_code = 0;
  uint64_t start_time = 0, image_id = 0, start_stamp = 0, end_stamp = 0, init_ticks = 0, slow_ticks = 0;
  uint64_t lost_records = 0, lost_first = 0, lost_last = 0, names_dropped = 0;
  uint32_t hook = 0;
  bool version_ok = true;
  bool args_cut = false;
  std::string comm, exe, exec_path;
  std::string args;      // each NUL-terminated
  std::string launcher;  // NAME=value, joined by spaces; only what spool/launcher.h allows
};

/// False while the page is kFree or kFilling, or holds no process page.
bool copy_page(const ProcessPage& page, PageCopy* out);

/// The file name of a page's arena: PID-STARTTIME-INSTANCE.ring.
std::string arena_file_name(uint32_t pid, uint64_t start_time, uint32_t instance);

}  // namespace sextant::spool
