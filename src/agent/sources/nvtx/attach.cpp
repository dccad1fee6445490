// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How NVTX finds the agent: each NVTX instance of a process (one per executable or library that uses the
// headers) opens $NVTX_INJECTION64_PATH at its first call and hands its tables to InitializeInjectionNvtx2.
#include "agent/core/init.h"
#include "agent/core/thread.h"
#include "agent/sources/nvtx/callbacks.h"
#include "agent/sources/nvtx/filter.h"
#include "agent/sources/nvtx/payload.h"

namespace sextant::agent::nvtx {

namespace {

/// Tables of older headers are shorter, those of newer ones longer, and entries may be missing. What is not
/// known here is counted when it is called.
void fill(const abi::Callbacks* callbacks, uint32_t module, const Entry* entries, uint32_t count,
          uint32_t known) {
  abi::FunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks->module_table(module, &table, &size) == 0 || table == nullptr) return;
  for (uint32_t i = 0; i < count; ++i) {
    if (entries[i].number < size && table[entries[i].number] != nullptr)
      *table[entries[i].number] = entries[i].function;
  }
  constexpr unsigned kMostFunctions = 256;
  for (unsigned i = known; known != 0 && i < size && i < kMostFunctions; ++i)
    if (table[i] != nullptr) *table[i] = unknown_function(module);
}

void fill_all(const abi::Callbacks* callbacks) {
  uint32_t count = 0;
  const Entry* entries = core_entries(&count);
  fill(callbacks, abi::kCore, entries, count, abi::kCoreSize);
  entries = core2_entries(&count);
  fill(callbacks, abi::kCore2, entries, count, abi::kCore2Size);
  const struct {
    uint32_t module, size;
  } named[] = {{abi::kCuda, abi::kCudaSize},
               {abi::kOpenCl, abi::kOpenClSize},
               {abi::kCudaRt, abi::kCudaRtSize},
               {abi::kSync, abi::kSyncSize},
               {abi::kCore2, 0}};
  for (const auto& m : named) {
    entries = naming_entries(m.module, &count);
    fill(callbacks, m.module, entries, count, m.size);
  }
  if (g_filter == nullptr) return;
  for (uint32_t module : {abi::kCore, abi::kCore2}) {
    entries = filtering_entries(module, &count);
    fill(callbacks, module, entries, count, 0);
  }
}

bool attach(abi::GetExportTable tables) {
  if (tables == nullptr || !start_agent(0, nullptr) || !register_process()) return false;
  auto* callbacks = static_cast<const abi::Callbacks*>(tables(abi::kCallbacks));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(abi::Callbacks) ||
      callbacks->module_table == nullptr)
    return false;
  spool::ProcessPage* page = g_state->page;
  page->nvtx_instances.fetch_add(1, std::memory_order_relaxed);
  uint32_t untraced = static_cast<uint32_t>(
      spool::Untraced::kEnvironment);  // what the environment said at the start is outdated
  page->untraced.compare_exchange_strong(untraced, 0, std::memory_order_relaxed);
  if ((g_setup.control->flags & spool::kTraceNvtx) == 0 || !map_filter()) return false;
  auto* version = static_cast<const abi::VersionInfo*>(tables(abi::kVersionInfo));
  if (version != nullptr && version->struct_size >= sizeof(abi::VersionInfo) &&
      version->set_tool_version != nullptr)
    version->set_tool_version(abi::kVersion);
  fill_all(callbacks);
  return true;
}

/// The functions of an extension module into its slots. An instance asks once a module.
bool attach_extension(const abi::ExtensionModule* module) {
  if (module == nullptr || module->segments == nullptr || module->segment_count == 0) return true;
  if (!start_agent(0, nullptr) || !register_process() || (g_setup.control->flags & spool::kTraceNvtx) == 0 ||
      !map_filter())
    return true;
  uint32_t count = 0, known = 0;
  const Entry* entries = nullptr;
  if (module->module == abi::kMemory) entries = memory_entries(&count), known = abi::kMemorySlots;
  if (module->module == abi::kPayload) entries = payload_entries(&count), known = abi::kPayloadSlots;
  if (module->module == abi::kCounters) entries = counter_entries(&count), known = abi::kCounterSlots;
  const abi::ExtensionSegment& segment = module->segments[0];
  if (segment.slots == nullptr) return true;
  for (uint32_t i = 0; i < count; ++i)
    if (entries[i].number < segment.slot_count)
      segment.slots[entries[i].number] = reinterpret_cast<intptr_t>(entries[i].function);
  // Slots are spare places for functions to come: one that is called is counted.
  for (size_t i = known; i < segment.slot_count && i < 256; ++i)
    segment.slots[i] = reinterpret_cast<intptr_t>(unknown_function(module->module));
  return true;
}

}  // namespace
}  // namespace sextant::agent::nvtx

extern "C" {

/// 1: the instance calls us from now on. 0 (nothing is to be recorded): it calls nobody.
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    sextant::agent::nvtx::abi::GetExportTable tables) {
  return sextant::agent::nvtx::attach(tables) ? 1 : 0;
}

/// Never 0: that would make nvtxDomainIsEnabled say no, and clients that ask (Python's nvtx package) would
/// record nothing at all. Slots that stay empty are calls without effect.
__attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(
    const sextant::agent::nvtx::abi::ExtensionModule* module) {
  return sextant::agent::nvtx::attach_extension(module) ? 1 : 0;
}

}  // extern "C"
