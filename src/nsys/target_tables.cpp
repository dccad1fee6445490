// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_target.h"
#include "nsys/tables.h"

namespace sextant::nsys {

namespace {

using event::TableId;

constexpr Source kSystemPropertySources[] = {
    {"TARGET_INFO_SYSTEM_ENV", 0, ""},
};
constexpr Column kSystemPropertyColumns[] = {
    {event::system_property::kVm, From::kInteger, "globalVid"},
    {event::system_property::kDeviceState, From::kText, "devStateName"},
    {event::system_property::kName, From::kText, "name"},
    {event::system_property::kNumber, From::kInteger, "nameEnum"},
    {event::system_property::kValue, From::kText, "value"},
};

constexpr Source kSessionStartSources[] = {
    {"TARGET_INFO_SESSION_START_TIME", 0, ""},
};
constexpr Column kSessionStartColumns[] = {
    {event::session_start::kUtcNs, From::kInteger, "utcEpochNs"},
    {event::session_start::kUtc, From::kText, "utcTime"},
    {event::session_start::kLocal, From::kText, "localTime"},
    {event::session_start::kSystemClockNs, From::kInteger, "systemClockNs"},
    {event::session_start::kCounter, From::kInteger, "sessionStartCntVctNs"},
};

constexpr Source kSessionSpanSources[] = {
    {"ANALYSIS_DETAILS", 0, ""},
};
constexpr Column kSessionSpanColumns[] = {
    {event::session_span::kVm, From::kInteger, "globalVid"},
    {event::session_span::kDurationNs, From::kInteger, "duration"},
    {event::session_span::kStartNs, From::kInteger, "startTime"},
    {event::session_span::kStopNs, From::kInteger, "stopTime"},
};

constexpr Source kMetadataSources[] = {
    {"META_DATA_CAPTURE", 0, ""},
    {"META_DATA_EXPORT", 1, ""},
    {"EXPORT_META_DATA", 2, ""},
};
constexpr Column kMetadataColumns[] = {
    {event::metadata::kSection, From::kConstant, ""},
    {event::metadata::kName, From::kText, "name"},
    {event::metadata::kValue, From::kText, "value"},
};

constexpr Source kEnumValueSources[] = {
    {"ENUM_*", 0, ""},
};
constexpr Column kEnumValueColumns[] = {
    {event::enum_value::kEnumeration, From::kTableName, ""},
    {event::enum_value::kNumber, From::kInteger, "id"},
    {event::enum_value::kName, From::kText, "name"},
    {event::enum_value::kLabel, From::kText, "label"},
};

constexpr Source kGpuSources[] = {
    {"TARGET_INFO_GPU", 0, ""},
};
constexpr Column kGpuColumns[] = {
    {event::gpu::kVm, From::kInteger, "vmId"},
    {event::gpu::kNumber, From::kInteger, "id"},
    {event::gpu::kLegacyDevice, From::kInteger, "deviceId"},
    {event::gpu::kName, From::kText, "name"},
    {event::gpu::kBusLocation, From::kText, "busLocation"},
    {event::gpu::kIsDiscrete, From::kInteger, "isDiscrete"},
    {event::gpu::kL2Bytes, From::kInteger, "l2CacheSize"},
    {event::gpu::kMemoryBytes, From::kInteger, "totalMemory"},
    {event::gpu::kMemoryBandwidth, From::kInteger, "memoryBandwidth"},
    {event::gpu::kClockRate, From::kInteger, "clockRate"},
    {event::gpu::kMultiprocessors, From::kInteger, "smCount"},
    {event::gpu::kPwGpu, From::kInteger, "pwGpuId"},
    {event::gpu::kUuid, From::kText, "uuid"},
    {event::gpu::kLuid, From::kInteger, "luid"},
    {event::gpu::kChip, From::kText, "chipName"},
    {event::gpu::kCudaDevice, From::kInteger, "cuDevice"},
    {event::gpu::kContextSwitchPath, From::kText, "ctxswDevPath"},
    {event::gpu::kControlPath, From::kText, "ctrlDevPath"},
    {event::gpu::kRevision, From::kInteger, "revision"},
    {event::gpu::kNodeMask, From::kInteger, "nodeMask"},
    {event::gpu::kConstantBytes, From::kInteger, "constantMemory"},
    {event::gpu::kMaxIpc, From::kInteger, "maxIPC"},
    {event::gpu::kMaxRegistersPerBlock, From::kInteger, "maxRegistersPerBlock"},
    {event::gpu::kMaxSharedPerBlock, From::kInteger, "maxShmemPerBlock"},
    {event::gpu::kMaxSharedPerBlockOptin, From::kInteger, "maxShmemPerBlockOptin"},
    {event::gpu::kMaxSharedPerSm, From::kInteger, "maxShmemPerSm"},
    {event::gpu::kMaxRegistersPerSm, From::kInteger, "maxRegistersPerSm"},
    {event::gpu::kThreadsPerWarp, From::kInteger, "threadsPerWarp"},
    {event::gpu::kAsyncEngines, From::kInteger, "asyncEngines"},
    {event::gpu::kMaxWarpsPerSm, From::kInteger, "maxWarpsPerSm"},
    {event::gpu::kMaxBlocksPerSm, From::kInteger, "maxBlocksPerSm"},
    {event::gpu::kMaxThreadsPerBlock, From::kInteger, "maxThreadsPerBlock"},
    {event::gpu::kMaxBlockX, From::kInteger, "maxBlockDimX"},
    {event::gpu::kMaxBlockY, From::kInteger, "maxBlockDimY"},
    {event::gpu::kMaxBlockZ, From::kInteger, "maxBlockDimZ"},
    {event::gpu::kMaxGridX, From::kInteger, "maxGridDimX"},
    {event::gpu::kMaxGridY, From::kInteger, "maxGridDimY"},
    {event::gpu::kMaxGridZ, From::kInteger, "maxGridDimZ"},
    {event::gpu::kComputeMajor, From::kInteger, "computeMajor"},
    {event::gpu::kComputeMinor, From::kInteger, "computeMinor"},
    {event::gpu::kSmMajor, From::kInteger, "smMajor"},
    {event::gpu::kSmMinor, From::kInteger, "smMinor"},
    {event::gpu::kNumaNode, From::kInteger, "numaNodeId"},
};

constexpr Source kCudaDeviceSources[] = {
    {"TARGET_INFO_CUDA_DEVICE", 0, ""},
};
constexpr Column kCudaDeviceColumns[] = {
    {event::cuda_device::kGpu, From::kInteger, "gpuId"},
    {event::cuda_device::kDevice, From::kInteger, "cudaId"},
    {event::cuda_device::kPid, From::kInteger, "pid"},
    {event::cuda_device::kUuid, From::kText, "uuid"},
    {event::cuda_device::kMultiprocessors, From::kInteger, "numMultiprocessors"},
};

constexpr Source kCudaContextSources[] = {
    {"TARGET_INFO_CUDA_CONTEXT_INFO", 0, ""},
};
constexpr Column kCudaContextColumns[] = {
    {event::cuda_context::kNullStream, From::kInteger, "nullStreamId"},
    {event::cuda_context::kHardware, From::kInteger, "hwId"},
    {event::cuda_context::kVm, From::kInteger, "vmId"},
    {event::cuda_context::kPid, From::kInteger, "processId"},
    {event::cuda_context::kDevice, From::kInteger, "deviceId"},
    {event::cuda_context::kContext, From::kInteger, "contextId"},
    {event::cuda_context::kParent, From::kInteger, "parentContextId"},
    {event::cuda_context::kIsGreen, From::kInteger, "isGreenContext"},
    {event::cuda_context::kMultiprocessors, From::kInteger, "numMultiprocessors"},
    {event::cuda_context::kTpcs, From::kInteger, "numTpcs"},
    {event::cuda_context::kTpcMask, From::kText, "tpcMask"},
    {event::cuda_context::kQueueResource, From::kInteger, "workqueueResourceId"},
    {event::cuda_context::kQueueLimit, From::kInteger, "workqueueConcurrencyLimit"},
    {event::cuda_context::kQueueSharing, From::kInteger, "workqueueSharingScope"},
    {event::cuda_context::kQueueChannels, From::kInteger, "workqueueChannelCount"},
    {event::cuda_context::kQueueChannelIds, From::kText, "workqueueChannelIds"},
};

constexpr Source kCudaStreamSources[] = {
    {"TARGET_INFO_CUDA_STREAM", 0, ""},
};
constexpr Column kCudaStreamColumns[] = {
    {event::cuda_stream::kStream, From::kInteger, "streamId"},
    {event::cuda_stream::kHardware, From::kInteger, "hwId"},
    {event::cuda_stream::kVm, From::kInteger, "vmId"},
    {event::cuda_stream::kPid, From::kInteger, "processId"},
    {event::cuda_stream::kContext, From::kInteger, "contextId"},
    {event::cuda_stream::kPriority, From::kInteger, "priority"},
    {event::cuda_stream::kFlag, From::kInteger, "flag"},
};

constexpr Source kCudaNullStreamSources[] = {
    {"TARGET_INFO_CUDA_NULL_STREAM", 0, ""},
};
constexpr Column kCudaNullStreamColumns[] = {
    {event::cuda_null_stream::kStream, From::kInteger, "streamId"},
    {event::cuda_null_stream::kHardware, From::kInteger, "hwId"},
    {event::cuda_null_stream::kVm, From::kInteger, "vmId"},
    {event::cuda_null_stream::kPid, From::kInteger, "processId"},
    {event::cuda_null_stream::kDevice, From::kInteger, "deviceId"},
    {event::cuda_null_stream::kContext, From::kInteger, "contextId"},
};

constexpr Source kNvtxResourceNameSources[] = {
    {"TARGET_INFO_NVTX_CUDA_DEVICE", 0, ""},
    {"TARGET_INFO_NVTX_CUDA_CONTEXT", 1, ""},
    {"TARGET_INFO_NVTX_CUDA_STREAM", 2, ""},
};
constexpr Column kNvtxResourceNameColumns[] = {
    {event::nvtx_resource_name::kResource, From::kConstant, ""},
    {event::nvtx_resource_name::kName, From::kText, "name"},
    {event::nvtx_resource_name::kHardware, From::kInteger, "hwId"},
    {event::nvtx_resource_name::kVm, From::kInteger, "vmId"},
    {event::nvtx_resource_name::kPid, From::kInteger, "processId"},
    {event::nvtx_resource_name::kDevice, From::kInteger, "deviceId"},
    {event::nvtx_resource_name::kContext, From::kInteger, "contextId"},
    {event::nvtx_resource_name::kStream, From::kInteger, "streamId"},
};

constexpr Source kProcessOutputSources[] = {
    {"ProcessStreams", 0, ""},
};
constexpr Column kProcessOutputColumns[] = {
    {event::process_output::kProcess, From::kProcess, "globalPid"},
    {event::process_output::kFile, From::kStringId, "filenameId"},
    {event::process_output::kContent, From::kStringId, "contentId"},
};

constexpr Source kAttachedFileSources[] = {
    {"ANALYSIS_FILE", 0, ""},
};
constexpr Column kAttachedFileColumns[] = {
    {event::attached_file::kFile, From::kInteger, "id"},
    {event::attached_file::kName, From::kText, "filename"},
    {event::attached_file::kContent, From::kStringId, "contentId"},
    {event::attached_file::kLegacyContent, From::kText, "content"},
    {event::attached_file::kProcess, From::kProcess, "globalPid"},
};

constexpr Source kThreadNameSources[] = {
    {"ThreadNames", 0, ""},
};
constexpr Column kThreadNameColumns[] = {
    {event::thread_name::kProcess, From::kProcessOfThread, "globalTid"},
    {event::thread_name::kTid, From::kTid, "globalTid"},
    {event::thread_name::kName, From::kStringId, "nameId"},
    {event::thread_name::kPriority, From::kInteger, "priority"},
};

constexpr Source kListedProcessSources[] = {
    {"PROCESSES", 0, ""},
};
constexpr Column kListedProcessColumns[] = {
    {event::listed_process::kProcess, From::kProcess, "globalPid"},
    {event::listed_process::kPid, From::kInteger, "pid"},
    {event::listed_process::kName, From::kText, "name"},
};

constexpr Source kNetworkCardSources[] = {
    {"TARGET_INFO_NIC_INFO", 0, ""},
};
constexpr Column kNetworkCardColumns[] = {
    {event::network_card::kGuid, From::kInteger, "GUID"},
    {event::network_card::kLegacyDevice, From::kInteger, "globalId"},
    {event::network_card::kState, From::kText, "stateName"},
    {event::network_card::kNic, From::kInteger, "nicId"},
    {event::network_card::kName, From::kText, "name"},
    {event::network_card::kDevice, From::kInteger, "deviceId"},
    {event::network_card::kVendor, From::kInteger, "vendorId"},
    {event::network_card::kLinkLayer, From::kInteger, "linkLayer"},
};

constexpr Source kNetworkCardIdSources[] = {
    {"NIC_ID_MAP", 0, ""},
};
constexpr Column kNetworkCardIdColumns[] = {
    {event::network_card_id::kNic, From::kInteger, "nicId"},
    {event::network_card_id::kDevice, From::kInteger, "globalId"},
};

constexpr Source kNetworkMetricSources[] = {
    {"TARGET_INFO_NETWORK_METRICS", 0, ""},
};
constexpr Column kNetworkMetricColumns[] = {
    {event::network_metric::kList, From::kInteger, "metricsListId"},
    {event::network_metric::kIndex, From::kInteger, "metricsIdx"},
    {event::network_metric::kName, From::kText, "name"},
    {event::network_metric::kDescription, From::kText, "description"},
    {event::network_metric::kUnit, From::kText, "unit"},
};

constexpr Source kProcessApiSources[] = {
    {"TARGET_INFO_PROCESS", 0, ""},
};
constexpr Column kProcessApiColumns[] = {
    {event::process_api::kProcessKey, From::kInteger, "processId"},
    {event::process_api::kOpenglVersion, From::kText, "openGlVersion"},
    {event::process_api::kCorrelation, From::kInteger, "correlationId"},
    {event::process_api::kName, From::kStringId, "nameId"},
};

constexpr Table kTables[] = {
    {TableId::kSystemProperty, kSystemPropertySources, kSystemPropertyColumns},
    {TableId::kSessionStart, kSessionStartSources, kSessionStartColumns},
    {TableId::kSessionSpan, kSessionSpanSources, kSessionSpanColumns},
    {TableId::kMetadata, kMetadataSources, kMetadataColumns},
    {TableId::kEnumValue, kEnumValueSources, kEnumValueColumns},
    {TableId::kGpu, kGpuSources, kGpuColumns},
    {TableId::kCudaDevice, kCudaDeviceSources, kCudaDeviceColumns},
    {TableId::kCudaContext, kCudaContextSources, kCudaContextColumns},
    {TableId::kCudaStream, kCudaStreamSources, kCudaStreamColumns},
    {TableId::kCudaNullStream, kCudaNullStreamSources, kCudaNullStreamColumns},
    {TableId::kNvtxResourceName, kNvtxResourceNameSources, kNvtxResourceNameColumns},
    {TableId::kProcessOutput, kProcessOutputSources, kProcessOutputColumns},
    {TableId::kAttachedFile, kAttachedFileSources, kAttachedFileColumns},
    {TableId::kThreadName, kThreadNameSources, kThreadNameColumns},
    {TableId::kListedProcess, kListedProcessSources, kListedProcessColumns},
    {TableId::kNetworkCard, kNetworkCardSources, kNetworkCardColumns},
    {TableId::kNetworkCardId, kNetworkCardIdSources, kNetworkCardIdColumns},
    {TableId::kNetworkMetric, kNetworkMetricSources, kNetworkMetricColumns},
    {TableId::kProcessApi, kProcessApiSources, kProcessApiColumns},
};

}  // namespace

std::span<const Table> target_tables() {
  return kTables;
}

}  // namespace sextant::nsys
