// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Column numbers of the tables about: Programming models for many cores and machines: MPI, UCX, OpenMP,
// OpenACC. Numbers are never given to something else; new ones go to the end. Number 63 is `nulls` (schema.h)
// in every table.
#pragma once

#include "event/schema.h"

namespace sextant::event {

namespace mpi_rank {
enum Col : uint16_t { kProcess, kTid, kRank, kNulls = kNullsColumn };
}
namespace mpi_communicator {
enum Col : uint16_t {
  kRank,
  kTime,
  kHandle,
  kParent,
  kLocalRank,
  kSize,
  kGroupRoot,
  kGroupRootUid,
  kMembers,
  kUid,
  kNulls = kNullsColumn
};
}
namespace mpi_call {
enum Col : uint16_t {
  kStart,
  kDuration,
  kKind,
  kProcess,
  kTid,
  kName,
  kCommunicator,
  kCommunicatorUid,
  kTag,
  kRemoteRank,
  kRootRank,
  kSize,
  kReceiveSize,
  kRequest,
  kNulls = kNullsColumn
};
}
namespace ucp_worker {
enum Col : uint16_t { kProcess, kTid, kUid, kNulls = kNullsColumn };
}
namespace ucp_call {
enum Col : uint16_t {
  kStart,
  kDuration,
  kKind,
  kProcess,
  kTid,
  kName,
  kBuffer,
  kPackedSize,
  kPeerWorker,
  kTag,
  kNulls = kNullsColumn
};
}
namespace openmp_event {
enum Col : uint16_t {
  kStart,
  kDuration,
  kTableKind,
  kClass,
  kProcess,
  kTid,
  kCorrelation,
  kName,
  kEventKind,
  kKind,
  kThread,
  kThreadType,
  kParallel,
  kTask,
  kParentTask,
  kNewTask,
  kPriorTask,
  kPriorTaskStatus,
  kNextTask,
  kWait,
  kCount,
  kNulls = kNullsColumn
};
}
namespace openacc_event {
enum Col : uint16_t {
  kStart,
  kDuration,
  kTableKind,
  kName,
  kProcess,
  kTid,
  kEventKind,
  kDeviceType,
  kLine,
  kDevice,
  kContext,
  kStream,
  kSourceFile,
  kFunction,
  kCorrelation,
  kBytes,
  kVariable,
  kGangs,
  kWorkers,
  kVectorLength,
  kKernel,
  kNulls = kNullsColumn
};
}

}  // namespace sextant::event
