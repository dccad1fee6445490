// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of a report: one table of tables, from which the writer's chunks, the reader's checks, the SQL columns and the
// documentation are made. A table's or column's number is never given to something else; new ones go to the end.
//
// Rows are stored column by column as unsigned 64-bit patterns of the column's type.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sextant::event {

enum class Type : uint8_t {
  kUint = 0,      // unsigned integer
  kInt = 1,       // signed integer, two's complement
  kTime = 2,      // raw stamp of the chunk's clock domain
  kDuration = 3,  // difference of two stamps of the chunk's clock domain
  kString = 4,    // global string id of the report; 0 is the empty string
  kBits = 5,      // payload bits, meaning given by another column
  kEnum = 6,      // small integer with names (see the column's comment)
  kNanoseconds = 7,  // plain nanoseconds, no clock domain (clock_sync only)
};

struct Column {
  uint16_t id;
  std::string_view name;
  Type type;
  std::string_view meaning;
};

struct Table {
  uint16_t id;
  std::string_view name;
  uint16_t key_columns;  // > 0: rows with equal values in the first n columns are one row, the last one written counts
  std::span<const Column> columns;
  std::string_view meaning;

  const Column* find(std::string_view column) const;
};

enum TableId : uint16_t {
  kProcess = 1,
  kThread = 2,
  kNvtxRange = 3,
  kNvtxMark = 4,
  kNvtxStart = 5,
  kNvtxEnd = 6,
  kNvtxOpen = 7,
  kNvtxCategory = 8,
  kNvtxDomain = 9,
  kDiagnostic = 10,
  kProfilerOverhead = 11,
  kClockSync = 12,
};

std::span<const Table> tables();
const Table* find_table(uint16_t id);
const Table* find_table(std::string_view name);

// Column numbers, by table. The order in each enum is the order in the table.
namespace process {
enum Col : uint16_t { kId, kPid, kPpid, kParent, kStart, kEnd, kExitKind, kExitCode, kName, kCommandLine, kExe, kUid, kTraced, kReason, kNvtxInstances, kRanges, kLost };
/// kExitKind: how the process ended, as far as it is known
enum class Exit : uint8_t { kRunning = 0, kExited = 1, kSignalled = 2, kUnknown = 3 };
/// kTraced
enum class Traced : uint8_t { kRecorded = 0, kNoEvents = 1, kUntraced = 2 };
}  // namespace process
namespace thread {
enum Col : uint16_t { kProcessId, kTid, kName };
}
namespace nvtx {  // shared prefix of kNvtxRange, kNvtxMark, kNvtxStart, kNvtxOpen
enum Col : uint16_t { kProcessId, kTid, kStart, kDuration, kName, kDomain, kLevel, kFlags, kColor, kCategory, kPayloadType, kPayload, kRangeId, kInstance, kRing, kDomainId };
/// kFlags
enum Flags : uint8_t { kHasColor = 1, kRegistered = 2 };
}  // namespace nvtx
namespace nvtx_category {
enum Col : uint16_t { kProcessId, kDomain, kCategory, kName };
}
namespace nvtx_domain {
enum Col : uint16_t { kProcessId, kTime, kName, kInstance, kDomainId };
}
namespace diagnostic {
enum Col : uint16_t { kCode, kProcessId, kCount, kFirst, kLast, kText };
}
namespace overhead {
enum Col : uint16_t { kProcessId, kTid, kStart, kDuration, kName };
}
namespace clock_sync {
enum Col : uint16_t { kRaw, kMonotonic, kRealtime, kError };
}

}  // namespace sextant::event
