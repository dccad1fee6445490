// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tables become which tracks.
#include "event/schema_cuda.h"
#include "event/schema_nvtx.h"
#include "event/schema_parallel.h"
#include "event/schema_system.h"
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

constexpr std::array kKinds = {
    LayerKind{"kernels", "Kernels", true, kKernels},
    LayerKind{"memory", "Memory", true, kMemory},
    LayerKind{"sync", "Synchronisation", true, kSyncs},
    LayerKind{"graphs", "CUDA graphs", true, kGraphs},
    LayerKind{"faults", "Page faults", true, kFaults},
    LayerKind{"nvtx", "NVTX", false, kNvtx},
    LayerKind{"cuda_api", "CUDA API", false, kApi},
    LayerKind{"library", "Libraries", false, kLibrary},
    LayerKind{"mpi", "MPI", false, kMpi},
    LayerKind{"ucx", "UCX", false, kUcx},
    LayerKind{"openmp", "OpenMP", false, kOpenmp},
    LayerKind{"openacc", "OpenACC", false, kOpenacc},
    LayerKind{"osrt", "OS runtime", false, kOsrt},
    LayerKind{"syscall", "System calls", false, kSyscalls},
    LayerKind{"samples", "CPU samples", false, kSamples},
    LayerKind{"overhead", "Profiler overhead", false, kOverhead},
};

}  // namespace

std::span<const LayerKind> layer_kinds() {
  return kKinds;
}

}  // namespace sextant::serve
