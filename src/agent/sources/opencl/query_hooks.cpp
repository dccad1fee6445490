// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries that would show the program what we have added to it: profiling that it did not ask for, and our
// references to its events. They answer as they would without us.
#include <cstring>

#include "agent/sources/opencl/command.h"
#include "agent/sources/opencl/layer.h"
#include "agent/sources/opencl/objects.h"

namespace sextant::agent::opencl {

using abi::Handle;

namespace {

int32_t give(const void* from, size_t size, size_t room, void* to, size_t* bytes) {
  if (to != nullptr && room < size) return abi::kInvalidValue;
  if (to != nullptr && size != 0) std::memcpy(to, from, size);
  if (bytes != nullptr) *bytes = size;
  return abi::kSuccess;
}

int32_t queue_info(Handle handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  const int32_t result = next<abi::GetInfo>(abi::kGetCommandQueueInfo)(handle, what, room, to, bytes);
  if (what != abi::kQueueProperties && what != abi::kQueuePropertiesArray) return result;
  const Queue* queue = queue_of(handle);
  if (queue == nullptr || !queue->forced()) return result;
  if (what == abi::kQueuePropertiesArray)  // an error where the implementation does not know it
    return result == abi::kSuccess || result == abi::kInvalidValue
               ? next<abi::GetInfo>(abi::kGetCommandQueueInfo)(handle, what, 0, nullptr, nullptr) ==
                         abi::kSuccess
                     ? give(queue->list, queue->listed * sizeof queue->list[0], room, to, bytes)
                     : result
               : result;
  if (result != abi::kSuccess || to == nullptr || room < sizeof(uint64_t)) return result;
  uint64_t properties;
  std::memcpy(&properties, to, sizeof properties);
  properties &= ~abi::kProfiling;
  std::memcpy(to, &properties, sizeof properties);
  return result;
}

Queue* queue_of_event(Handle event) {
  Handle queue = nullptr;
  const auto get = next<abi::GetInfo>(abi::kGetEventInfo);
  if (get(event, abi::kEventCommandQueue, sizeof queue, &queue, nullptr) != abi::kSuccess) return nullptr;
  return queue_of(queue);
}

int32_t event_profiling_info(Handle event, uint32_t what, size_t room, void* to, size_t* bytes) {
  const auto below = next<abi::GetInfo>(abi::kGetEventProfilingInfo);
  const Queue* queue = queue_of_event(event);
  if (queue == nullptr || !queue->forced()) return below(event, what, room, to, bytes);
  uint64_t unseen = 0;
  size_t ignored = 0;
  const int32_t result = below(event, what, sizeof unseen, &unseen, &ignored);
  return result == abi::kSuccess ? abi::kNoProfilingInfo : result;
}

int32_t event_info(Handle event, uint32_t what, size_t room, void* to, size_t* bytes) {
  const auto below = next<abi::GetInfo>(abi::kGetEventInfo);
  const int32_t result = below(event, what, room, to, bytes);
  if (what != abi::kEventReferenceCount || result != abi::kSuccess || to == nullptr) return result;
  if (!is_followed(event)) return result;
  uint32_t count;
  std::memcpy(&count, to, sizeof count);
  if (count > 1) --count;
  std::memcpy(to, &count, sizeof count);
  return result;
}

/// Deprecated, and few implementations have it: the program switches its wish; the queue goes on measuring.
int32_t set_queue_property(Handle handle, uint64_t properties, uint32_t enable, uint64_t* old) {
  using F = int32_t (*)(Handle, uint64_t, uint32_t, uint64_t*);
  const auto below = next<F>(abi::kSetCommandQueueProperty);
  Queue* queue = queue_of(handle);
  const bool ours = queue != nullptr && queue->measures() && profiling_forced();
  const int32_t result =
      below(handle, ours && enable == 0 ? properties & ~abi::kProfiling : properties, enable, old);
  if (result != abi::kSuccess || queue == nullptr) return result;
  const uint64_t before = queue->asked.load(std::memory_order_relaxed);
  if (ours && old != nullptr) *old = (*old & ~abi::kProfiling) | (before & abi::kProfiling);
  queue->asked.store(enable != 0 ? before | properties : before & ~properties, std::memory_order_relaxed);
  const uint64_t has = queue->properties.load(std::memory_order_relaxed);
  queue->properties.store(
      enable != 0 ? has | properties : has & ~(ours ? properties & ~abi::kProfiling : properties),
      std::memory_order_relaxed);
  return result;
}

}  // namespace

const Hook* query_hooks(uint32_t* count) {
  static const Hook kHooks[] = {
      {abi::kGetCommandQueueInfo, any(queue_info)},
      {abi::kGetEventProfilingInfo, any(event_profiling_info)},
      {abi::kGetEventInfo, any(event_info)},
      {abi::kSetCommandQueueProperty, any(set_queue_property)},
  };
  *count = sizeof kHooks / sizeof kHooks[0];
  return kHooks;
}

}  // namespace sextant::agent::opencl
