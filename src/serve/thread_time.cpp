// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/thread_time.h"

#include <map>
#include <unordered_map>

#include "event/schema_system.h"
#include "query/sums.h"
#include "stats/osrt.h"

namespace sextant::serve {

namespace {

constexpr std::array kCauses = {
    Cause{"sync_wait", "In a call that waits for a device."},
    Cause{"osrt_wait", "In a call of the operating system that waits for others, or for time to pass."},
    Cause{"running", "On a CPU."},
    Cause{"ready", "Ready to run, but other threads had the CPUs."},
    Cause{"io", "In a call of the operating system that moves data, and may wait for it."},
    Cause{"off_cpu", "Not on a CPU, and in no recorded call that explains it."},
    Cause{"api", "In another call of CUDA or OpenCL."},
    Cause{"osrt", "In another call of the operating system."},
    Cause{"nothing", "Nothing was recorded: it computed, or was not looked at."},
};
static_assert(kCauses.size() == kThreadCauses);

struct Named {
  int64_t start, end;
  uint32_t name;
};

/// What is known of one thread, by cause.
struct Known {
  std::array<std::vector<Named>, kThreadCauses> by_cause;
  bool scheduling = false, any = false;
};
using Threads = std::map<std::pair<uint64_t, uint64_t>, Known>;

ThreadCause cause_of_call(stats::CallState state) {
  if (state == stats::CallState::kWaits) return kCallWait;
  return state == stats::CallState::kMoves ? kMoving : kOtherCall;
}

/// Calls of CUDA and OpenCL, system calls and states, as they are drawn.
Status read_tracks(const Timeline& timeline, Reading* reading, Threads* threads) {
  std::unordered_map<uint32_t, bool> waits;  // by name
  const Names& names = timeline.names();
  for (const Track& track : timeline.tracks()) {
    if (track.layer == Track::kNone || !track.process || !track.tid) continue;
    const bool state = track.kind == "state", api = track.kind == "cuda_api" || track.kind == "opencl_api";
    if (!state && !api && track.kind != "syscall") continue;
    Known& known = (*threads)[{*track.process, *track.tid}];
    known.any = true, known.scheduling = known.scheduling || state;
    SEXTANT_TRY(reading->read(track, [&](const Event& event, const query::Span& span) {
      const auto [at, is_new] = waits.try_emplace(event.name);
      ThreadCause cause = kOtherCall;
      if (api) {
        if (is_new) at->second = is_device_wait(names.text(event.name));
        cause = at->second ? kDeviceWait : kOtherApi;
      } else if (state) {
        const std::string_view text = names.text(event.name);
        cause = text == "running" ? kRunning : text == "ready" ? kReady : kOffCpu;
      }
      known.by_cause[cause].push_back({span.start, span.end, event.name});
    }));
  }
  return {};
}

/// OS runtime calls: whether one waits is in its row.
Status read_calls(const Timeline& timeline, const query::Window& span, Reading* reading, Threads* threads) {
  using namespace event::osrt_call;
  constexpr uint16_t kColumns[] = {kStart, kDuration, kProcess, kTid, kName, kFamily, kFlags, kClass, kNulls};
  Status status;
  SEXTANT_TRY(timeline.source().scan_table(event::kOsrtCall, kColumns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows && status; ++i) {
      const int64_t start = static_cast<int64_t>(c[0][i]);
      const int64_t end = query::sum(start, static_cast<int64_t>(c[1][i]));
      if (start >= span.to_ns || end <= span.from_ns || !stats::is_osrt_call(c[7][i], c[8][i])) continue;
      Known& known = (*threads)[{c[2][i], c[3][i]}];
      const auto state = stats::call_state(timeline.names().text(c[4][i]), c[5][i], c[6][i]);
      known.by_cause[cause_of_call(state)].push_back(
          {std::max(start, span.from_ns), std::min(end, span.to_ns), timeline.names().of_string(c[4][i])});
      known.any = true;
      status = reading->count();
    }
  }));
  return status;
}

/// Makes spans ascend, apart from each other; of nested ones the outer one stays.
void flatten(std::vector<Named>* spans) {
  std::stable_sort(spans->begin(), spans->end(),
                   [](const Named& a, const Named& b) { return a.start < b.start; });
  size_t kept = 0;
  int64_t until = INT64_MIN;
  for (const Named& span : *spans) {
    if (span.end <= until) continue;
    (*spans)[kept++] = {std::max(span.start, until), span.end, span.name};
    until = span.end;
  }
  spans->resize(kept);
}

ThreadTime divide(size_t track, Known* known, const query::Window& span) {
  ThreadTime time;
  time.track = track, time.scheduling = known->scheduling;
  std::vector<query::Span> free = {{span.from_ns, span.to_ns}};
  for (size_t cause = 0; cause < kThreadCauses; ++cause) {
    std::vector<Named>& spans = known->by_cause[cause];
    ThreadTime::Part& part = time.parts[cause];
    flatten(&spans);
    std::unordered_map<uint32_t, int64_t> names;
    take(&free, spans, [&](int64_t from, int64_t to, size_t which) {
      part.add(from, to);
      names[spans[which].name] += to - from;
    });
    part.names.assign(names.begin(), names.end());
    std::sort(part.names.begin(), part.names.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
  }
  for (const query::Span& left : free) time.parts[kThreadCauses - 1].add(left.start, left.end);
  return time;
}

}  // namespace

std::span<const Cause> thread_causes() {
  return kCauses;
}

Result<std::vector<ThreadTime>> thread_times(const Timeline& timeline, const query::Window& span) {
  Reading reading(timeline, span);
  Threads threads;
  SEXTANT_TRY(read_tracks(timeline, &reading, &threads));
  SEXTANT_TRY(read_calls(timeline, span, &reading, &threads));
  std::vector<ThreadTime> out;
  for (size_t t = 0; t < timeline.tracks().size(); ++t) {
    const Track& track = timeline.tracks()[t];
    if (track.kind != "thread" || !track.process || !track.tid) continue;
    const auto known = threads.find({*track.process, *track.tid});
    if (known != threads.end() && known->second.any) out.push_back(divide(t, &known->second, span));
  }
  std::stable_sort(out.begin(), out.end(), [](const ThreadTime& a, const ThreadTime& b) {
    return a.parts[kThreadCauses - 1].ns < b.parts[kThreadCauses - 1].ns;
  });
  return out;
}

}  // namespace sextant::serve
