// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/busy.h"

#include <algorithm>
#include <map>
#include <set>

#include "serve/flame.h"

namespace sextant::serve {

namespace {

using query::Span;
using Spans = std::vector<Span>;  // ascending, apart from each other

constexpr std::array kCauses = {
    Cause{"kernel", "A kernel or a graph ran."},
    Cause{"copy", "A copy or a fill ran, and no kernel."},
    Cause{"sync_wait", "The device was idle while a thread that gives it work waited for it."},
    Cause{"api", "The device was idle while such a thread was in another call of CUDA or OpenCL."},
    Cause{"osrt_wait", "The device was idle while such a thread was in a call of the operating system."},
    Cause{"nothing", "The device was idle, and nothing was recorded of the threads that give it work."},
};

/// What the threads of some processes that call CUDA or OpenCL were in.
struct Calls {
  Spans waits, others, osrt;
};

Result<Calls> calls_of(const Timeline& timeline, const std::set<uint64_t>& processes, Reading* reading) {
  Calls calls;
  std::set<std::pair<uint64_t, uint64_t>> threads;
  std::unordered_map<uint32_t, bool> waits;  // by name
  const auto wanted = [&](const Track& track) {
    return track.layer != Track::kNone && track.process && track.tid && processes.count(*track.process) > 0;
  };
  for (const Track& track : timeline.tracks()) {
    if (!wanted(track) || (track.kind != "cuda_api" && track.kind != "opencl_api")) continue;
    threads.emplace(*track.process, *track.tid);
    SEXTANT_TRY(reading->read(track, [&](const Event& event, const Span& span) {
      const auto [at, is_new] = waits.try_emplace(event.name);
      if (is_new) at->second = is_device_wait(timeline.names().text(event.name));
      (at->second ? calls.waits : calls.others).push_back(span);
    }));
  }
  for (const Track& track : timeline.tracks())
    if (wanted(track) && (track.kind == "osrt" || track.kind == "syscall") &&
        threads.count({*track.process, *track.tid}) > 0)
      SEXTANT_TRY(reading->read(track, [&](const Event&, const Span& span) { calls.osrt.push_back(span); }));
  for (Spans* spans : {&calls.waits, &calls.others, &calls.osrt}) unite(spans);
  return calls;
}

}  // namespace

std::span<const Cause> causes() {
  return kCauses;
}

Result<std::vector<DeviceTime>> device_times(const Timeline& timeline, const query::Window& span) {
  std::vector<DeviceTime> out;
  Reading reading(timeline, span);
  std::map<std::set<uint64_t>, Calls> known;  // by processes: those of one use all its devices
  for (size_t t = 0; t < timeline.tracks().size(); ++t) {
    if (timeline.tracks()[t].kind != "device") continue;
    Spans kernels, copies;
    std::set<uint64_t> processes;
    for (const size_t below : tracks_below(timeline, t)) {
      const Track& track = timeline.tracks()[below];
      const bool kernel = track.kind == "kernels" || track.kind == "graphs" || track.kind == "opencl_kernels";
      if (!kernel && track.kind != "memory" && track.kind != "opencl_memory") continue;
      if (track.process) processes.insert(*track.process);
      SEXTANT_TRY(reading.read(
          track, [&](const Event&, const Span& where) { (kernel ? kernels : copies).push_back(where); }));
    }
    if (processes.empty()) continue;
    unite(&kernels), unite(&copies);
    auto at = known.find(processes);
    if (at == known.end()) {
      SEXTANT_ASSIGN(Calls read, calls_of(timeline, processes, &reading));
      at = known.emplace(processes, std::move(read)).first;
    }
    const Calls& calls = at->second;
    DeviceTime time{t, {}};
    Spans free = {{span.from_ns, span.to_ns}};
    const Spans* taken[] = {&kernels, &copies, &calls.waits, &calls.others, &calls.osrt};
    for (size_t cause = 0; cause < std::size(taken); ++cause)
      take(&free, *taken[cause], [&](int64_t from, int64_t to, size_t) { time.parts[cause].add(from, to); });
    for (const Span& left : free) time.parts[kNothing].add(left.start, left.end);
    out.push_back(time);
  }
  return out;
}

}  // namespace sextant::serve
