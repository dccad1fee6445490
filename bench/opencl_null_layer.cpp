// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What any layer costs that wants the times of commands: it forces profiling, takes an event and a callback
// for each kernel, and throws them away. Sextant's cost is what it adds to this.
#include <cstring>

#include "agent/sources/opencl/abi.h"

namespace abi = sextant::agent::opencl::abi;
using abi::Handle;

namespace {

abi::Entry g_next[abi::kFunctionCount];
abi::Entry g_table[abi::kFunctionCount];

template <typename F>
F next(abi::Function number) {
  return reinterpret_cast<F>(g_next[number]);
}

Handle make_queue(Handle context, Handle device, uint64_t properties, int32_t* error) {
  using F = Handle (*)(Handle, Handle, uint64_t, int32_t*);
  return next<F>(abi::kCreateCommandQueue)(context, device, properties | abi::kProfiling, error);
}

void on_complete(Handle event, int32_t, void*) {
  next<abi::OneHandle>(abi::kReleaseEvent)(event);
}

int32_t ndrange(Handle queue, Handle kernel, uint32_t dimensions, const size_t* offset, const size_t* global,
                const size_t* local, uint32_t waits, const Handle* list, Handle* event) {
  using F = int32_t (*)(Handle, Handle, uint32_t, const size_t*, const size_t*, const size_t*, uint32_t,
                        const Handle*, Handle*);
  Handle own = nullptr;
  Handle* passed = event != nullptr ? event : &own;
  const int32_t result = next<F>(abi::kEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local,
                                                             waits, list, passed);
  if (result != abi::kSuccess) return result;
  if (event != nullptr) next<abi::OneHandle>(abi::kRetainEvent)(*event);
  next<abi::SetEventCallback>(abi::kSetEventCallback)(*passed, abi::kComplete, on_complete, nullptr);
  return result;
}

}  // namespace

extern "C" int32_t clGetLayerInfo(uint32_t what, size_t room, void* to, size_t* bytes) {
  const uint32_t version = abi::kLayerApiVersion100;
  if (what != abi::kLayerApiVersion || (to != nullptr && room < sizeof version)) return abi::kInvalidValue;
  if (to != nullptr) std::memcpy(to, &version, sizeof version);
  if (bytes != nullptr) *bytes = sizeof version;
  return abi::kSuccess;
}

extern "C" int32_t clInitLayer(uint32_t entries, const abi::Entry* below, uint32_t* our_entries,
                               const abi::Entry** ours) {
  if (entries > abi::kFunctionCount) entries = abi::kFunctionCount;
  std::memcpy(g_next, below, entries * sizeof *below);
  std::memcpy(g_table, below, entries * sizeof *below);
  g_table[abi::kCreateCommandQueue] = reinterpret_cast<abi::Entry>(make_queue);
  g_table[abi::kEnqueueNDRangeKernel] = reinterpret_cast<abi::Entry>(ndrange);
  *our_entries = entries;
  *ours = g_table;
  return abi::kSuccess;
}
