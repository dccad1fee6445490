// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Instance: one recording agent (one process page with an arena): finds its rings, turns their records into
// rows, gives drained segments back. Everything in the arena is hostile input. Not thread-safe; the agent
// writes meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/capture_windows.h"
#include "collector/group.h"
#include "collector/names.h"
#include "collector/nvtx_extras.h"
#include "collector/opencl_source.h"
#include "collector/ring.h"
#include "event/osrt_functions.h"
#include "report/writer.h"
#include "spool/run_folder_arena.h"

namespace sextant::collector {

/// What recovery knows of a ring from the report.
struct RestoredRing {
  uint64_t next = 0;
  std::vector<DomainStack> stacks;
  size_t open_ranges = 0;
};

/// Counters that become diagnostics of the instance's process.
struct InstanceCounts {
  uint64_t events = 0;  // ranges (closed, started) and marks
  int64_t unended = 0;  // start/end ranges: starts less ends
  uint64_t pops_without_push = 0;
  uint64_t abandoned = 0;  // reserved, never filled
  uint64_t damaged = 0;    // records or segments that make no sense
  uint64_t unknown_domains = 0;
  uint64_t too_deep = 0;
  uint64_t late = 0;        // events whose thread had not noticed the end of a capture window
  uint64_t cut = 0;         // open ranges given up because records behind them were lost
  uint64_t calls = 0;       // of the C library
  uint64_t unreturned = 0;  // of those
};

/// A call of the C library, read out of its record.
struct InstanceCall {
  const event::OsrtFunction* function;
  uint64_t duration, error, result, object, file, text, detail;
  event::OsrtDetail detail_kind;
  bool waits, failed, named, unfinished;
};

enum class Phase {
  kLive,  // somebody writes
  kDead,  // nobody writes any more: an empty slot stays empty
  kLast,  // and all rings have been read as far as possible: nothing is worth waiting for
};

class Instance {
 public:
  struct Origin {
    uint32_t page = 0;         // number of the process page: the provenance's instance
    uint32_t process = 0;      // number in the report
    uint64_t start_stamp = 0;  // for the upper bits of stamps
    uint32_t pid = 0;
    uint32_t earlier_opencl = 0;  // programs with OpenCL that the process executed before this one
  };

  Instance(Origin origin, spool::Arena arena, report::Writer& writer);

  const Origin& origin() const { return origin_; }
  spool::Arena& arena() { return arena_; }
  const InstanceCounts& counts() const { return counts_; }
  uint64_t damaged_names() const { return names_.damaged(); }
  uint64_t last_stamp() const { return last_stamp_; }
  const std::unordered_map<uint32_t, std::unique_ptr<Ring>>& rings() const { return rings_; }
  const std::set<uint32_t>& named_threads() const { return named_threads_; }  // through NVTX

  void restore_ring(uint32_t serial, RestoredRing restored) { restored_[serial] = std::move(restored); }
  void restore_domain(uint16_t id, uint32_t name) { set_domain(id, name); }
  NvtxExtras& extras() { return extras_; }
  OpenclSource& opencl() { return opencl_; }

  /// Capture windows that have a report each (null: none have): records beyond the current one are left
  /// alone.
  void use_windows(const CaptureWindows* windows) { windows_ = windows; }

  /// The report is complete; nothing is drained until the writer writes another one and begin_report() tells
  /// again what lasts. Open ranges are forgotten.
  void end_report();
  void begin_report(Group& group);

  /// Looks for new and closed segments.
  void scan(Phase phase);

  /// Slots that wait to be read.
  uint64_t backlog(const Ring& ring) const;

  /// Turns records of a ring into rows of `group`, at most about `row_limit`. True: it read something.
  bool drain(Ring& ring, Group& group, size_t row_limit, uint64_t now_ns, Phase phase);

  /// All records before `sequence` are in the report: moves `consumed`, recycles segments.
  void commit(Ring& ring, uint64_t sequence);

  /// Every record that exists is in the report.
  bool all_committed() const;

  /// Forgets rings whose threads are gone.
  void drop_ended(uint64_t now_ns);

  /// Makes offers ahead of need. `largest_class`: what one ring may take at most. False: nothing was on offer
  /// any more.
  bool stock(uint32_t largest_class);

  /// Calls of the C library that have not returned, as rows of osrt_call that last until `end`, or `until` if
  /// that is earlier. Not those that began later than `until` or that the report has already. How many.
  size_t add_calls_in_progress(uint64_t end, uint64_t until, report::Rows* rows);
  void restore_unreturned(uint64_t stamp, uint32_t tid) { restored_unreturned_.insert({stamp, tid}); }

  /// The ring's stack of open ranges as rows.
  void add_open_rows(const Ring& ring, Group& group) const;

 private:
  void attach(const spool::Segment& segment);
  void start_ring(Ring& ring, Phase phase);
  bool wait_at_hole(Ring& ring, const spool::Segment& segment, uint32_t position, uint32_t used, bool closed,
                    uint64_t now_ns, Phase phase);
  uint32_t drain_plain(Ring& ring, const spool::Segment& segment, uint32_t position, uint32_t end,
                       Group& group);
  bool drain_segment(Ring& ring, spool::Segment& segment, Group& group, size_t row_limit, uint64_t now_ns,
                     Phase phase);
  bool take(Ring& ring, const spool::Record& record, Group& group, uint64_t now_ns, Phase phase);
  void push(Ring& ring, const spool::Record& record, uint64_t stamp);
  void pop(Ring& ring, const spool::Record& record, uint64_t stamp, Group& group);
  bool gave_up_waiting(Ring& ring, uint64_t now_ns, Phase phase) const;
  bool domain_known(Ring& ring, uint16_t domain, uint64_t now_ns, Phase phase);
  void give_up_stacks(Ring& ring);
  uint32_t useful_class(Ring& ring, uint32_t largest_class);
  void set_domain(uint16_t id, uint32_t name);
  uint32_t name(uint32_t id) { return names_.report_id(id, arena_, writer_); }
  uint32_t domain_name(uint16_t id) const { return id < domains_.size() ? domains_[id].name : 0; }
  /// What a call did to a file.
  struct FileAccess {
    uint64_t duration, error, result, object, file, text;
    const event::OsrtFunction* function;
    bool failed;
  };
  void take_call(const Ring& ring, const spool::Record& record, uint64_t stamp, Group& group);
  void add_call_row(const InstanceCall& call, uint16_t function, uint64_t tid, uint64_t stamp, uint64_t text,
                    report::Rows* rows);
  bool add_call_in_progress(const spool::CallInProgress& in, uint64_t end, uint64_t until,
                            report::Rows* rows);
  void add_file_rows(const Ring& ring, uint64_t stamp, const FileAccess& access, Group& group);
  uint32_t osrt_name(uint16_t function);
  void take_extra(Ring& ring, const spool::Record& record, uint64_t stamp, Group& group);
  uint64_t link_pop(Ring& ring, uint16_t domain, uint64_t event);
  uint32_t message_of(const spool::Record& record, const spool::Attributes& attributes);

  /// A name that outlasts a report.
  struct Lasting {
    bool is_thread;
    uint16_t domain;
    uint64_t of;  // tid or category
    std::string name;
  };
  void add_lasting(const Lasting& lasting, Group& group);
  void note_lasting(bool is_thread, uint16_t domain, uint64_t of, uint32_t name, Group& group);

  struct Domain {
    uint32_t name = 0;
    bool known = false;
    uint64_t created = 0;  // stamp
  };

  Origin origin_;
  spool::Arena arena_;
  report::Writer& writer_;
  NameTable names_;
  NvtxExtras extras_;
  OpenclSource opencl_;
  const CaptureWindows* windows_ = nullptr;
  std::vector<Lasting> lasting_;
  std::vector<uint32_t> osrt_names_;       // by function; 0: not yet in this report
  std::vector<std::string> domain_texts_;  // between two reports
  std::vector<Domain> domains_;
  std::unordered_map<uint32_t, std::unique_ptr<Ring>> rings_;
  std::map<uint32_t, RestoredRing> restored_;
  std::vector<bool> attached_;  // by descriptor: belongs to a ring's `segments`
  std::vector<bool> damaged_;   // by descriptor: reported once
  std::vector<bool> unsafe_;    // by descriptor: a writer may still store into it
  std::set<uint32_t> named_threads_;
  std::set<std::pair<uint64_t, uint32_t>> restored_unreturned_;  // by stamp and tid
  InstanceCounts counts_;
  uint64_t last_stamp_ = 0;
  bool written_to_ = true;  // somebody may want segments yet
};

}  // namespace sextant::collector
