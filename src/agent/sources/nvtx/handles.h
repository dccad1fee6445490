// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What NVTX clients hold pointers to: domains and registered strings. They live for ever, in memory that fork
// children keep, with a text of their own; what they are called in this process's arena is remembered
// together with the process's epoch, so that a fork child looks it up anew. Equal texts give the same handle,
// also from several NVTX instances.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/core/thread.h"

namespace sextant::agent::nvtx {

struct Handle {
  std::atomic<uint64_t> known;      // epoch << 32 | name id in that process
  std::atomic<uint32_t> announced;  // domains: epoch of the process that has the kDomain record
  uint32_t bytes;
  uint16_t domain;   // domains: the number in records, the same in all forks
  uint8_t excluded;  // domains: --nvtx-domain-include or -exclude leaves it out (filter.h)
  Handle* next;
  char text[1];  // NUL-terminated
};

/// The handle for a text; made if there is none. nullptr: no memory.
Handle* string_handle(const char* text, size_t bytes);
Handle* domain_handle(const char* text, size_t bytes);

/// Memory that fork children keep and that is never freed, zeroed. nullptr: none.
void* allocate_for_ever(size_t bytes);

uint32_t refresh(Handle* handle, uint32_t epoch);
void announce(ThreadBlock* t, Handle* domain);

/// The id of the handle's text in this process.
[[gnu::always_inline]] inline uint32_t name_of(Handle* handle, uint32_t epoch) {
  uint64_t known = handle->known.load(std::memory_order_relaxed);
  if (__builtin_expect(static_cast<uint32_t>(known >> 32) == epoch, 1)) return static_cast<uint32_t>(known);
  return refresh(handle, epoch);
}

/// The number of a domain; nullptr is the default one. Writes the domain's kDomain record first if this
/// process has none.
[[gnu::always_inline]] inline uint16_t number_of(ThreadBlock* t, Handle* domain) {
  if (domain == nullptr) return 0;
  if (__builtin_expect(domain->announced.load(std::memory_order_relaxed) != t->epoch, 0)) announce(t, domain);
  return domain->domain;
}

}  // namespace sextant::agent::nvtx
