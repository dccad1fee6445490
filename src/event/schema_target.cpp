// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_target.h"

#include <array>

#include "event/schema_parts.h"

namespace sextant::event {

namespace {

constexpr std::array kSystemPropertyColumns = {
    Column{system_property::kVm, "vm", Type::kUint, "machine"},
    Column{system_property::kDeviceState, "device_state", Type::kString, "where it was asked"},
    Column{system_property::kName, "name", Type::kString, "property"},
    Column{system_property::kNumber, "number", Type::kEnum, "number of the property"},
    Column{system_property::kValue, "value", Type::kString, "value"},
    kNulls,
};
constexpr std::array kSessionStartColumns = {
    Column{session_start::kUtcNs, "utc_ns", Type::kInt, "nanoseconds since 1970"},
    Column{session_start::kUtc, "utc", Type::kString, "the same as text"},
    Column{session_start::kLocal, "local", Type::kString, "in local time"},
    Column{session_start::kSystemClockNs, "system_clock_ns", Type::kInt, "the system's monotonic clock"},
    Column{session_start::kCounter, "counter", Type::kInt, "the counter that stamps events"},
    kNulls,
};
constexpr std::array kSessionSpanColumns = {
    Column{session_span::kVm, "vm", Type::kUint, "machine"},
    Column{session_span::kDurationNs, "duration_ns", Type::kInt, "length"},
    Column{session_span::kStartNs, "start_ns", Type::kInt, "beginning"},
    Column{session_span::kStopNs, "stop_ns", Type::kInt, "end"},
    kNulls,
};
constexpr std::array kMetadataColumns = {
    Column{metadata::kSection, "section", Type::kEnum,
           "0 recording, 1 export, 2 export in the form of old releases"},
    Column{metadata::kName, "name", Type::kString, "key"},
    Column{metadata::kValue, "value", Type::kString, "value"},
    kNulls,
};
constexpr std::array kEnumValueColumns = {
    Column{enum_value::kEnumeration, "enumeration", Type::kString, "name of the enumeration"},
    Column{enum_value::kNumber, "number", Type::kInt, "value"},
    Column{enum_value::kName, "name", Type::kString, "its name"},
    Column{enum_value::kLabel, "label", Type::kString, "its name for people"},
    kNulls,
};
constexpr std::array kGpuColumns = {
    Column{gpu::kVm, "vm", Type::kUint, "machine"},
    Column{gpu::kNumber, "number", Type::kUint, "number of the GPU"},
    Column{gpu::kLegacyDevice, "legacy_device", Type::kUint, "number, in old recordings"},
    Column{gpu::kName, "name", Type::kString, "product name"},
    Column{gpu::kBusLocation, "bus_location", Type::kString, "PCI location"},
    Column{gpu::kIsDiscrete, "is_discrete", Type::kUint, "1: a card of its own"},
    Column{gpu::kL2Bytes, "l2_bytes", Type::kInt, "size of the L2 cache"},
    Column{gpu::kMemoryBytes, "memory_bytes", Type::kInt, "size of the memory"},
    Column{gpu::kMemoryBandwidth, "memory_bandwidth", Type::kInt, "bytes a second"},
    Column{gpu::kClockRate, "clock_rate", Type::kInt, "Hz"},
    Column{gpu::kMultiprocessors, "multiprocessors", Type::kInt, "streaming multiprocessors"},
    Column{gpu::kPwGpu, "pw_gpu", Type::kUint, "number for counters"},
    Column{gpu::kUuid, "uuid", Type::kString, "unique id"},
    Column{gpu::kLuid, "luid", Type::kInt, "local unique id"},
    Column{gpu::kChip, "chip", Type::kString, "chip"},
    Column{gpu::kCudaDevice, "cuda_device", Type::kInt, "number in CUDA"},
    Column{gpu::kContextSwitchPath, "context_switch_path", Type::kString, "device file"},
    Column{gpu::kControlPath, "control_path", Type::kString, "device file"},
    Column{gpu::kRevision, "revision", Type::kInt, "chip revision"},
    Column{gpu::kNodeMask, "node_mask", Type::kInt, "node"},
    Column{gpu::kConstantBytes, "constant_bytes", Type::kInt, "constant memory"},
    Column{gpu::kMaxIpc, "max_ipc", Type::kInt, "instructions a cycle"},
    Column{gpu::kMaxRegistersPerBlock, "max_registers_per_block", Type::kInt, "limit"},
    Column{gpu::kMaxSharedPerBlock, "max_shared_per_block", Type::kInt, "limit, bytes"},
    Column{gpu::kMaxSharedPerBlockOptin, "max_shared_per_block_optin", Type::kInt,
           "limit when asked for, bytes"},
    Column{gpu::kMaxSharedPerSm, "max_shared_per_sm", Type::kInt, "limit, bytes"},
    Column{gpu::kMaxRegistersPerSm, "max_registers_per_sm", Type::kInt, "limit"},
    Column{gpu::kThreadsPerWarp, "threads_per_warp", Type::kInt, "threads"},
    Column{gpu::kAsyncEngines, "async_engines", Type::kInt, "copy engines"},
    Column{gpu::kMaxWarpsPerSm, "max_warps_per_sm", Type::kInt, "limit"},
    Column{gpu::kMaxBlocksPerSm, "max_blocks_per_sm", Type::kInt, "limit"},
    Column{gpu::kMaxThreadsPerBlock, "max_threads_per_block", Type::kInt, "limit"},
    Column{gpu::kMaxBlockX, "max_block_x", Type::kInt, "limit"},
    Column{gpu::kMaxBlockY, "max_block_y", Type::kInt, "limit"},
    Column{gpu::kMaxBlockZ, "max_block_z", Type::kInt, "limit"},
    Column{gpu::kMaxGridX, "max_grid_x", Type::kInt, "limit"},
    Column{gpu::kMaxGridY, "max_grid_y", Type::kInt, "limit"},
    Column{gpu::kMaxGridZ, "max_grid_z", Type::kInt, "limit"},
    Column{gpu::kComputeMajor, "compute_major", Type::kInt, "compute capability"},
    Column{gpu::kComputeMinor, "compute_minor", Type::kInt, "compute capability"},
    Column{gpu::kSmMajor, "sm_major", Type::kInt, "architecture"},
    Column{gpu::kSmMinor, "sm_minor", Type::kInt, "architecture"},
    Column{gpu::kNumaNode, "numa_node", Type::kInt, "NUMA node"},
    kNulls,
};
constexpr std::array kCudaDeviceColumns = {
    Column{cuda_device::kGpu, "gpu", Type::kUint, "joins with gpu"},
    Column{cuda_device::kDevice, "device", Type::kUint, "CUDA device number"},
    Column{cuda_device::kPid, "pid", Type::kUint, "process"},
    Column{cuda_device::kUuid, "uuid", Type::kString, "unique id"},
    Column{cuda_device::kMultiprocessors, "multiprocessors", Type::kInt,
           "streaming multiprocessors that it may use"},
    kNulls,
};
constexpr std::array kCudaContextColumns = {
    Column{cuda_context::kNullStream, "null_stream", Type::kUint, "its default stream"},
    Column{cuda_context::kHardware, "hardware", Type::kUint, "machine's number"},
    Column{cuda_context::kVm, "vm", Type::kUint, "virtual machine"},
    Column{cuda_context::kPid, "pid", Type::kUint, "process"},
    Column{cuda_context::kDevice, "device", Type::kUint, "CUDA device number"},
    Column{cuda_context::kContext, "context", Type::kUint, "number"},
    Column{cuda_context::kParent, "parent", Type::kUint, "context around a green one"},
    Column{cuda_context::kIsGreen, "is_green", Type::kUint, "1: a green context"},
    Column{cuda_context::kMultiprocessors, "multiprocessors", Type::kInt,
           "streaming multiprocessors that it may use"},
    Column{cuda_context::kTpcs, "tpcs", Type::kInt, "TPCs that it may use"},
    Column{cuda_context::kTpcMask, "tpc_mask", Type::kString, "which"},
    Column{cuda_context::kQueueResource, "queue_resource", Type::kInt, "work queue"},
    Column{cuda_context::kQueueLimit, "queue_limit", Type::kInt, "concurrency limit of work queues"},
    Column{cuda_context::kQueueSharing, "queue_sharing", Type::kEnum, "who shares it"},
    Column{cuda_context::kQueueChannels, "queue_channels", Type::kInt, "channels"},
    Column{cuda_context::kQueueChannelIds, "queue_channel_ids", Type::kString, "which"},
    kNulls,
};
constexpr std::array kCudaStreamColumns = {
    Column{cuda_stream::kStream, "stream", Type::kUint, "number"},
    Column{cuda_stream::kHardware, "hardware", Type::kUint, "machine's number"},
    Column{cuda_stream::kVm, "vm", Type::kUint, "virtual machine"},
    Column{cuda_stream::kPid, "pid", Type::kUint, "process"},
    Column{cuda_stream::kContext, "context", Type::kUint, "context"},
    Column{cuda_stream::kPriority, "priority", Type::kInt, "priority"},
    Column{cuda_stream::kFlag, "flag", Type::kEnum, "1 default, 2 non-blocking, 3 null stream"},
    kNulls,
};
constexpr std::array kCudaNullStreamColumns = {
    Column{cuda_null_stream::kStream, "stream", Type::kUint, "number"},
    Column{cuda_null_stream::kHardware, "hardware", Type::kUint, "machine's number"},
    Column{cuda_null_stream::kVm, "vm", Type::kUint, "virtual machine"},
    Column{cuda_null_stream::kPid, "pid", Type::kUint, "process"},
    Column{cuda_null_stream::kDevice, "device", Type::kUint, "CUDA device number"},
    Column{cuda_null_stream::kContext, "context", Type::kUint, "context"},
    kNulls,
};
constexpr std::array kNvtxResourceNameColumns = {
    Column{nvtx_resource_name::kResource, "resource", Type::kEnum, "0 device, 1 context, 2 stream"},
    Column{nvtx_resource_name::kName, "name", Type::kString, "name"},
    Column{nvtx_resource_name::kHardware, "hardware", Type::kUint, "machine's number"},
    Column{nvtx_resource_name::kVm, "vm", Type::kUint, "virtual machine"},
    Column{nvtx_resource_name::kPid, "pid", Type::kUint, "process"},
    Column{nvtx_resource_name::kDevice, "device", Type::kUint, "CUDA device number"},
    Column{nvtx_resource_name::kContext, "context", Type::kUint, "context"},
    Column{nvtx_resource_name::kStream, "stream", Type::kUint, "stream"},
    kNulls,
};
constexpr std::array kProcessOutputColumns = {
    Column{process_output::kProcess, "process", Type::kUint, "process number"},
    Column{process_output::kFile, "file", Type::kString, "where it was caught"},
    Column{process_output::kContent, "content", Type::kString, "what was written"},
    kNulls,
};
constexpr std::array kAttachedFileColumns = {
    Column{attached_file::kFile, "file", Type::kUint, "number"},
    Column{attached_file::kName, "name", Type::kString, "path"},
    Column{attached_file::kContent, "content", Type::kString, "what is in it"},
    Column{attached_file::kLegacyContent, "legacy_content", Type::kString, "the same, in old recordings"},
    Column{attached_file::kProcess, "process", Type::kUint, "process number"},
    kNulls,
};
constexpr std::array kThreadNameColumns = {
    Column{thread_name::kProcess, "process", Type::kUint, "process number"},
    Column{thread_name::kTid, "tid", Type::kUint, "thread"},
    Column{thread_name::kName, "name", Type::kString, "name"},
    Column{thread_name::kPriority, "priority", Type::kInt, "which of several names counts: the highest"},
    kNulls,
};
constexpr std::array kListedProcessColumns = {
    Column{listed_process::kProcess, "process", Type::kUint, "process number"},
    Column{listed_process::kPid, "pid", Type::kUint, "system's process id"},
    Column{listed_process::kName, "name", Type::kString, "name"},
    kNulls,
};
constexpr std::array kNetworkCardColumns = {
    Column{network_card::kGuid, "guid", Type::kInt, "unique id"},
    Column{network_card::kLegacyDevice, "legacy_device", Type::kInt, "number, in old recordings"},
    Column{network_card::kState, "state", Type::kString, "where it was asked"},
    Column{network_card::kNic, "nic", Type::kUint, "number"},
    Column{network_card::kName, "name", Type::kString, "name"},
    Column{network_card::kDevice, "device", Type::kEnum, "PCI device"},
    Column{network_card::kVendor, "vendor", Type::kEnum, "PCI vendor"},
    Column{network_card::kLinkLayer, "link_layer", Type::kEnum, "Ethernet or InfiniBand"},
    kNulls,
};
constexpr std::array kNetworkCardIdColumns = {
    Column{network_card_id::kNic, "nic", Type::kUint, "number"},
    Column{network_card_id::kDevice, "device", Type::kInt, "joins with network_sample"},
    kNulls,
};
constexpr std::array kNetworkMetricColumns = {
    Column{network_metric::kList, "list", Type::kUint, "list"},
    Column{network_metric::kIndex, "index", Type::kUint, "position in it"},
    Column{network_metric::kName, "name", Type::kString, "name"},
    Column{network_metric::kDescription, "description", Type::kString, "what it counts"},
    Column{network_metric::kUnit, "unit", Type::kString, "unit"},
    kNulls,
};
constexpr std::array kProcessApiColumns = {
    Column{process_api::kProcessKey, "process_key", Type::kUint, "process, as the source packs it"},
    Column{process_api::kOpenglVersion, "opengl_version", Type::kString, "version of OpenGL"},
    Column{process_api::kCorrelation, "correlation", Type::kUint, "number of the event"},
    Column{process_api::kName, "name", Type::kString, "name"},
    kNulls,
};
constexpr std::array kImportedProcessColumns = {
    Column{imported_process::kProcess, "process", Type::kUint, "process number"},
    Column{imported_process::kGlobalId, "global_id", Type::kUint,
           "the source's number: 8 bits hardware, 8 bits virtual machine, 24 bits pid, 24 bits 0"},
};
constexpr std::array kImportedStringColumns = {
    Column{imported_string::kNumber, "number", Type::kInt, "the source's number of the string"},
    Column{imported_string::kString, "string", Type::kString, "the string"},
};
constexpr std::array kImportedTableColumns = {
    Column{imported_table::kName, "name", Type::kString, "name in the source"},
    Column{imported_table::kTable, "table", Type::kUint,
           "number of the table of this file that has its rows; 0: none"},
    Column{imported_table::kRows, "rows", Type::kUint, "how many rows it gave to that table"},
};
constexpr std::array kImportedColumnColumns = {
    Column{imported_column::kTable, "table", Type::kString, "name of the table in the source"},
    Column{imported_column::kName, "name", Type::kString, "name in the source"},
    Column{imported_column::kType, "type", Type::kString, "type as the source declares it"},
    Column{imported_column::kIsRowNumber, "is_row_number", Type::kUint,
           "1: another name of the row's number (INTEGER PRIMARY KEY)"},
};

constexpr std::array kTables = {
    Table{kSystemProperty, "system_property", 0, kSystemPropertyColumns, "properties of the machine"},
    Table{kSessionStart, "session_start", 0, kSessionStartColumns, "when the session began"},
    Table{kSessionSpan, "session_span", 0, kSessionSpanColumns,
          "how long recording went on, in wall-clock time of the recorder"},
    Table{kMetadata, "metadata", 0, kMetadataColumns,
          "key and value pairs of the recording and of its export"},
    Table{kEnumValue, "enum_value", 0, kEnumValueColumns,
          "names of enumerated values, as the source has them"},
    Table{kGpu, "gpu", 0, kGpuColumns, "GPUs of the machine"},
    Table{kCudaDevice, "cuda_device", 0, kCudaDeviceColumns, "devices as processes number them"},
    Table{kCudaContext, "cuda_context", 0, kCudaContextColumns, "CUDA contexts"},
    Table{kCudaStream, "cuda_stream", 0, kCudaStreamColumns, "CUDA streams"},
    Table{kCudaNullStream, "cuda_null_stream", 0, kCudaNullStreamColumns,
          "default streams of contexts, in old recordings"},
    Table{kNvtxResourceName, "nvtx_resource_name", 0, kNvtxResourceNameColumns,
          "names given to devices, contexts and streams"},
    Table{kProcessOutput, "process_output", 0, kProcessOutputColumns,
          "what processes wrote to their standard streams"},
    Table{kAttachedFile, "attached_file", 0, kAttachedFileColumns, "files kept with the recording"},
    Table{kThreadName, "thread_name", 0, kThreadNameColumns, "names of threads, all of them"},
    Table{kListedProcess, "listed_process", 0, kListedProcessColumns, "processes as the source lists them"},
    Table{kNetworkCard, "network_card", 0, kNetworkCardColumns, "network cards"},
    Table{kNetworkCardId, "network_card_id", 0, kNetworkCardIdColumns, "which counters belong to which card"},
    Table{kNetworkMetric, "network_metric", 0, kNetworkMetricColumns, "counters of network devices"},
    Table{kProcessApi, "process_api", 0, kProcessApiColumns,
          "properties that other interfaces told of a process"},
    Table{kImportedProcess, "imported_process", 1, kImportedProcessColumns,
          "process numbers of an imported recording; `process` has those of them that had events"},
    Table{kImportedString, "imported_string", 1, kImportedStringColumns,
          "string numbers of an imported recording, where tables were kept as they are that may name them"},
    Table{kImportedTable, "imported_table", 0, kImportedTableColumns,
          "tables of the source of an imported recording, in the order in which they were read"},
    Table{kImportedColumn, "imported_column", 0, kImportedColumnColumns,
          "columns of these tables, in their order"},
};

}  // namespace

std::span<const Table> target_tables() {
  return kTables;
}

}  // namespace sextant::event
