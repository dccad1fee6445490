// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What ran on a CPU, and what a thread was doing, from events that put threads on CPUs and take them off.
#include <algorithm>
#include <map>

#include "event/schema_system.h"
#include "serve/derived.h"

namespace sextant::serve {

namespace {

struct Switch {
  uint64_t process, tid, cpu, state, row;
  int64_t ns;
  bool in, has_thread;
};

/// All of them, by time; what takes a thread off comes before what puts one on at the same moment.
Result<std::vector<Switch>> load_switches(const query::Source& source) {
  using namespace event::sched_event;
  std::vector<Switch> all;
  if (!can_derive_threads(source)) return all;
  constexpr uint16_t kColumns[] = {kTime, kCpu, kIsIn, kProcess, kTid, kThreadState, kNulls};
  SEXTANT_TRY(source.scan_table(event::kSchedEvent, kColumns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      const uint64_t nulls = c[6][i];
      all.push_back({c[3][i], c[4][i], c[1][i],
                     event::is_null(nulls, kThreadState) ? Names::kNotTold : c[5][i], b.first_row + i,
                     static_cast<int64_t>(c[0][i]), c[2][i] != 0, !event::is_null(nulls, kTid)});
    }
  }));
  std::sort(all.begin(), all.end(), [](const Switch& a, const Switch& b) {
    if (a.ns != b.ns) return a.ns < b.ns;
    return a.in != b.in ? b.in : a.row < b.row;
  });
  return all;
}

Event event_of(const Switch& begin, int64_t end_ns, uint32_t name, bool unfinished) {
  return {begin.ns, std::max(begin.ns, end_ns), event_id(event::kSchedEvent, begin.row), name, 0, unfinished};
}

}  // namespace

bool can_derive_threads(const query::Source& source) {
  return source.rows(event::kSchedEvent) <= kMostSchedEvents;
}

Result<std::vector<DerivedEvent>> derive_cpus(const query::Source& source, const Names& names) {
  SEXTANT_ASSIGN(const std::vector<Switch> switches, load_switches(source));
  std::vector<DerivedEvent> out;
  std::map<uint64_t, const Switch*> on;  // by CPU
  const auto add = [&](const Switch& begin, int64_t end_ns, bool unfinished) {
    const uint32_t name = names.of_thread(begin.process, begin.tid);
    out.push_back({{0, begin.cpu, 0, 0}, event_of(begin, end_ns, name, unfinished)});
  };
  for (const Switch& s : switches) {
    const Switch*& running = on[s.cpu];
    // a thread that is put on ends what was not seen to be taken off; one taken off that was not seen to be
    // put on began before the recording, nobody knows when
    if (running != nullptr) add(*running, s.ns, false);
    running = s.in ? &s : nullptr;
  }
  for (const auto& [cpu, running] : on)
    if (running != nullptr) add(*running, source.duration_ns(), true);
  return out;
}

Result<std::vector<DerivedEvent>> derive_states(const query::Source& source, const Names& names) {
  SEXTANT_ASSIGN(const std::vector<Switch> switches, load_switches(source));
  std::vector<DerivedEvent> out;
  std::map<std::pair<uint64_t, uint64_t>, const Switch*> last;  // by process and thread
  const auto add = [&](const Switch& begin, int64_t end_ns, bool unfinished) {
    const uint32_t name = names.of_state(begin.in ? Names::kRunning : begin.state);
    out.push_back({{begin.process, begin.tid, 0, 0}, event_of(begin, end_ns, name, unfinished)});
  };
  for (const Switch& s : switches) {
    if (!s.has_thread) continue;
    const Switch*& before = last[{s.process, s.tid}];
    if (before != nullptr) add(*before, s.ns, false);
    before = &s;
  }
  // one that was taken off and never put on again may have ended: nothing is said
  for (const auto& [thread, begin] : last)
    if (begin->in) add(*begin, source.duration_ns(), true);
  return out;
}

}  // namespace sextant::serve
