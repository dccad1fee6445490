// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of the C library in groups: what the osrt_* rules share. A rule says which calls it is about and what
// tells its groups apart; the rows of its table and the figures of its findings are the same in all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/rules.h"
#include "stats/osrt.h"

namespace sextant::analysis {

struct RuntimeCall {
  int64_t start_ns, duration_ns;
  uint64_t process, tid;
  const event::OsrtFunction* function;
  stats::CallState state;
  uint64_t object_kind, object, path;  // path: string of the file that it was about, 0: not known
  int64_t result;
  bool failed, never_returned;
  bool is_first_thread;
};

/// What tells groups of calls apart; 0 where a rule does not care.
struct RuntimeKey {
  uint64_t process = 0, tid = 0;
  const event::OsrtFunction* function = nullptr;
  uint64_t object_kind = 0, object = 0, path = 0;
  uint64_t range_domain = 0, range = 0;  // innermost NVTX range; 0: none

  auto operator<=>(const RuntimeKey&) const = default;
};

struct RuntimeGroup {
  RuntimeKey key;
  uint64_t calls = 0, bytes = 0;  // bytes: sum of the results of those that did not fail
  int64_t total = 0, first = INT64_MAX, last = INT64_MIN;
  int64_t longest = 0, longest_start = 0;
  std::map<uint64_t, int64_t> by_thread;
  std::map<std::pair<uint64_t, uint64_t>, int64_t> by_range;  // domain and name; those without are not in it
  const event::OsrtFunction* function = nullptr;              // of the longest call
  uint64_t longest_tid = 0;                                   // likewise
  bool of_first_thread = false;                               // likewise
  bool waits = false;                                         // likewise: for somebody else

  int64_t most_of_a_thread() const;
};

/// The groups of a report and what they are called.
struct RuntimeGroups {
  std::vector<RuntimeGroup> groups;  // the most time first
  bool no_calls = false;             // the report has none at all
  std::map<uint64_t, const query::Process*> processes;

  std::string about(const query::Source& source,
                    const RuntimeGroup& group) const;  // "" where nothing is known
  std::string where(const query::Source& source, const RuntimeGroup& group) const;
  static std::string how(const RuntimeGroup& group);  // "3 calls, the longest 1.2 ms"
  static std::vector<Place> places(const RuntimeGroup& group);
};

/// False: the call is not what the rule is about. The key's range is only filled in if `by_range`.
using RuntimeChoice = std::function<bool(const RuntimeCall&, RuntimeKey*)>;
Result<std::shared_ptr<RuntimeGroups>> load_runtime_groups(const query::Source& source,
                                                           const RuleArguments& arguments, bool by_range,
                                                           const RuntimeChoice& choose);

/// A row a group. `source` must outlive the table.
text::Table runtime_table(const query::Source& source, const std::shared_ptr<RuntimeGroups>& groups,
                          const RuleArguments& arguments);

/// The outcome of a rule whose findings are made; `nothing`: why there is none.
Outcome runtime_outcome(const query::Source& source, std::vector<Finding> findings,
                        const std::shared_ptr<RuntimeGroups>& groups, const RuleArguments& arguments,
                        const char* nothing);

}  // namespace sextant::analysis
