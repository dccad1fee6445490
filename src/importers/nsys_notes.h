// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of importers/: what an import learns from the rows that pass, for the small tables that every report
// has: names of processes, threads, NVTX domains and categories, the session's start, the versions of the
// tools.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "importers/nsys_rows.h"

namespace sextant::importers {

class NsysNotes {
 public:
  /// Looks at a batch of any table of the vocabulary.
  void take(const report::Rows& batch, NsysProcesses& processes);

  /// Writes nvtx_domain, nvtx_category, clock_sync and the keys that describe the recording.
  Status write(report::Writer& writer, const std::string& source_path) const;

 private:
  struct Domain {
    uint64_t process, time, name, id;
  };
  struct Category {
    uint64_t process, domain_id, category, name;
  };

  void take_nvtx(const report::Rows& batch);
  void take_processes(const report::Rows& batch, NsysProcesses& processes);
  void take_threads(const report::Rows& batch, NsysProcesses& processes);
  void take_session(const report::Rows& batch);
  void take_pairs(const report::Rows& batch, uint16_t key, uint16_t value);

  std::vector<Domain> domains_;
  std::vector<Category> categories_;
  uint64_t realtime_ns_ = 0;
  uint64_t monotonic_ns_ = 0;
  std::map<uint64_t, uint64_t> pairs_;  // string -> string, first one counts
};

}  // namespace sextant::importers
