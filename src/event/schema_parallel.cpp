// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_parallel.h"

#include <array>

#include "event/schema_parts.h"

namespace sextant::event {

namespace {

constexpr std::array kMpiRankColumns = {
    Column{mpi_rank::kProcess, "process", Type::kUint, "process number"},
    Column{mpi_rank::kTid, "tid", Type::kUint, "thread"},
    Column{mpi_rank::kRank, "rank", Type::kInt, "rank in MPI_COMM_WORLD"},
    kNulls,
};
constexpr std::array kMpiCommunicatorColumns = {
    Column{mpi_communicator::kRank, "rank", Type::kInt, "rank that tells it"},
    Column{mpi_communicator::kTime, "time", Type::kTime, "when"},
    Column{mpi_communicator::kHandle, "handle", Type::kInt, "its handle there"},
    Column{mpi_communicator::kParent, "parent", Type::kInt, "communicator that it was made from"},
    Column{mpi_communicator::kLocalRank, "local_rank", Type::kInt, "rank in it"},
    Column{mpi_communicator::kSize, "size", Type::kInt, "number of ranks"},
    Column{mpi_communicator::kGroupRoot, "group_root", Type::kInt, "rank of its root"},
    Column{mpi_communicator::kGroupRootUid, "group_root_uid", Type::kInt, "unique id of its root"},
    Column{mpi_communicator::kMembers, "members", Type::kString, "ranks, as text"},
    Column{mpi_communicator::kUid, "uid", Type::kInt, "unique id"},
    kNulls,
};
constexpr std::array kMpiCallColumns = {
    Column{mpi_call::kStart, "start", Type::kTime, "when the call began"},
    Column{mpi_call::kDuration, "duration", Type::kDuration, "how long it took; null: never ended"},
    Column{mpi_call::kKind, "kind", Type::kEnum,
           "0 between two ranks, 1 collective, 2 start or wait, 3 other"},
    Column{mpi_call::kProcess, "process", Type::kUint, "process number"},
    Column{mpi_call::kTid, "tid", Type::kUint, "calling thread"},
    Column{mpi_call::kName, "name", Type::kString, "function"},
    Column{mpi_call::kCommunicator, "communicator", Type::kInt, "handle of the communicator"},
    Column{mpi_call::kCommunicatorUid, "communicator_uid", Type::kInt, "unique id of the communicator"},
    Column{mpi_call::kTag, "tag", Type::kInt, "tag"},
    Column{mpi_call::kRemoteRank, "remote_rank", Type::kInt, "the other rank"},
    Column{mpi_call::kRootRank, "root_rank", Type::kInt, "root of the collective"},
    Column{mpi_call::kSize, "size", Type::kInt, "bytes, sent ones of a collective"},
    Column{mpi_call::kReceiveSize, "receive_size", Type::kInt, "bytes received by a collective"},
    Column{mpi_call::kRequest, "request", Type::kInt, "request"},
    kNulls,
};
constexpr std::array kUcpWorkerColumns = {
    Column{ucp_worker::kProcess, "process", Type::kUint, "process number"},
    Column{ucp_worker::kTid, "tid", Type::kUint, "thread"},
    Column{ucp_worker::kUid, "uid", Type::kInt, "unique id"},
    kNulls,
};
constexpr std::array kUcpCallColumns = {
    Column{ucp_call::kStart, "start", Type::kTime, "when it began"},
    Column{ucp_call::kDuration, "duration", Type::kDuration, "how long it took; null: never ended"},
    Column{ucp_call::kKind, "kind", Type::kEnum, "0 submitted, 1 progressed, 2 other"},
    Column{ucp_call::kProcess, "process", Type::kUint, "process number"},
    Column{ucp_call::kTid, "tid", Type::kUint, "calling thread"},
    Column{ucp_call::kName, "name", Type::kString, "function"},
    Column{ucp_call::kBuffer, "buffer", Type::kInt, "address of the buffer"},
    Column{ucp_call::kPackedSize, "packed_size", Type::kInt, "bytes"},
    Column{ucp_call::kPeerWorker, "peer_worker", Type::kInt, "unique id of the other worker"},
    Column{ucp_call::kTag, "tag", Type::kInt, "tag"},
    kNulls,
};
constexpr std::array kOpenmpEventColumns = {
    Column{openmp_event::kStart, "start", Type::kTime, "when it began"},
    Column{openmp_event::kDuration, "duration", Type::kDuration, "how long it took"},
    Column{openmp_event::kTableKind, "table_kind", Type::kEnum,
           "0 thread, 1 parallel, 2 wait in a sync region, 3 sync region, 4 task, 5 master, 6 reduction, 7 "
           "task created, 8 task scheduled, 9 cancel, 10 wait for a mutex, 11 critical section, 12 mutex "
           "released, 13 lock made, 14 lock destroyed, 15 work share, 16 dispatch, 17 flush"},
    Column{openmp_event::kClass, "class", Type::kEnum, "class of the event"},
    Column{openmp_event::kProcess, "process", Type::kUint, "process number"},
    Column{openmp_event::kTid, "tid", Type::kUint, "thread"},
    Column{openmp_event::kCorrelation, "correlation", Type::kUint, "number of the event"},
    Column{openmp_event::kName, "name", Type::kString, "name"},
    Column{openmp_event::kEventKind, "event_kind", Type::kEnum, "kind as the source numbers it"},
    Column{openmp_event::kKind, "kind", Type::kEnum, "kind of region, mutex, task, dispatch"},
    Column{openmp_event::kThread, "thread", Type::kUint, "number of the thread"},
    Column{openmp_event::kThreadType, "thread_type", Type::kEnum, "type of the thread"},
    Column{openmp_event::kParallel, "parallel", Type::kUint, "parallel region"},
    Column{openmp_event::kTask, "task", Type::kUint, "task"},
    Column{openmp_event::kParentTask, "parent_task", Type::kUint, "task around it"},
    Column{openmp_event::kNewTask, "new_task", Type::kUint, "task made"},
    Column{openmp_event::kPriorTask, "prior_task", Type::kUint, "task before"},
    Column{openmp_event::kPriorTaskStatus, "prior_task_status", Type::kEnum, "how it stopped"},
    Column{openmp_event::kNextTask, "next_task", Type::kUint, "task behind"},
    Column{openmp_event::kWait, "wait", Type::kUint, "what is waited for"},
    Column{openmp_event::kCount, "count", Type::kUint, "iterations"},
    kNulls,
};
constexpr std::array kOpenaccEventColumns = {
    Column{openacc_event::kStart, "start", Type::kTime, "when it began"},
    Column{openacc_event::kDuration, "duration", Type::kDuration, "how long it took"},
    Column{openacc_event::kTableKind, "table_kind", Type::kEnum, "0 data, 1 launch, 2 other"},
    Column{openacc_event::kName, "name", Type::kString, "name"},
    Column{openacc_event::kProcess, "process", Type::kUint, "process number"},
    Column{openacc_event::kTid, "tid", Type::kUint, "thread"},
    Column{openacc_event::kEventKind, "event_kind", Type::kEnum, "kind as the source numbers it"},
    Column{openacc_event::kDeviceType, "device_type", Type::kEnum, "kind of device"},
    Column{openacc_event::kLine, "line", Type::kUint, "source line"},
    Column{openacc_event::kDevice, "device", Type::kUint, "CUDA device number"},
    Column{openacc_event::kContext, "context", Type::kUint, "CUDA context"},
    Column{openacc_event::kStream, "stream", Type::kUint, "CUDA stream number"},
    Column{openacc_event::kSourceFile, "source_file", Type::kString, "source file"},
    Column{openacc_event::kFunction, "function", Type::kString, "function"},
    Column{openacc_event::kCorrelation, "correlation", Type::kUint, "joins with cuda_api"},
    Column{openacc_event::kBytes, "bytes", Type::kUint, "bytes moved"},
    Column{openacc_event::kVariable, "variable", Type::kString, "variable"},
    Column{openacc_event::kGangs, "gangs", Type::kUint, "gangs"},
    Column{openacc_event::kWorkers, "workers", Type::kUint, "workers"},
    Column{openacc_event::kVectorLength, "vector_length", Type::kUint, "vector length"},
    Column{openacc_event::kKernel, "kernel", Type::kString, "kernel"},
    kNulls,
};

constexpr std::array kTables = {
    Table{kMpiRank, "mpi_rank", 0, kMpiRankColumns, "which thread is which rank"},
    Table{kMpiCommunicator, "mpi_communicator", 0, kMpiCommunicatorColumns, "communicators"},
    Table{kMpiCall, "mpi_call", 0, kMpiCallColumns, "MPI calls"},
    Table{kUcpWorker, "ucp_worker", 0, kUcpWorkerColumns, "UCP workers"},
    Table{kUcpCall, "ucp_call", 0, kUcpCallColumns, "UCP calls and transfers"},
    Table{kOpenmpEvent, "openmp_event", 0, kOpenmpEventColumns, "what OpenMP's runtime did"},
    Table{kOpenaccEvent, "openacc_event", 0, kOpenaccEventColumns, "what OpenACC's runtime did"},
};

}  // namespace

std::span<const Table> parallel_tables() {
  return kTables;
}

}  // namespace sextant::event
