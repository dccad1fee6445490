// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How NVTX finds the agent: each NVTX instance of a process (one per executable or library that uses the
// headers) opens $NVTX_INJECTION64_PATH at its first call and hands its tables to InitializeInjectionNvtx2.
#include "agent/core/init.h"
#include "agent/sources/nvtx/callbacks.h"

namespace sextant::agent::nvtx {

namespace {

/// Tables of older headers are shorter, and entries may be missing.
void fill(const abi::Callbacks* callbacks, uint32_t module, const Entry* entries, uint32_t count) {
  abi::FunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks->module_table(module, &table, &size) == 0 || table == nullptr) return;
  for (uint32_t i = 0; i < count; ++i) {
    if (entries[i].number < size && table[entries[i].number] != nullptr)
      *table[entries[i].number] = entries[i].function;
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
  if ((g_setup.control->flags & spool::kTraceNvtx) == 0) return false;
  auto* version = static_cast<const abi::VersionInfo*>(tables(abi::kVersionInfo));
  if (version != nullptr && version->struct_size >= sizeof(abi::VersionInfo) &&
      version->set_tool_version != nullptr)
    version->set_tool_version(abi::kVersion);
  uint32_t count = 0;
  const Entry* entries = core_entries(&count);
  fill(callbacks, abi::kCore, entries, count);
  entries = core2_entries(&count);
  fill(callbacks, abi::kCore2, entries, count);
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

/// Payload, counter and memory extensions are not recorded yet: no slot is filled, so their calls have no
/// effect. Not 0: that would make nvtxDomainIsEnabled say no, and clients that ask (Python's nvtx package)
/// would record nothing at all.
__attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(void*) {
  return 1;
}

}  // extern "C"
