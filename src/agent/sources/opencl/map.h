// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known of OpenCL's objects, by handle. Entries are never removed: a handle that comes again, because
// the driver used the memory anew, gets its old entry to be filled in again. Lock-free; memory comes from
// mappings, never from the allocator.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/sources/opencl/abi.h"

namespace sextant::agent::opencl {

/// Zeroed memory that is never freed. nullptr: none can be had.
void* allocate_for_ever(size_t bytes);

namespace map_detail {
inline constexpr uint32_t kLevels = 9, kProbes = 16;

struct Entry {
  std::atomic<uintptr_t> handle;
  std::atomic<void*> object;
};
struct Tables {
  std::atomic<Entry*> level[kLevels];
};
void* find(const Tables& tables, uintptr_t handle);
void* find_or_add(Tables& tables, uintptr_t handle, size_t object_bytes);
}  // namespace map_detail

/// T: trivial, all zeros when it is new.
template <typename T>
class Map {
 public:
  T* find(abi::Handle handle) const {
    return static_cast<T*>(map_detail::find(tables_, reinterpret_cast<uintptr_t>(handle)));
  }
  /// nullptr: no memory.
  T* find_or_add(abi::Handle handle) {
    return static_cast<T*>(map_detail::find_or_add(tables_, reinterpret_cast<uintptr_t>(handle), sizeof(T)));
  }

 private:
  map_detail::Tables tables_{};
};

}  // namespace sextant::agent::opencl
