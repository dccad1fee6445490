// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which NVTX events are wanted: domains (--nvtx-domain-include, -exclude) and capture windows (-c nvtx).
// Where all are, NVTX instances get the plain callbacks and nothing here runs. Else they get those of this
// file, which look first and call the plain ones for what is wanted.
#pragma once

#include "agent/core/thread.h"
#include "agent/sources/nvtx/callbacks.h"
#include "agent/sources/nvtx/handles.h"
#include "spool/filter.h"

namespace sextant::agent::nvtx {

extern spool::FilterPage* g_filter;  // nullptr: everything is wanted

/// What start functions give for a range that is not recorded.
inline constexpr uint64_t kNotRecordedRange = uint64_t{1} << 63;

/// Maps the filter of the run if it has one. False: it has, and it cannot be mapped.
bool map_filter();

/// The callbacks that filter, for abi::kCore and abi::kCore2.
const Entry* filtering_entries(uint32_t module, uint32_t* count);

bool domain_wanted_slowly(Handle* domain);
bool wanted_now_slowly(Handle* domain);
bool push_wanted_slowly(Handle* domain, int* level);
bool pop_wanted_slowly(Handle* domain, int* level);

/// Whether a domain is (nullptr: the default one).
inline bool domain_wanted(Handle* domain) {
  return g_filter == nullptr || domain_wanted_slowly(domain);
}
/// Whether an event of that domain is wanted now. Counts it if not.
inline bool wanted_now(Handle* domain) {
  return g_filter == nullptr || wanted_now_slowly(domain);
}
/// The same for a push and a pop without a name; if not, `level` is what they return.
inline bool push_wanted(Handle* domain, int* level) {
  return g_filter == nullptr || push_wanted_slowly(domain, level);
}
inline bool pop_wanted(Handle* domain, int* level) {
  return g_filter == nullptr || pop_wanted_slowly(domain, level);
}

}  // namespace sextant::agent::nvtx
