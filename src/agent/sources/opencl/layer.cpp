// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How OpenCL's loader finds the agent: it opens what OPENCL_LAYERS names and puts the functions of that
// layer before those of the implementations.
#include "agent/sources/opencl/layer.h"

#include <cstring>

#include "agent/core/init.h"
#include "agent/sources/opencl/objects.h"

namespace sextant::agent::opencl {

abi::Entry g_next[abi::kFunctionCount];
std::atomic<uint32_t> g_epoch;

namespace {

abi::Entry g_table[abi::kFunctionCount];

void fill(const Hook* hooks, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (g_next[hooks[i].number] != nullptr) g_table[hooks[i].number] = hooks[i].function;
}

/// Programs with several copies of the loader come here more than once: objects are the implementations',
/// so the first copy's functions do for all.
void fill_table(const abi::Entry* below, uint32_t entries) {
  static std::atomic<uint32_t> filled;
  if (filled.exchange(1) != 0) return;
  std::memcpy(g_next, below, entries * sizeof(abi::Entry));
  std::memcpy(g_table, below, entries * sizeof(abi::Entry));
  uint32_t count = 0;
  const Hook* hooks = command_hooks(&count);
  fill(hooks, count);
  hooks = call_hooks(&count);
  fill(hooks, count);
  hooks = making_hooks(&count);
  fill(hooks, count);
  hooks = query_hooks(&count);
  fill(hooks, count);
}

bool attach() {
  if (!start_agent(0, nullptr) || !register_process()) return false;
  if ((g_setup.control->flags & spool::kTraceOpencl) == 0 || !nvtx::map_filter()) return false;
  uint32_t none = 0;
  g_epoch.compare_exchange_strong(none, g_state->epoch, std::memory_order_relaxed);
  return true;
}

}  // namespace

void record_untraced(ThreadBlock* t, const char* name, uint64_t how) {
  uint64_t words[4] = {spool::first_word(now(), spool::Kind::kClUntraced),
                       spool::second_word(agent::name_of(&t->names, t->arena, name), 0, 2, 0), how, 1};
  record<2>(t, words);
}

ThreadBlock* in_fork_child(ThreadBlock* t, abi::Function number) {
  record_untraced(t, spool::opencl::kFunctions[number], 0);
  return nullptr;
}

}  // namespace sextant::agent::opencl

extern "C" {

/// The loader asks for the version first; any other than 100 it refuses.
__attribute__((visibility("default"))) int32_t clGetLayerInfo(uint32_t what, size_t room, void* to,
                                                              size_t* bytes) {
  namespace abi = sextant::agent::opencl::abi;
  static constexpr char kName[] = "Sextant";
  const uint32_t version = abi::kLayerApiVersion100;
  const void* from = what == abi::kLayerApiVersion ? static_cast<const void*>(&version) : kName;
  const size_t size = what == abi::kLayerApiVersion ? sizeof version : sizeof kName;
  if (what != abi::kLayerApiVersion && what != abi::kLayerName) return abi::kInvalidValue;
  if (to != nullptr && room < size) return abi::kInvalidValue;
  if (to != nullptr) std::memcpy(to, from, size);
  if (bytes != nullptr) *bytes = size;
  return abi::kSuccess;
}

/// Where nothing is to be recorded the loader does without us: any error makes it pass the layer over.
__attribute__((visibility("default"))) int32_t clInitLayer(uint32_t entries,
                                                           const sextant::agent::opencl::abi::Entry* below,
                                                           uint32_t* our_entries,
                                                           const sextant::agent::opencl::abi::Entry** ours) {
  namespace opencl = sextant::agent::opencl;
  if (below == nullptr || our_entries == nullptr || ours == nullptr) return opencl::abi::kInvalidValue;
  if (!opencl::attach()) return opencl::abi::kInvalidOperation;
  if (entries > opencl::abi::kFunctionCount) entries = opencl::abi::kFunctionCount;
  opencl::fill_table(below, entries);
  *our_entries = entries;
  *ours = opencl::g_table;
  return opencl::abi::kSuccess;
}

}  // extern "C"
