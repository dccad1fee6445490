// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of query/: NVTX events of imported recordings (event::kNvtxEvent, one table for everything) as
// batches of one kind.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "query/source.h"

namespace sextant::query {

class ImportedNvtx {
 public:
  /// Reads the names of domains.
  static Result<ImportedNvtx> load(Source::State& state);

  /// Batches of the kinds that `what` wants out of one chunk. Ranges that were never closed end with the
  /// session, and are unfinished.
  Status scan(Source::State& state, const report::ChunkRef& chunk, const NvtxScan& what,
              const std::function<void(const NvtxBatch&)>& use) const;

 private:
  uint64_t domain_name(uint64_t process, uint64_t number) const;

  std::map<std::pair<uint64_t, uint64_t>, uint64_t> domains_;  // process and number of the domain: its name
};

}  // namespace sextant::query
