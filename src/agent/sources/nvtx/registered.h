// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptions that NVTX clients register once and refer to by number: schemas, enumerations, scopes,
// counters, time domains. They are kept for ever, beyond forks, and recorded in each process before its first
// event that may need them; so one that was registered before the recording began is not lost. Their bytes
// (docs/formats/spool.md §5.1) are names of the arena, since most processes register the same.
#pragma once

#include "agent/core/thread.h"
#include "agent/sources/nvtx/abi_modules.h"
#include "agent/sources/nvtx/handles.h"

namespace sextant::agent::nvtx {

/// Bytes put together in a buffer of fixed size. What does not fit is left out, and `whole` becomes false.
class Bytes {
 public:
  Bytes(char* to, size_t room) : to_(to), room_(room) {}
  void number(uint64_t value) { raw(&value, sizeof value); }
  void text(const char* text);  // length, bytes; nullptr is ""
  void raw(const void* from, size_t bytes);
  size_t size() const { return used_; }
  bool whole = true;

 private:
  char* to_;
  size_t room_;
  size_t used_ = 0;
};

inline constexpr size_t kMaxDescriptionBytes = 56u << 10;  // a name's limit, and some room

/// Keeps a description and records it if anything is recorded now. False: no memory.
bool keep_registered(spool::Registered what, Handle* domain, uint64_t id, const char* bytes, size_t size);

/// Records what this process has not recorded yet. Cheap when there is nothing.
void record_registered_slowly(ThreadBlock* t);
extern std::atomic<uint64_t> g_registered_in;  // epoch << 32 | how many of them this process has recorded
extern std::atomic<uint32_t> g_registered;     // how many there are
inline void record_registered(ThreadBlock* t) {
  if (g_registered_in.load(std::memory_order_relaxed) !=
      (uint64_t{t->epoch} << 32 | g_registered.load(std::memory_order_relaxed)))
    record_registered_slowly(t);
}

/// A number for what the client lets the tool number; no two of a process are alike, forks and other agents
/// in it included.
uint64_t next_dynamic_id();

/// A buffer for one description; unmapped with it.
class DescriptionBuffer {
 public:
  DescriptionBuffer();
  ~DescriptionBuffer();
  DescriptionBuffer(const DescriptionBuffer&) = delete;
  DescriptionBuffer& operator=(const DescriptionBuffer&) = delete;
  char* get() const { return memory_; }  // nullptr: none
 private:
  char* memory_;
};

}  // namespace sextant::agent::nvtx
