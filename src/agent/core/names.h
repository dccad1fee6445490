// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names by content (docs/formats/spool.md §6): each distinct text is stored once in a kStrings segment of the
// arena and known by its id from then on. Lock-free, async-signal-safe; needs an arena (prepare_arena()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cwchar>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sextant::agent {

uint64_t hash_bytes(const char* text, size_t bytes);

/// The id of `bytes` bytes at `text`, which may be longer than kMaxNameBytes (cut, counted). kNameDropped: no
/// room (counted).
uint32_t intern(const char* text, size_t bytes);

/// Maps what a few names need, while memory can still be mapped.
void prepare_names();

/// Converts to UTF-8 first.
uint32_t intern_wide(const wchar_t* text);

/// Converts a wide text to UTF-8; what is no code point becomes U+FFFD. Returns the bytes written, never more
/// than `room`; stops before a character that does not fit.
size_t to_utf8(const wchar_t* text, char* to, size_t room);

/// One thread's memory of names seen at an address. The address alone proves nothing: the text there is
/// compared every time.
struct NameCache {
  static constexpr uint32_t kEntries = 1024;
  /// A text that can be compared as one block of 16 bytes: shorter than that, and no page ends in the block.
  struct alignas(32) Short {
    uintptr_t key;  // address + 1, 0: none
    uint32_t id;
    uint32_t mask;  // a bit for each byte of the text and its NUL
    char text[16];
  };
  struct Long {
    const char* at;
    uint64_t id_and_bytes;  // id << 32 | length: one store, so that a signal handler never sees half of it
  };
  Short short_names[kEntries];
  Long long_names[kEntries];
  bool filling;  // a Short is being written: a signal handler leaves them alone. One that leaves by
                 // siglongjmp in just this moment costs the thread the memory of names to come, nothing else.

  static uint32_t index(const char* at) {
    uintptr_t p = reinterpret_cast<uintptr_t>(at);
    return static_cast<uint32_t>(p ^ (p >> 9)) & (kEntries - 1);
  }
};

/// True if the text at `client` is the `bytes` bytes at `copy` and a NUL. Never reads a page of the client
/// that the text does not reach into; `copy` may be read 15 bytes beyond its NUL.
inline bool same_text(const char* client, const char* copy, uint32_t bytes) {
#if defined(__SSE2__)
  for (uint32_t i = 0;; i += 16) {
    uintptr_t at = reinterpret_cast<uintptr_t>(client + i);
    if (__builtin_expect((at & 4095) > 4080, 0)) break;
    __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(client + i));
    __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(copy + i));
    uint32_t differs = ~static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b))) & 0xffff;
    uint32_t left = bytes - i;  // the NUL is byte `left` of this block
    if (left < 16) return (differs & ((2u << left) - 1)) == 0;
    if (differs != 0) return false;
  }
#endif
  for (uint32_t i = 0; i < bytes; ++i)
    if (client[i] != copy[i] || client[i] == 0) return false;
  return client[bytes] == 0;
}

/// The other half of name_of(): longer names, and those not known at this address.
uint32_t find_or_intern(NameCache* cache, const uint8_t* arena, const char* text);

/// The id of a short name that was seen at this address before. False: ask find_or_intern().
[[gnu::always_inline]] inline bool known_name([[maybe_unused]] const NameCache* cache,
                                              [[maybe_unused]] const char* text,
                                              [[maybe_unused]] uint32_t* id) {
#if defined(__SSE2__)
  const NameCache::Short& entry = cache->short_names[NameCache::index(text)];
  if (__builtin_expect(entry.key != reinterpret_cast<uintptr_t>(text) + 1, 0)) return false;
  __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  __m128i b = _mm_load_si128(reinterpret_cast<const __m128i*>(entry.text));
  uint32_t same = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)));
  if (__builtin_expect((~same & entry.mask) != 0, 0)) return false;
  *id = entry.id;
  return true;
#else
  return false;
#endif
}

/// The id of a NUL-terminated text, by content. nullptr: 0.
[[gnu::always_inline]] inline uint32_t name_of(NameCache* cache, const uint8_t* arena, const char* text) {
  uint32_t id;
  return known_name(cache, text, &id) ? id : find_or_intern(cache, arena, text);
}

}  // namespace sextant::agent
