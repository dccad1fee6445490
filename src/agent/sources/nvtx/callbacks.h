// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Our functions for an NVTX instance's tables.
#pragma once

#include "agent/sources/nvtx/abi.h"

namespace sextant::agent::nvtx {

struct Entry {
  uint32_t number;
  abi::Function function;
};

/// What goes into the tables of abi::kCore and abi::kCore2.
const Entry* core_entries(uint32_t* count);
const Entry* core2_entries(uint32_t* count);

/// Of the modules that name things: abi::kCuda, kOpenCl, kCudaRt, kSync, and the rest of kCore2. nullptr:
/// none.
const Entry* naming_entries(uint32_t module, uint32_t* count);

/// Stands in for a function that this release does not know: counts its calls. Any arguments, returns 0.
abi::Function unknown_function(uint32_t module);

}  // namespace sextant::agent::nvtx
