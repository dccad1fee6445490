// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/names.h"

#include "stats/cuda_names.h"

namespace sextant::serve {

Names::Names(const report::Reader& reader) : reader_(&reader), strings_(reader.string_count()) {
  added_ = {std::string(stats::kMemsetOperation),
            "CUDA graph",
            "GPU page fault",
            "sample",
            "[CUDA memcpy]",
            "synchronise"};
  for (uint64_t kind = 0; kind < kCopyKinds; ++kind) added_.emplace_back(stats::memcpy_operation(kind));
  for (const char* type : {"synchronise (unknown)", "synchronise event", "wait for event in stream",
                           "synchronise stream", "synchronise context"})
    added_.emplace_back(type);
}

uint32_t Names::of_memcpy(uint64_t kind) const {
  return kind < kCopyKinds ? fixed(kFixedCount) + static_cast<uint32_t>(kind) : fixed(kUnknownCopy);
}

uint32_t Names::of_sync(uint64_t type) const {
  return type < kSyncKinds ? fixed(kFixedCount) + kCopyKinds + static_cast<uint32_t>(type)
                           : fixed(kUnknownSync);
}

}  // namespace sextant::serve
