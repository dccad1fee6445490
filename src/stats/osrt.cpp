// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/osrt.h"

#include <fmt/format.h>

#include "event/schema_system.h"
#include "stats/cuda_names.h"

namespace sextant::stats {

namespace {

const event::OsrtFunction* find_function(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const event::OsrtFunction*> all;
    for (const event::OsrtFunction& function : event::osrt_functions()) {
      all.emplace(function.name, &function);
      all.emplace(function.symbol, &function);
    }
    return all;
  }();
  const auto at = by_name.find(name);
  return at == by_name.end() ? nullptr : at->second;
}

/// nsys's class of calls; its other ones say where its tracing began and ended.
constexpr uint64_t kCallClass = 27;

}  // namespace

CallState call_state(std::string_view name, uint64_t family, uint64_t flags) {
  if (family != 0 && (flags & event::osrt_call::kWaits) != 0) return CallState::kWaits;
  const event::OsrtFunction* function = find_function(name);
  if (function == nullptr) return CallState::kWorks;
  if (family == 0 && function->waits == event::OsrtWaits::kWaits) return CallState::kWaits;
  const bool moves = function->access == event::OsrtAccess::kRead ||
                     function->access == event::OsrtAccess::kWrite ||
                     function->waits == event::OsrtWaits::kDescriptor;
  return moves ? CallState::kMoves : CallState::kWorks;
}

bool is_osrt_call(uint64_t event_class, uint64_t nulls) {
  return event_class == kCallClass || event::is_null(nulls, event::osrt_call::kClass);
}

ThreadNames::ThreadNames(const query::Source& source) {
  for (const query::Process& process : source.processes()) processes_[process.number] = &process;
  for (const query::Thread& thread : source.threads()) names_[{thread.process, thread.tid}] = thread.name;
}

const query::Process* ThreadNames::process(uint64_t number) const {
  const auto at = processes_.find(number);
  return at == processes_.end() ? nullptr : at->second;
}

bool ThreadNames::is_first_thread(uint64_t number, uint64_t tid) const {
  const query::Process* of = process(number);
  return of != nullptr && of->pid == tid;
}

std::string_view ThreadNames::name(uint64_t number, uint64_t tid) const {
  const auto at = names_.find({number, tid});
  if (at != names_.end() && !at->second.empty()) return at->second;
  return is_first_thread(number, tid) ? std::string_view(process(number)->name) : std::string_view();
}

Result<FilePaths> FilePaths::load(const query::Source& source) {
  FilePaths files;
  const uint16_t columns[] = {event::osrt_file::kFile, event::osrt_file::kPath};
  SEXTANT_TRY(source.scan_table(
      event::kOsrtFile, columns, 1,
      [&](size_t, query::TableBatch& b) {
        for (size_t i = 0; i < b.rows; ++i) files.paths_[b.columns[0][i]] = b.columns[1][i];
      },
      query::Rows::kAll));
  return files;
}

uint64_t FilePaths::path(uint64_t file) const {
  const auto at = paths_.find(file);
  return at == paths_.end() ? 0 : at->second;
}

std::string object_text(uint64_t kind, uint64_t object) {
  switch (static_cast<event::OsrtObject>(kind)) {
    case event::OsrtObject::kDescriptor:
      return fmt::format("descriptor {}", static_cast<int64_t>(object));
    case event::OsrtObject::kAddress:
      return fmt::format("{:#x}", object);
    case event::OsrtObject::kPid:
      return fmt::format("process {}", static_cast<int64_t>(object));
    case event::OsrtObject::kThread:
      return fmt::format("thread {:#x}", object);
    case event::OsrtObject::kSignal:
      return fmt::format("signal {}", object);
    case event::OsrtObject::kNone:
      break;
  }
  return "";
}

}  // namespace sextant::stats
