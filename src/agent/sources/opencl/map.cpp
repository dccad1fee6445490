// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/opencl/map.h"

#include "agent/core/pool.h"
#include "agent/core/process.h"
#include "agent/core/sys.h"

namespace sextant::agent::opencl {

namespace {

Pool<256u << 10, UINT32_MAX, 64> g_pool;

}  // namespace

void* allocate_for_ever(size_t bytes) {
  return g_pool.allocate(bytes);
}

namespace map_detail {

namespace {

/// Levels grow by four, so that few objects cost little memory.
constexpr uint32_t entries_of(uint32_t level) {
  return 256u << (2 * level);
}

uint32_t hash_of(uintptr_t handle) {
  return static_cast<uint32_t>((handle >> 4) * 0x9e3779b97f4a7c15u >> 32);
}

Entry* level_table(Tables& tables, uint32_t level) {
  return mapped_once(&tables.level[level], entries_of(level) * sizeof(Entry));
}

/// Who has put the handle there puts the object behind it at once.
void* object_of(const Entry& entry) {
  void* object = nullptr;
  for (int wait = 0; wait < 1000 && object == nullptr; ++wait)
    object = entry.object.load(std::memory_order_acquire);
  return object;
}

}  // namespace

void* find(const Tables& tables, uintptr_t handle) {
  if (handle == 0) return nullptr;
  const uint32_t hash = hash_of(handle);
  for (uint32_t level = 0; level < kLevels; ++level) {
    const Entry* table = tables.level[level].load(std::memory_order_acquire);
    if (table == nullptr) return nullptr;
    for (uint32_t i = 0; i < kProbes; ++i) {
      const Entry& entry = table[(hash + i) & (entries_of(level) - 1)];
      const uintptr_t seen = entry.handle.load(std::memory_order_acquire);
      if (seen == handle) return object_of(entry);
      if (seen == 0) return nullptr;  // entries go to the first empty place
    }
  }
  return nullptr;
}

void* find_or_add(Tables& tables, uintptr_t handle, size_t object_bytes) {
  if (handle == 0) return nullptr;
  if (void* object = find(tables, handle)) return object;
  void* fresh = allocate_for_ever(object_bytes);
  if (fresh == nullptr) return nullptr;
  const uint32_t hash = hash_of(handle);
  for (uint32_t level = 0; level < kLevels; ++level) {
    Entry* table = level_table(tables, level);
    if (table == nullptr) return nullptr;
    for (uint32_t i = 0; i < kProbes; ++i) {
      Entry& entry = table[(hash + i) & (entries_of(level) - 1)];
      uintptr_t seen = 0;
      if (entry.handle.compare_exchange_strong(seen, handle, std::memory_order_acq_rel)) {
        entry.object.store(fresh, std::memory_order_release);
        return fresh;
      }
      if (seen == handle) return object_of(entry);
    }
  }
  return nullptr;
}

}  // namespace map_detail
}  // namespace sextant::agent::opencl
