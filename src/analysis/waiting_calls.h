// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that block the host until a device is done, of CUDA or of OpenCL: what cuda_api_sync and
// opencl_api_sync share. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/rules.h"
#include "query/launches.h"

namespace sextant::analysis {

struct WaitingCalls {
  query::Launches all;
  std::vector<uint32_t> waits;  // numbers of the calls; after sort(): the longest first
  std::map<uint64_t, int64_t> pids;
  std::string name;  // of the row at hand

  /// All calls of `api` in the window; `waits` is left to the rule.
  static Result<std::shared_ptr<WaitingCalls>> load(const query::Source& source, query::DeviceApi api);

  int64_t duration(uint32_t call) const;  // nanoseconds
  /// Whether the rule was asked to look at this call's process and thread.
  bool asked_for(uint32_t call, const RuleArguments& arguments);
  void sort();
};

/// The waits of one thread in one function.
struct WaitGroup {
  uint64_t count = 0;
  int64_t total = 0, longest = 0, first = INT64_MAX, last = INT64_MIN;  // nanoseconds
  uint32_t call = query::Launches::kNone;                               // the longest
};
using WaitGroups = std::map<std::tuple<uint64_t, uint64_t, uint32_t>, WaitGroup>;  // process, thread, name

/// Needs sorted waits.
WaitGroups group_waits(const WaitingCalls& calls);

/// "process 12, thread 12, from 1.2 s to 3.4 s"
std::string waited_where(WaitingCalls& calls, uint64_t process, uint64_t tid, const WaitGroup& group);

/// "3 calls, the longest 1.2 ms"
std::string waited_how(const WaitGroup& group);

/// Where the evidence is: the span of all, then the longest call, an event of `table`.
std::vector<Place> waited_places(const WaitingCalls& calls, uint64_t process, uint64_t tid,
                                 const WaitGroup& group, uint16_t table);

/// A row a wait, with nsys's columns. `source` must outlive the table.
text::Table waits_table(const query::Source& source, const std::shared_ptr<WaitingCalls>& calls,
                        const RuleArguments& arguments);

}  // namespace sextant::analysis
