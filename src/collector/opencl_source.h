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
  /// `earlier`: programs with OpenCL that the process has executed before this one.
  OpenclSource(uint32_t process, uint32_t earlier, spool::Arena& arena, report::Writer& writer,
               NameTable& names)
      : process_(process), earlier_(earlier), arena_(arena), writer_(writer), names_(names) {}

  /// A record of the thread `tid`.
  void take(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to);

  const OpenclCounts& counts() const { return counts_; }
  uint64_t unfinished() const { return pending_.size(); }
  double worst_clock_error() const;  // stamps
  bool has_clock() const { return !clocks_.empty(); }

  /// Commands of which no end was heard, at the end of the process or of the recording. Once.
  void add_unfinished(report::Rows* untimed);

  /// For recovery: commands of which the report has the call only, or the end only, and queues. Those of
  /// other programs of the process are passed over.
  void restore_enqueued(uint64_t correlation, uint64_t stamp, uint64_t tid, uint32_t queue,
                        std::string_view function);
  void restore_early(uint64_t correlation);
  void restore_queue(uint32_t queue, uint32_t context, uint32_t device);

  /// Another report: what lasts goes into it again.
  void end_report();
  void begin_report(OpenclRows* to);

  // For OpenclRows::settle().
  void fit_clocks(double ticks_per_ns, OpenclRows* to);
  void settle(const OpenclDone& done, double ticks_per_ns, OpenclRows* to);

 private:
  /// Numbers count from 1 in each program; in the report those of a process are distinct. Of platforms and
  /// devices, of other objects and sets of arguments, of commands:
  static constexpr uint64_t kDevices = 1'000, kObjects = 1'000'000, kCommands = 1'000'000'000'000;
  uint64_t distinct(uint64_t number, uint64_t of) const { return number == 0 ? 0 : number + earlier_ * of; }
  /// The other way round; 0: not of this program.
  uint64_t own(uint64_t number, uint64_t of) const {
    return number > earlier_ * of && number <= (earlier_ + 1) * of ? number - earlier_ * of : 0;
  }

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

  void take_call(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to);
  void take_enqueue(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to);
  void take_done(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to);
  void take_object(const spool::Record& record, uint64_t stamp, OpenclRows* to);
  void take_build(const spool::Record& record, uint64_t stamp, uint64_t tid, OpenclRows* to);
  void add_object(const Object& object, OpenclRows* to);
  void add_untimed(uint64_t correlation, const Pending& pending, event::opencl_untimed::Reason reason,
                   int32_t status, report::Rows* to);
  const LaunchOf& launch_of(uint32_t id, OpenclRows* to);
  void add_arguments(uint32_t set, OpenclRows* to);
  uint32_t function_name(uint16_t function);
  uint32_t name(uint32_t id) { return names_.report_id(id, arena_, writer_); }
  bool text(uint32_t id, std::string* out);

  const uint32_t process_;  // number
  const uint64_t earlier_;
  spool::Arena& arena_;
  report::Writer& writer_;
  NameTable& names_;
  OpenclCounts counts_;
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
