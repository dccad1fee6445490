// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX_EVENTS from a report: one row a range. First all push/pop ranges, in the order of
// query::Source::scan_nvtx (so the row id of one is its position there, from 1), then start/end ranges,
// marks, domains, categories, thread names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exporters/processes_by_number.h"
#include "exporters/sqlite_file.h"
#include "exporters/string_ids.h"
#include "query/query.h"

namespace sextant::exporters {

/// Ranges that were never closed, for DIAGNOSTIC_EVENT.
struct Unfinished {
  static constexpr size_t kMostNamed = 1000;
  struct Range {
    uint64_t process, tid, name;
    int64_t start_ns;
  };
  std::vector<Range> ranges;                // the first kMostNamed of all
  std::map<uint64_t, uint64_t> by_process;  // how many in each process
  uint64_t count = 0;
};

class NvtxEvents {
 public:
  /// Everything passed stays the caller's and must outlive the object.
  NvtxEvents(const query::Source& source, const ProcessesByNumber& processes, SqliteTable& table,
             StringIds& strings);

  /// `progress` is called with the rows written so far, once a batch; an error from it ends the work.
  Status write(const std::function<Status(uint64_t rows)>& progress);

  const Unfinished& unfinished() const { return unfinished_; }

  /// The number of a domain, given the string of its name: as they come up.
  int64_t domain_number(uint64_t domain);

 private:
  struct Text {
    uint64_t id = UINT64_MAX;
    std::string_view text;
    std::string fixed;
  };

  Status scan(bool push_pop, bool start_end, bool marks);
  void write_batch(const query::NvtxBatch& batch);
  void add_payload(uint64_t type, uint64_t bits);
  void note_unfinished(const query::NvtxBatch& batch);
  void note_domain(uint64_t process, uint64_t domain);
  void find_end_payloads();
  void add_event_id(uint64_t payload_type, uint64_t payload, uint64_t process, uint64_t range_id);
  void write_domain_ends();
  uint64_t pid_of(uint64_t process);
  std::string_view text_of(uint64_t name);
  void write_domains();
  void write_categories();
  void write_thread_names();
  void write_name(int64_t start, int64_t type, uint64_t category, std::string_view text, int64_t tid,
                  int64_t domain);

  const query::Source& source_;
  const ProcessesByNumber& processes_;
  SqliteTable& table_;
  StringIds& strings_;
  std::function<Status(uint64_t)> progress_;
  SqliteRecord record_;
  Unfinished unfinished_;

  std::vector<Text> texts_;                                       // valid texts by string id, direct-mapped
  bool with_payloads_;                                            // the table has the column eventId
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> ended_with_;  // (process, range id): event of a payload
  std::unordered_map<uint64_t, int64_t> domains_;                 // numbers by the name's string id
  std::map<std::pair<uint64_t, uint64_t>, int64_t> created_;      // (process, domain): when it was created

  // The last row's, since neighbours mostly agree
  uint64_t last_process_ = UINT64_MAX, last_pid_ = 0;
  std::pair<uint64_t, uint64_t> last_noted_{UINT64_MAX, UINT64_MAX};
  uint64_t last_domain_ = 0;
  int64_t last_domain_number_ = 0;
};

}  // namespace sextant::exporters
