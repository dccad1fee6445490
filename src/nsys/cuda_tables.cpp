// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_cuda.h"
#include "nsys/tables.h"

namespace sextant::nsys {

namespace {

using event::TableId;

constexpr Source kCudaKernelSources[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", 0, ""},
};
constexpr Column kCudaKernelColumns[] = {
    {event::cuda_kernel::kStart, From::kTime, "start"},
    {event::cuda_kernel::kDuration, From::kEnd, "end"},
    {event::cuda_kernel::kProcess, From::kProcess, "globalPid"},
    {event::cuda_kernel::kDevice, From::kInteger, "deviceId"},
    {event::cuda_kernel::kContext, From::kInteger, "contextId"},
    {event::cuda_kernel::kGreenContext, From::kInteger, "greenContextId"},
    {event::cuda_kernel::kStream, From::kInteger, "streamId"},
    {event::cuda_kernel::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_kernel::kName, From::kStringId, "demangledName"},
    {event::cuda_kernel::kShortName, From::kStringId, "shortName"},
    {event::cuda_kernel::kMangledName, From::kStringId, "mangledName"},
    {event::cuda_kernel::kLaunchType, From::kInteger, "launchType"},
    {event::cuda_kernel::kCacheConfig, From::kInteger, "cacheConfig"},
    {event::cuda_kernel::kRegistersPerThread, From::kInteger, "registersPerThread"},
    {event::cuda_kernel::kGridX, From::kInteger, "gridX"},
    {event::cuda_kernel::kGridY, From::kInteger, "gridY"},
    {event::cuda_kernel::kGridZ, From::kInteger, "gridZ"},
    {event::cuda_kernel::kBlockX, From::kInteger, "blockX"},
    {event::cuda_kernel::kBlockY, From::kInteger, "blockY"},
    {event::cuda_kernel::kBlockZ, From::kInteger, "blockZ"},
    {event::cuda_kernel::kStaticSharedMemory, From::kInteger, "staticSharedMemory"},
    {event::cuda_kernel::kDynamicSharedMemory, From::kInteger, "dynamicSharedMemory"},
    {event::cuda_kernel::kLocalMemoryPerThread, From::kInteger, "localMemoryPerThread"},
    {event::cuda_kernel::kLocalMemoryTotal, From::kInteger, "localMemoryTotal"},
    {event::cuda_kernel::kGridId, From::kInteger, "gridId"},
    {event::cuda_kernel::kSharedMemoryExecuted, From::kInteger, "sharedMemoryExecuted"},
    {event::cuda_kernel::kGraphNode, From::kInteger, "graphNodeId"},
    {event::cuda_kernel::kSharedMemoryLimit, From::kInteger, "sharedMemoryLimitConfig"},
    {event::cuda_kernel::kQmdBulkReleaseDone, From::kInteger, "qmdBulkReleaseDone"},
    {event::cuda_kernel::kQmdPreexitDone, From::kInteger, "qmdPreexitDone"},
    {event::cuda_kernel::kQmdLastBlockDone, From::kInteger, "qmdLastCtaDone"},
    {event::cuda_kernel::kGraph, From::kInteger, "graphId"},
    {event::cuda_kernel::kClusterX, From::kInteger, "clusterX"},
    {event::cuda_kernel::kClusterY, From::kInteger, "clusterY"},
    {event::cuda_kernel::kClusterZ, From::kInteger, "clusterZ"},
    {event::cuda_kernel::kClusterScheduling, From::kInteger, "clusterSchedulingPolicy"},
    {event::cuda_kernel::kMaxPotentialClusterSize, From::kInteger, "maxPotentialClusterSize"},
    {event::cuda_kernel::kMaxActiveClusters, From::kInteger, "maxActiveClusters"},
    {event::cuda_kernel::kSharedMemoryRequestedPercent, From::kInteger, "sharedMemoryRequestedPercentage"},
    {event::cuda_kernel::kTensorSizeMinusOne, From::kText, "tensorSizeMinusOneElements"},
};

constexpr Source kCudaMemcpySources[] = {
    {"CUPTI_ACTIVITY_KIND_MEMCPY", 0, ""},
};
constexpr Column kCudaMemcpyColumns[] = {
    {event::cuda_memcpy::kStart, From::kTime, "start"},
    {event::cuda_memcpy::kDuration, From::kEnd, "end"},
    {event::cuda_memcpy::kProcess, From::kProcess, "globalPid"},
    {event::cuda_memcpy::kDevice, From::kInteger, "deviceId"},
    {event::cuda_memcpy::kContext, From::kInteger, "contextId"},
    {event::cuda_memcpy::kGreenContext, From::kInteger, "greenContextId"},
    {event::cuda_memcpy::kStream, From::kInteger, "streamId"},
    {event::cuda_memcpy::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_memcpy::kBytes, From::kInteger, "bytes"},
    {event::cuda_memcpy::kKind, From::kInteger, "copyKind"},
    {event::cuda_memcpy::kLegacySource, From::kInteger, "deprecatedSrcId"},
    {event::cuda_memcpy::kSourceMemory, From::kInteger, "srcKind"},
    {event::cuda_memcpy::kTargetMemory, From::kInteger, "dstKind"},
    {event::cuda_memcpy::kSourceDevice, From::kInteger, "srcDeviceId"},
    {event::cuda_memcpy::kSourceContext, From::kInteger, "srcContextId"},
    {event::cuda_memcpy::kTargetDevice, From::kInteger, "dstDeviceId"},
    {event::cuda_memcpy::kTargetContext, From::kInteger, "dstContextId"},
    {event::cuda_memcpy::kMigrationCause, From::kInteger, "migrationCause"},
    {event::cuda_memcpy::kGraphNode, From::kInteger, "graphNodeId"},
    {event::cuda_memcpy::kVirtualAddress, From::kInteger, "virtualAddress"},
    {event::cuda_memcpy::kCopyCount, From::kInteger, "copyCount"},
};

constexpr Source kCudaMemsetSources[] = {
    {"CUPTI_ACTIVITY_KIND_MEMSET", 0, ""},
};
constexpr Column kCudaMemsetColumns[] = {
    {event::cuda_memset::kStart, From::kTime, "start"},
    {event::cuda_memset::kDuration, From::kEnd, "end"},
    {event::cuda_memset::kProcess, From::kProcess, "globalPid"},
    {event::cuda_memset::kDevice, From::kInteger, "deviceId"},
    {event::cuda_memset::kContext, From::kInteger, "contextId"},
    {event::cuda_memset::kGreenContext, From::kInteger, "greenContextId"},
    {event::cuda_memset::kStream, From::kInteger, "streamId"},
    {event::cuda_memset::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_memset::kValue, From::kInteger, "value"},
    {event::cuda_memset::kBytes, From::kInteger, "bytes"},
    {event::cuda_memset::kGraphNode, From::kInteger, "graphNodeId"},
    {event::cuda_memset::kMemory, From::kInteger, "memKind"},
};

constexpr Source kCudaSyncSources[] = {
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", 0, ""},
};
constexpr Column kCudaSyncColumns[] = {
    {event::cuda_sync::kStart, From::kTime, "start"},
    {event::cuda_sync::kDuration, From::kEnd, "end"},
    {event::cuda_sync::kProcess, From::kProcess, "globalPid"},
    {event::cuda_sync::kDevice, From::kInteger, "deviceId"},
    {event::cuda_sync::kContext, From::kInteger, "contextId"},
    {event::cuda_sync::kGreenContext, From::kInteger, "greenContextId"},
    {event::cuda_sync::kStream, From::kInteger, "streamId"},
    {event::cuda_sync::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_sync::kLegacyType, From::kInteger, "deprecatedSyncType"},
    {event::cuda_sync::kType, From::kInteger, "syncType"},
    {event::cuda_sync::kEvent, From::kInteger, "eventId"},
    {event::cuda_sync::kEventSync, From::kInteger, "eventSyncId"},
};

constexpr Source kCudaApiSources[] = {
    {"CUPTI_ACTIVITY_KIND_RUNTIME", 0, ""},
};
constexpr Column kCudaApiColumns[] = {
    {event::cuda_api::kStart, From::kTime, "start"},
    {event::cuda_api::kDuration, From::kEnd, "end"},
    {event::cuda_api::kClass, From::kInteger, "eventClass"},
    {event::cuda_api::kProcess, From::kProcessOfThread, "globalTid"},
    {event::cuda_api::kTid, From::kTid, "globalTid"},
    {event::cuda_api::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_api::kName, From::kStringId, "nameId"},
    {event::cuda_api::kReturnValue, From::kInteger, "returnValue"},
    {event::cuda_api::kCallChain, From::kInteger, "callchainId"},
};

constexpr Source kCudaEventSources[] = {
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", 0, ""},
};
constexpr Column kCudaEventColumns[] = {
    {event::cuda_event::kTime, From::kTime, "timestamp"},
    {event::cuda_event::kProcess, From::kProcess, "globalPid"},
    {event::cuda_event::kDevice, From::kInteger, "deviceId"},
    {event::cuda_event::kContext, From::kInteger, "contextId"},
    {event::cuda_event::kGreenContext, From::kInteger, "greenContextId"},
    {event::cuda_event::kStream, From::kInteger, "streamId"},
    {event::cuda_event::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_event::kEvent, From::kInteger, "eventId"},
    {event::cuda_event::kEventSync, From::kInteger, "eventSyncId"},
};

constexpr Source kCudaGraphRunSources[] = {
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", 0, ""},
};
constexpr Column kCudaGraphRunColumns[] = {
    {event::cuda_graph_run::kStart, From::kTime, "start"},
    {event::cuda_graph_run::kDuration, From::kEnd, "end"},
    {event::cuda_graph_run::kProcess, From::kProcess, "globalPid"},
    {event::cuda_graph_run::kDevice, From::kInteger, "deviceId"},
    {event::cuda_graph_run::kContext, From::kInteger, "contextId"},
    {event::cuda_graph_run::kGreenContext, From::kInteger, "greenContextId"},
    {event::cuda_graph_run::kStream, From::kInteger, "streamId"},
    {event::cuda_graph_run::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_graph_run::kGraph, From::kInteger, "graphId"},
    {event::cuda_graph_run::kGraphExec, From::kInteger, "graphExecId"},
};

constexpr Source kCudaGraphHostNodeSources[] = {
    {"CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH", 0, ""},
};
constexpr Column kCudaGraphHostNodeColumns[] = {
    {event::cuda_graph_host_node::kStart, From::kTime, "start"},
    {event::cuda_graph_host_node::kDuration, From::kEnd, "end"},
    {event::cuda_graph_host_node::kProcess, From::kProcess, "globalPid"},
    {event::cuda_graph_host_node::kDevice, From::kInteger, "deviceId"},
    {event::cuda_graph_host_node::kContext, From::kInteger, "contextId"},
    {event::cuda_graph_host_node::kGreenContext, From::kInteger, "greenContextId"},
    {event::cuda_graph_host_node::kStream, From::kInteger, "streamId"},
    {event::cuda_graph_host_node::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_graph_host_node::kGraphNode, From::kInteger, "graphNodeId"},
    {event::cuda_graph_host_node::kGraph, From::kInteger, "graphId"},
};

constexpr Source kCudaOverheadSources[] = {
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", 0, ""},
};
constexpr Column kCudaOverheadColumns[] = {
    {event::cuda_overhead::kStart, From::kTime, "start"},
    {event::cuda_overhead::kDuration, From::kEnd, "end"},
    {event::cuda_overhead::kClass, From::kInteger, "eventClass"},
    {event::cuda_overhead::kProcess, From::kProcessOfThread, "globalTid"},
    {event::cuda_overhead::kTid, From::kTid, "globalTid"},
    {event::cuda_overhead::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_overhead::kName, From::kStringId, "nameId"},
    {event::cuda_overhead::kType, From::kInteger, "overheadType"},
};

constexpr Source kCudaJitSources[] = {
    {"CUPTI_ACTIVITY_KIND_JIT", 0, ""},
};
constexpr Column kCudaJitColumns[] = {
    {event::cuda_jit::kStart, From::kTime, "start"},
    {event::cuda_jit::kDuration, From::kEnd, "end"},
    {event::cuda_jit::kClass, From::kInteger, "eventClass"},
    {event::cuda_jit::kProcess, From::kProcessOfThread, "globalTid"},
    {event::cuda_jit::kTid, From::kTid, "globalTid"},
    {event::cuda_jit::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_jit::kName, From::kStringId, "nameId"},
    {event::cuda_jit::kType, From::kInteger, "overheadType"},
    {event::cuda_jit::kEntryType, From::kInteger, "jitEntryType"},
    {event::cuda_jit::kOperationType, From::kInteger, "jitOperationType"},
    {event::cuda_jit::kDevice, From::kInteger, "deviceId"},
    {event::cuda_jit::kOperationCorrelation, From::kInteger, "jitOperationCorrelationId"},
    {event::cuda_jit::kCacheSize, From::kInteger, "cacheSize"},
    {event::cuda_jit::kCachePath, From::kText, "cachePath"},
};

constexpr Source kCudaHostCallbackSources[] = {
    {"CUDA_HOST_CALLBACK", 0, ""},
};
constexpr Column kCudaHostCallbackColumns[] = {
    {event::cuda_host_callback::kStart, From::kTime, "start"},
    {event::cuda_host_callback::kDuration, From::kEnd, "end"},
    {event::cuda_host_callback::kClass, From::kInteger, "eventClass"},
    {event::cuda_host_callback::kProcess, From::kProcessOfThread, "globalTid"},
    {event::cuda_host_callback::kTid, From::kTid, "globalTid"},
    {event::cuda_host_callback::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_host_callback::kName, From::kStringId, "nameId"},
};

constexpr Source kCudaDecompressSources[] = {
    {"CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS", 0, ""},
};
constexpr Column kCudaDecompressColumns[] = {
    {event::cuda_decompress::kStart, From::kTime, "start"},
    {event::cuda_decompress::kDuration, From::kEnd, "end"},
    {event::cuda_decompress::kClass, From::kInteger, "eventClass"},
    {event::cuda_decompress::kProcess, From::kProcess, "globalPid"},
    {event::cuda_decompress::kDevice, From::kInteger, "deviceId"},
    {event::cuda_decompress::kContext, From::kInteger, "contextId"},
    {event::cuda_decompress::kStream, From::kInteger, "streamId"},
    {event::cuda_decompress::kCorrelation, From::kInteger, "correlationId"},
    {event::cuda_decompress::kChannel, From::kInteger, "ChannelID"},
    {event::cuda_decompress::kSourceBytes, From::kInteger, "sourceBytes"},
    {event::cuda_decompress::kOperations, From::kInteger, "NumberOfOperations"},
};

constexpr Source kLibraryCallSources[] = {
    {"CUDNN_EVENTS", 0, ""},        {"CUBLAS_EVENTS", 1, ""},    {"NVVIDEO_ENCODER_API", 2, ""},
    {"NVVIDEO_DECODER_API", 3, ""}, {"NVVIDEO_JPEG_API", 4, ""}, {"TEGRA_INTERNAL_API_CALLS", 5, ""},
};
constexpr Column kLibraryCallColumns[] = {
    {event::library_call::kStart, From::kTime, "start"},
    {event::library_call::kDuration, From::kEnd, "end"},
    {event::library_call::kLibrary, From::kConstant, ""},
    {event::library_call::kClass, From::kInteger, "eventClass"},
    {event::library_call::kProcess, From::kProcessOfThread, "globalTid"},
    {event::library_call::kTid, From::kTid, "globalTid"},
    {event::library_call::kName, From::kStringId, "nameId"},
    {event::library_call::kApi, From::kInteger, "apiId"},
};

constexpr Source kCudaGraphNodeSources[] = {
    {"CUDA_GRAPH_NODE_EVENTS", 0, ""},
    {"CUDA_GRAPH_EVENTS", 0, "graphNodeId"},
};
constexpr Column kCudaGraphNodeColumns[] = {
    {event::cuda_graph_node::kStart, From::kTime, "start"},
    {event::cuda_graph_node::kDuration, From::kEnd, "end"},
    {event::cuda_graph_node::kClass, From::kInteger, "eventClass"},
    {event::cuda_graph_node::kProcess, From::kProcessOfThread, "globalTid"},
    {event::cuda_graph_node::kTid, From::kTid, "globalTid"},
    {event::cuda_graph_node::kName, From::kStringId, "nameId"},
    {event::cuda_graph_node::kGraphNode, From::kInteger, "graphNodeId"},
    {event::cuda_graph_node::kOriginalGraphNode, From::kInteger, "originalGraphNodeId"},
};

constexpr Source kCudaGraphSources[] = {
    {"CUDA_GRAPH_EVENTS", 0, "graphId"},
};
constexpr Column kCudaGraphColumns[] = {
    {event::cuda_graph::kStart, From::kTime, "start"},
    {event::cuda_graph::kDuration, From::kEnd, "end"},
    {event::cuda_graph::kClass, From::kInteger, "eventClass"},
    {event::cuda_graph::kProcess, From::kProcessOfThread, "globalTid"},
    {event::cuda_graph::kTid, From::kTid, "globalTid"},
    {event::cuda_graph::kName, From::kStringId, "nameId"},
    {event::cuda_graph::kGraph, From::kInteger, "graphId"},
    {event::cuda_graph::kOriginalGraph, From::kInteger, "originalGraphId"},
    {event::cuda_graph::kGraphExec, From::kInteger, "graphExecId"},
};

constexpr Source kUmCpuPageFaultSources[] = {
    {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", 0, ""},
};
constexpr Column kUmCpuPageFaultColumns[] = {
    {event::um_cpu_page_fault::kTime, From::kTime, "start"},
    {event::um_cpu_page_fault::kProcess, From::kProcess, "globalPid"},
    {event::um_cpu_page_fault::kAddress, From::kInteger, "address"},
    {event::um_cpu_page_fault::kOriginalPc, From::kInteger, "originalFaultPc"},
    {event::um_cpu_page_fault::kInstruction, From::kStringId, "CpuInstruction"},
    {event::um_cpu_page_fault::kModule, From::kStringId, "module"},
    {event::um_cpu_page_fault::kUnresolvedPc, From::kInteger, "unresolvedFaultPc"},
    {event::um_cpu_page_fault::kSourceFile, From::kStringId, "sourceFile"},
    {event::um_cpu_page_fault::kSourceLine, From::kInteger, "sourceLine"},
};

constexpr Source kUmGpuPageFaultSources[] = {
    {"CUDA_UM_GPU_PAGE_FAULT_EVENTS", 0, ""},
};
constexpr Column kUmGpuPageFaultColumns[] = {
    {event::um_gpu_page_fault::kStart, From::kTime, "start"},
    {event::um_gpu_page_fault::kDuration, From::kEnd, "end"},
    {event::um_gpu_page_fault::kProcess, From::kProcess, "globalPid"},
    {event::um_gpu_page_fault::kDevice, From::kInteger, "deviceId"},
    {event::um_gpu_page_fault::kAddress, From::kInteger, "address"},
    {event::um_gpu_page_fault::kFaults, From::kInteger, "numberOfPageFaults"},
    {event::um_gpu_page_fault::kAccess, From::kInteger, "faultAccessType"},
};

constexpr Source kGpuMemoryUsageSources[] = {
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", 0, ""},
};
constexpr Column kGpuMemoryUsageColumns[] = {
    {event::gpu_memory_usage::kTime, From::kTime, "start"},
    {event::gpu_memory_usage::kProcess, From::kProcess, "globalPid"},
    {event::gpu_memory_usage::kDevice, From::kInteger, "deviceId"},
    {event::gpu_memory_usage::kContext, From::kInteger, "contextId"},
    {event::gpu_memory_usage::kAddress, From::kInteger, "address"},
    {event::gpu_memory_usage::kPc, From::kInteger, "pc"},
    {event::gpu_memory_usage::kBytes, From::kInteger, "bytes"},
    {event::gpu_memory_usage::kMemory, From::kInteger, "memKind"},
    {event::gpu_memory_usage::kOperation, From::kInteger, "memoryOperationType"},
    {event::gpu_memory_usage::kName, From::kText, "name"},
    {event::gpu_memory_usage::kCorrelation, From::kInteger, "correlationId"},
    {event::gpu_memory_usage::kStream, From::kInteger, "streamId"},
    {event::gpu_memory_usage::kPoolAddress, From::kInteger, "localMemoryPoolAddress"},
    {event::gpu_memory_usage::kPoolReleaseThreshold, From::kInteger, "localMemoryPoolReleaseThreshold"},
    {event::gpu_memory_usage::kPoolSize, From::kInteger, "localMemoryPoolSize"},
    {event::gpu_memory_usage::kPoolUsed, From::kInteger, "localMemoryPoolUtilizedSize"},
    {event::gpu_memory_usage::kImportedPoolAddress, From::kInteger, "importedMemoryPoolAddress"},
    {event::gpu_memory_usage::kImportedPoolProcess, From::kInteger, "importedMemoryPoolProcessId"},
};

constexpr Source kGpuMemoryPoolSources[] = {
    {"CUDA_GPU_MEMORY_POOL_EVENTS", 0, ""},
};
constexpr Column kGpuMemoryPoolColumns[] = {
    {event::gpu_memory_pool::kTime, From::kTime, "start"},
    {event::gpu_memory_pool::kProcess, From::kProcess, "globalPid"},
    {event::gpu_memory_pool::kDevice, From::kInteger, "deviceId"},
    {event::gpu_memory_pool::kAddress, From::kInteger, "address"},
    {event::gpu_memory_pool::kOperation, From::kInteger, "operationType"},
    {event::gpu_memory_pool::kType, From::kInteger, "poolType"},
    {event::gpu_memory_pool::kCorrelation, From::kInteger, "correlationId"},
    {event::gpu_memory_pool::kMinBytesToKeep, From::kInteger, "minBytesToKeep"},
    {event::gpu_memory_pool::kReleaseThreshold, From::kInteger, "localMemoryPoolReleaseThreshold"},
    {event::gpu_memory_pool::kSize, From::kInteger, "localMemoryPoolSize"},
    {event::gpu_memory_pool::kUsed, From::kInteger, "localMemoryPoolUtilizedSize"},
};

constexpr Table kTables[] = {
    {TableId::kCudaKernel, kCudaKernelSources, kCudaKernelColumns},
    {TableId::kCudaMemcpy, kCudaMemcpySources, kCudaMemcpyColumns},
    {TableId::kCudaMemset, kCudaMemsetSources, kCudaMemsetColumns},
    {TableId::kCudaSync, kCudaSyncSources, kCudaSyncColumns},
    {TableId::kCudaApi, kCudaApiSources, kCudaApiColumns},
    {TableId::kCudaEvent, kCudaEventSources, kCudaEventColumns},
    {TableId::kCudaGraphRun, kCudaGraphRunSources, kCudaGraphRunColumns},
    {TableId::kCudaGraphHostNode, kCudaGraphHostNodeSources, kCudaGraphHostNodeColumns},
    {TableId::kCudaOverhead, kCudaOverheadSources, kCudaOverheadColumns},
    {TableId::kCudaJit, kCudaJitSources, kCudaJitColumns},
    {TableId::kCudaHostCallback, kCudaHostCallbackSources, kCudaHostCallbackColumns},
    {TableId::kCudaDecompress, kCudaDecompressSources, kCudaDecompressColumns},
    {TableId::kLibraryCall, kLibraryCallSources, kLibraryCallColumns},
    {TableId::kCudaGraphNode, kCudaGraphNodeSources, kCudaGraphNodeColumns},
    {TableId::kCudaGraph, kCudaGraphSources, kCudaGraphColumns},
    {TableId::kUmCpuPageFault, kUmCpuPageFaultSources, kUmCpuPageFaultColumns},
    {TableId::kUmGpuPageFault, kUmGpuPageFaultSources, kUmGpuPageFaultColumns},
    {TableId::kGpuMemoryUsage, kGpuMemoryUsageSources, kGpuMemoryUsageColumns},
    {TableId::kGpuMemoryPool, kGpuMemoryPoolSources, kGpuMemoryPoolColumns},
};

}  // namespace

std::span<const Table> cuda_tables() {
  return kTables;
}

}  // namespace sextant::nsys
