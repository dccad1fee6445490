// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/names.h"

#include <fmt/format.h>

#include <set>

#include "event/opencl_commands.h"
#include "event/schema_system.h"
#include "stats/cuda_names.h"

namespace sextant::serve {

Names::Names(const query::Source& source)
    : reader_(&source.reader()), strings_(source.reader().string_count() + 1) {  // 0 is the empty one
  added_ = {std::string(stats::kMemsetOperation),
            "CUDA graph",
            "GPU page fault",
            "sample",
            "[CUDA memcpy]",
            "synchronise",
            "thread"};
  for (uint64_t kind = 0; kind < kCopyKinds; ++kind) added_.emplace_back(stats::memcpy_operation(kind));
  for (const char* type : {"synchronise (unknown)", "synchronise event", "wait for event in stream",
                           "synchronise stream", "synchronise context"})
    added_.emplace_back(type);
  // by the numbers of sched_event's thread_state; what was running when it was taken off is ready
  for (const char* state : {"running", "ready", "sleeping", "sleeping, uninterruptible", "stopped", "ended",
                            "not scheduled", "waiting", "OS runtime", "initialised", "in transition"})
    added_.emplace_back(state);
  added_.emplace_back("not running");
  first_opencl_ = static_cast<uint32_t>(count());
  for (const event::OpenclCommand& command : event::opencl_commands()) added_.emplace_back(command.label);
  added_.emplace_back(event::opencl_command_label(0));
  add_threads(source);
}

constexpr size_t kMostThreads = 1 << 20;  // more are called "thread"

/// Names of the threads that were scheduled.
void Names::add_threads(const query::Source& source) {
  std::map<std::pair<uint64_t, uint64_t>, std::string> known;
  for (const query::Thread& thread : source.threads()) known[{thread.process, thread.tid}] = thread.name;
  std::map<uint64_t, std::string> processes;
  for (const query::Process& process : source.processes()) processes[process.number] = process.name;
  std::set<std::pair<uint64_t, uint64_t>> seen;
  using namespace event::sched_event;
  constexpr uint16_t kColumns[] = {kProcess, kTid};
  // what cannot be read is told when the events are
  (void)source.scan_table(event::kSchedEvent, kColumns, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows && seen.size() < kMostThreads; ++i)
      seen.emplace(b.columns[0][i], b.columns[1][i]);
  });
  for (const auto& key : seen) {
    std::string name = known[key];
    if (name.empty()) name = processes[key.first];
    threads_[key] = static_cast<uint32_t>(count());
    added_.push_back(fmt::format("{} [{}]", name.empty() ? "thread" : name, key.second));
  }
}

uint32_t Names::of_memcpy(uint64_t kind) const {
  return kind < kCopyKinds ? fixed(kFixedCount) + static_cast<uint32_t>(kind) : fixed(kUnknownCopy);
}

uint32_t Names::of_sync(uint64_t type) const {
  return type < kSyncKinds ? fixed(kFixedCount) + kCopyKinds + static_cast<uint32_t>(type)
                           : fixed(kUnknownSync);
}

uint32_t Names::of_opencl_command(uint64_t number) const {
  const auto all = event::opencl_commands();
  const event::OpenclCommand* command = event::find_opencl_command(number);
  return first_opencl_ + static_cast<uint32_t>(command == nullptr ? all.size() : command - all.data());
}

uint32_t Names::of_thread(uint64_t process, uint64_t tid) const {
  const auto at = threads_.find({process, tid});
  return at == threads_.end() ? fixed(kUnknownThread) : at->second;
}

uint32_t Names::of_state(uint64_t state) const {
  const uint32_t first = static_cast<uint32_t>(strings_) + kFirstState;
  if (state == kRunning) return first;
  return state == kNotTold || state >= kStates ? first + kStates : first + static_cast<uint32_t>(state);
}

}  // namespace sextant::serve
