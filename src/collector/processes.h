// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// ProcessTable: the processes of a run, from their pages: who they are, whether they live, how they ended.
// Rows are made anew when something changed. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "event/schema.h"
#include "report/writer.h"
#include "spool/reader.h"

namespace sextant::collector {

enum class CommandLines { kRedacted, kFull, kNone };

struct Process {
  uint32_t number = 0;  // in the report: 1 + the number of its first page
  uint32_t pid = 0, ppid = 0, uid = 0;
  uint32_t parent = 0;      // number, 0: not in this report
  uint64_t start_time = 0;  // ticks since boot, 0: unknown
  uint64_t start_stamp = 0, end_stamp = 0;
  event::process::Exit exit = event::process::Exit::kRunning;
  int exit_code = 0;
  bool has_status = false;  // exit and code come from the kernel, not from the process
  std::string name, command_line, exe, reason, launcher;
  spool::Untraced untraced = spool::Untraced::kNo;
  bool agent_seen = false;  // some image of it had an agent
  uint64_t image_id = 0;    // of the newest page
  uint64_t nvtx_instances = 0, events = 0, lost = 0;
  int64_t unended = 0;                             // start/end ranges: starts less ends
  uint64_t osrt_calls = 0, osrt_unreturned = 0;    // the latter: of those, never
  uint64_t opencl_calls = 0, opencl_commands = 0;  // host calls; commands that they enqueued
  uint64_t opencl_unfinished = 0;                  // commands not known to have ended
  uint64_t cut = 0;  // of `lost`: pushes whose ends are unknown because of a loss
  std::vector<uint32_t> pages;
  base::Fd pidfd;
  bool alive = true;
  bool dirty = true;
};

class ProcessTable {
 public:
  explicit ProcessTable(CommandLines command_lines);

  /// Poll for this one: it is readable when a process has ended.
  int wait_fd() const { return epoll_.get(); }

  /// The process of a page, made if it is new; takes over what the page says. `final`: nobody is alive any
  /// more.
  Process& note_page(uint32_t page, const spool::PageCopy& copy, bool final);

  /// The process ended as a program that is not traced, whose path and reason the page of the one before
  /// says.
  void note_untraced_exec(Process& process, const spool::PageCopy& copy);

  /// The program that `profile` starts, which may never register: it gets a row of its own only at the end
  /// (settle_target), so that recovery, which sees pages alone, numbers processes alike.
  struct Target {
    uint32_t pid = 0;
    uint64_t start_time = 0;
    std::vector<std::string> arguments;
    std::string exe;
    spool::Untraced untraced = spool::Untraced::kNo;
    uint64_t start_stamp = 0;
  };
  void note_target(Target target);
  void note_target_status(int wait_status, uint64_t stamp);
  void settle_target();

  /// Takes note of processes that have ended since the last call. `stamp`: now.
  void poll_ends(uint64_t stamp);
  /// For those without a pidfd: looks at /proc. Costs a file a process.
  void look_at_unwatched(uint64_t stamp);

  bool any_alive() const;
  uint32_t alive_count() const;
  void signal_alive(int signal_number);

  const std::vector<std::unique_ptr<Process>>& all() const { return processes_; }
  Process* find(uint32_t number);

  /// Rows of all that changed, or of all.
  void add_rows(report::Rows* rows, report::Writer& writer, bool everything, bool final);

  uint32_t target_pid() const { return target_.pid; }

  static event::process::Traced traced(const Process& process);
  std::string reason(const Process& process) const;

  /// What keeps an NVTX client from being heard, for reason().
  struct Deaf {
    bool nvtx_not_wanted = false;
    bool not_always_collecting = false;  // --delay
  };
  void set_deaf(Deaf deaf) { deaf_ = deaf; }

 private:
  Process* find_by_id(uint32_t pid, uint64_t start_time);
  Process& make(uint32_t number, uint32_t pid, uint64_t start_time);
  void take_description(Process& process, const spool::PageCopy& copy);
  void set_command_line(Process& process, const std::vector<std::string>& arguments, bool cut);
  void watch(Process& process);
  void add_to_epoll(const base::Fd& pidfd, uint32_t number);
  void ended(Process& process, uint64_t stamp);
  void set_status(Process& process, int wait_status);

  CommandLines command_lines_;
  Deaf deaf_;
  base::Fd epoll_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::map<std::pair<uint32_t, uint64_t>, Process*> by_id_;
  std::map<uint32_t, Process*> by_pid_;  // the newest
  std::map<uint32_t, Process*> by_number_;
  Target target_;
  base::Fd target_pidfd_;
  bool target_alive_ = false;
  uint64_t target_end_stamp_ = 0;
  std::optional<int> target_status_;
};

/// Number of the target's process if no page has it.
inline constexpr uint32_t kTargetWithoutPage = 1u << 17;

}  // namespace sextant::collector
