// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/nsys_enums.h"

#include <charconv>

namespace sextant::exporters {

namespace {

struct Enum {
  std::string_view table;
  std::string_view values;  // "id name;" or "id name|label;" where the label differs, one after the other
};

// clang-format off
constexpr Enum kEnums[] = {
    {"ENUM_NSYS_EVENT_TYPE",
     "0 Unknown;1 CpuCycles;2 Instructions;3 CacheReferences;4 L1CacheDataWriteMisses;"
     "5 L1CacheDataReadMisses;6 L1CacheInstructionMisses;7 L2CacheDataWriteMisses;8 L2CacheDataReadMisses;"
     "9 L2CacheInstructionMisses;10 BranchInstructions;11 BranchMisses;12 BusCycles;13 CpuClock;"
     "14 TaskClock;15 PageFault;16 ContextSwitches;17 CpuMigrations;18 PageFaultsMin;19 PageFaultsMax;"
     "20 AlignmentFaults;21 EmulationFaults;22 ThreadState;23 Frames;24 Annotations;25 SchedSwitch;"
     "26 SchedWakeup;27 Command;28 Mmap;29 MemUsage;30 Emc;31 Composite;32 NvtxEvents;33 NvtxCategory;"
     "34 NvtxMark;35 NvtxPushRange;36 NvtxPopRange;37 NvtxStartRange;38 NvtxEndRange;39 NvtxThread;"
     "40 PowerRate;41 Sched;42 CpuCyclesSelf;43 CpuCyclesTotal;44 CpuCyclesSelfPlus;45 Cuda;46 CudaDevice;"
     "47 TraceProcess;48 TraceFunctions;49 Diagnostic;50 GlWorkload;51 BandwidthUsage;52 KhrDebugMark;"
     "53 KhrDebugPushRange;54 KhrDebugPopRange;55 KhrDebugGpuMark;56 KhrDebugGpuPushRange;"
     "57 KhrDebugGpuPopRange;58 GpuCtxsw;59 NvtxPushPopRange;60 NvtxStartEndRange;61 ProfTime;"
     "62 KhrDebugPushPopRange;63 KhrDebugGpuPushPopRange;64 NvtxtCategory;65 NvtxtMark;66 NvtxtPushRange;"
     "67 NvtxtPopRange;68 NvtxtStartRange;69 NvtxtEndRange;70 NvtxtPushPopRange;71 NvtxtStartEndRange;"
     "72 NvtxtMetaThread;73 NvtxtMetaProcess;74 NvtxtMetaFileDisplay;75 NvtxDomainCreate;"
     "76 NvtxDomainDestroy;77 NvnGpuCmdBuf;78 TraceVSync;79 CudaDeviceKernel;80 CudaDeviceMemory;81 Pmu;"
     "82 NvnGpuDraw;83 NvnGpuCompute;84 NvnGpuDebug;85 OS runtime libraries;86 CuDNN;87 CuBLAS;88 NvMedia;"
     "89 OpenACC;90 Correlation;91 DX12;92 DX12Workload;93 PmuRawEvent;94 GraphicsFrame;95 Vulkan;"
     "96 VulkanWorkload;97 NvtxNameCudaDevice;98 NvtxNameCudaContext;99 NvtxNameCudaStream;100 SystemEvent;"
     "101 GpuMemoryEvent;102 DX12CreateObject;103 VulkanCreateObject;104 UnitTraceEvent;105 CustomETWEvent;"
     "106 CudaSyncEvent;107 SLIEvent;108 CudaBacktrace;109 WddmEvent;110 DX11;111 DX11CreateObject;112 DXGI;"
     "113 CudaGraphNodeCreation;114 OpenMP;115 UncorePmuEvent;116 UncorePmuCarmel;117 CudaDeviceMemoryUsage;"
     "118 ETWDxgKrnlEvent;119 CudaUvmCpuPageFaultEvent;120 CudaUvmGpuPageFaultEvent;"
     "121 NICMetricsValuesEvent;122 NICMetricsListEvent;123 InterruptHandler;124 NVENC;125 NVDEC;126 nvJPEG;"
     "127 CudaEventRecord;128 PerfEventCountEvent;129 CudaDeviceMemoryPool;130 CudaDeviceGraph;"
     "131 CudaGraphExecCreation;132 CudaGraphCreation;133 CudaGraphClone;134 GpuMemoryTransferEvent;"
     "135 GlTrace;136 GpuVideoEngineWorkload;137 IBSwitchMetricsValuesEvent;138 GenericEvent;"
     "139 UncorePmuT23xScf;140 UncorePmuT23xDsu;141 IBSwitchCongestionEvent;142 CudaDeviceMemcpy;"
     "143 PerfMetricValueEvent;"},
    {"ENUM_NSYS_EVENT_CLASS",
     "0 TRACE_PROCESS_EVENT_CUDA_RUNTIME|CUDA runtime;1 TRACE_PROCESS_EVENT_CUDA_DRIVER|CUDA driver;"
     "2 TRACE_PROCESS_EVENT_GL|GL;3 TRACE_PROCESS_EVENT_TSP_OVERHEAD|TSP overhead;"
     "4 TRACE_PROCESS_EVENT_GL_DEBUG|GL debug;5 TRACE_PROCESS_EVENT_GL_WORKLOAD|GL workload;"
     "6 TRACE_PROCESS_EVENT_NVTX_START|NVTX start;7 TRACE_PROCESS_EVENT_NVTX_FINISH|NVTX finish;"
     "8 TRACE_PROCESS_EVENT_GL_START|GL start;9 TRACE_PROCESS_EVENT_GL_FINISH|GL finish;"
     "10 TRACE_PROCESS_EVENT_CUDA_START|CUDA start;11 TRACE_PROCESS_EVENT_CUDA_FINISH|CUDA finish;"
     "12 TRACE_PROCESS_EVENT_CUDA_INIT_ERROR|CUDA init error;"
     "13 TRACE_PROCESS_EVENT_CUDA_EGL_DRIVER|CUDA EGL driver;18 TRACE_PROCESS_EVENT_VSYNC|Vsync;"
     "26 TRACE_PROCESS_EVENT_CUDA_API|CUDA API;27 TRACE_PROCESS_EVENT_OS_RUNTIME|OSRT runtime;"
     "28 TRACE_PROCESS_EVENT_CUDNN|cuDNN;29 TRACE_PROCESS_EVENT_CUBLAS|cuBLAS;"
     "31 TRACE_PROCESS_EVENT_OS_RUNTIME_START|OSRT start;"
     "32 TRACE_PROCESS_EVENT_OS_RUNTIME_FINISH|OSRT finish;33 TRACE_PROCESS_EVENT_CUDNN_START|cuDNN start;"
     "34 TRACE_PROCESS_EVENT_CUDNN_FINISH|cuDNN finish;35 TRACE_PROCESS_EVENT_CUBLAS_START|cuBLAS start;"
     "36 TRACE_PROCESS_EVENT_CUBLAS_FINISH|cuBLAS finish;37 TRACE_PROCESS_EVENT_THREAD_BLOCK|Thread block;"
     "38 TRACE_PROCESS_EVENT_NVMEDIA|NVmedia;39 TRACE_PROCESS_EVENT_NVMEDIA_START|NVmedia start;"
     "40 TRACE_PROCESS_EVENT_NVMEDIA_FINISH|NVmedia finish;41 TRACE_PROCESS_EVENT_DX12_API|DX12 API;"
     "42 TRACE_PROCESS_EVENT_DX12_WORKLOAD|DX12 workload;43 TRACE_PROCESS_EVENT_DX12_START|DX12 start;"
     "44 TRACE_PROCESS_EVENT_DX12_FINISH|DX12 finish;45 TRACE_PROCESS_EVENT_OPENACC_START|OpenACC start;"
     "46 TRACE_PROCESS_EVENT_OPENACC_FINISH|OpenACC finish;"
     "47 TRACE_PROCESS_EVENT_OPENACC_INIT_ERROR|OpenACC init error;48 TRACE_PROCESS_EVENT_OPENACC|OpenACC;"
     "49 TRACE_PROCESS_EVENT_CPU_FPS|CPU FPS;50 TRACE_PROCESS_EVENT_GPU_FPS|GPU FPS;"
     "51 TRACE_PROCESS_EVENT_GL_MULTI_ERROR|GL multi-error;52 TRACE_PROCESS_EVENT_DX12_DISPLAY|DX12 display;"
     "53 TRACE_PROCESS_EVENT_VULKAN_API|Vulkan API;54 TRACE_PROCESS_EVENT_VULKAN_WORKLOAD|Vulkan workload;"
     "55 TRACE_PROCESS_EVENT_VULKAN_START|Vulkan start;56 TRACE_PROCESS_EVENT_VULKAN_FINISH|Vulkan finish;"
     "57 TRACE_PROCESS_EVENT_SYSTEM_EVENT|System event;58 TRACE_PROCESS_EVENT_GPU_MEMORY|GPU memory;"
     "59 TRACE_PROCESS_EVENT_DX12_CREATE_OBJECT|DX12 create object;"
     "60 TRACE_PROCESS_EVENT_VULKAN_CREATE_OBJECT|Vulkan create object;"
     "61 TRACE_PROCESS_EVENT_CUSTOM_ETW_TRACE|Custom ETW trace;62 TRACE_PROCESS_EVENT_SLI|SLI;"
     "63 TRACE_PROCESS_EVENT_SLI_START|SLI start;64 TRACE_PROCESS_EVENT_SLI_FINISH|SLI finish;"
     "65 TRACE_PROCESS_EVENT_DX12_DEBUG_API|DX12 debug API;"
     "66 TRACE_PROCESS_EVENT_VULKAN_DEBUG_API|Vulkan debug API;"
     "67 TRACE_PROCESS_EVENT_CUDABACKTRACE|CUDA backtrace;"
     "68 TRACE_PROCESS_EVENT_CUDABACKTRACE_START|CUDA backtrace start;"
     "69 TRACE_PROCESS_EVENT_CUDABACKTRACE_FINISH|CUDA backtrace finish;70 TRACE_PROCESS_EVENT_WDDM|WDDM;"
     "71 TRACE_PROCESS_EVENT_DX11_API|DX11 API;72 TRACE_PROCESS_EVENT_DX11_START|DX11 start;"
     "73 TRACE_PROCESS_EVENT_DX11_FINISH|DX11 finish;"
     "74 TRACE_PROCESS_EVENT_DX11_CREATE_OBJECT|DX11 create object;"
     "75 TRACE_PROCESS_EVENT_DX11_DEBUG_API|DX11 debug API;"
     "76 TRACE_PROCESS_EVENT_DXCOMMON_API|DX common API;"
     "77 TRACE_PROCESS_EVENT_CUDA_GRAPH_NODE_CREATION|CUDA graph node creation;"
     "78 TRACE_PROCESS_EVENT_OPENMP|OpenMP;79 TRACE_PROCESS_EVENT_OPENMP_START|OpenMP start;"
     "80 TRACE_PROCESS_EVENT_OPENMP_FINISH|OpenMP finish;81 TRACE_PROCESS_EVENT_NVAPI|NV API;"
     "82 TRACE_PROCESS_EVENT_ETWDXGKRNL|ETW DXG KRNL;83 TRACE_PROCESS_EVENT_NVENC|NVENC;"
     "84 TRACE_PROCESS_EVENT_NVENC_START|NVENC start;85 TRACE_PROCESS_EVENT_NVENC_FINISH|NVENC finish;"
     "86 TRACE_PROCESS_EVENT_NVDEC|NVDEC;87 TRACE_PROCESS_EVENT_NVDEC_START|NVDEC start;"
     "88 TRACE_PROCESS_EVENT_NVDEC_FINISH|NVDEC finish;89 TRACE_PROCESS_EVENT_NVJPEG|nvJPEG;"
     "90 TRACE_PROCESS_EVENT_NVJPEG_START|nvJPEG start;91 TRACE_PROCESS_EVENT_NVJPEG_FINISH|nvJPEG finish;"
     "92 TRACE_PROCESS_EVENT_DX12_BATCH_WORKLOAD|DX12 batch workload;"
     "93 TRACE_PROCESS_EVENT_VULKAN_BATCH_WORKLOAD|Vulkan batch workload;"
     "94 TRACE_PROCESS_EVENT_CUDA_GRAPHEXEC_CREATION|CUDA graph exec creation;"
     "95 TRACE_PROCESS_EVENT_CUDA_GRAPH_CREATION|CUDA graph creation;"
     "96 TRACE_PROCESS_EVENT_CUDA_GRAPH_CLONE|CUDA graph clone;"},
    {"ENUM_GPU_CTX_SWITCH",
     "-1 UnknownGpuCtxswTag|Unknown;0 SOF|SO;1 REQ_BY_HOST|Request by host;2 FE_ACK|Front-end ACK;"
     "3 FE_ACK_WFI|Front-end ACK WFI;4 FE_ACK_GFXP|Front-end ACK GFXP;5 FE_ACK_CTAP|Front-end ACK CTAP;"
     "6 FE_ACK_CILP|Front-end ACK CILP;7 SAVE_END|Save end;8 RESTORE_START|Restore start;"
     "9 CONTEXT_START|Context start;10 INVALID_TIMESTAMP|Invalid timestamp;11 ENGINE_RESET|Engine reset;"},
    {"ENUM_CUDA_MEMCPY_OPER",
     "0 CUDA_MEMCPY_KIND_UNKNOWN|Unknown;1 CUDA_MEMCPY_KIND_HTOD|Host-to-Device;"
     "2 CUDA_MEMCPY_KIND_DTOH|Device-to-Host;3 CUDA_MEMCPY_KIND_HTOA|Host-to-Array;"
     "4 CUDA_MEMCPY_KIND_ATOH|Array-to-Host;5 CUDA_MEMCPY_KIND_ATOA|Array-to-Array;"
     "6 CUDA_MEMCPY_KIND_ATOD|Array-to-Device;7 CUDA_MEMCPY_KIND_DTOA|Device-to-Array;"
     "8 CUDA_MEMCPY_KIND_DTOD|Device-to-Device;9 CUDA_MEMCPY_KIND_HTOH|Host-to-Host;"
     "10 CUDA_MEMCPY_KIND_PTOP|Peer-to-Peer;11 CUDA_MEMCPY_KIND_UVM_HTOD|Unified Host-to-Device;"
     "12 CUDA_MEMCPY_KIND_UVM_DTOH|Unified Device-to-Host;"
     "13 CUDA_MEMCPY_KIND_UVM_DTOD|Unified Device-to-Device;"},
    {"ENUM_CUDA_MEM_KIND",
     "0 CUDA_MEMOPR_MEMORY_KIND_PAGEABLE|Pageable;1 CUDA_MEMOPR_MEMORY_KIND_PINNED|Pinned;"
     "2 CUDA_MEMOPR_MEMORY_KIND_DEVICE|Device;3 CUDA_MEMOPR_MEMORY_KIND_ARRAY|Array;"
     "4 CUDA_MEMOPR_MEMORY_KIND_MANAGED|Managed;5 CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC|Device Static;"
     "6 CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC|Managed Static;7 CUDA_MEMOPR_MEMORY_KIND_UNKNOWN|Unknown;"},
    {"ENUM_CUDA_MEMPOOL_TYPE",
     "0 CUDA_MEMPOOL_TYPE_INVALID|Invalid;1 CUDA_MEMPOOL_TYPE_LOCAL|Local;"
     "2 CUDA_MEMPOOL_TYPE_IMPORTED|Imported;"},
    {"ENUM_CUDA_MEMPOOL_OPER",
     "0 CUDA_MEMPOOL_OPERATION_TYPE_INVALID|Invalid;1 CUDA_MEMPOOL_OPERATION_TYPE_CREATED|Created;"
     "2 CUDA_MEMPOOL_OPERATION_TYPE_DESTROYED|Destroyed;3 CUDA_MEMPOOL_OPERATION_TYPE_TRIMMED|Trimmed;"},
    {"ENUM_CUDA_DEV_MEM_EVENT_OPER",
     "0 CUDA_DEV_MEM_EVENT_OPR_ALLOCATION|Allocation;1 CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION|Deallocation;"},
    {"ENUM_CUDA_KERNEL_LAUNCH_TYPE",
     "0 CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN|Unknown;1 CUDA_KERNEL_LAUNCH_TYPE_REGULAR|Regular;"
     "2 CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE|Coop Single Device;"
     "3 CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE|Coop Multi Device;"},
    {"ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG",
     "0 CUDA_SHARED_MEM_LIMIT_DEFAULT|Default;1 CUDA_SHARED_MEM_LIMIT_OPTIN|Opt in;"},
    {"ENUM_CUDA_UNIF_MEM_MIGRATION",
     "0 CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_UNKNOWN|Unknown;"
     "1 CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_USER|User prefetch;"
     "2 CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE|Page fault;"
     "3 CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_PREFETCH|Speculative prefecth;"
     "4 CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION|Eviction;"
     "5 CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_ACCESS_COUNTERS|Access counters;"},
    {"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE",
     "0 CUDA_UNIFIED_MEMORY_ACCESS_TYPE_UNKNOWN|Unknown;1 CUDA_UNIFIED_MEMORY_ACCESS_TYPE_READ|Read;"
     "2 CUDA_UNIFIED_MEMORY_ACCESS_TYPE_WRITE|Write;3 CUDA_UNIFIED_MEMORY_ACCESS_TYPE_ATOMIC|Atomic;"
     "4 CUDA_UNIFIED_MEMORY_ACCESS_TYPE_PREFETCH|Prefetch;"},
    {"ENUM_CUDA_FUNC_CACHE_CONFIG",
     "0 CU_FUNC_CACHE_PREFER_NONE|None;1 CU_FUNC_CACHE_PREFER_SHARED|Shared;2 CU_FUNC_CACHE_PREFER_L1|L1;"
     "3 CU_FUNC_CACHE_PREFER_EQUAL|Equal;"},
    {"ENUM_CUPTI_STREAM_TYPE",
     "0 CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN|Unknown stream type;"
     "1 CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT|Default stream;"
     "2 CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING|Non-blocking stream;"
     "3 CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL|Null stream;"},
    {"ENUM_CUPTI_SYNC_TYPE",
     "0 CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN|Unknown;"
     "1 CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE|Event sync;"
     "2 CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT|Stream wait sync;"
     "3 CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE|Stream sync;"
     "4 CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE|Context sync;"},
    {"ENUM_STACK_UNWIND_METHOD",
     "0 Unknown;1 FramePointer|Frame pointer;2 UnwindTable|Unwind table;3 LR_FramePointer|LR frame pointer;"
     "4 LR_UnwindTable|LR unwind table;5 KernelContext|Kernel context;6 DWARF_EH|DWARF EH;"
     "7 DWARF_DF|DWARF DF;8 LBR;1000 Undefined;"},
    {"ENUM_SAMPLING_THREAD_STATE",
     "0 Unknown;1 Running;2 Interruptible;3 Uninterruptible;4 Stopped;5 Terminated;6 Unscheduled;7 Waiting;"
     "8 OSRuntime|OS runtime;9 Initialized;10 Transition;"},
    {"ENUM_OPENACC_DEVICE",
     "0 acc_device_none|None;1 acc_device_default|Default;2 acc_device_host|Host;"
     "3 acc_device_not_host|Not host;4 acc_device_nvidia|NVIDIA;5 acc_device_radeon|Radeon;"
     "6 acc_device_xeonphi|Xeon Phi;7 acc_device_pgi_opencl|PGI OpenCL;"
     "8 acc_device_nvidia_opencl|NVIDIA OpenCL;9 acc_device_opencl|OpenCL;"},
    {"ENUM_OPENACC_EVENT_KIND",
     "0 CUPTI_OPENACC_EVENT_KIND_INVALID|Invalid;1 CUPTI_OPENACC_EVENT_KIND_DEVICE_INIT|Device init;"
     "2 CUPTI_OPENACC_EVENT_KIND_DEVICE_SHUTDOWN|Device shutdown;"
     "3 CUPTI_OPENACC_EVENT_KIND_RUNTIME_SHUTDOWN|Runtime shutdown;"
     "4 CUPTI_OPENACC_EVENT_KIND_ENQUEUE_LAUNCH|Enqueue launch;"
     "5 CUPTI_OPENACC_EVENT_KIND_ENQUEUE_UPLOAD|Enqueue upload;"
     "6 CUPTI_OPENACC_EVENT_KIND_ENQUEUE_DOWNLOAD|Enqueue download;7 CUPTI_OPENACC_EVENT_KIND_WAIT|Wait;"
     "8 CUPTI_OPENACC_EVENT_KIND_IMPLICIT_WAIT|Implicit wait;"
     "9 CUPTI_OPENACC_EVENT_KIND_COMPUTE_CONSTRUCT|Compute construct;"
     "10 CUPTI_OPENACC_EVENT_KIND_UPDATE|UPDATE;11 CUPTI_OPENACC_EVENT_KIND_ENTER_DATA|Enter data;"
     "12 CUPTI_OPENACC_EVENT_KIND_EXIT_DATA|Exit data;13 CUPTI_OPENACC_EVENT_KIND_CREATE|Create;"
     "14 CUPTI_OPENACC_EVENT_KIND_DELETE|Delete;15 CUPTI_OPENACC_EVENT_KIND_ALLOC|Alloc;"
     "16 CUPTI_OPENACC_EVENT_KIND_FREE|Free;"},
    {"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE",
     "1 Open|OSRT Open File Action;2 Close|OSRT Close File Action;3 Read|OSRT Read from File Action;"
     "4 Write|OSRT Write to File Action;6 Metadata|OSRT Metadata File Action;"},
    {"ENUM_OPENMP_EVENT_KIND",
     "0 OPENMP_EVENT_KIND_INVALID|Invalid;1 OPENMP_EVENT_KIND_THREAD_BEGIN|Thread begin;"
     "2 OPENMP_EVENT_KIND_THREAD_END|Thread end;3 OPENMP_EVENT_KIND_PARALLEL_BEGIN|Parallel begin;"
     "4 OPENMP_EVENT_KIND_PARALLEL_END|Parallel End;"
     "5 OPENMP_EVENT_KIND_SYNC_REGION_WAIT_BEGIN|Sync region wait begin;"
     "6 OPENMP_EVENT_KIND_SYNC_REGION_WAIT_END|Sync region wait end;"
     "7 OPENMP_EVENT_KIND_SYNC_REGION_BEGIN|Sync region begin;"
     "8 OPENMP_EVENT_KIND_SYNC_REGION_END|Sync region end;9 OPENMP_EVENT_KIND_TASK_BEGIN|Task begin;"
     "10 OPENMP_EVENT_KIND_TASK_END|Task end;11 OPENMP_EVENT_KIND_MASTER_BEGIN|Master begin;"
     "12 OPENMP_EVENT_KIND_MASTER_END|Master end;13 OPENMP_EVENT_KIND_REDUCTION_BEGIN|Reduction begin;"
     "14 OPENMP_EVENT_KIND_REDUCTION_END|Reduction end;15 OPENMP_EVENT_KIND_TASK_CREATE|Task create;"
     "16 OPENMP_EVENT_KIND_TASK_SCHEDULE|Task schedule;17 OPENMP_EVENT_KIND_CANCEL|Cancel;"
     "18 OPENMP_EVENT_KIND_MUTEX_ACQUIRE|Mutex acquire;19 OPENMP_EVENT_KIND_MUTEX_ACQUIRED|Mutex acquired;"
     "20 OPENMP_EVENT_KIND_MUTEX_RELEASED|Mutex released;21 OPENMP_EVENT_KIND_LOCK_INIT|Lock init;"
     "22 OPENMP_EVENT_KIND_LOCK_DESTROY|Lock destroy;23 OPENMP_EVENT_KIND_WORKSHARE_BEGIN|Workshare begin;"
     "24 OPENMP_EVENT_KIND_WORKSHARE_END|Workshare end;25 OPENMP_EVENT_KIND_DISPATCH|Dispatch;"
     "26 OPENMP_EVENT_KIND_FLUSH|Flush;27 OPENMP_EVENT_KIND_THREAD|Thread;"
     "28 OPENMP_EVENT_KIND_PARALLEL|Parallel;29 OPENMP_EVENT_KIND_SYNC_REGION_WAIT|Sync region wait;"
     "30 OPENMP_EVENT_KIND_SYNC_REGION|Sync region;31 OPENMP_EVENT_KIND_TASK|Task;"
     "32 OPENMP_EVENT_KIND_MASTER|Master;33 OPENMP_EVENT_KIND_REDUCTION|Reduction;"
     "34 OPENMP_EVENT_KIND_MUTEX_WAIT|Mutex wait;35 OPENMP_EVENT_KIND_CRITICAL_SECTION|Critical section;"
     "36 OPENMP_EVENT_KIND_WORKSHARE|Workshare;"},
    {"ENUM_OPENMP_THREAD",
     "1 ompt_thread_initial|Initial;2 ompt_thread_worker|Worker;3 ompt_thread_other|Internal;"
     "4 ompt_thread_unknown|Unknown;"},
    {"ENUM_OPENMP_DISPATCH",
     "1 ompt_dispatch_iteration|Iteration;2 ompt_dispatch_section|Section;"},
    {"ENUM_OPENMP_SYNC_REGION",
     "1 ompt_sync_region_barrier|Barrier;2 ompt_sync_region_barrier_implicit|Implicit barrier;"
     "3 ompt_sync_region_barrier_explicit|Explicit barrier;"
     "4 ompt_sync_region_barrier_implementation|Implementation barrier;"
     "5 ompt_sync_region_taskwait|Task wait;6 ompt_sync_region_taskgroup|Task group;"
     "7 ompt_sync_region_reduction|Reduction;"},
    {"ENUM_OPENMP_WORK",
     "1 ompt_work_loop|Loop region;2 ompt_work_sections|Sections region;"
     "3 ompt_work_single_executor|Single region executor;4 ompt_work_single_other|Single region waiting;"
     "5 ompt_work_workshare|Workshare retion;6 ompt_work_distribute|Distribute region;"
     "7 ompt_work_taskloop|Task loop region;"},
    {"ENUM_OPENMP_MUTEX",
     "1 ompt_mutex_lock|Wait for lock;2 ompt_mutex_test_lock|Testing lock;"
     "3 ompt_mutex_nest_lock|Wait for nested lock;4 ompt_mutex_test_nest_lock|Testing nested lock;"
     "5 ompt_mutex_critical|Wait for critical section entry;"
     "6 ompt_mutex_atomic|Wait for atomic region entry;7 ompt_mutex_ordered|Wait for ordered region entry;"},
    {"ENUM_OPENMP_TASK_FLAG",
     "1 ompt_task_initial|Initial;2 ompt_task_implicit|Implitic;4 ompt_task_explicit|Explicit;"
     "8 ompt_task_target|Target;134217728 ompt_task_undeferred|Undeferred;268435456 ompt_task_untied|United;"
     "536870912 ompt_task_final|Final;1073741824 ompt_task_mergeable|Mergeable;"
     "2147483648 ompt_task_merged|Merged;"},
    {"ENUM_OPENMP_TASK_STATUS",
     "1 ompt_task_complete|Completed;2 ompt_task_yield|Yielded;3 ompt_task_cancel|Cancelled;"
     "4 ompt_task_detach|Detached;5 ompt_task_early_fulfill|Early fulfilled;"
     "6 ompt_task_late_fulfill|Late fulfilled;7 ompt_task_switch|Switched Out;"},
    {"ENUM_NET_LINK_TYPE",
     "0 Unknown|Unknown NIC;1 Ethernet|Ethernet NIC;2 InfiniBand|InfiniBand NIC;"},
    {"ENUM_NET_DEVICE_ID",
     "4099 CntX3|ConnectX-3;4103 CntX3Pro|ConnectX-3 Pro;4113 CntIB|Connect-IB;4115 CntX4|ConnectX-4;"
     "4117 CntX4Lx|ConnectX-4 Lx;4119 CntX5|ConnectX-5;4121 CntX5Ex|ConnectX-5 Ex;4123 CntX6|ConnectX-6;"
     "4125 CntX6Dx|ConnectX-6 Dx;4127 CntX6Lx|ConnectX-6 Lx;4129 CntX7|ConnectX-7;4131 CntX8|ConnectX-8;"
     "21108 InfiniBridge;23108 InfiniHost;24204 InfiniHost3LxHca1|InfiniHost III Lx HCA 1;"
     "25204 InfiniHost3LxHca2|InfiniHost III Lx HCA 2;"
     "25208 InfiniHost3ExTavor|InfiniHost III Ex (Tavor compatibility mode);"
     "25218 InfiniHost3Ex|InfiniHost III Ex;25408 CntXDual10Gb|ConnectX Dual Port 10Gb/s;"
     "25418 CntXDual20Gb|ConnectX Dual Port 20Gb/s;"
     "25448 CntXEn10Gb25Gt1|ConnectX EN 10GigE PCIe 2.0 2.5GT/s;"
     "25458 CntXEn10Gb25Gt2|ConnectX EN 10GBASE-T PCIe 2.5 GT/s;"
     "26428 CntXDual40Gb|ConnectX Dual Port 40Gb/s;26438 CntXVpi|ConnectX VPI PCIe 2.0 5GT/s;"
     "26448 CntXEn10Gb50Gt1|ConnectX EN 10GigE PCIe 2.0 5GT/s;"
     "26458 CntXEn10Gb50Gt2|ConnectX EN 10GBASE-T PCIe Gen2 5.0 GT/s;"
     "26468 CntXEn10Gb50GtVirt|ConnectX EN 10GigE PCIe 2.0 5GT/s Virtualization+;"
     "26478 CntXEn40Gb50Gt|ConnectX EN 40GigE PCIe 2.0 5GT/s;"
     "26488 CntXVpiVirt|ConnectX VPI PCIe 2.0 5GT/s - IB DDR / 10GigE Virtualization+;"
     "41680 BF1Crypto|BlueField SoC Crypto enabled;41681 BF1NoCrypto|BlueField SoC Crypto disabled;"
     "41682 BF1CntX5|BlueField integrated ConnectX-5 network controller;"
     "41683 BF1MultiVF|BlueField multicore SoC family VF;41684 BF2Crypto|BlueField-2 SoC Crypto enabled;"
     "41685 BF2NoCrypto|BlueField-2 SoC Crypto disabled;"
     "41686 BF2CntX6Dx|BlueField-2 integrated ConnectX-6 Dx network controller;"
     "41687 BF3LxCrypto|BlueField-3 Lx SoC Crypto enabled;"
     "41688 BF3LxNoCrypto|BlueField-3 Lx SoC Crypto disabled;"
     "41689 BF3LxCntX7Lx|BlueField-3 Lx integrated ConnectX-7 network controller;"
     "41690 BF3Crypto|BlueField-3 SoC Crypto enabled;41691 BF3NoCrypto|BlueField-3 SoC Crypto disabled;"
     "41692 BF3CntX7|BlueField-3 integrated ConnectX-7 network controller;"
     "41693 BF4Crypto|BlueField-4 SoC Crypto enabled;41694 BF4NoCrypto|BlueField-4 SoC Crypto disabled;"
     "41695 BF4Int|BlueField-4 integrated network controller;"},
    {"ENUM_NET_VENDOR_ID",
     "5555 NVIDIA|NVIDIA / Mellanox;"},
    {"ENUM_PMU_EVENT_SOURCE",
     "1 ArmPmu|Arm PMU;2 CarmelPmu|Carmel PMU;3 T23XPmuScf|T23X PMU Scf;4 T23XPmuDsu|T23X PMU Dsu;"},
    {"ENUM_PMU_UNIT_TYPE",
     "1 PmuUnitCore|Pmu Unit Core;2 PmuUnitCpuCluster|Pmu Unit Cpu Cluster;3 PmuUnitScf|Pmu Unit Scf;"},
    {"ENUM_DIAGNOSTIC_SEVERITY_LEVEL",
     "0 UnknownLevel|Unknown;1 Info;2 Warning;3 Error;4 Verbose;"},
    {"ENUM_DIAGNOSTIC_SOURCE_TYPE",
     "0 UnknownSource|Unknown source;1 Injection;2 Daemon;3 Analysis;"},
    {"ENUM_DIAGNOSTIC_TIMESTAMP_SOURCE",
     "0 UnknownTimestamp|Unknown timestamp;1 TargetTimestamp|Target timestamp;"
     "2 HostTimestamp|Host timestamp;"},
};
// clang-format on

}  // namespace

void for_each_enum_table(const std::function<void(std::string_view table)>& use) {
  for (const Enum& e : kEnums) use(e.table);
}

void for_each_enum_value(std::string_view table, const std::function<void(const EnumValue&)>& use) {
  for (const Enum& e : kEnums) {
    if (e.table != table) continue;
    for (std::string_view rest = e.values; !rest.empty();) {
      std::string_view entry = rest.substr(0, rest.find(';'));
      rest.remove_prefix(entry.size() + 1);
      EnumValue value;
      const char* end = std::from_chars(entry.data(), entry.data() + entry.size(), value.id).ptr;
      entry.remove_prefix(static_cast<size_t>(end - entry.data()) + 1);
      value.name = entry.substr(0, entry.find('|'));
      value.label = value.name.size() == entry.size() ? value.name : entry.substr(value.name.size() + 1);
      use(value);
    }
  }
}

}  // namespace sextant::exporters
