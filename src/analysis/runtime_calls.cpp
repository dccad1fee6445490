// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/runtime_calls.h"

#include <fmt/format.h>

#include "event/schema_system.h"
#include "query/sums.h"
#include "query/thread_ranges.h"
#include "stats/cuda_names.h"
#include "stats/nvtx_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

namespace call = event::osrt_call;
constexpr uint16_t kColumns[] = {call::kStart,   call::kDuration,    call::kNulls,  call::kClass,
                                 call::kProcess, call::kTid,         call::kName,   call::kNesting,
                                 call::kFamily,  call::kFlags,       call::kObject, call::kObjectKind,
                                 call::kFile,    call::kReturnValue, call::kErrno};

/// Reads rows, asks the rule, adds to groups.
class Gatherer {
 public:
  Gatherer(const query::Source& source, const RuleArguments& arguments, const RuntimeChoice& choose)
      : source_(source), arguments_(arguments), choose_(choose), names_(source) {}

  Status run(bool by_range) {
    SEXTANT_ASSIGN(files_, stats::FilePaths::load(source_));
    SEXTANT_ASSIGN(ranges_, query::load_thread_ranges(source_));
    const query::EnclosingRanges around(ranges_);
    return source_.scan_table(event::kOsrtCall, kColumns, 1, [&](size_t, query::TableBatch& b) {
      for (size_t i = 0; i < b.rows; ++i) take(b.columns, i, around, by_range);
    });
  }
  std::map<RuntimeKey, RuntimeGroup>& groups() { return groups_; }

 private:
  /// False: not a call, not of a thread that is asked for, or of a function that is not known.
  bool read(const std::vector<std::vector<uint64_t>>& c, size_t i, RuntimeCall* out) {
    if (!stats::is_osrt_call(c[3][i], c[2][i]) || c[7][i] > 0) return false;
    const query::Process* process = names_.process(c[4][i]);
    if (arguments_.process >= 0 &&
        (process == nullptr || static_cast<int64_t>(process->pid) != arguments_.process))
      return false;
    if (arguments_.thread >= 0 && static_cast<int64_t>(c[5][i]) != arguments_.thread) return false;
    const auto [known, is_new] = functions_.try_emplace(c[6][i]);
    const std::string_view name = source_.reader().string(c[6][i]);
    if (is_new) known->second = stats::osrt_function(name);
    if (known->second == nullptr) return false;
    *out = {.start_ns = static_cast<int64_t>(c[0][i]),
            .duration_ns = static_cast<int64_t>(c[1][i]),
            .process = c[4][i],
            .tid = c[5][i],
            .function = known->second,
            .state = stats::call_state(name, c[8][i], c[9][i]),
            .object_kind = c[11][i],
            .object = c[10][i],
            .path = files_.path(c[12][i]),
            .result = static_cast<int64_t>(c[13][i]),
            .failed = c[14][i] != 0 || (c[9][i] & call::kFailed) != 0,
            .never_returned = (c[9][i] & call::kUnfinished) != 0,
            .is_first_thread = names_.is_first_thread(c[4][i], c[5][i])};
    return true;
  }

  void take(const std::vector<std::vector<uint64_t>>& c, size_t i, const query::EnclosingRanges& around,
            bool by_range) {
    RuntimeCall one;
    RuntimeKey key;
    if (!read(c, i, &one) || !choose_(one, &key)) return;
    const int64_t end = query::sum(one.start_ns, one.duration_ns);
    const uint32_t at =
        around.innermost({one.start_ns, end, one.tid, static_cast<uint32_t>(one.process)}).range;
    const bool inside = at != query::EnclosingRanges::kNone;
    if (inside && by_range) key.range_domain = ranges_[at].domain, key.range = ranges_[at].name;
    RuntimeGroup& group = groups_[key];
    group.key = key;
    ++group.calls;
    if (!one.failed && one.result > 0)
      group.bytes = static_cast<uint64_t>(query::sum(static_cast<int64_t>(group.bytes), one.result));
    group.total = query::sum(group.total, one.duration_ns);
    group.first = std::min(group.first, one.start_ns);
    group.last = std::max(group.last, end);
    int64_t& of_thread = group.by_thread[one.tid];
    of_thread = query::sum(of_thread, one.duration_ns);
    if (inside) {
      int64_t& of_range = group.by_range[{ranges_[at].domain, ranges_[at].name}];
      of_range = query::sum(of_range, one.duration_ns);
    }
    if (group.calls > 1 && one.duration_ns <= group.longest) return;
    group.longest = one.duration_ns;
    group.longest_start = one.start_ns;
    group.longest_tid = one.tid;
    group.of_first_thread = one.is_first_thread;
    group.waits = one.state == stats::CallState::kWaits;
    group.function = one.function;
  }

  const query::Source& source_;
  const RuleArguments& arguments_;
  const RuntimeChoice& choose_;
  const stats::ThreadNames names_;
  stats::FilePaths files_;
  std::vector<query::ThreadRange> ranges_;
  std::map<uint64_t, const event::OsrtFunction*> functions_;
  std::map<RuntimeKey, RuntimeGroup> groups_;
};

/// The range in which most of the time was, as reports name it; "": in none.
std::string range_of(const query::Source& source, const RuntimeGroup& group) {
  const auto most = std::max_element(group.by_range.begin(), group.by_range.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == group.by_range.end()) return "";
  return stats::range_name(source, most->first.first, most->first.second);
}

}  // namespace

int64_t RuntimeGroup::most_of_a_thread() const {
  int64_t most = 0;
  for (const auto& [tid, total_of_it] : by_thread) most = std::max(most, total_of_it);
  return most;
}

std::string RuntimeGroups::about(const query::Source& source, const RuntimeGroup& group) const {
  if (group.key.path != 0) return stats::display(source, group.key.path);
  return stats::object_text(group.key.object_kind, group.key.object);
}

std::string RuntimeGroups::where(const query::Source& source, const RuntimeGroup& group) const {
  const auto process = processes.find(group.key.process);
  std::string text = process == processes.end() ? fmt::format("process number {}", group.key.process)
                                                : fmt::format("process {}", process->second->pid);
  text += group.by_thread.size() == 1
              ? fmt::format(", thread {}", group.by_thread.begin()->first)
              : fmt::format(", {}", text::counted(group.by_thread.size(), "thread", "threads"));
  if (const std::string range = range_of(source, group); !range.empty())
    text += fmt::format(", {} range {}", group.by_range.size() > 1 ? "mostly in" : "in", range);
  return fmt::format("{}, {}", text, span_text(group.first, group.last));
}

std::string RuntimeGroups::how(const RuntimeGroup& group) {
  return fmt::format("{}, the longest {}", text::counted(group.calls, "call", "calls"),
                     text::duration(group.longest));
}

std::vector<Place> RuntimeGroups::places(const RuntimeGroup& group) {
  return {{group.key.process, group.longest_tid, std::nullopt, group.first, group.last},
          {group.key.process, group.longest_tid, std::nullopt, group.longest_start,
           query::sum(group.longest_start, group.longest), event::kOsrtCall}};
}

Result<std::shared_ptr<RuntimeGroups>> load_runtime_groups(const query::Source& source,
                                                           const RuleArguments& arguments, bool by_range,
                                                           const RuntimeChoice& choose) {
  auto out = std::make_shared<RuntimeGroups>();
  out->no_calls = source.rows(event::kOsrtCall) == 0;
  for (const query::Process& process : source.processes()) out->processes[process.number] = &process;
  Gatherer gatherer(source, arguments, choose);
  SEXTANT_TRY(gatherer.run(by_range));
  for (auto& [key, group] : gatherer.groups()) out->groups.push_back(std::move(group));
  std::stable_sort(out->groups.begin(), out->groups.end(),
                   [](const RuntimeGroup& a, const RuntimeGroup& b) { return a.total > b.total; });
  return out;
}

text::Table runtime_table(const query::Source& source, const std::shared_ptr<RuntimeGroups>& groups,
                          const RuleArguments& arguments) {
  using enum text::CellType;
  text::Table table;
  table.columns = {{"Total Time", "ns", kInteger},
                   {"Num Calls", "", kInteger},
                   {"Max", "ns", kInteger},
                   {"Bytes", "", kInteger},
                   {"Threads", "", kInteger},
                   {"PID", "", kInteger},
                   {"Name", "", kText},
                   {"About", "", kText},
                   {"NVTX Range", "", kText}};
  table.rows = limited(groups->groups.size(), arguments.rows);
  auto texts = std::make_shared<std::array<std::string, 2>>();  // of the row at hand
  table.fill = [groups, texts, &source](uint64_t row, std::span<text::Cell> cells) {
    const RuntimeGroup& group = groups->groups[row];
    cells[0].set(group.total);
    cells[1].set(static_cast<int64_t>(group.calls));
    cells[2].set(group.longest);
    const event::OsrtAccess access = group.function->access;
    if (access == event::OsrtAccess::kRead || access == event::OsrtAccess::kWrite)
      cells[3].set(static_cast<int64_t>(group.bytes));
    cells[4].set(static_cast<int64_t>(group.by_thread.size()));
    const auto process = groups->processes.find(group.key.process);
    if (process != groups->processes.end()) cells[5].set(static_cast<int64_t>(process->second->pid));
    cells[6].set(group.function->name);
    *texts = {groups->about(source, group), range_of(source, group)};
    if (!(*texts)[0].empty()) cells[7].set(std::string_view((*texts)[0]));
    if (!(*texts)[1].empty()) cells[8].set(std::string_view((*texts)[1]));
  };
  return table;
}

Outcome runtime_outcome(const query::Source& source, std::vector<Finding> findings,
                        const std::shared_ptr<RuntimeGroups>& groups, const RuleArguments& arguments,
                        const char* nothing) {
  Outcome outcome;
  outcome.findings = std::move(findings);
  keep_best(&outcome.findings);
  outcome.no_data = groups->no_calls;
  outcome.table = runtime_table(source, groups, arguments);
  outcome.table.why_empty =
      outcome.no_data ? stats::why_nothing(source, "calls of the C library", "osrt") : nothing;
  return outcome;
}

}  // namespace sextant::analysis
