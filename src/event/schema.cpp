// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema.h"

#include <algorithm>
#include <array>
#include <vector>

#include "event/schema_parts.h"

namespace sextant::event {

namespace {

constexpr std::array kProcessColumns = {
    Column{process::kId, "process", Type::kUint, "number of the process in this report, from 1"},
    Column{process::kPid, "pid", Type::kUint, "operating system's id"},
    Column{process::kPpid, "ppid", Type::kUint, "parent's pid at the start"},
    Column{process::kParent, "parent", Type::kUint, "parent's number in this report, 0 if it has none here"},
    Column{process::kStart, "start", Type::kTime, "when the process was first seen"},
    Column{process::kEnd, "end", Type::kTime, "when it ended, 0 while it runs"},
    Column{process::kExitKind, "exit_kind", Type::kEnum,
           "0 running, 1 exited, 2 killed by a signal, 3 ended, code unknown"},
    Column{process::kExitCode, "exit_code", Type::kInt, "exit code, or the signal's number"},
    Column{process::kName, "name", Type::kString, "file name of the program, without its folder"},
    Column{process::kCommandLine, "command_line", Type::kString,
           "arguments joined by spaces, secrets blanked"},
    Column{process::kExe, "exe", Type::kString, "path of the program"},
    Column{process::kUid, "uid", Type::kUint, "user id"},
    Column{process::kTraced, "traced", Type::kEnum,
           "0 recorded, 1 could be recorded but had no events, 2 not traced"},
    Column{process::kReason, "reason", Type::kString, "why it was not traced, or why it has no events"},
    Column{process::kNvtxInstances, "nvtx_instances", Type::kUint, "NVTX clients that attached"},
    Column{process::kRanges, "ranges", Type::kUint, "NVTX ranges and marks recorded"},
    Column{process::kLost, "lost", Type::kUint, "records lost"},
    Column{process::kLauncher, "launcher", Type::kString,
           "rank variables of its launcher at its start, NAME=value joined by spaces"},
};
constexpr std::array kThreadColumns = {
    Column{thread::kProcessId, "process", Type::kUint, "process number"},
    Column{thread::kTid, "tid", Type::kUint, "operating system's thread id"},
    Column{thread::kName, "name", Type::kString, "name given through NVTX, else the system's"},
};
#define NVTX_ORIGIN                                                             \
  Column{nvtx::kProcessId, "process", Type::kUint, "process number"},           \
      Column{nvtx::kTid, "tid", Type::kUint, "thread that opened it"}, Column { \
    nvtx::kStart, "start", Type::kTime, "when it began"                         \
  }
#define NVTX_TEXT                                                                      \
  Column{nvtx::kName, "name", Type::kString, "message"}, Column {                      \
    nvtx::kDomain, "domain", Type::kString, "domain's name, empty: the default domain" \
  }
#define NVTX_ATTRIBUTES                                                                               \
  Column{nvtx::kFlags, "flags", Type::kUint, "1 has a colour, 2 the message is a registered string"}, \
      Column{nvtx::kColor, "color", Type::kUint, "ARGB"},                                             \
      Column{nvtx::kCategory, "category", Type::kUint, "category number, 0: none"},                   \
      Column{nvtx::kPayloadType, "payload_type", Type::kEnum,                                         \
             "0 none, 1 uint64, 2 int64, 3 double, 4 uint32, 5 int32, 6 float"},                      \
      Column {                                                                                        \
    nvtx::kPayload, "payload", Type::kBits, "value, by payload_type, zero-extended"                   \
  }
constexpr std::array kRangeColumns = {
    NVTX_ORIGIN,
    Column{nvtx::kDuration, "duration", Type::kDuration, "from push to pop"},
    NVTX_TEXT,
    Column{nvtx::kLevel, "level", Type::kUint, "depth in the stack of its thread and domain, 0: outermost"},
    NVTX_ATTRIBUTES,
};
constexpr std::array kMarkColumns = {NVTX_ORIGIN, NVTX_TEXT, NVTX_ATTRIBUTES};
constexpr std::array kStartColumns = {
    NVTX_ORIGIN,
    NVTX_TEXT,
    NVTX_ATTRIBUTES,
    Column{nvtx::kRangeId, "range_id", Type::kUint, "joins with nvtx_end within the process"},
};
constexpr std::array kEndColumns = {
    NVTX_ORIGIN,
    Column{nvtx::kRangeId, "range_id", Type::kUint, "joins with nvtx_start within the process"},
};
constexpr std::array kOpenColumns = {
    NVTX_ORIGIN,
    NVTX_TEXT,
    Column{nvtx::kLevel, "level", Type::kUint, "depth in the stack of its thread and domain, 0: outermost"},
    NVTX_ATTRIBUTES,
    Column{nvtx::kInstance, "instance", Type::kUint,
           "with `ring`: the ring whose stack this is, as the group's provenance names it"},
    Column{nvtx::kRing, "ring", Type::kUint, "serial of the ring"},
    Column{nvtx::kDomainId, "domain_id", Type::kUint, "number of the domain within the instance"},
};
constexpr std::array kCategoryColumns = {
    Column{nvtx_category::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_category::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_category::kCategory, "category", Type::kUint, "category number"},
    Column{nvtx_category::kName, "name", Type::kString, "category's name"},
};
constexpr std::array kDomainColumns = {
    Column{nvtx_domain::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_domain::kTime, "time", Type::kTime, "when it was created"},
    Column{nvtx_domain::kName, "name", Type::kString, "domain's name"},
    Column{nvtx_domain::kInstance, "instance", Type::kUint, "NVTX instance that created it"},
    Column{nvtx_domain::kDomainId, "domain_id", Type::kUint, "its number within the instance"},
};
constexpr std::array kDiagnosticColumns = {
    Column{diagnostic::kCode, "code", Type::kString, "what happened, a fixed word"},
    Column{diagnostic::kProcessId, "process", Type::kUint, "process number, 0: the recording"},
    Column{diagnostic::kCount, "count", Type::kUint, "how often, or how many records"},
    Column{diagnostic::kFirst, "first", Type::kTime, "first time, 0: no time"},
    Column{diagnostic::kLast, "last", Type::kTime, "last time, 0: no time"},
    Column{diagnostic::kText, "text", Type::kString, "a sentence for people: what, why, what to do"},
};
constexpr std::array kOverheadColumns = {
    Column{overhead::kProcessId, "process", Type::kUint, "process number"},
    Column{overhead::kTid, "tid", Type::kUint, "thread, 0: the whole process"},
    Column{overhead::kStart, "start", Type::kTime, "when it began"},
    Column{overhead::kDuration, "duration", Type::kDuration, "how long"},
    Column{overhead::kName, "name", Type::kString, "what the profiler did"},
};
constexpr std::array kClockSyncColumns = {
    Column{clock_sync::kRaw, "raw", Type::kTime, "stamp of the clock domain"},
    Column{clock_sync::kMonotonic, "monotonic", Type::kNanoseconds, "CLOCK_MONOTONIC at that stamp"},
    Column{clock_sync::kRealtime, "realtime", Type::kNanoseconds, "CLOCK_REALTIME at that stamp"},
    Column{clock_sync::kError, "error", Type::kNanoseconds, "half the width of the bracket"},
};

constexpr std::array kCoreTables = {
    Table{kProcess, "process", 1, kProcessColumns, "processes, traced or not"},
    Table{kThread, "thread", 2, kThreadColumns, "threads that recorded something"},
    Table{kNvtxRange, "nvtx_range", 0, kRangeColumns, "closed push/pop ranges"},
    Table{kNvtxMark, "nvtx_mark", 0, kMarkColumns, "marks"},
    Table{kNvtxStart, "nvtx_start", 0, kStartColumns, "beginnings of start/end ranges"},
    Table{kNvtxEnd, "nvtx_end", 0, kEndColumns, "ends of start/end ranges"},
    Table{kNvtxOpen, "nvtx_open", 0, kOpenColumns,
          "open stack of a ring at the end of a chunk group; the ring's last one counts"},
    Table{kNvtxCategory, "nvtx_category", 3, kCategoryColumns, "names of categories"},
    Table{kNvtxDomain, "nvtx_domain", 0, kDomainColumns, "domains created"},
    Table{kDiagnostic, "diagnostic", 2, kDiagnosticColumns,
          "everything lost, damaged, skipped or not permitted"},
    Table{kProfilerOverhead, "profiler_overhead", 0, kOverheadColumns,
          "what recording itself cost in the targets"},
    Table{kClockSync, "clock_sync", 0, kClockSyncColumns,
          "pairs of clocks, for the conversion of stamps to nanoseconds"},
};

}  // namespace

const Column* Table::find(std::string_view column) const {
  for (const Column& c : columns)
    if (c.name == column) return &c;
  return nullptr;
}

std::span<const Table> core_tables() {
  return kCoreTables;
}

std::span<const Table> tables() {
  static const std::vector<Table> all = [] {
    std::vector<Table> joined;
    for (const auto part : {core_tables(), nvtx_own_tables(), nvtx_tables(), cuda_tables(), system_tables(),
                            target_tables(), parallel_tables(), opencl_tables()})
      joined.insert(joined.end(), part.begin(), part.end());
    std::sort(joined.begin(), joined.end(), [](const Table& a, const Table& b) { return a.id < b.id; });
    return joined;
  }();
  return all;
}

const Table* find_table(uint16_t id) {
  for (const Table& t : tables())
    if (t.id == id) return &t;
  return nullptr;
}

const Table* find_table(std::string_view name) {
  for (const Table& t : tables())
    if (t.name == name) return &t;
  return nullptr;
}

}  // namespace sextant::event
