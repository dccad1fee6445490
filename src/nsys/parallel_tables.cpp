// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_parallel.h"
#include "nsys/tables.h"

namespace sextant::nsys {

namespace {

using event::TableId;

constexpr Source kMpiRankSources[] = {
    {"MPI_RANKS", 0, ""},
};
constexpr Column kMpiRankColumns[] = {
    {event::mpi_rank::kProcess, From::kProcessOfThread, "globalTid"},
    {event::mpi_rank::kTid, From::kTid, "globalTid"},
    {event::mpi_rank::kRank, From::kInteger, "rank"},
};

constexpr Source kMpiCommunicatorSources[] = {
    {"MPI_COMMUNICATORS", 0, ""},
};
constexpr Column kMpiCommunicatorColumns[] = {
    {event::mpi_communicator::kRank, From::kInteger, "rank"},
    {event::mpi_communicator::kTime, From::kTime, "timestamp"},
    {event::mpi_communicator::kHandle, From::kInteger, "commHandle"},
    {event::mpi_communicator::kParent, From::kInteger, "parentHandle"},
    {event::mpi_communicator::kLocalRank, From::kInteger, "localRank"},
    {event::mpi_communicator::kSize, From::kInteger, "size"},
    {event::mpi_communicator::kGroupRoot, From::kInteger, "groupRoot"},
    {event::mpi_communicator::kGroupRootUid, From::kInteger, "groupRootUid"},
    {event::mpi_communicator::kMembers, From::kText, "members"},
    {event::mpi_communicator::kUid, From::kInteger, "commUid"},
};

constexpr Source kMpiCallSources[] = {
    {"MPI_P2P_EVENTS", 0, ""},
    {"MPI_COLLECTIVES_EVENTS", 1, ""},
    {"MPI_START_WAIT_EVENTS", 2, ""},
    {"MPI_OTHER_EVENTS", 3, ""},
};
constexpr Column kMpiCallColumns[] = {
    {event::mpi_call::kStart, From::kTime, "start"},
    {event::mpi_call::kDuration, From::kEnd, "end"},
    {event::mpi_call::kKind, From::kConstant, ""},
    {event::mpi_call::kProcess, From::kProcessOfThread, "globalTid"},
    {event::mpi_call::kTid, From::kTid, "globalTid"},
    {event::mpi_call::kName, From::kStringId, "textId"},
    {event::mpi_call::kCommunicator, From::kInteger, "commHandle"},
    {event::mpi_call::kCommunicatorUid, From::kInteger, "commUid"},
    {event::mpi_call::kTag, From::kInteger, "tag"},
    {event::mpi_call::kRemoteRank, From::kInteger, "remoteRank"},
    {event::mpi_call::kRootRank, From::kInteger, "rootRank"},
    {event::mpi_call::kSize, From::kInteger, "size"},
    {event::mpi_call::kReceiveSize, From::kInteger, "recvSize"},
    {event::mpi_call::kRequest, From::kInteger, "requestHandle"},
};

constexpr Source kUcpWorkerSources[] = {
    {"UCP_WORKERS", 0, ""},
};
constexpr Column kUcpWorkerColumns[] = {
    {event::ucp_worker::kProcess, From::kProcessOfThread, "globalTid"},
    {event::ucp_worker::kTid, From::kTid, "globalTid"},
    {event::ucp_worker::kUid, From::kInteger, "workerUid"},
};

constexpr Source kUcpCallSources[] = {
    {"UCP_SUBMIT_EVENTS", 0, ""},
    {"UCP_PROGRESS_EVENTS", 1, ""},
    {"UCP_EVENTS", 2, ""},
};
constexpr Column kUcpCallColumns[] = {
    {event::ucp_call::kStart, From::kTime, "start"},
    {event::ucp_call::kDuration, From::kEnd, "end"},
    {event::ucp_call::kKind, From::kConstant, ""},
    {event::ucp_call::kProcess, From::kProcessOfThread, "globalTid"},
    {event::ucp_call::kTid, From::kTid, "globalTid"},
    {event::ucp_call::kName, From::kStringId, "textId"},
    {event::ucp_call::kBuffer, From::kInteger, "bufferAddr"},
    {event::ucp_call::kPackedSize, From::kInteger, "packedSize"},
    {event::ucp_call::kPeerWorker, From::kInteger, "peerWorkerUid"},
    {event::ucp_call::kTag, From::kInteger, "tag"},
};

constexpr Source kOpenmpEventSources[] = {
    {"OPENMP_EVENT_KIND_THREAD", 0, ""},
    {"OPENMP_EVENT_KIND_PARALLEL", 1, ""},
    {"OPENMP_EVENT_KIND_SYNC_REGION_WAIT", 2, ""},
    {"OPENMP_EVENT_KIND_SYNC_REGION", 3, ""},
    {"OPENMP_EVENT_KIND_TASK", 4, ""},
    {"OPENMP_EVENT_KIND_MASTER", 5, ""},
    {"OPENMP_EVENT_KIND_REDUCTION", 6, ""},
    {"OPENMP_EVENT_KIND_TASK_CREATE", 7, ""},
    {"OPENMP_EVENT_KIND_TASK_SCHEDULE", 8, ""},
    {"OPENMP_EVENT_KIND_CANCEL", 9, ""},
    {"OPENMP_EVENT_KIND_MUTEX_WAIT", 10, ""},
    {"OPENMP_EVENT_KIND_CRITICAL_SECTION", 11, ""},
    {"OPENMP_EVENT_KIND_MUTEX_RELEASED", 12, ""},
    {"OPENMP_EVENT_KIND_LOCK_INIT", 13, ""},
    {"OPENMP_EVENT_KIND_LOCK_DESTROY", 14, ""},
    {"OPENMP_EVENT_KIND_WORKSHARE", 15, ""},
    {"OPENMP_EVENT_KIND_DISPATCH", 16, ""},
    {"OPENMP_EVENT_KIND_FLUSH", 17, ""},
};
constexpr Column kOpenmpEventColumns[] = {
    {event::openmp_event::kStart, From::kTime, "start"},
    {event::openmp_event::kDuration, From::kEnd, "end"},
    {event::openmp_event::kTableKind, From::kConstant, ""},
    {event::openmp_event::kClass, From::kInteger, "eventClass"},
    {event::openmp_event::kProcess, From::kProcessOfThread, "globalTid"},
    {event::openmp_event::kTid, From::kTid, "globalTid"},
    {event::openmp_event::kCorrelation, From::kInteger, "correlationId"},
    {event::openmp_event::kName, From::kStringId, "nameId"},
    {event::openmp_event::kEventKind, From::kInteger, "eventKind"},
    {event::openmp_event::kKind, From::kInteger, "kind"},
    {event::openmp_event::kThread, From::kInteger, "threadId"},
    {event::openmp_event::kThreadType, From::kInteger, "threadType"},
    {event::openmp_event::kParallel, From::kInteger, "parallelId"},
    {event::openmp_event::kTask, From::kInteger, "taskId"},
    {event::openmp_event::kParentTask, From::kInteger, "parentTaskId"},
    {event::openmp_event::kNewTask, From::kInteger, "newTaskId"},
    {event::openmp_event::kPriorTask, From::kInteger, "priorTaskId"},
    {event::openmp_event::kPriorTaskStatus, From::kInteger, "priorTaskStatus"},
    {event::openmp_event::kNextTask, From::kInteger, "nextTaskId"},
    {event::openmp_event::kWait, From::kInteger, "waitId"},
    {event::openmp_event::kCount, From::kInteger, "count"},
};

constexpr Source kOpenaccEventSources[] = {
    {"CUPTI_ACTIVITY_KIND_OPENACC_DATA", 0, ""},
    {"CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", 1, ""},
    {"CUPTI_ACTIVITY_KIND_OPENACC_OTHER", 2, ""},
};
constexpr Column kOpenaccEventColumns[] = {
    {event::openacc_event::kStart, From::kTime, "start"},
    {event::openacc_event::kDuration, From::kEnd, "end"},
    {event::openacc_event::kTableKind, From::kConstant, ""},
    {event::openacc_event::kName, From::kStringId, "nameId"},
    {event::openacc_event::kProcess, From::kProcessOfThread, "globalTid"},
    {event::openacc_event::kTid, From::kTid, "globalTid"},
    {event::openacc_event::kEventKind, From::kInteger, "eventKind"},
    {event::openacc_event::kDeviceType, From::kInteger, "DeviceType"},
    {event::openacc_event::kLine, From::kInteger, "lineNo"},
    {event::openacc_event::kDevice, From::kInteger, "cuDeviceId"},
    {event::openacc_event::kContext, From::kInteger, "cuContextId"},
    {event::openacc_event::kStream, From::kInteger, "cuStreamId"},
    {event::openacc_event::kSourceFile, From::kStringId, "srcFile"},
    {event::openacc_event::kFunction, From::kStringId, "funcName"},
    {event::openacc_event::kCorrelation, From::kInteger, "correlationId"},
    {event::openacc_event::kBytes, From::kInteger, "bytes"},
    {event::openacc_event::kVariable, From::kStringId, "varName"},
    {event::openacc_event::kGangs, From::kInteger, "numGangs"},
    {event::openacc_event::kWorkers, From::kInteger, "numWorkers"},
    {event::openacc_event::kVectorLength, From::kInteger, "vectorLength"},
    {event::openacc_event::kKernel, From::kStringId, "kernelName"},
};

constexpr Table kTables[] = {
    {TableId::kMpiRank, kMpiRankSources, kMpiRankColumns},
    {TableId::kMpiCommunicator, kMpiCommunicatorSources, kMpiCommunicatorColumns},
    {TableId::kMpiCall, kMpiCallSources, kMpiCallColumns},
    {TableId::kUcpWorker, kUcpWorkerSources, kUcpWorkerColumns},
    {TableId::kUcpCall, kUcpCallSources, kUcpCallColumns},
    {TableId::kOpenmpEvent, kOpenmpEventSources, kOpenmpEventColumns},
    {TableId::kOpenaccEvent, kOpenaccEventSources, kOpenaccEventColumns},
};

}  // namespace

std::span<const Table> parallel_tables() {
  return kTables;
}

}  // namespace sextant::nsys
