// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/track_tables.h"

#include <algorithm>

#include "event/schema_cuda.h"
#include "event/schema_nvtx.h"
#include "event/schema_opencl.h"
#include "event/schema_parallel.h"
#include "event/schema_system.h"

namespace sextant::event {

namespace {

constexpr uint16_t kNone = kNoColumn;

/// Calls of threads, work in streams: tables whose columns have the usual names.
#define CALLS(table, ns) \
  { table, ns::kStart, ns::kDuration, {ns::kProcess, ns::kTid, kNone, kNone}, ns::kName, kNone, kNullsColumn }
#define WORK(table, ns, name)                                                                              \
  {                                                                                                        \
    table, ns::kStart, ns::kDuration, {ns::kProcess, ns::kDevice, ns::kContext, ns::kStream}, name, kNone, \
        kNullsColumn                                                                                       \
  }
#define OPENCL_WORK(table, name)                                                                        \
  {                                                                                                     \
    table, opencl_work::kStart, opencl_work::kDuration,                                                 \
        {opencl_work::kProcess, opencl_work::kDevice, opencl_work::kContext, opencl_work::kQueue}, name \
  }

constexpr TrackTable kTables[] = {
    {kNvtxRange,
     nvtx::kStart,
     nvtx::kDuration,
     {nvtx::kProcessId, nvtx::kTid, nvtx::kDomain, kNone},
     nvtx::kName,
     nvtx::kLevel},
    {kNvtxMark, nvtx::kStart, kNone, {nvtx::kProcessId, nvtx::kTid, nvtx::kDomain, kNone}, nvtx::kName},
    {kNvtxEvent,
     nvtx_event::kStart,
     nvtx_event::kDuration,
     {nvtx_event::kProcess, nvtx_event::kTid, nvtx_event::kDomain, kNone},
     nvtx_event::kText,
     kNone,
     kNullsColumn,
     nvtx_event::kTextRegistered,
     nvtx_event::kType},
    CALLS(kCudaApi, cuda_api),
    CALLS(kLibraryCall, library_call),
    CALLS(kMpiCall, mpi_call),
    CALLS(kUcpCall, ucp_call),
    CALLS(kOpenmpEvent, openmp_event),
    CALLS(kOpenaccEvent, openacc_event),
    CALLS(kOsrtCall, osrt_call),
    CALLS(kSyscall, syscall),
    WORK(kCudaKernel, cuda_kernel, cuda_kernel::kName),
    WORK(kCudaMemcpy, cuda_memcpy, cuda_memcpy::kKind),
    WORK(kCudaMemset, cuda_memset, kNone),
    WORK(kCudaSync, cuda_sync, cuda_sync::kType),
    WORK(kCudaGraphRun, cuda_graph_run, kNone),
    {kOpenclApi,
     opencl_api::kStart,
     opencl_api::kDuration,
     {opencl_api::kProcess, opencl_api::kTid, kNone, kNone},
     opencl_api::kName},
    OPENCL_WORK(kOpenclKernel, opencl_kernel::kName),
    OPENCL_WORK(kOpenclMemory, opencl_memory::kCommand),
    OPENCL_WORK(kOpenclSync, opencl_sync::kCommand),
};
#undef CALLS
#undef WORK
#undef OPENCL_WORK

}  // namespace

const TrackTable* track_table(uint16_t table) {
  const auto* at = std::find_if(std::begin(kTables), std::end(kTables),
                                [&](const TrackTable& t) { return t.table == table; });
  return at == std::end(kTables) ? nullptr : at;
}

}  // namespace sextant::event
