// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_blocking_sum: where threads wait in calls of the C library, and where they work: by function, object,
// innermost NVTX range around the call, and thread. First what waits or moves data, then other calls, last
// the waits of idle pool threads. Calls within calls belong to the outer one.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

#include "event/schema_system.h"
#include "query/sums.h"
#include "query/thread_ranges.h"
#include "stats/cuda_names.h"
#include "stats/duration_groups.h"
#include "stats/nvtx_names.h"
#include "stats/osrt.h"
#include "stats/parallel.h"
#include "stats/reports.h"
#include "text/units.h"

namespace sextant::stats {

namespace {

/// A thread that is always waiting in the same way is a member of a pool that had nothing to do.
constexpr double kIdleShare = 0.95;

struct Sum {
  int64_t total = 0, min = INT64_MAX, max = INT64_MIN;
  uint64_t calls = 0;

  void add(int64_t ns) { add({ns, ns, ns, 1}); }
  void add(const Sum& other) {
    total = query::sum(total, other.total);
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    calls += other.calls;
  }
};

/// When a thread was seen in calls.
struct Life {
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;

  void add(const Life& other) {
    first_ns = std::min(first_ns, other.first_ns);
    last_ns = std::max(last_ns, other.last_ns);
  }
};

enum Key : uint8_t { kProcess, kTid, kName, kState, kObjectKind, kObject, kPath, kRange, kKeys };
struct Groups {
  KeyedGroups<kKeys, Sum> calls;
  KeyedGroups<2, Life> threads;
};

constexpr uint64_t kNoRange = UINT64_MAX;

/// Key's state of calls that never returned, beside those of CallState: they wait.
constexpr uint64_t kNeverReturned = 8;
constexpr bool is_waiting(uint64_t state) {
  return state == static_cast<uint64_t>(CallState::kWaits) || state == kNeverReturned;
}

/// Calls that work are not told apart by what they are about: every mapping has an address of its own. A file
/// is its path, whatever descriptor it has.
KeyedGroups<kKeys, Sum>::Key key_of(const query::Source& source, const FilePaths& files,
                                    const std::vector<std::vector<uint64_t>>& c, size_t i, uint64_t range) {
  const CallState state = call_state(source.reader().string(c[6][i]), c[8][i], c[9][i]);
  const uint64_t path = state == CallState::kWorks ? 0 : files.path(c[12][i]);
  const bool object = state != CallState::kWorks && path == 0;
  const bool never = (c[9][i] & event::osrt_call::kUnfinished) != 0;
  return {c[4][i],
          c[5][i],
          c[6][i],
          never ? kNeverReturned : static_cast<uint64_t>(state),
          object || never ? c[10][i] : 0,
          object || never ? c[11][i] : 0,
          path,
          range};
}

/// All calls by key, and the lives of all threads.
Status gather(const query::Source& source, const FilePaths& files, std::span<const query::ThreadRange> ranges,
              Groups* all) {
  namespace call = event::osrt_call;
  const query::EnclosingRanges around(ranges);
  const uint16_t columns[] = {call::kStart,   call::kDuration, call::kNulls,      call::kClass,
                              call::kProcess, call::kTid,      call::kName,       call::kNesting,
                              call::kFamily,  call::kFlags,    call::kObjectKind, call::kObject,
                              call::kFile};
  std::vector<Groups> workers(all_workers());
  SEXTANT_TRY(
      source.scan_table(event::kOsrtCall, columns, workers.size(), [&](size_t worker, query::TableBatch& b) {
        const auto& c = b.columns;
        for (size_t i = 0; i < b.rows; ++i) {
          if (!is_osrt_call(c[3][i], c[2][i]) || c[7][i] > 0) continue;
          const auto start = static_cast<int64_t>(c[0][i]), duration = static_cast<int64_t>(c[1][i]);
          const query::ThreadSpan span{start, query::sum(start, duration), c[5][i],
                                       static_cast<uint32_t>(c[4][i])};
          const uint32_t range = around.innermost(span).range;
          const uint64_t name = range == query::EnclosingRanges::kNone
                                    ? kNoRange
                                    : uint64_t{ranges[range].domain} << 32 | ranges[range].name;
          workers[worker].calls.at(key_of(source, files, c, i, name)).add(duration);
          workers[worker].threads.at({c[4][i], c[5][i]}).add({span.start_ns, span.end_ns});
        }
      }));
  for (Groups& groups : workers) {
    for (const auto& [key, sum] : groups.calls.all()) all->calls.at(key).add(sum);
    for (const auto& [key, life] : groups.threads.all()) all->threads.at(key).add(life);
  }
  return {};
}

using Thread = std::pair<uint64_t, uint64_t>;  // process number and tid

/// Threads other than the first ones of their processes, without an NVTX range, that were in one waiting
/// function for 95 % or more of the time from their first call to their last one.
std::set<Thread> idle_threads(const query::Source& source, std::span<const query::ThreadRange> ranges,
                              const ThreadNames& names, Groups* groups) {
  std::set<Thread> with_ranges, idle;
  for (const query::ThreadRange& range : ranges) with_ranges.insert({range.process, range.tid});
  std::map<Thread, std::map<std::string_view, int64_t>> waits;  // by function
  for (const auto& [key, sum] : groups->calls.all()) {
    if (!is_waiting(key[kState])) continue;
    int64_t& total = waits[{key[kProcess], key[kTid]}][source.reader().string(key[kName])];
    total = query::sum(total, sum.total);
  }
  for (const auto& [key, life] : groups->threads.all()) {
    const Thread thread{key[0], key[1]};
    if (with_ranges.contains(thread) || names.is_first_thread(key[0], key[1])) continue;
    const auto span = static_cast<double>(query::difference(life.last_ns, life.first_ns));
    for (const auto& [function, total] : waits[thread])
      if (span > 0 && static_cast<double>(total) >= kIdleShare * span) idle.insert(thread);
  }
  return idle;
}

enum class Section : uint8_t { kBlocking, kWorking, kIdle };

struct Line {
  Section section;
  std::string_view state;
  std::string name, object, range;
  std::string_view thread;
  int64_t pid = -1;
  uint64_t tid = 0;
  bool in_range = false;
  Sum sum;
};

Line line_of(const query::Source& source, const ThreadNames& names, const std::set<Thread>& idle,
             const KeyedGroups<kKeys, Sum>::Key& key, const Sum& sum) {
  Line line;
  const auto state = static_cast<CallState>(key[kState]);
  const bool is_idle = is_waiting(key[kState]) && idle.contains({key[kProcess], key[kTid]});
  line.section = is_idle                      ? Section::kIdle
                 : state == CallState::kWorks ? Section::kWorking
                                              : Section::kBlocking;
  line.state = is_idle                         ? "Idle"
               : key[kState] == kNeverReturned ? "Never returned"
               : state == CallState::kWorks    ? "Working"
               : state == CallState::kMoves    ? "I/O"
                                               : "Waiting";
  line.name = display(source, key[kName]);
  line.object = key[kPath] != 0 ? display(source, key[kPath]) : object_text(key[kObjectKind], key[kObject]);
  line.in_range = key[kRange] != kNoRange;
  if (line.in_range) line.range = range_name(source, key[kRange] >> 32, key[kRange] & UINT32_MAX);
  line.thread = names.name(key[kProcess], key[kTid]);
  if (const query::Process* process = names.process(key[kProcess]))
    line.pid = static_cast<int64_t>(process->pid);
  line.tid = key[kTid];
  line.sum = sum;
  return line;
}

std::string note_on_unreturned(uint64_t calls) {
  return fmt::format(
      "{} never returned: the time lasts until the thread, the process or the recording ended.",
      text::counted(calls, "call", "calls"));
}

/// `whole`: the time of all lines but the idle ones.
void fill_row(const Line& line, double whole, std::span<text::Cell> cells) {
  if (line.section != Section::kIdle && whole > 0)
    cells[0].set(100.0 * static_cast<double>(line.sum.total) / whole);
  cells[1].set(line.sum.total);
  cells[2].set(static_cast<int64_t>(line.sum.calls));
  cells[3].set(static_cast<double>(line.sum.total) / static_cast<double>(line.sum.calls));
  cells[4].set(line.sum.min);
  cells[5].set(line.sum.max);
  cells[6].set(line.state);
  cells[7].set(std::string_view(line.name));
  if (!line.object.empty()) cells[8].set(std::string_view(line.object));
  if (line.in_range) cells[9].set(std::string_view(line.range));
  if (line.pid >= 0) cells[10].set(line.pid);
  cells[11].set(static_cast<int64_t>(line.tid));
  cells[12].set(line.thread);
}

std::string note_on_idle(const std::set<Thread>& idle, int64_t time) {
  return fmt::format(
      "{} last ({} of waiting): not the first of its process, without an NVTX range, and for {:.0f} % or "
      "more of the time between its first and its last call in one waiting function.",
      text::counted(idle.size(), "idle pool thread comes", "idle pool threads come"), text::duration(time),
      100 * kIdleShare);
}

}  // namespace

Result<text::Table> make_osrt_blocking_sum(const query::Source& source, const ReportArguments&) {
  using enum text::CellType;
  SEXTANT_ASSIGN(const std::vector<query::ThreadRange> ranges, query::load_thread_ranges(source));
  SEXTANT_ASSIGN(const FilePaths files, FilePaths::load(source));
  Groups groups;
  SEXTANT_TRY(gather(source, files, ranges, &groups));
  const ThreadNames names(source);
  const std::set<Thread> idle = idle_threads(source, ranges, names, &groups);
  auto lines = std::make_shared<std::vector<Line>>();
  double whole = 0;
  int64_t idle_ns = 0;
  uint64_t unreturned = 0;
  for (const auto& [key, sum] : groups.calls.all()) {
    lines->push_back(line_of(source, names, idle, key, sum));
    if (key[kState] == kNeverReturned) unreturned += sum.calls;
    if (lines->back().section == Section::kIdle)
      idle_ns = query::sum(idle_ns, sum.total);
    else
      whole += static_cast<double>(sum.total);
  }
  std::sort(lines->begin(), lines->end(), [](const Line& a, const Line& b) {
    return std::tie(a.section, b.sum.total, a.name, a.object, a.range, a.pid, a.tid) <
           std::tie(b.section, a.sum.total, b.name, b.object, b.range, b.pid, b.tid);
  });
  text::Table table;
  table.columns = {{"Time", "%", kReal},        {"Total Time", "ns", kInteger},
                   {"Num Calls", "", kInteger}, {"Avg", "ns", kReal},
                   {"Min", "ns", kInteger},     {"Max", "ns", kInteger},
                   {"State", "", kText},        {"Name", "", kText},
                   {"About", "", kText},        {"NVTX Range", "", kText},
                   {"PID", "", kInteger},       {"TID", "", kInteger},
                   {"Thread", "", kText}};
  table.rows = lines->size();
  if (table.rows == 0) table.why_empty = why_nothing(source, "calls of the C library", "osrt");
  if (!idle.empty()) table.notes.push_back(note_on_idle(idle, idle_ns));
  if (unreturned != 0) table.notes.push_back(note_on_unreturned(unreturned));
  table.fill = [lines, whole](uint64_t row, std::span<text::Cell> cells) {
    fill_row((*lines)[row], whole, cells);
  };
  return table;
}

}  // namespace sextant::stats
