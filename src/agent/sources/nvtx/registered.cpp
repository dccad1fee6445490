// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/nvtx/registered.h"

#include <cstring>

#include "agent/core/sys.h"

namespace sextant::agent::nvtx {

std::atomic<uint64_t> g_registered_in;
std::atomic<uint32_t> g_registered;

namespace {

struct Description {
  Description* next;  // the one before
  Handle* domain;
  uint64_t id;
  uint32_t number;  // from 1
  uint32_t bytes;
  spool::Registered what;
  char data[1];
};

std::atomic<Description*> g_last;
std::atomic<uint32_t> g_dynamic;

bool record_one(ThreadBlock* t, const Description* d) {
  uint64_t words[4] = {spool::first_word(now(), spool::Kind::kRegister),
                       spool::second_word(intern(d->data, d->bytes), number_of(t, d->domain), 2, 0), d->id,
                       static_cast<uint64_t>(d->what)};
  return spool::append<SegmentSource, 2>(&t->ring, words);
}

}  // namespace

void Bytes::raw(const void* from, size_t bytes) {
  if (bytes > room_ - used_) {
    whole = false;
    return;
  }
  if (bytes != 0) std::memcpy(to_ + used_, from, bytes);
  used_ += bytes;
}

void Bytes::text(const char* text) {
  size_t bytes = text != nullptr ? strnlen(text, 4096) : 0;
  if (bytes + sizeof(uint64_t) > room_ - used_) {
    whole = false;
    return;
  }
  number(bytes);
  raw(text, bytes);
}

DescriptionBuffer::DescriptionBuffer()
    : memory_(may_call() ? static_cast<char*>(sys::map_private(kMaxDescriptionBytes)) : nullptr) {}

DescriptionBuffer::~DescriptionBuffer() {
  if (memory_ != nullptr) sys::unmap(memory_, kMaxDescriptionBytes);
}

uint64_t next_dynamic_id() {
  return abi::kFirstDynamicId + (uint64_t{g_state->epoch} << 40) +
         g_dynamic.fetch_add(1, std::memory_order_relaxed) + 1;
}

bool keep_registered(spool::Registered what, Handle* domain, uint64_t id, const char* bytes, size_t size) {
  auto* d = static_cast<Description*>(allocate_for_ever(sizeof(Description) + size));
  if (d == nullptr) return false;
  std::memcpy(d->data, bytes, size);
  d->domain = domain;
  d->id = id;
  d->bytes = static_cast<uint32_t>(size);
  d->what = what;
  Description* last = g_last.load(std::memory_order_acquire);
  do {
    d->next = last;
    d->number = last != nullptr ? last->number + 1 : 1;
  } while (!g_last.compare_exchange_weak(last, d, std::memory_order_acq_rel));
  uint32_t seen = g_registered.load(std::memory_order_relaxed);
  while (seen < d->number &&
         !g_registered.compare_exchange_weak(seen, d->number, std::memory_order_release)) {
  }
  if (g_setup.control->collecting.load(std::memory_order_relaxed) != 0)
    if (ThreadBlock* t = this_thread()) record_registered(t);
  return true;
}

void record_registered_slowly(ThreadBlock* t) {
  Description* last = g_last.load(std::memory_order_acquire);
  uint64_t before = g_registered_in.load(std::memory_order_acquire);
  uint64_t after = uint64_t{t->epoch} << 32 | (last != nullptr ? last->number : 0);
  uint32_t done = before >> 32 == t->epoch ? static_cast<uint32_t>(before) : 0;
  // Whoever is first records them; the collector waits for a description that an event of another thread
  // needs.
  if (before == after || !g_registered_in.compare_exchange_strong(before, after, std::memory_order_acq_rel))
    return;
  for (uint32_t number = done + 1; last != nullptr && number <= last->number;
       ++number) {  // nested ones first
    const Description* d = last;
    while (d != nullptr && d->number != number) d = d->next;
    if (d == nullptr || record_one(t, d)) continue;
    g_registered_in.store(0, std::memory_order_release);  // paused or full: all of them again, later
    return;
  }
}

}  // namespace sextant::agent::nvtx
