// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for what lives as long as the process: taken from mappings of our own, never from the target's
// allocator, and never given back. Lock-free, async-signal-safe, any thread; constant-initialised.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/core/process.h"
#include "agent/core/sys.h"

namespace sextant::agent {

/// The zeroed table of `bytes` bytes at `place`, mapped by whoever comes first. nullptr: no memory, or
/// nothing may be called now.
template <typename T>
T* mapped_once(std::atomic<T*>* place, size_t bytes) {
  T* table = place->load(std::memory_order_acquire);
  if (__builtin_expect(table != nullptr, 1) || !may_call()) return table;
  auto* fresh = static_cast<T*>(sys::map_private(bytes));
  if (fresh == nullptr) return nullptr;
  if (place->compare_exchange_strong(table, fresh, std::memory_order_acq_rel)) return fresh;
  sys::unmap(fresh, bytes);
  return table;
}

/// `kBytes`: of one mapping; `kMost` mappings; results are aligned to `kAlign` bytes.
template <size_t kBytes, uint32_t kMost, size_t kAlign>
class Pool {
 public:
  /// Zeroed memory from the current mapping, else from a new one. nullptr: longer than a mapping, all of them
  /// are used up, no memory, or nothing may be called now.
  void* allocate(size_t bytes) {
    bytes = (bytes + kAlign - 1) & ~(kAlign - 1);
    if (bytes > kBytes - kHead) return nullptr;
    for (int tries = 0; tries < 16; ++tries) {
      Mapping* mapping = mapping_.load(std::memory_order_acquire);
      if (mapping != nullptr) {
        uint64_t at = mapping->used.fetch_add(bytes, std::memory_order_relaxed);
        if (at + bytes <= kBytes) return reinterpret_cast<uint8_t*>(mapping) + at;
      }
      if (!may_call() || mappings_.load(std::memory_order_relaxed) >= kMost) return nullptr;
      auto* fresh = static_cast<Mapping*>(sys::map_private(kBytes));
      if (fresh == nullptr) return nullptr;
      fresh->used.store(kHead, std::memory_order_relaxed);
      if (mapping_.compare_exchange_strong(mapping, fresh, std::memory_order_acq_rel))
        mappings_.fetch_add(1, std::memory_order_relaxed);
      else
        sys::unmap(fresh, kBytes);
    }
    return nullptr;
  }

 private:
  static constexpr size_t kHead = 64;
  struct Mapping {
    std::atomic<uint64_t> used;
  };
  static_assert(sizeof(Mapping) <= kHead && kHead % kAlign == 0);

  std::atomic<Mapping*> mapping_{nullptr};
  std::atomic<uint32_t> mappings_{0};
};

}  // namespace sextant::agent
