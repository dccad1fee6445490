// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Column numbers of the tables about: The machine, its devices, the processes and the recording itself, as
// another tool tells it. Numbers are never given to something else; new ones go to the end. Number 63 is
// `nulls` (schema.h) in every table.
#pragma once

#include "event/schema.h"

namespace sextant::event {

namespace system_property {
enum Col : uint16_t { kVm, kDeviceState, kName, kNumber, kValue, kNulls = kNullsColumn };
}
namespace session_start {
enum Col : uint16_t { kUtcNs, kUtc, kLocal, kSystemClockNs, kCounter, kNulls = kNullsColumn };
}
namespace session_span {
enum Col : uint16_t { kVm, kDurationNs, kStartNs, kStopNs, kNulls = kNullsColumn };
}
namespace metadata {
enum Col : uint16_t { kSection, kName, kValue, kNulls = kNullsColumn };
}
namespace enum_value {
enum Col : uint16_t { kEnumeration, kNumber, kName, kLabel, kNulls = kNullsColumn };
}
namespace gpu {
enum Col : uint16_t {
  kVm,
  kNumber,
  kLegacyDevice,
  kName,
  kBusLocation,
  kIsDiscrete,
  kL2Bytes,
  kMemoryBytes,
  kMemoryBandwidth,
  kClockRate,
  kMultiprocessors,
  kPwGpu,
  kUuid,
  kLuid,
  kChip,
  kCudaDevice,
  kContextSwitchPath,
  kControlPath,
  kRevision,
  kNodeMask,
  kConstantBytes,
  kMaxIpc,
  kMaxRegistersPerBlock,
  kMaxSharedPerBlock,
  kMaxSharedPerBlockOptin,
  kMaxSharedPerSm,
  kMaxRegistersPerSm,
  kThreadsPerWarp,
  kAsyncEngines,
  kMaxWarpsPerSm,
  kMaxBlocksPerSm,
  kMaxThreadsPerBlock,
  kMaxBlockX,
  kMaxBlockY,
  kMaxBlockZ,
  kMaxGridX,
  kMaxGridY,
  kMaxGridZ,
  kComputeMajor,
  kComputeMinor,
  kSmMajor,
  kSmMinor,
  kNumaNode,
  kNulls = kNullsColumn
};
}
namespace cuda_device {
enum Col : uint16_t { kGpu, kDevice, kPid, kUuid, kMultiprocessors, kNulls = kNullsColumn };
}
namespace cuda_context {
enum Col : uint16_t {
  kNullStream,
  kHardware,
  kVm,
  kPid,
  kDevice,
  kContext,
  kParent,
  kIsGreen,
  kMultiprocessors,
  kTpcs,
  kTpcMask,
  kQueueResource,
  kQueueLimit,
  kQueueSharing,
  kQueueChannels,
  kQueueChannelIds,
  kNulls = kNullsColumn
};
}
namespace cuda_stream {
enum Col : uint16_t { kStream, kHardware, kVm, kPid, kContext, kPriority, kFlag, kNulls = kNullsColumn };
}
namespace cuda_null_stream {
enum Col : uint16_t { kStream, kHardware, kVm, kPid, kDevice, kContext, kNulls = kNullsColumn };
}
namespace nvtx_resource_name {
enum Col : uint16_t {
  kResource,
  kName,
  kHardware,
  kVm,
  kPid,
  kDevice,
  kContext,
  kStream,
  kNulls = kNullsColumn
};
}
namespace process_output {
enum Col : uint16_t { kProcess, kFile, kContent, kNulls = kNullsColumn };
}
namespace attached_file {
enum Col : uint16_t { kFile, kName, kContent, kLegacyContent, kProcess, kNulls = kNullsColumn };
}
namespace thread_name {
enum Col : uint16_t { kProcess, kTid, kName, kPriority, kNulls = kNullsColumn };
}
namespace listed_process {
enum Col : uint16_t { kProcess, kPid, kName, kNulls = kNullsColumn };
}
namespace network_card {
enum Col : uint16_t {
  kGuid,
  kLegacyDevice,
  kState,
  kNic,
  kName,
  kDevice,
  kVendor,
  kLinkLayer,
  kNulls = kNullsColumn
};
}
namespace network_card_id {
enum Col : uint16_t { kNic, kDevice, kNulls = kNullsColumn };
}
namespace network_metric {
enum Col : uint16_t { kList, kIndex, kName, kDescription, kUnit, kNulls = kNullsColumn };
}
namespace process_api {
enum Col : uint16_t { kProcessKey, kOpenglVersion, kCorrelation, kName, kNulls = kNullsColumn };
}

namespace imported_process {
enum Col : uint16_t { kProcess, kGlobalId };
}
namespace imported_string {
enum Col : uint16_t { kNumber, kString };
}
namespace imported_table {
enum Col : uint16_t { kName, kTable, kRows };
}
namespace imported_column {
enum Col : uint16_t { kTable, kName, kType, kIsRowNumber };
}

}  // namespace sextant::event
