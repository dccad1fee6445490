// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Complete commands become rows: the times of their devices are converted, and held against what the host
// saw.
#include <algorithm>
#include <cmath>

#include "collector/group.h"
#include "collector/opencl_source.h"
#include "event/opencl_commands.h"

namespace sextant::collector {

namespace cl = spool::opencl;
using event::opencl_untimed::Reason;
using event::opencl_work::Timing;

namespace {

constexpr double kSlackNs = 1000;  // beyond the clocks' error; more is no matter of clocks

struct Converted {
  uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
  Timing timing = Timing::kMeasured;
  bool ok = false;
};

/// Into [low, high]; false if it was further away than `most`.
bool clamp(uint64_t* stamp, uint64_t low, uint64_t high, double most, bool* moved) {
  const uint64_t to = std::min(std::max(*stamp, low), high);
  const double distance = to > *stamp ? static_cast<double>(to - *stamp) : static_cast<double>(*stamp - to);
  if (to != *stamp) *moved = true;
  *stamp = to;
  return distance <= most;
}

/// The device's own order is kept where it has one; drivers that stamp a submission before the enqueueing, or
/// a command without work at one instant, are seen.
Converted convert(const DeviceClock& clock, const OpenclDone& done, double ticks_per_ns) {
  Converted out;
  DeviceClock::Host first, last;
  const cl::DoneSlots& s = done.slots;
  if (s.started > s.ended || s.queued > s.ended) return out;
  if (!clock.to_host(s.started, s.called, done.seen, &first) ||
      !clock.to_host(s.ended, s.called, done.seen, &last) || first.ambiguous || last.ambiguous)
    return out;
  bool moved = false;
  const double most = std::max(first.error, last.error) + kSlackNs * ticks_per_ns;
  out.started = first.stamp;
  out.ended = last.stamp;
  bool near = clamp(&out.started, s.called, done.seen, most, &moved);
  near = clamp(&out.ended, s.called, done.seen, most, &moved) && near;
  near = clamp(&out.ended, out.started, done.seen, most, &moved) && near;
  if (!near) return out;
  const auto before_start = [&](uint64_t device) {
    const double ns = s.started > device ? static_cast<double>(s.started - device) : 0;
    const uint64_t ticks = static_cast<uint64_t>(std::min(ns * ticks_per_ns, 4e18));
    return std::max(out.started - std::min(ticks, out.started), s.called);
  };
  out.queued = before_start(s.queued);
  out.submitted = std::max(before_start(s.submitted), out.queued);
  out.timing = moved ? Timing::kMovedIntoBracket : Timing::kMeasured;
  out.ok = true;
  return out;
}

uint64_t in_use(uint64_t size) {
  return std::max<uint64_t>(size, 1);
}
/// 0 where all is left to the implementation, 1 in dimensions that are not there.
uint64_t local_size(const cl::Launch& launch, uint32_t dimension) {
  return launch.local[0] != 0 && dimension >= launch.dimensions ? 1 : launch.local[dimension];
}

}  // namespace

void OpenclRows::settle(double ticks_per_ns) {
  std::set<OpenclSource*> sources;
  for (const OpenclDone& d : done) sources.insert(d.source);
  for (OpenclSource* source : sources) source->fit_clocks(ticks_per_ns, this);
  // Regular numbers take next to nothing.
  std::stable_sort(done.begin(), done.end(), [](const OpenclDone& a, const OpenclDone& b) {
    return a.source != b.source ? a.source < b.source : a.slots.correlation < b.slots.correlation;
  });
  for (const OpenclDone& d : done) d.source->settle(d, ticks_per_ns, this);
  done.clear();
}

void OpenclSource::fit_clocks(double ticks_per_ns, OpenclRows* to) {
  using event::device_clock::Method;
  using event::device_clock::Use;
  for (auto& [number, clock] : clocks_) {
    const uint64_t device = number;
    const uint64_t method =
        static_cast<uint64_t>(timers_.contains(number) ? Method::kTimer : Method::kBracket);
    for (const DeviceClock::Piece& piece : clock.fit(ticks_per_ns)) {
      const auto add = [&](uint64_t stamp, double error, Use use) {
        const double ticks =
            piece.ticks * static_cast<double>(static_cast<int64_t>(stamp - piece.origin_device));
        append_row(
            &to->clocks,
            {piece.origin_host + static_cast<uint64_t>(static_cast<int64_t>(std::clamp(ticks, -4e18, 4e18))),
             process_, static_cast<uint64_t>(event::device_clock::Api::kOpencl), distinct(device, kDevices),
             stamp, static_cast<uint64_t>(std::min(std::ceil(error / ticks_per_ns), 4e18)), method,
             static_cast<uint64_t>(use)});
      };
      add(piece.device_first, piece.error_first, piece.after_step ? Use::kAfterStep : Use::kInFit);
      if (piece.device_last != piece.device_first) add(piece.device_last, piece.error_last, Use::kInFit);
    }
  }
}

void OpenclSource::settle(const OpenclDone& done, double ticks_per_ns, OpenclRows* to) {
  const cl::DoneSlots& s = done.slots;
  ++counts_.done;
  const Pending pending{s.called, done.tid, s.bytes, s.queue, done.launch, done.function};
  if (s.status < 0 || (done.flags & cl::kNoStamps) != 0 || s.queued == 0 || s.ended == 0) {
    add_untimed(s.correlation, pending, s.status < 0 ? Reason::kFailed : Reason::kNoStamps, s.status,
                &to->untimed);
    return;
  }
  const auto clock = clocks_.find(s.device);
  const Converted c = clock != clocks_.end() ? convert(clock->second, done, ticks_per_ns) : Converted{};
  if (!c.ok) {
    add_untimed(s.correlation, pending, Reason::kImpossibleStamps, s.status, &to->untimed);
    return;
  }
  if (c.timing == Timing::kMovedIntoBracket) ++counts_.moved;
  const uint16_t command = opencl_command_of(done.function);
  const event::OpenclCommand* known = event::find_opencl_command(command);
  const event::TableId table = known != nullptr ? known->table : event::kOpenclSync;
  const uint64_t queued_for = c.submitted - c.queued, submitted_for = c.started - c.submitted;
  const uint64_t timing = static_cast<uint64_t>(c.timing);
  const uint64_t device = distinct(s.device, kDevices), context = distinct(s.context, kObjects);
  const uint64_t queue = distinct(s.queue, kObjects), correlation = distinct(s.correlation, kCommands);
  if (table == event::kOpenclKernel) {
    const LaunchOf& of = launch_of(done.launch, to);
    const cl::Launch& l = of.launch;
    const uint64_t named = of.name != 0 ? of.name : writer_.string_id("(native kernel)");
    append_row(&to->kernels, {c.started,
                              c.ended - c.started,
                              process_,
                              device,
                              context,
                              queue,
                              correlation,
                              named,
                              in_use(l.global[0]),
                              in_use(l.global[1]),
                              in_use(l.global[2]),
                              local_size(l, 0),
                              local_size(l, 1),
                              local_size(l, 2),
                              queued_for,
                              submitted_for,
                              timing,
                              command,
                              l.dimensions,
                              l.offset[0],
                              l.offset[1],
                              l.offset[2],
                              distinct(l.program, kObjects),
                              distinct(l.arguments, kObjects)});
  } else if (table == event::kOpenclMemory) {
    append_row(&to->memory, {c.started, c.ended - c.started, process_, device, context, queue, correlation,
                             s.bytes, queued_for, submitted_for, timing, command,
                             (done.flags & cl::kBlocking) != 0 ? uint64_t{1} : 0});
  } else {
    append_row(&to->syncs, {c.started, c.ended - c.started, process_, device, context, queue, correlation,
                            queued_for, submitted_for, timing, command, s.bytes});
  }
}

}  // namespace sextant::collector
