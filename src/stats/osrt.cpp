// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/osrt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/socket.h>

#include "event/schema_system.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::stats {

namespace {

/// nsys's class of calls; its other ones say where its tracing began and ended.
constexpr uint64_t kCallClass = 27;

}  // namespace

const event::OsrtFunction* osrt_function(std::string_view name) {
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

CallState call_state(std::string_view name, uint64_t family, uint64_t flags) {
  if (family != 0 && (flags & event::osrt_call::kWaits) != 0) return CallState::kWaits;
  const event::OsrtFunction* function = osrt_function(name);
  if (function == nullptr) return CallState::kWorks;
  if (family == 0 && function->waits == event::OsrtWaits::kWaits) return CallState::kWaits;
  const bool moves = function->access == event::OsrtAccess::kRead ||
                     function->access == event::OsrtAccess::kWrite ||
                     function->waits == event::OsrtWaits::kDescriptor;
  return moves ? CallState::kMoves : CallState::kWorks;
}

std::string error_name(uint64_t number) {
  const char* name = number > INT32_MAX ? nullptr : ::strerrorname_np(static_cast<int>(number));
  return name != nullptr ? name : fmt::format("error {}", number);
}

std::string error_meaning(uint64_t number) {
  const char* text = number > INT32_MAX ? nullptr : ::strerrordesc_np(static_cast<int>(number));
  return text != nullptr ? text : "";
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

namespace {

/// Linux's numbers on x86-64 and aarch64, which differ in O_DIRECT and O_DIRECTORY alone: those are left out.
std::string open_flags_text(uint64_t flags) {
  static constexpr struct {
    uint64_t bits;
    const char* name;
  } kNames[] = {{O_CREAT, "O_CREAT"},     {O_EXCL, "O_EXCL"},     {O_NOCTTY, "O_NOCTTY"},
                {O_TRUNC, "O_TRUNC"},     {O_APPEND, "O_APPEND"}, {O_NONBLOCK, "O_NONBLOCK"},
                {04010000, "O_SYNC"},     {010000, "O_DSYNC"},    {O_NOATIME, "O_NOATIME"},
                {O_CLOEXEC, "O_CLOEXEC"}, {O_PATH, "O_PATH"}};
  static constexpr const char* kAccess[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
  std::string text = kAccess[flags & O_ACCMODE];
  uint64_t rest = flags & ~uint64_t{O_ACCMODE};
  for (const auto& [bits, name] : kNames) {
    if ((rest & bits) != bits) continue;
    text += fmt::format("|{}", name);
    rest &= ~bits;
  }
  return rest == 0 ? text : fmt::format("{}|{:#o}", text, rest);
}

std::string peer_text(uint64_t peer) {
  const uint64_t family = peer >> 16, port = peer & 0xffff;
  if (family == AF_INET) return fmt::format("IPv4 port {}", port);
  if (family == AF_INET6) return fmt::format("IPv6 port {}", port);
  return family == AF_UNIX ? "Unix socket" : fmt::format("address family {}", family);
}

std::string signal_text(uint64_t number) {
  const char* name = number > INT32_MAX ? nullptr : ::sigabbrev_np(static_cast<int>(number));
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

}  // namespace

std::string detail_text(uint64_t kind, uint64_t detail) {
  switch (static_cast<event::OsrtDetail>(kind)) {
    case event::OsrtDetail::kBytes:
      return fmt::format("{} bytes asked for", detail);
    case event::OsrtDetail::kTimeout:
      return detail > INT64_MAX ? "no limit"
                                : fmt::format("limit {}", text::duration(static_cast<int64_t>(detail)));
    case event::OsrtDetail::kOpenFlags:
      return open_flags_text(detail);
    case event::OsrtDetail::kPeer:
      return peer_text(detail);
    case event::OsrtDetail::kSignal:
      return signal_text(detail);
    case event::OsrtDetail::kCommand:
      return fmt::format("command {}", detail);
    case event::OsrtDetail::kRequest:
      return fmt::format("request {:#x}", detail);
    default:
      return "";
  }
}

}  // namespace sextant::stats
