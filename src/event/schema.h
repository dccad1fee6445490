// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of a report: one table of tables, from which the writer's chunks, the reader's checks, the
// SQL columns and the documentation are made. A table's or column's number is never given to something else;
// new ones go to the end.
//
// Rows are stored column by column as unsigned 64-bit patterns of the column's type.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sextant::event {

enum class Type : uint8_t {
  kUint = 0,         // unsigned integer
  kInt = 1,          // signed integer, two's complement
  kTime = 2,         // raw stamp of the chunk's clock domain
  kDuration = 3,     // difference of two stamps of the chunk's clock domain
  kString = 4,       // global string id of the report; 0 is the empty string
  kBits = 5,         // payload bits, meaning given by another column
  kEnum = 6,         // small integer with names (see the column's comment)
  kNanoseconds = 7,  // plain nanoseconds, no clock domain (clock_sync only)
  kReal = 8,         // bits of a double
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
  uint16_t key_columns;  // > 0: rows with equal values in the first n columns are one row, the last one
                         // written counts
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
  // 13 to 19: free for recordings of our own
  // schema_nvtx.h, schema_cuda.h, schema_system.h, schema_target.h, schema_parallel.h
  kNvtxEvent = 20,
  kNvtxPayloadSchema = 21,
  kNvtxPayloadEntry = 22,
  kNvtxPayloadEnum = 23,
  kNvtxPayloadEnumEntry = 24,
  kNvtxEventPayload = 25,
  kNvtxPayloadRelation = 26,
  kNvtxExportName = 27,
  kNvtxScope = 28,
  kCudaKernel = 32,
  kCudaMemcpy = 33,
  kCudaMemset = 34,
  kCudaSync = 35,
  kCudaApi = 36,
  kCudaEvent = 37,
  kCudaGraphRun = 38,
  kCudaGraphHostNode = 39,
  kCudaOverhead = 40,
  kCudaJit = 41,
  kCudaHostCallback = 42,
  kCudaDecompress = 43,
  kLibraryCall = 44,
  kCudaGraphNode = 45,
  kCudaGraph = 46,
  kUmCpuPageFault = 47,
  kUmGpuPageFault = 48,
  kGpuMemoryUsage = 49,
  kGpuMemoryPool = 50,
  kOsrtCall = 64,
  kOsrtArgument = 65,
  kOsrtFileAccess = 66,
  kOsrtFile = 67,
  kSyscall = 68,
  kCallFrame = 69,
  kCpuSample = 70,
  kSchedEvent = 71,
  kMetricSample = 72,
  kMetric = 73,
  kGpuContextSwitch = 74,
  kNetworkSample = 75,
  kNetworkCongestion = 76,
  kToolMessage = 77,
  kToolOverhead = 78,
  kPerfCounterSample = 79,
  kSystemProperty = 96,
  kSessionStart = 97,
  kSessionSpan = 98,
  kMetadata = 99,
  kEnumValue = 100,
  kGpu = 101,
  kCudaDevice = 102,
  kCudaContext = 103,
  kCudaStream = 104,
  kCudaNullStream = 105,
  kNvtxResourceName = 106,
  kProcessOutput = 107,
  kAttachedFile = 108,
  kThreadName = 109,
  kListedProcess = 110,
  kNetworkCard = 111,
  kNetworkCardId = 112,
  kNetworkMetric = 113,
  kProcessApi = 114,
  kImportedProcess = 115,
  kImportedString = 116,
  kImportedTable = 117,
  kImportedColumn = 118,
  kMpiRank = 128,
  kMpiCommunicator = 129,
  kMpiCall = 130,
  kUcpWorker = 131,
  kUcpCall = 132,
  kOpenmpEvent = 133,
  kOpenaccEvent = 134,
};

/// Tables of one file only, described in it and nowhere else, have numbers from here on (a tool's tables that
/// have no meaning here).
inline constexpr uint16_t kFirstForeignTable = 0x8000;

/// Values that may be missing: a table that has such columns ends with the column `nulls`, a bit set by
/// column number. A column that is missing as a whole has its bit set in every row. Column numbers of such
/// tables stay below 63.
inline constexpr uint16_t kNullsColumn = 63;
constexpr bool is_null(uint64_t nulls, uint16_t column) {
  return (nulls >> column & 1) != 0;
}

std::span<const Table> tables();  // all that this release knows, by number
const Table* find_table(uint16_t id);
const Table* find_table(std::string_view name);

// Column numbers, by table. The order in each enum is the order in the table.
namespace process {
enum Col : uint16_t {
  kId,
  kPid,
  kPpid,
  kParent,
  kStart,
  kEnd,
  kExitKind,
  kExitCode,
  kName,
  kCommandLine,
  kExe,
  kUid,
  kTraced,
  kReason,
  kNvtxInstances,
  kRanges,
  kLost,
  kLauncher
};
/// kExitKind: how the process ended, as far as it is known
enum class Exit : uint8_t { kRunning = 0, kExited = 1, kSignalled = 2, kUnknown = 3 };
/// kLauncher: variables that can hold the rank, the most trusted first
inline constexpr std::string_view kRankVariables[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                                      "SLURM_PROCID"};
/// kTraced
enum class Traced : uint8_t { kRecorded = 0, kNoEvents = 1, kUntraced = 2 };
}  // namespace process
namespace thread {
enum Col : uint16_t { kProcessId, kTid, kName };
}
namespace nvtx {  // shared prefix of kNvtxRange, kNvtxMark, kNvtxStart, kNvtxOpen
enum Col : uint16_t {
  kProcessId,
  kTid,
  kStart,
  kDuration,
  kName,
  kDomain,
  kLevel,
  kFlags,
  kColor,
  kCategory,
  kPayloadType,
  kPayload,
  kRangeId,
  kInstance,
  kRing,
  kDomainId
};
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
