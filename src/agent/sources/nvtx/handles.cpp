// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/nvtx/handles.h"

#include "agent/core/pool.h"
#include "agent/core/sys.h"

namespace sextant::agent::nvtx {

namespace {

constexpr uint32_t kMaxPools = 64;  // as much text as an arena's names may take
constexpr uint32_t kBuckets = 4096;

Pool<1u << 20, kMaxPools, 16> g_pool;
std::atomic<std::atomic<Handle*>*> g_string_lists;  // kBuckets of them
std::atomic<Handle*> g_domains;
std::atomic<uint32_t> g_domain_number;

Handle* find(Handle* from, const Handle* end, const char* text, size_t bytes) {
  for (; from != end; from = from->next)
    if (from->bytes == bytes && std::memcmp(from->text, text, bytes) == 0) return from;
  return nullptr;
}

/// Finds or adds; two threads that add the same text get the same handle.
Handle* find_or_add(std::atomic<Handle*>* list, const char* text, size_t bytes,
                    std::atomic<uint32_t>* numbers) {
  Handle* head = list->load(std::memory_order_acquire);
  if (Handle* found = find(head, nullptr, text, bytes)) return found;
  auto* fresh = static_cast<Handle*>(g_pool.allocate(sizeof(Handle) + bytes));
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh->text, text, bytes);
  fresh->text[bytes] = 0;
  fresh->bytes = static_cast<uint32_t>(bytes);
  if (numbers != nullptr) {
    uint32_t number = numbers->fetch_add(1, std::memory_order_relaxed) + 1;
    fresh->domain = static_cast<uint16_t>(number < kMaxDomains ? number : kMaxDomains - 1);
  }
  for (;;) {
    fresh->next = head;
    const Handle* seen = head;
    if (list->compare_exchange_weak(head, fresh, std::memory_order_acq_rel)) return fresh;
    if (Handle* found = find(head, seen, text, bytes)) return found;
  }
}

}  // namespace

void* allocate_for_ever(size_t bytes) {
  return g_pool.allocate(bytes);
}

Handle* string_handle(const char* text, size_t bytes) {
  auto* lists = mapped_once(&g_string_lists, kBuckets * sizeof(Handle*));
  if (lists == nullptr) return nullptr;
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<uint8_t>(text[i])) * 16777619u;
  return find_or_add(&lists[(hash ^ hash >> 15) % kBuckets], text, bytes, nullptr);
}

Handle* domain_handle(const char* text, size_t bytes) {
  return find_or_add(&g_domains, text, bytes, &g_domain_number);
}

uint32_t refresh(Handle* handle, uint32_t epoch) {
  uint32_t id = intern(handle->text, handle->bytes);
  if (id != spool::kNameDropped) handle->known.store(uint64_t{epoch} << 32 | id, std::memory_order_relaxed);
  return id;
}

void announce(ThreadBlock* t, Handle* domain) {
  uint32_t seen = domain->announced.load(std::memory_order_relaxed);
  if (seen == t->epoch ||
      !domain->announced.compare_exchange_strong(seen, t->epoch, std::memory_order_relaxed))
    return;
  uint64_t words[2] = {spool::first_word(now(), spool::Kind::kDomain),
                       spool::second_word(name_of(domain, t->epoch), domain->domain, 1, 0)};
  if (!spool::append<SegmentSource, 1>(&t->ring, words))
    domain->announced.store(0, std::memory_order_relaxed);
}

}  // namespace sextant::agent::nvtx
