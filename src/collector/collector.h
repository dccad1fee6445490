// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Collector: drains the rings of a run folder into a report until nobody records any more. One thread owns
// it; agents write meanwhile. Dropping it at any moment leaves what recovery needs: that is how a kill looks
// (docs/formats/spool.md).
//
// Life: start() or adopt(), pass() as often as its caller likes (collector/loop.h), finish().
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "collector/capture_windows.h"
#include "collector/diagnostics.h"
#include "collector/group.h"
#include "collector/instance.h"
#include "collector/processes.h"
#include "report/writer.h"
#include "spool/run_folder.h"

namespace sextant::collector {

/// What the verdict and --status-file tell.
struct Totals {
  uint64_t processes = 0, untraced = 0;
  uint64_t dropped_processes = 0;  // found no room in the table
  uint64_t events = 0;             // ranges and marks
  uint64_t opencl_calls = 0, opencl_commands = 0, opencl_unfinished = 0;
  uint64_t osrt_calls = 0;
  uint64_t open_ranges = 0;
  uint64_t lost = 0, names_dropped = 0;
  uint64_t damaged = 0;
  bool run_folder_gone = false;  // under the feet of the recording
};

/// What recovery knows from the report.
struct Restored {
  std::map<std::pair<uint32_t, uint32_t>, RestoredRing> rings;   // by (page, ring)
  std::map<std::pair<uint32_t, uint16_t>, std::string> domains;  // by (page, domain id)
  struct Registration {
    uint16_t domain;
    uint64_t what, id;
    std::string description;
  };
  std::map<uint32_t, std::vector<Registration>> registrations;  // by page
  std::map<uint32_t, uint64_t> events;                          // by process number
  std::map<uint32_t, uint64_t> osrt_calls;                      // likewise
  std::map<uint32_t, std::vector<std::pair<uint64_t, uint32_t>>>
      unreturned;  // calls: stamp and tid, likewise
  struct Enqueued {
    uint64_t stamp, tid;
    uint32_t queue;
    std::string function;
  };
  struct Opencl {
    uint64_t calls = 0, commands = 0;
    // by correlation: commands of which the report has the call and not the end, and the other way round
    std::unordered_map<uint64_t, Enqueued> enqueued;
    std::unordered_set<uint64_t> early;
    std::map<uint32_t, std::pair<uint32_t, uint32_t>> queues;  // context and device
  };
  std::map<uint32_t, Opencl> opencl;    // by process number
  std::map<uint32_t, int64_t> unended;  // start/end ranges: starts less ends, likewise
  std::map<std::pair<uint32_t, uint32_t>, std::string> threads;  // by (process number, tid)
};

class Collector {
 public:
  struct Options {
    CommandLines command_lines = CommandLines::kRedacted;
    bool recovering = false;
  };

  Collector(spool::RunFolder folder, report::Writer writer, Options options);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  /// Pages, first arenas, first clock point; agents may come from now on.
  Status start();

  /// Instead of start(): goes on where another collector was killed.
  void adopt(Restored restored);

  /// One look at everything. Returns the number of slots that were read.
  uint64_t pass();

  /// The time until the next pass is wanted: short while there is work.
  int wait_ms() const { return wait_ms_; }

  /// True when no process of the run is alive.
  bool all_gone() const { return !processes_.any_alive(); }

  /// Reads all that is left, writes the last rows and the index. `cut`: survivors go on, what they record
  /// later is dropped. Error: the report could not be written; the run folder still has the rest.
  Status finish(bool cut);

  /// For recordings with a filter (null: none), before start(). It must outlive the collector.
  void use_windows(CaptureWindows* windows) { windows_ = windows; }

  /// Reports that follow each other: completes the present one with what has been drained. Nothing is drained
  /// until begin_report() goes on in the next one.
  Status end_report();
  Status begin_report(report::Writer writer);
  bool between_reports() const { return between_reports_; }

  ProcessTable& processes() { return processes_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  spool::RunFolder& folder() { return folder_; }
  report::Writer& writer() { return writer_; }
  Totals totals() const;
  std::string verdict() const;  // "3 processes, 1,000,000 ranges and marks, none lost" and why not more
  bool write_failed() const { return !write_error_.empty(); }

 private:
  struct Page;

  uint64_t stamp() const { return base::stamp(clock_); }
  void find_pages(bool final);
  bool first_sight(Page& page, bool final);
  void open_arena(Page& page);
  void refresh_page(Page& page);
  void keep_up();
  void offer_pages(uint64_t now_ns);
  bool provide(uint64_t now_ns);
  bool stock_rings();
  void set_wait(uint64_t read, bool short_of_stock);
  bool writer_gone(const Page& page);
  uint64_t drain_all(Phase phase);
  uint64_t drain_ring(Instance& instance, Ring& ring, Phase phase);
  void note_threads(bool new_ones_only);
  void release_ended();
  Status flush(Group& group);
  Status flush_small(bool everything, bool final);
  bool flush_due(uint64_t now_ns) const;
  void note_clock();
  void note_counts(const Page& page, Process& process);
  void note_overhead();
  double ticks_per_ns() const;  // of the recording's clock, so far
  void note_opencl(const Page& page, uint32_t process);
  void note_unfinished(Page& page);
  void restore_opencl(Page& page);
  void note_windows();
  void note_extras(const Page& page, uint32_t process);
  Status write_rest(bool cut);

  spool::RunFolder folder_;
  report::Writer writer_;
  Options options_;
  base::ClockKind clock_;
  ProcessTable processes_;
  Diagnostics diagnostics_;
  std::map<uint32_t, std::unique_ptr<Page>> pages_;  // not yet done, by number
  std::map<uint32_t, spool::Arena> free_arenas_;     // made, not yet claimed
  Restored restored_;
  Group shared_;  // rows of all rings that are slow
  Group solo_;    // rows of one fast ring, written at once
  report::Rows process_rows_, thread_rows_, diagnostic_rows_, overhead_rows_, clock_rows_, window_rows_,
      untimed_rows_,     // of commands that are not known to have ended
      unreturned_rows_;  // calls of the C library, likewise
  CaptureWindows* windows_ = nullptr;
  bool between_reports_ = false, windows_noted_ = false;
  std::map<std::pair<uint32_t, uint32_t>, std::string> thread_names_;
  uint32_t next_page_ = 0;
  uint32_t pages_ahead_ = 512, arenas_ahead_ = 2;  // more where they did not last
  int wait_ms_ = 1;
  uint64_t open_ranges_ = 0;
  uint64_t last_clock_ns_ = 0, last_small_ns_ = 0, last_look_ns_ = 0;
  uint64_t retry_ns_ = 0, arena_retry_ns_ = 0;
  bool budget_was_full_ = false, end_noted_ = false, watched_ = false;
  base::ClockSync first_sync_{};  // of this report
  base::ClockSync rate_from_{};   // of the first one: a rate is the better the longer it is measured
  std::string write_error_;
};

}  // namespace sextant::collector
