// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of query/: what a Source keeps.
#pragma once

#include <mutex>

#include "query/query.h"

namespace sextant::query {

/// What was read when the report was opened.
struct Facts {
  std::shared_ptr<const report::Reader> file;
  TimeMap time_map;
  int64_t duration_ns = 0;
  int64_t end_ns = 0;  // time at which the session ended: duration_ns, unless times were shifted
  uint64_t start_realtime_ns = 0, start_monotonic_ns = 0;
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<Diagnostic> diagnostics;

  struct Skipped {
    std::mutex mutex;
    std::vector<report::Damage> chunks;  // each once
  };
  std::shared_ptr<Skipped> skipped = std::make_shared<Skipped>();  // of all sources of this open file
};

struct Source::State : Facts {
  explicit State(Facts facts) : Facts(std::move(facts)), reader(*file) {}

  const report::Reader& reader;
  Window window;
  Scope scope;

  /// As Source::skip().
  Status skip(const report::ChunkRef& chunk, const Error& error) const;

  /// Whether some row of a chunk is of a process in the scope, by its column `process`. True where that
  /// cannot be told. Much cheaper than reading the chunk where it is of one process, as in recordings of our
  /// own.
  bool touches_scope(const report::ChunkRef& chunk, uint16_t process, std::vector<uint64_t>* buffer) const;

  /// Where a process ended; the session's end for one that is not known.
  int64_t end_of_process(uint64_t number) const;
};

/// Whole columns of all chunks of a small table, one after the other. Chunks that cannot be read are skipped.
/// out[i] belongs to columns[i].
Result<std::vector<std::vector<uint64_t>>> read_table(Source::State& state, uint16_t table,
                                                      std::span<const uint16_t> columns);

}  // namespace sextant::query
