// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/core/names.h"

#include "agent/core/arena.h"
#include "agent/core/pool.h"
#include "agent/core/process.h"
#include "agent/core/sys.h"

namespace sextant::agent {

using spool::RingSegment;
using spool::StringHeader;

namespace {

constexpr uint32_t kUnitBytes = 16;
constexpr uint32_t kProbes = 16;
constexpr uint32_t kMaxStringClass = 8;  // 1 MiB
constexpr uint32_t kCutLoops = 8;

/// Entries of one level of the table: hash << 32 | id. Levels grow by four, so that few names cost little
/// memory.
constexpr uint32_t level_entries(uint32_t level) {
  return 1024u << (2 * level);
}

/// Whether the name with this id is this text. The header is shared memory: nothing is read beyond the
/// mapping.
bool is_name(const State* s, uint32_t id, const char* text, size_t bytes) {
  uint64_t offset = uint64_t{id} * kUnitBytes;
  if (offset + sizeof(StringHeader) + bytes + 1 > s->arena_bytes) return false;
  auto* header = reinterpret_cast<StringHeader*>(s->arena + offset);
  return header->bytes_plus_1.load(std::memory_order_acquire) == bytes + 1 &&
         std::memcmp(reinterpret_cast<const char*>(header + 1), text, bytes) == 0;
}

std::atomic<uint64_t>* level_table(State* s, uint32_t level, bool make) {
  return make ? mapped_once(&s->names[level], level_entries(level) * sizeof(uint64_t))
              : s->names[level].load(std::memory_order_acquire);
}

uint32_t find_name(State* s, uint64_t hash, const char* text, size_t bytes) {
  uint32_t tag = static_cast<uint32_t>(hash >> 32);
  for (uint32_t level = 0; level < kNameLevels; ++level) {
    std::atomic<uint64_t>* table = level_table(s, level, false);
    if (table == nullptr) return 0;
    uint32_t mask = level_entries(level) - 1;
    for (uint32_t i = 0; i < kProbes; ++i) {
      uint64_t entry = table[(static_cast<uint32_t>(hash) + i) & mask].load(std::memory_order_acquire);
      if (entry == 0) return 0;  // entries go to the first empty place: it is in no later one either
      if (static_cast<uint32_t>(entry >> 32) == tag && is_name(s, static_cast<uint32_t>(entry), text, bytes))
        return static_cast<uint32_t>(entry);
    }
  }
  return 0;
}

/// Not finding a place only means that the text may be stored again.
void remember_name(State* s, uint64_t hash, uint32_t id) {
  uint64_t entry = (hash >> 32) << 32 | id;
  for (uint32_t level = 0; level < kNameLevels; ++level) {
    std::atomic<uint64_t>* table = level_table(s, level, true);
    if (table == nullptr) return;
    uint32_t mask = level_entries(level) - 1;
    for (uint32_t i = 0; i < kProbes; ++i) {
      uint64_t empty = 0;
      auto& place = table[(static_cast<uint32_t>(hash) + i) & mask];
      if (place.load(std::memory_order_relaxed) == 0 &&
          place.compare_exchange_strong(empty, entry, std::memory_order_acq_rel))
        return;
    }
  }
}

/// Another segment for names in the place of `old`. False: there is none.
bool next_string_segment(State* s, RingSegment* old) {
  if (s->strings.load(std::memory_order_acquire) != old) return true;
  uint32_t wanted = spool::kStringClass;
  if (old != nullptr) {
    while (wanted < kMaxStringClass &&
           spool::kSegmentClass0Bytes << wanted <= uint64_t{old->limit} * kUnitBytes)
      ++wanted;
  }
  Taken taken = take_segment(wanted, spool::kStringClass);
  if (taken.segment == nullptr) {
    add_reason(taken.loss);
    return false;
  }
  RingSegment* fresh = taken.segment;
  fresh->shared->tid = 0;
  fresh->shared->ring = 0;
  fresh->shared->first_sequence = 0;
  fresh->shared->state.store(static_cast<uint32_t>(spool::SegmentState::kStrings), std::memory_order_release);
  if (!s->strings.compare_exchange_strong(old, fresh, std::memory_order_acq_rel)) give_back_segment(fresh);
  return true;
}

/// Room for a name; nullptr: none.
StringHeader* reserve_name(State* s, size_t bytes) {
  uint32_t units = static_cast<uint32_t>((sizeof(StringHeader) + bytes + 1 + kUnitBytes - 1) / kUnitBytes) +
                   1;  // 16 spare bytes
  if (s->string_bytes.load(std::memory_order_relaxed) + units * kUnitBytes > spool::kMaxStringBytes)
    return nullptr;
  for (uint32_t tries = 0; tries < kCutLoops; ++tries) {
    RingSegment* segment = s->strings.load(std::memory_order_acquire);
    if (segment != nullptr && segment->shared->used < segment->limit) {
      uint32_t at = __atomic_fetch_add(&segment->shared->used, units, __ATOMIC_RELAXED);
      if (uint64_t{at} + units <= segment->limit) {
        s->string_bytes.fetch_add(units * kUnitBytes, std::memory_order_relaxed);
        return reinterpret_cast<StringHeader*>(segment->slots + at);
      }
    }
    if (!next_string_segment(s, segment)) return nullptr;
  }
  return nullptr;
}

uint32_t store_name(State* s, uint64_t hash, const char* text, size_t bytes) {
  StringHeader* header = reserve_name(s, bytes);
  if (header == nullptr) {
    s->page->names_dropped.fetch_add(1, std::memory_order_relaxed);
    add_reason(spool::kLossNames);
    return spool::kNameDropped;
  }
  header->hash = static_cast<uint32_t>(hash);
  std::memcpy(reinterpret_cast<char*>(header + 1), text, bytes);
  reinterpret_cast<char*>(header + 1)[bytes] = 0;
  header->bytes_plus_1.store(static_cast<uint32_t>(bytes + 1), std::memory_order_release);
  uint32_t id = static_cast<uint32_t>((reinterpret_cast<uint8_t*>(header) - s->arena) / kUnitBytes);
  remember_name(s, hash, id);
  return id;
}

/// Cuts at most at `limit`, not within a UTF-8 sequence.
size_t cut_length(const char* text, size_t limit) {
  size_t n = limit;
  while (n > limit - 3 && (static_cast<uint8_t>(text[n]) & 0xc0) == 0x80) --n;
  return (static_cast<uint8_t>(text[n]) & 0xc0) == 0x80 ? limit : n;
}

}  // namespace

uint64_t hash_bytes(const char* text, size_t bytes) {
  uint64_t hash = 0x9e3779b97f4a7c15u ^ bytes;
  auto mix = [&hash](uint64_t word) {
    hash = (hash ^ word) * 0xd6e8feb86659fd93u;
    hash ^= hash >> 32;
  };
  size_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    uint64_t word;
    std::memcpy(&word, text + i, 8);
    mix(word);
  }
  uint64_t rest = 0;
  for (size_t shift = 0; i < bytes; ++i, shift += 8) rest |= uint64_t{static_cast<uint8_t>(text[i])} << shift;
  mix(rest);
  return hash;
}

void prepare_names() {
  State* s = g_state;
  level_table(s, 0, true);
  level_table(s, 1, true);
  if (s->strings.load(std::memory_order_acquire) == nullptr) next_string_segment(s, nullptr);
}

uint32_t intern(const char* text, size_t bytes) {
  State* s = g_state;
  if (bytes > spool::kMaxNameBytes) {
    bytes = cut_length(text, spool::kMaxNameBytes);
    add_reason(spool::kLossTruncated);
  }
  uint64_t hash = hash_bytes(text, bytes);
  uint32_t id = find_name(s, hash, text, bytes);
  return id != 0 ? id : store_name(s, hash, text, bytes);
}

namespace {

/// `copy` is the arena's: the client's may change under our hands.
void remember(NameCache* cache, const char* text, [[maybe_unused]] const char* copy, uint32_t id,
              size_t bytes) {
#if defined(__SSE2__)
  constexpr uintptr_t kPage = 4096, kBlock = sizeof(NameCache::Short::text);
  uintptr_t at = reinterpret_cast<uintptr_t>(text);
  if (bytes < kBlock && (at & (kPage - 1)) <= kPage - kBlock) {
    if (cache->filling) return;
    cache->filling = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    NameCache::Short& entry = cache->short_names[NameCache::index(text)];
    entry.key = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    entry.id = id;
    entry.mask = (2u << bytes) - 1;
    for (size_t i = 0; i < kBlock; ++i) entry.text[i] = i < bytes ? copy[i] : '\0';
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    entry.key = at + 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cache->filling = false;
    return;
  }
#endif
  NameCache::Long& entry = cache->long_names[NameCache::index(text)];
  __atomic_store_n(&entry.id_and_bytes, uint64_t{id} << 32 | bytes, __ATOMIC_RELAXED);
  __atomic_store_n(&entry.at, text, __ATOMIC_RELAXED);
}

}  // namespace

uint32_t find_or_intern(NameCache* cache, const uint8_t* arena, const char* text) {
  if (text == nullptr) return 0;
  auto copy_of = [arena](uint64_t id) {
    return reinterpret_cast<const char*>(arena) + id * kUnitBytes + sizeof(StringHeader);
  };
  const NameCache::Long& known = cache->long_names[NameCache::index(text)];
  uint64_t found = __atomic_load_n(&known.id_and_bytes, __ATOMIC_RELAXED);
  if (known.at == text && same_text(text, copy_of(found >> 32), static_cast<uint32_t>(found)))
    return static_cast<uint32_t>(found >> 32);
  size_t bytes = strnlen(text, spool::kMaxNameBytes + 1);
  uint32_t id = intern(text, bytes);
  if (id != spool::kNameDropped && bytes <= spool::kMaxNameBytes)
    remember(cache, text, copy_of(id), id, bytes);
  return id;
}

uint32_t intern_wide(const wchar_t* text) {
  if (text == nullptr) return 0;
  char small[1024];
  size_t n = to_utf8(text, small, sizeof small);
  if (n <= sizeof small - 4) return intern(small, n);
  constexpr size_t kRoom = 65536;
  if (!may_call()) return intern(small, n);
  char* large = static_cast<char*>(sys::map_private(kRoom));
  if (large == nullptr) return intern(small, n);
  n = to_utf8(text, large, kRoom - 1);
  uint32_t id = intern(large, n);
  sys::unmap(large, kRoom);
  return id;
}

}  // namespace sextant::agent
