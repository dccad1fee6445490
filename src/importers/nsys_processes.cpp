// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys_processes.h"

#include "event/schema_target.h"

namespace sextant::importers {

uint64_t NsysProcesses::look_up(uint64_t global_pid) {
  const auto [at, is_new] = numbers_.try_emplace(global_pid, processes_.size() + 1);
  if (is_new) processes_.push_back({.global = global_pid});
  last_global_ = global_pid;
  last_number_ = at->second;
  return at->second;
}

void NsysProcesses::set_thread_name(uint64_t number, uint64_t tid, int64_t priority, uint32_t name) {
  const auto [at, is_new] = threads_.try_emplace({number, tid}, ThreadName{priority, name});
  if (!is_new && priority >= at->second.priority) at->second = {priority, name};
}

Status NsysProcesses::write(report::Writer& writer, uint64_t session_start) const {
  using namespace event;
  report::Rows rows(*find_table(kProcess));
  report::Rows numbers(*find_table(kImportedProcess));
  for (size_t i = 0; i < processes_.size(); ++i) {
    const Process& p = processes_[i];
    numbers.column(imported_process::kProcess).push_back(i + 1);
    numbers.column(imported_process::kGlobalId).push_back(p.global);
    if (p.events == 0) continue;
    rows.column(process::kId).push_back(i + 1);
    rows.column(process::kPid).push_back(pid_of(p.global));
    rows.column(process::kStart).push_back(session_start);
    rows.column(process::kExitKind).push_back(static_cast<uint64_t>(process::Exit::kUnknown));
    rows.column(process::kName).push_back(p.name);
  }
  report::Rows names(*find_table(kThread));
  for (const auto& [key, thread] : threads_) {
    names.column(thread::kProcessId).push_back(key.first);
    names.column(thread::kTid).push_back(key.second);
    names.column(thread::kName).push_back(thread.name);
  }
  const report::Rows* parts[] = {&numbers, &rows, &names};
  return writer.write_group(parts, {});
}

}  // namespace sextant::importers
