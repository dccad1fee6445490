// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OpenclSource: an instance's records of OpenCL. What does not need a device's clock becomes rows at once;
// complete commands when their group is written. Records are hostile input. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "collector/device_clock.h"
#include "collector/names.h"
#include "collector/opencl_rows.h"
#include "spool/reader.h"

namespace sextant::collector {

struct OpenclCounts {
  uint64_t calls = 0;     // of the host, those that enqueue included
  uint64_t enqueued = 0;  // commands
  uint64_t done = 0;      // with a row, timed or not, because something is known of their end
  uint64_t untimed = 0;   // of those, the ones without times on the device
  uint64_t forced = 0;    // queues that measure because of the recording
  uint64_t untraced = 0;  // entry points asked for or called
  uint64_t damaged = 0;
  uint64_t moved = 0;  // commands whose times were moved into what the host saw
};

class OpenclSource {
 public:
  OpenclSource(spool::Arena& arena, report::Writer& writer, NameTable& names)
      : arena_(arena), writer_(writer), names_(names) {}

  struct Origin {
    uint32_t process = 0;
    uint64_t tid = 0;
  };
  void take(const spool::Record& record, uint64_t stamp, const Origin& origin, OpenclRows* to);

  const OpenclCounts& counts() const { return counts_; }
  uint64_t unfinished() const { return pending_.size(); }
  double worst_clock_error() const;  // stamps
  bool has_clock() const { return !clocks_.empty(); }

  /// Commands of which no end was heard, at the end of the process or of the recording. Once.
  void add_unfinished(uint32_t process, report::Rows* untimed);

  /// For recovery: what the report has already.
  void restore_enqueued(uint64_t correlation, uint64_t stamp, uint64_t tid, uint32_t queue,
                        std::string_view function);
  void restore_done(uint64_t correlation);
  void restore_queue(uint32_t queue, uint32_t context, uint32_t device) {
    queues_[queue] = {context, device};
  }

  /// Another report: what lasts goes into it again.
  void end_report();
  void begin_report(uint32_t process, OpenclRows* to);

  // For OpenclRows::settle().
  void fit_clocks(double ticks_per_ns, OpenclRows* to);
  void settle(const OpenclDone& done, double ticks_per_ns, OpenclRows* to);

 private:
  struct Pending {
    uint64_t stamp = 0, tid = 0, bytes = 0;
    uint32_t queue = 0, launch = 0;
    uint16_t function = 0;
  };
  struct QueueOf {
    uint32_t context = 0, device = 0;
  };
  struct LaunchOf {
    spool::opencl::Launch launch{};
    uint32_t name = 0;  // report string id
  };
  struct Object {
    uint16_t kind = 0;
    uint64_t stamp = 0, number = 0, handle = 0;
    std::string description;
  };

  void take_call(const spool::Record& record, uint64_t stamp, const Origin& origin, OpenclRows* to);
  void take_enqueue(const spool::Record& record, uint64_t stamp, const Origin& origin, OpenclRows* to);
  void take_done(const spool::Record& record, uint64_t stamp, const Origin& origin, OpenclRows* to);
  void take_object(const spool::Record& record, uint64_t stamp, const Origin& origin, OpenclRows* to);
  void take_build(const spool::Record& record, uint64_t stamp, const Origin& origin, OpenclRows* to);
  void add_object(const Object& object, uint32_t process, OpenclRows* to);
  void add_untimed(uint64_t correlation, const Pending& pending, uint32_t process,
                   event::opencl_untimed::Reason reason, int32_t status, report::Rows* to);
  const LaunchOf& launch_of(uint32_t id, OpenclRows* to);
  void add_arguments(uint32_t set, OpenclRows* to);
  uint32_t function_name(uint16_t function);
  uint32_t name(uint32_t id) { return names_.report_id(id, arena_, writer_); }
  bool text(uint32_t id, std::string* out);

  spool::Arena& arena_;
  report::Writer& writer_;
  NameTable& names_;
  OpenclCounts counts_;
  uint32_t process_ = 0;
  std::unordered_map<uint64_t, Pending> pending_;  // enqueued, not known to be complete
  std::unordered_set<uint64_t> early_;             // complete, the call's record not yet seen
  std::map<uint32_t, QueueOf> queues_;
  std::map<uint32_t, DeviceClock> clocks_;  // by device
  std::set<uint32_t> timers_;               // devices whose driver has a timer
  std::unordered_map<uint32_t, LaunchOf> launches_;
  std::unordered_set<uint32_t> argument_sets_;
  std::map<std::pair<std::string, uint64_t>, uint64_t> untraced_;
  std::vector<Object> objects_;
  std::vector<uint32_t> function_names_;
};

/// CL_COMMAND_... of a function that enqueues, 0 for others.
uint16_t opencl_command_of(uint16_t function);

}  // namespace sextant::collector
