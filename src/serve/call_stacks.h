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
#include "serve/event_details.h"

namespace sextant::serve {

/// call_frame's `source`: whose numbers of chains they are.
enum class ChainSource : uint64_t { kSample = 0, kOsrtCall = 1, kCudaApi = 2, kSyscall = 3 };

struct Frame {
  uint64_t function, module;  // string ids
  uint64_t depth;             // 0: innermost
  bool kernel;                // of the operating system
  uint64_t address;           // in the process's memory; 0: not told
};

/// Calls use(chain, frames), the innermost frame first, for those chains of `source_of` for which
/// wanted(chain) is true. Only chunks that hold one of them are read whole.
Status scan_stacks(const query::Source& source, ChainSource source_of,
                   const std::function<bool(uint64_t chain)>& wanted,
                   const std::function<void(uint64_t chain, const std::vector<Frame>& frames)>& use);

/// The call stack of an event: of a sample or call whose stack was recorded, else none. `at_sample`, if
/// given, is set to whether the innermost frame's address is where the thread was, and not where it was to
/// return to.
Result<std::vector<Frame>> stack_of(const query::Source& source, const StoredRow& row,
                                    bool* at_sample = nullptr);

}  // namespace sextant::serve
