// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/processes.h"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "collector/exit_status.h"
#include "collector/group.h"
#include "collector/redact.h"
#include "collector/untraced_text.h"

namespace sextant::collector {

using event::process::Exit;
using event::process::Traced;
using spool::PageCopy;
using spool::PageOrigin;
using spool::Untraced;

namespace {

std::string base_name(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

ProcessTable::ProcessTable(CommandLines command_lines)
    : command_lines_(command_lines), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

Process* ProcessTable::find(uint32_t number) {
  auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

Process* ProcessTable::find_by_id(uint32_t pid, uint64_t start_time) {
  auto found = by_id_.find({pid, start_time});
  if (found != by_id_.end()) return found->second;
  auto newest = by_pid_.find(
      pid);  // where one side does not know the start time, a living namesake is the same process
  if (newest == by_pid_.end() || !newest->second->alive) return nullptr;
  return start_time == 0 || newest->second->start_time == 0 ? newest->second : nullptr;
}

Process& ProcessTable::make(uint32_t number, uint32_t pid, uint64_t start_time) {
  processes_.push_back(std::make_unique<Process>());
  Process& process = *processes_.back();
  process.number = number;
  process.pid = pid;
  process.start_time = start_time;
  by_id_[{pid, start_time}] = &process;
  by_pid_[pid] = &process;
  by_number_[number] = &process;
  return process;
}

void ProcessTable::watch(Process& process) {
  process.pidfd = open_process(process.pid, process.start_time);
  if (process.pidfd.valid()) add_to_epoll(process.pidfd, process.number);
}

void ProcessTable::add_to_epoll(const base::Fd& pidfd, uint32_t number) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = number;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, pidfd.get(), &event);
}

void ProcessTable::set_command_line(Process& process, const std::vector<std::string>& arguments, bool cut) {
  if (command_lines_ == CommandLines::kNone) {
    process.command_line.clear();
    return;
  }
  process.command_line =
      join_arguments(command_lines_ == CommandLines::kFull ? arguments : redact_arguments(arguments)) +
      (cut ? " ..." : "");
}

void ProcessTable::take_description(Process& process, const PageCopy& copy) {
  process.ppid = copy.ppid != 0 ? copy.ppid : process.ppid;
  process.uid = copy.uid;
  if (!copy.exe.empty()) process.exe = copy.exe;
  if (copy.origin != PageOrigin::kUntraced) process.launcher = copy.launcher;
  if (!copy.args.empty()) set_command_line(process, split_arguments(copy.args), copy.args_cut);
  if (copy.origin == PageOrigin::kUntraced) {
    process.exe = copy.exec_path;
    if (copy.args.empty()) set_command_line(process, {copy.exec_path}, false);
  }
  process.name = !process.exe.empty() ? base_name(process.exe) : copy.comm;
}

void ProcessTable::note_untraced_exec(Process& process, const PageCopy& copy) {
  if (process.untraced == copy.exec_untraced && process.exe == copy.exec_path) return;
  process.untraced = copy.exec_untraced;
  process.exe = copy.exec_path;
  process.name = base_name(process.exe);
  set_command_line(process, {copy.exec_path}, false);
  process.dirty = true;
}

Process& ProcessTable::note_page(uint32_t page, const PageCopy& copy, bool final) {
  Process* process = find_by_id(copy.pid, copy.start_time);
  bool fresh = process == nullptr;
  if (fresh) process = &make(1 + page, copy.pid, copy.start_time);
  if (std::find(process->pages.begin(), process->pages.end(), page) == process->pages.end()) {
    process->pages.push_back(page);
    process->dirty = true;
    if (process->start_time == 0) process->start_time = copy.start_time;
    if (process->start_stamp == 0 || copy.start_stamp < process->start_stamp)
      process->start_stamp = copy.start_stamp;
    if (copy.origin != PageOrigin::kUntraced) process->agent_seen = true;
    process->image_id = copy.image_id;
    take_description(*process, copy);
    if (process->parent == 0) {
      auto parent = by_pid_.find(process->ppid);
      if (parent != by_pid_.end() && parent->second != process) process->parent = parent->second->number;
    }
    if (fresh && !final) watch(*process);
    if (fresh && !process->pidfd.valid()) ended(*process, copy.start_stamp);
  }
  return *process;
}

void ProcessTable::note_target(Target target) {
  target_ = std::move(target);
  target_pidfd_ = open_process(target_.pid, target_.start_time);
  target_alive_ = target_pidfd_.valid();
  if (target_alive_) add_to_epoll(target_pidfd_, 0);
}

void ProcessTable::set_status(Process& process, int wait_status) {
  process.has_status = true;
  process.exit = WIFSIGNALED(wait_status) ? Exit::kSignalled : Exit::kExited;
  process.exit_code = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  process.dirty = true;
}

void ProcessTable::note_target_status(int wait_status, uint64_t stamp) {
  target_status_ = wait_status;
  target_alive_ = false;
  if (target_end_stamp_ == 0) target_end_stamp_ = stamp;
  if (Process* process = find_by_id(target_.pid, target_.start_time)) {
    set_status(*process, wait_status);
    if (process->alive) ended(*process, stamp);
  }
}

void ProcessTable::settle_target() {
  if (target_.pid == 0) return;
  Process* process = find_by_id(target_.pid, target_.start_time);
  if (process == nullptr) {
    process = &make(kTargetWithoutPage, target_.pid, target_.start_time);
    process->ppid = 0;
    process->start_stamp = target_.start_stamp;
    process->end_stamp = target_end_stamp_;
    process->exe = target_.exe;
    process->name = base_name(target_.exe);
    process->uid = ::getuid();
    process->alive = target_alive_;
    process->untraced = target_.untraced;
    set_command_line(*process, target_.arguments, false);
  } else if (process->untraced == Untraced::kNo) {
    process->untraced = target_.untraced;
  }
  if (target_status_ && !process->has_status) set_status(*process, *target_status_);
}

void ProcessTable::ended(Process& process, uint64_t stamp) {
  process.alive = false;
  process.dirty = true;
  if (process.end_stamp == 0) process.end_stamp = stamp;
  if (!process.has_status) {
    if (process.pidfd.valid()) {
      if (auto status = exit_status(process.pidfd.get(), process.pid)) set_status(process, *status);
    } else {  // perhaps still a zombie
      std::optional<ProcessStat> stat = read_stat(process.pid);
      bool same = stat && (process.start_time == 0 || stat->start_time == process.start_time);
      if (same && stat->state == 'Z') set_status(process, stat->exit_status);
    }
  }
  if (process.pidfd.valid()) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, process.pidfd.get(), nullptr);
  if (process.has_status) process.pidfd.reset();  // else asked once more when the last row is written
}

void ProcessTable::poll_ends(uint64_t stamp) {
  epoll_event events[64];
  int n = ::epoll_wait(epoll_.get(), events, 64, 0);
  for (int i = 0; i < n; ++i) {
    if (events[i].data.u32 == 0) {
      target_alive_ = false;
      target_end_stamp_ = stamp;
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, target_pidfd_.get(), nullptr);
    }
    if (Process* process = find(events[i].data.u32); process != nullptr && process->alive)
      ended(*process, stamp);
  }
}

void ProcessTable::look_at_unwatched(uint64_t stamp) {
  for (auto& process : processes_) {
    if (!process->alive || process->pidfd.valid()) continue;
    std::optional<ProcessStat> stat = read_stat(process->pid);
    if (!stat || stat->state == 'Z' || (process->start_time != 0 && stat->start_time != process->start_time))
      ended(*process, stamp);
  }
}

bool ProcessTable::any_alive() const {
  return target_alive_ ||
         std::any_of(processes_.begin(), processes_.end(), [](const auto& p) { return p->alive; });
}

uint32_t ProcessTable::alive_count() const {
  return static_cast<uint32_t>(
      std::count_if(processes_.begin(), processes_.end(), [](const auto& p) { return p->alive; }));
}

void ProcessTable::signal_alive(int signal_number) {
  for (auto& process : processes_)
    if (process->alive && process->pidfd.valid())
      ::syscall(SYS_pidfd_send_signal, process->pidfd.get(), signal_number, nullptr, 0);
}

Traced ProcessTable::traced(const Process& process) {
  if (process.events + process.opencl_calls + process.osrt_calls != 0) return Traced::kRecorded;
  if (process.untraced != Untraced::kNo || !process.agent_seen) return Traced::kUntraced;
  return Traced::kNoEvents;
}

std::string ProcessTable::reason(const Process& process) const {
  if (process.untraced != Untraced::kNo) return untraced_text(process.untraced);
  if (process.events + process.opencl_calls != 0) return "";
  if (!process.agent_seen) return untraced_text(Untraced::kEnvironment);
  if (deaf_.nvtx_not_wanted) return "NVTX was not asked for (--trace)";
  if (process.nvtx_instances == 0) return "no NVTX client in it";
  return deaf_.not_always_collecting ? "its NVTX client made no ranges and marks after --delay"
                                     : "its NVTX client made no ranges and marks";
}

void ProcessTable::add_rows(report::Rows* rows, report::Writer& writer, bool everything, bool final) {
  for (auto& pointer : processes_) {
    Process& p = *pointer;
    if (!p.dirty && !everything) continue;
    p.dirty = false;
    if (!p.alive && !p.has_status && p.pidfd.valid())
      if (auto status = exit_status(p.pidfd.get(), p.pid)) set_status(p, *status);
    Exit exit = p.exit;
    if (exit == Exit::kRunning && !p.alive) exit = Exit::kUnknown;
    bool reasons = final || p.untraced != Untraced::kNo;
    append_row(rows, {p.number, p.pid, p.ppid, p.parent, p.start_stamp, p.alive ? 0 : p.end_stamp,
                      static_cast<uint64_t>(exit), static_cast<uint64_t>(static_cast<int64_t>(p.exit_code)),
                      writer.string_id(p.name), writer.string_id(p.command_line), writer.string_id(p.exe),
                      p.uid, static_cast<uint64_t>(traced(p)), reasons ? writer.string_id(reason(p)) : 0,
                      p.nvtx_instances, p.events, p.lost, writer.string_id(p.launcher)});
  }
}

}  // namespace sextant::collector
