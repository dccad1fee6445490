// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Call stacks of samples and calls, by the number of their chain (event table call_frame).
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "query/query.h"

namespace sextant::serve {

/// call_frame's `source`: whose numbers of chains they are.
enum class ChainSource : uint64_t { kSample = 0, kOsrtCall = 1, kCudaApi = 2, kSyscall = 3 };

struct Frame {
  uint64_t function, module;  // string ids
  uint64_t depth;             // 0: innermost
  bool kernel;                // of the operating system
};

/// Calls use(chain, frames), the innermost frame first, for those chains of `source_of` for which
/// wanted(chain) is true. Only chunks that hold one of them are read whole.
Status scan_stacks(const query::Source& source, ChainSource source_of,
                   const std::function<bool(uint64_t chain)>& wanted,
                   const std::function<void(uint64_t chain, const std::vector<Frame>& frames)>& use);

}  // namespace sextant::serve
