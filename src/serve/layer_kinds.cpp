// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tables become which tracks.
#include "event/schema_cuda.h"
#include "event/schema_nvtx.h"
#include "event/schema_opencl.h"
#include "event/schema_parallel.h"
#include "event/schema_system.h"
#include "serve/derived.h"
#include "serve/layer.h"

namespace sextant::serve {

namespace {

using namespace event;
constexpr uint16_t kNone = RowTable::kNone;
using enum NameRule;

constexpr std::array kNvtx = {
    RowTable{kNvtxRange, nvtx::kStart, nvtx::kDuration, nvtx::kProcessId, nvtx::kTid, nvtx::kDomain, kNone,
             nvtx::kName, kNone, kString},
    RowTable{kNvtxMark, nvtx::kStart, kNone, nvtx::kProcessId, nvtx::kTid, nvtx::kDomain, kNone, nvtx::kName,
             kNone, kString},
    RowTable{kNvtxEvent, nvtx_event::kStart, nvtx_event::kDuration, nvtx_event::kProcess, nvtx_event::kTid,
             nvtx_event::kDomain, kNone, nvtx_event::kText, kNullsColumn, kImportedNvtx},
};

/// A table of calls of threads whose columns have the usual names.
#define CALLS(table, ns)                                                                                     \
  RowTable {                                                                                                 \
    table, ns::kStart, ns::kDuration, ns::kProcess, ns::kTid, kNone, kNone, ns::kName, kNullsColumn, kString \
  }
constexpr std::array kApi = {CALLS(kCudaApi, cuda_api)};
constexpr std::array kLibrary = {CALLS(kLibraryCall, library_call)};
constexpr std::array kMpi = {CALLS(kMpiCall, mpi_call)};
constexpr std::array kUcx = {CALLS(kUcpCall, ucp_call)};
constexpr std::array kOpenmp = {CALLS(kOpenmpEvent, openmp_event)};
constexpr std::array kOpenacc = {CALLS(kOpenaccEvent, openacc_event)};
constexpr std::array kOsrt = {CALLS(kOsrtCall, osrt_call)};
constexpr std::array kSyscalls = {CALLS(kSyscall, syscall)};
constexpr std::array kOverhead = {
    CALLS(kCudaOverhead, cuda_overhead), CALLS(kCudaJit, cuda_jit), CALLS(kToolOverhead, tool_overhead),
    RowTable{kProfilerOverhead, overhead::kStart, overhead::kDuration, overhead::kProcessId, overhead::kTid,
             kNone, kNone, overhead::kName, kNone, kString}};
#undef CALLS

constexpr std::array kSamples = {RowTable{kCpuSample, cpu_sample::kTime, kNone, cpu_sample::kProcess,
                                          cpu_sample::kTid, kNone, kNone, kNone, kNullsColumn, kSample}};

/// A table of work in streams.
#define WORK(table, ns, name, rule)                                                               \
  RowTable {                                                                                      \
    table, ns::kStart, ns::kDuration, ns::kProcess, ns::kDevice, ns::kContext, ns::kStream, name, \
        kNullsColumn, rule                                                                        \
  }
constexpr std::array kKernels = {WORK(kCudaKernel, cuda_kernel, cuda_kernel::kName, kString)};
constexpr std::array kMemory = {WORK(kCudaMemcpy, cuda_memcpy, cuda_memcpy::kKind, NameRule::kMemcpy),
                                WORK(kCudaMemset, cuda_memset, kNone, NameRule::kMemset)};
constexpr std::array kSyncs = {WORK(kCudaSync, cuda_sync, cuda_sync::kType, NameRule::kSync)};
constexpr std::array kGraphs = {WORK(kCudaGraphRun, cuda_graph_run, kNone, NameRule::kGraph)};
#undef WORK
constexpr std::array kFaults = {RowTable{
    kUmGpuPageFault, um_gpu_page_fault::kStart, um_gpu_page_fault::kDuration, um_gpu_page_fault::kProcess,
    um_gpu_page_fault::kDevice, kNone, kNone, kNone, kNullsColumn, NameRule::kFault}};

constexpr std::array kOpenclCalls = {RowTable{kOpenclApi, opencl_api::kStart, opencl_api::kDuration,
                                              opencl_api::kProcess, opencl_api::kTid, kNone, kNone,
                                              opencl_api::kName, kNone, kString}};
/// Commands of OpenCL in queues.
#define COMMANDS(table, name, rule)                                                                  \
  RowTable {                                                                                         \
    table, opencl_work::kStart, opencl_work::kDuration, opencl_work::kProcess, opencl_work::kDevice, \
        opencl_work::kContext, opencl_work::kQueue, name, kNone, rule                                \
  }
constexpr std::array kOpenclKernels = {COMMANDS(kOpenclKernel, opencl_kernel::kName, kString)};
constexpr std::array kOpenclTransfers = {
    COMMANDS(kOpenclMemory, opencl_memory::kCommand, NameRule::kOpenclCommand)};
constexpr std::array kOpenclSyncs = {COMMANDS(kOpenclSync, opencl_sync::kCommand, NameRule::kOpenclCommand)};
#undef COMMANDS

constexpr std::array kHostCallbacks = {RowTable{kCudaHostCallback, cuda_host_callback::kStart,
                                                cuda_host_callback::kDuration, cuda_host_callback::kProcess,
                                                cuda_host_callback::kTid, kNone, kNone,
                                                cuda_host_callback::kName, kNullsColumn, kString}};

constexpr std::array kKinds = {
    LayerKind{"cpu", "CPU", Below::kMachine, {}, nullptr, Scheduling::Of::kCpus},
    LayerKind{"nvtx_gpu", "NVTX on the GPU", Below::kContext, {}, derive_projection},
    LayerKind{"kernels", "Kernels", Below::kStream, kKernels},
    LayerKind{"memory", "Memory", Below::kStream, kMemory},
    LayerKind{"sync", "Synchronisation", Below::kStream, kSyncs},
    LayerKind{"graphs", "CUDA graphs", Below::kStream, kGraphs},
    LayerKind{"faults", "Page faults", Below::kStream, kFaults},
    LayerKind{"nvtx_opencl", "NVTX on the device", Below::kContext, {}, derive_opencl_projection},
    LayerKind{"opencl_kernels", "Kernels", Below::kStream, kOpenclKernels},
    LayerKind{"opencl_memory", "Memory", Below::kStream, kOpenclTransfers},
    LayerKind{"opencl_sync", "Synchronisation", Below::kStream, kOpenclSyncs},
    LayerKind{"nvtx", "NVTX", Below::kThread, kNvtx},
    LayerKind{"cuda_api", "CUDA API", Below::kThread, kApi},
    LayerKind{"opencl_api", "OpenCL API", Below::kThread, kOpenclCalls},
    LayerKind{"callback", "Host functions", Below::kThread, kHostCallbacks},
    LayerKind{"library", "Libraries", Below::kThread, kLibrary},
    LayerKind{"mpi", "MPI", Below::kThread, kMpi},
    LayerKind{"ucx", "UCX", Below::kThread, kUcx},
    LayerKind{"openmp", "OpenMP", Below::kThread, kOpenmp},
    LayerKind{"openacc", "OpenACC", Below::kThread, kOpenacc},
    LayerKind{"osrt", "OS runtime", Below::kThread, kOsrt},
    LayerKind{"syscall", "System calls", Below::kThread, kSyscalls},
    LayerKind{"samples", "CPU samples", Below::kThread, kSamples},
    LayerKind{"state", "Thread state", Below::kThread, {}, nullptr, Scheduling::Of::kThreads},
    LayerKind{"overhead", "Profiler overhead", Below::kThread, kOverhead},
};

}  // namespace

std::span<const LayerKind> layer_kinds() {
  return kKinds;
}

}  // namespace sextant::serve
