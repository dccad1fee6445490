// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Column numbers of the tables about: CUDA: work on the GPU, calls into the runtime and driver, what belongs
// to them. Also unified memory, memory pools and the libraries above CUDA. Numbers are never given to
// something else; new ones go to the end. Number 63 is `nulls` (schema.h) in every table.
#pragma once

#include "event/schema.h"

namespace sextant::event {

namespace cuda_kernel {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kContext,
  kGreenContext,
  kStream,
  kCorrelation,
  kName,
  kShortName,
  kMangledName,
  kLaunchType,
  kCacheConfig,
  kRegistersPerThread,
  kGridX,
  kGridY,
  kGridZ,
  kBlockX,
  kBlockY,
  kBlockZ,
  kStaticSharedMemory,
  kDynamicSharedMemory,
  kLocalMemoryPerThread,
  kLocalMemoryTotal,
  kGridId,
  kSharedMemoryExecuted,
  kGraphNode,
  kSharedMemoryLimit,
  kQmdBulkReleaseDone,
  kQmdPreexitDone,
  kQmdLastBlockDone,
  kGraph,
  kClusterX,
  kClusterY,
  kClusterZ,
  kClusterScheduling,
  kMaxPotentialClusterSize,
  kMaxActiveClusters,
  kSharedMemoryRequestedPercent,
  kTensorSizeMinusOne,
  kNulls = kNullsColumn
};
}
namespace cuda_memcpy {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kContext,
  kGreenContext,
  kStream,
  kCorrelation,
  kBytes,
  kKind,
  kLegacySource,
  kSourceMemory,
  kTargetMemory,
  kSourceDevice,
  kSourceContext,
  kTargetDevice,
  kTargetContext,
  kMigrationCause,
  kGraphNode,
  kVirtualAddress,
  kCopyCount,
  kNulls = kNullsColumn
};
}
namespace cuda_memset {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kContext,
  kGreenContext,
  kStream,
  kCorrelation,
  kValue,
  kBytes,
  kGraphNode,
  kMemory,
  kNulls = kNullsColumn
};
}
namespace cuda_sync {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kContext,
  kGreenContext,
  kStream,
  kCorrelation,
  kLegacyType,
  kType,
  kEvent,
  kEventSync,
  kNulls = kNullsColumn
};
}
namespace cuda_api {
enum Col : uint16_t {
  kStart,
  kDuration,
  kClass,
  kProcess,
  kTid,
  kCorrelation,
  kName,
  kReturnValue,
  kCallChain,
  kNulls = kNullsColumn
};
}
namespace cuda_event {
enum Col : uint16_t {
  kTime,
  kProcess,
  kDevice,
  kContext,
  kGreenContext,
  kStream,
  kCorrelation,
  kEvent,
  kEventSync,
  kNulls = kNullsColumn
};
}
namespace cuda_graph_run {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kContext,
  kGreenContext,
  kStream,
  kCorrelation,
  kGraph,
  kGraphExec,
  kNulls = kNullsColumn
};
}
namespace cuda_graph_host_node {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kContext,
  kGreenContext,
  kStream,
  kCorrelation,
  kGraphNode,
  kGraph,
  kNulls = kNullsColumn
};
}
namespace cuda_overhead {
enum Col : uint16_t {
  kStart,
  kDuration,
  kClass,
  kProcess,
  kTid,
  kCorrelation,
  kName,
  kType,
  kNulls = kNullsColumn
};
}
namespace cuda_jit {
enum Col : uint16_t {
  kStart,
  kDuration,
  kClass,
  kProcess,
  kTid,
  kCorrelation,
  kName,
  kType,
  kEntryType,
  kOperationType,
  kDevice,
  kOperationCorrelation,
  kCacheSize,
  kCachePath,
  kNulls = kNullsColumn
};
}
namespace cuda_host_callback {
enum Col : uint16_t { kStart, kDuration, kClass, kProcess, kTid, kCorrelation, kName, kNulls = kNullsColumn };
}
namespace cuda_decompress {
enum Col : uint16_t {
  kStart,
  kDuration,
  kClass,
  kProcess,
  kDevice,
  kContext,
  kStream,
  kCorrelation,
  kChannel,
  kSourceBytes,
  kOperations,
  kNulls = kNullsColumn
};
}
namespace library_call {
enum Col : uint16_t {
  kStart,
  kDuration,
  kLibrary,
  kClass,
  kProcess,
  kTid,
  kName,
  kApi,
  kNulls = kNullsColumn
};
}
namespace cuda_graph_node {
enum Col : uint16_t {
  kStart,
  kDuration,
  kClass,
  kProcess,
  kTid,
  kName,
  kGraphNode,
  kOriginalGraphNode,
  kNulls = kNullsColumn
};
}
namespace cuda_graph {
enum Col : uint16_t {
  kStart,
  kDuration,
  kClass,
  kProcess,
  kTid,
  kName,
  kGraph,
  kOriginalGraph,
  kGraphExec,
  kNulls = kNullsColumn
};
}
namespace um_cpu_page_fault {
enum Col : uint16_t {
  kTime,
  kProcess,
  kAddress,
  kOriginalPc,
  kInstruction,
  kModule,
  kUnresolvedPc,
  kSourceFile,
  kSourceLine,
  kNulls = kNullsColumn
};
}
namespace um_gpu_page_fault {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kDevice,
  kAddress,
  kFaults,
  kAccess,
  kNulls = kNullsColumn
};
}
namespace gpu_memory_usage {
enum Col : uint16_t {
  kTime,
  kProcess,
  kDevice,
  kContext,
  kAddress,
  kPc,
  kBytes,
  kMemory,
  kOperation,
  kName,
  kCorrelation,
  kStream,
  kPoolAddress,
  kPoolReleaseThreshold,
  kPoolSize,
  kPoolUsed,
  kImportedPoolAddress,
  kImportedPoolProcess,
  kNulls = kNullsColumn
};
}
namespace gpu_memory_pool {
enum Col : uint16_t {
  kTime,
  kProcess,
  kDevice,
  kAddress,
  kOperation,
  kType,
  kCorrelation,
  kMinBytesToKeep,
  kReleaseThreshold,
  kSize,
  kUsed,
  kNulls = kNullsColumn
};
}

}  // namespace sextant::event
