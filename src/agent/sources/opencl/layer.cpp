// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How OpenCL's loader finds the agent: it opens what OPENCL_LAYERS names and puts the functions of that
// layer before those of the implementations. A library that takes no layers is interposed.
#include "agent/sources/opencl/layer.h"

#include <cstring>

#include "agent/core/init.h"
#include "agent/core/sys.h"
#include "agent/sources/opencl/objects.h"

namespace sextant::agent::opencl {

abi::Entry g_next[abi::kFunctionCount];
std::atomic<uint32_t> g_epoch;

namespace {

abi::Entry g_table[abi::kFunctionCount];

void fill(const Hook* hooks, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (g_next[hooks[i].of.number] != nullptr) g_table[hooks[i].of.number] = hooks[i].function;
}

enum Way : uint32_t { kNoWay, kLayer, kInterposed };

/// Programs with several copies of the loader come here more than once: objects are the implementations',
/// so the first copy's functions do for all. By one way only: one that was recorded by both would be there
/// twice, and its call led back to where it came from. False: the other way was first.
bool fill_table(Way way, const abi::Entry* below, uint32_t entries) {
  static std::atomic<uint32_t> chosen, filled;
  uint32_t first = kNoWay;
  if (!chosen.compare_exchange_strong(first, way)) {
    while (first == way && filled.load(std::memory_order_acquire) == 0) sys::system_call(SYS_sched_yield);
    return first == way;
  }
  std::memcpy(g_next, below, entries * sizeof(abi::Entry));
  std::memcpy(g_table, below, entries * sizeof(abi::Entry));
  uint32_t count = 0;
  for (const auto hooks_of : {command_hooks, call_hooks, build_hooks, making_hooks, query_hooks}) {
    const Hook* hooks = hooks_of(&count);
    fill(hooks, count);
  }
  filled.store(1, std::memory_order_release);
  return true;
}

bool attach() {
  if (!start_agent(0, nullptr) || !register_process()) return false;
  if ((g_setup.control->flags & spool::kTraceOpencl) == 0 || !nvtx::map_filter()) return false;
  uint32_t none = 0;
  g_epoch.compare_exchange_strong(none, g_state->epoch, std::memory_order_relaxed);
  g_state->page->loss_reasons.fetch_or(spool::opencl::kBegun, std::memory_order_relaxed);
  return true;
}

}  // namespace

void record_untraced(ThreadBlock* t, const char* name, event::opencl_untraced_call::How how) {
  uint64_t words[4] = {spool::first_word(now(), spool::Kind::kClUntraced),
                       spool::second_word(agent::name_of(&t->names, t->arena, name), 0, 2, 0),
                       static_cast<uint64_t>(how), 1};
  record<2>(t, words);
}

ThreadBlock* in_fork_child(ThreadBlock* t, abi::Function number) {
  record_untraced(t, spool::opencl::kFunctions[number], event::opencl_untraced_call::How::kCalled);
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
  if (!opencl::fill_table(opencl::kLayer, below, entries)) return opencl::abi::kInvalidOperation;
  *our_entries = entries;
  *ours = opencl::g_table;
  return opencl::abi::kSuccess;
}

/// For libsextant-opencl.so (agent/opencl_exports/): `below` are the functions of a library that takes no
/// layers. Ours in front of them, or nullptr where nothing is to be recorded by this way.
__attribute__((visibility("default"))) const sextant::agent::opencl::abi::Entry* sextant_opencl_interpose(
    const sextant::agent::opencl::abi::Entry* below) {
  namespace opencl = sextant::agent::opencl;
  if (!opencl::attach() || !opencl::fill_table(opencl::kInterposed, below, opencl::abi::kFunctionCount))
    return nullptr;
  return opencl::g_table;
}

}  // extern "C"
