// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_system.h"
#include "nsys/tables.h"

namespace sextant::nsys {

namespace {

using event::TableId;

constexpr Source kOsrtCallSources[] = {
    {"OSRT_API", 0, ""},
};
constexpr Column kOsrtCallColumns[] = {
    {event::osrt_call::kStart, From::kTime, "start"},
    {event::osrt_call::kDuration, From::kEnd, "end"},
    {event::osrt_call::kClass, From::kInteger, "eventClass"},
    {event::osrt_call::kProcess, From::kProcessOfThread, "globalTid"},
    {event::osrt_call::kTid, From::kTid, "globalTid"},
    {event::osrt_call::kName, From::kStringId, "nameId"},
    {event::osrt_call::kReturnValue, From::kInteger, "returnValue"},
    {event::osrt_call::kNesting, From::kInteger, "nestingLevel"},
    {event::osrt_call::kCallChain, From::kInteger, "callchainId"},
    {event::osrt_call::kArguments, From::kInteger, "argumentsId"},
};

constexpr Source kOsrtArgumentSources[] = {
    {"OSRT_ARGUMENTS", 0, ""},
};
constexpr Column kOsrtArgumentColumns[] = {
    {event::osrt_argument::kArguments, From::kInteger, "id"},
    {event::osrt_argument::kValue, From::kInteger, "value"},
    {event::osrt_argument::kIndex, From::kInteger, "argumentIndex"},
};

constexpr Source kOsrtFileAccessSources[] = {
    {"OSRT_FILE_ACCESS_EVENTS", 0, ""},
};
constexpr Column kOsrtFileAccessColumns[] = {
    {event::osrt_file_access::kStart, From::kTime, "startedAt"},
    {event::osrt_file_access::kDuration, From::kEnd, "endedAt"},
    {event::osrt_file_access::kFile, From::kInteger, "fileAccessId"},
    {event::osrt_file_access::kTid, From::kInteger, "threadId"},
    {event::osrt_file_access::kType, From::kInteger, "eventType"},
    {event::osrt_file_access::kCall, From::kInteger, "apiCallId"},
    {event::osrt_file_access::kBytes, From::kInteger, "bytesProcessed"},
    {event::osrt_file_access::kContext, From::kText, "context"},
};

constexpr Source kOsrtFileSources[] = {
    {"OSRT_FILE_ACCESS_DESCRIPTORS", 0, ""},
};
constexpr Column kOsrtFileColumns[] = {
    {event::osrt_file::kOpened, From::kTime, "openedAt"},
    {event::osrt_file::kClosed, From::kTime, "closedAt"},
    {event::osrt_file::kFile, From::kInteger, "fileAccessId"},
    {event::osrt_file::kPid, From::kInteger, "processId"},
    {event::osrt_file::kPath, From::kText, "filePath"},
};

constexpr Source kSyscallSources[] = {
    {"SYSCALL", 0, ""},
};
constexpr Column kSyscallColumns[] = {
    {event::syscall::kStart, From::kTime, "start"},
    {event::syscall::kDuration, From::kEnd, "end"},
    {event::syscall::kClass, From::kInteger, "eventClass"},
    {event::syscall::kProcess, From::kProcessOfThread, "globalTid"},
    {event::syscall::kTid, From::kTid, "globalTid"},
    {event::syscall::kName, From::kStringId, "nameId"},
    {event::syscall::kCallChain, From::kInteger, "callchainId"},
};

constexpr Source kCallFrameSources[] = {
    {"SAMPLING_CALLCHAINS", 0, ""},
    {"OSRT_CALLCHAINS", 1, ""},
    {"CUDA_CALLCHAINS", 2, ""},
    {"SYSCALL_CALLCHAINS", 3, ""},
};
constexpr Column kCallFrameColumns[] = {
    {event::call_frame::kSource, From::kConstant, ""},
    {event::call_frame::kChain, From::kInteger, "id"},
    {event::call_frame::kSymbol, From::kStringId, "symbol"},
    {event::call_frame::kModule, From::kStringId, "module"},
    {event::call_frame::kKernelMode, From::kInteger, "kernelMode"},
    {event::call_frame::kThumb, From::kInteger, "thumbCode"},
    {event::call_frame::kUnresolved, From::kInteger, "unresolved"},
    {event::call_frame::kSpecial, From::kInteger, "specialEntry"},
    {event::call_frame::kAddress, From::kInteger, "originalIP"},
    {event::call_frame::kUnwindMethod, From::kInteger, "unwindMethod"},
    {event::call_frame::kDepth, From::kInteger, "stackDepth"},
};

constexpr Source kCpuSampleSources[] = {
    {"COMPOSITE_EVENTS", 0, ""},
};
constexpr Column kCpuSampleColumns[] = {
    {event::cpu_sample::kSample, From::kInteger, "id"},
    {event::cpu_sample::kTime, From::kTime, "start"},
    {event::cpu_sample::kCpu, From::kInteger, "cpu"},
    {event::cpu_sample::kThreadState, From::kInteger, "threadState"},
    {event::cpu_sample::kProcess, From::kProcessOfThread, "globalTid"},
    {event::cpu_sample::kTid, From::kTid, "globalTid"},
    {event::cpu_sample::kCycles, From::kInteger, "cpuCycles"},
};

constexpr Source kSchedEventSources[] = {
    {"SCHED_EVENTS", 0, ""},
};
constexpr Column kSchedEventColumns[] = {
    {event::sched_event::kTime, From::kTime, "start"},
    {event::sched_event::kCpu, From::kInteger, "cpu"},
    {event::sched_event::kIsIn, From::kInteger, "isSchedIn"},
    {event::sched_event::kProcess, From::kProcessOfThread, "globalTid"},
    {event::sched_event::kTid, From::kTid, "globalTid"},
    {event::sched_event::kThreadState, From::kInteger, "threadState"},
    {event::sched_event::kThreadBlock, From::kInteger, "threadBlock"},
};

constexpr Source kMetricSampleSources[] = {
    {"GPU_METRICS", 0, ""},
    {"SOC_METRICS", 1, ""},
};
constexpr Column kMetricSampleColumns[] = {
    {event::metric_sample::kTime, From::kTime, "timestamp"},
    {event::metric_sample::kRawTime, From::kInteger, "rawTimestamp"},
    {event::metric_sample::kUnit, From::kConstant, ""},
    {event::metric_sample::kType, From::kInteger, "typeId"},
    {event::metric_sample::kMetric, From::kInteger, "metricId"},
    {event::metric_sample::kValue, From::kInteger, "value"},
};

constexpr Source kMetricSources[] = {
    {"TARGET_INFO_GPU_METRICS", 0, ""},
    {"TARGET_INFO_SOC_METRICS", 1, ""},
};
constexpr Column kMetricColumns[] = {
    {event::metric::kUnit, From::kConstant, ""},          {event::metric::kType, From::kInteger, "typeId"},
    {event::metric::kSource, From::kInteger, "sourceId"}, {event::metric::kTypeName, From::kText, "typeName"},
    {event::metric::kMetric, From::kInteger, "metricId"}, {event::metric::kName, From::kText, "metricName"},
};

constexpr Source kGpuContextSwitchSources[] = {
    {"GPU_CONTEXT_SWITCH_EVENTS", 0, ""},
    {"FECS_EVENTS", 0, ""},
};
constexpr Column kGpuContextSwitchColumns[] = {
    {event::gpu_context_switch::kTime, From::kTime, "timestamp"},
    {event::gpu_context_switch::kTag, From::kInteger, "tag"},
    {event::gpu_context_switch::kVm, From::kInteger, "vmId"},
    {event::gpu_context_switch::kSequence, From::kInteger, "seqNo"},
    {event::gpu_context_switch::kContext, From::kInteger, "contextId"},
    {event::gpu_context_switch::kProcess, From::kProcess, "globalPid"},
    {event::gpu_context_switch::kGpu, From::kInteger, "gpuId"},
};

constexpr Source kNetworkSampleSources[] = {
    {"NET_NIC_METRIC", 0, ""},
    {"NET_IB_SWITCH_METRIC", 1, ""},
};
constexpr Column kNetworkSampleColumns[] = {
    {event::network_sample::kStart, From::kTime, "start"},
    {event::network_sample::kDuration, From::kEnd, "end"},
    {event::network_sample::kDeviceKind, From::kConstant, ""},
    {event::network_sample::kDevice, From::kInteger, "globalId"},
    {event::network_sample::kPort, From::kInteger, "portId"},
    {event::network_sample::kMetricList, From::kInteger, "metricsListId"},
    {event::network_sample::kMetric, From::kInteger, "metricsIdx"},
    {event::network_sample::kValue, From::kInteger, "value"},
};

constexpr Source kNetworkCongestionSources[] = {
    {"NET_IB_SWITCH_CONGESTION_EVENT", 0, ""},
};
constexpr Column kNetworkCongestionColumns[] = {
    {event::network_congestion::kTime, From::kTime, "start"},
    {event::network_congestion::kDevice, From::kInteger, "globalId"},
    {event::network_congestion::kType, From::kInteger, "congestionType"},
    {event::network_congestion::kSourceLid, From::kInteger, "packetSLID"},
    {event::network_congestion::kTargetLid, From::kInteger, "packetDLID"},
    {event::network_congestion::kServiceLevel, From::kInteger, "packetSL"},
    {event::network_congestion::kOpcode, From::kInteger, "packetOpCode"},
    {event::network_congestion::kSourceQueuePair, From::kInteger, "packetSourceQP"},
    {event::network_congestion::kTargetQueuePair, From::kInteger, "packetDestinationQP"},
    {event::network_congestion::kIngressPort, From::kInteger, "switchIngressPort"},
    {event::network_congestion::kEgressPort, From::kInteger, "switchEgressPort"},
};

constexpr Source kToolMessageSources[] = {
    {"DIAGNOSTIC_EVENT", 0, ""},
};
constexpr Column kToolMessageColumns[] = {
    {event::tool_message::kTime, From::kTime, "timestamp"},
    {event::tool_message::kTimeSource, From::kInteger, "timestampType"},
    {event::tool_message::kSource, From::kInteger, "source"},
    {event::tool_message::kSeverity, From::kInteger, "severity"},
    {event::tool_message::kText, From::kText, "text"},
    {event::tool_message::kProcess, From::kProcess, "globalPid"},
};

constexpr Source kToolOverheadSources[] = {
    {"PROFILER_OVERHEAD", 0, ""},
};
constexpr Column kToolOverheadColumns[] = {
    {event::tool_overhead::kStart, From::kTime, "start"},
    {event::tool_overhead::kDuration, From::kEnd, "end"},
    {event::tool_overhead::kProcess, From::kProcessOfThread, "globalTid"},
    {event::tool_overhead::kTid, From::kTid, "globalTid"},
    {event::tool_overhead::kCorrelation, From::kInteger, "correlationId"},
    {event::tool_overhead::kName, From::kStringId, "nameId"},
    {event::tool_overhead::kReturnValue, From::kInteger, "returnValue"},
    {event::tool_overhead::kType, From::kInteger, "overheadType"},
};

constexpr Source kPerfCounterSampleSources[] = {
    {"PERF_EVENT_CPU_RAW_EVENT", 0, ""},
    {"PERF_EVENT_SOC_OR_CPU_RAW_EVENT", 0, ""},
    {"PERF_EVENT_SOC_OR_CPU_METRIC_EVENT", 1, ""},
};
constexpr Column kPerfCounterSampleColumns[] = {
    {event::perf_counter_sample::kStart, From::kTime, "start"},
    {event::perf_counter_sample::kDuration, From::kEnd, "end"},
    {event::perf_counter_sample::kUnit, From::kConstant, ""},
    {event::perf_counter_sample::kVm, From::kInteger, "vmId"},
    {event::perf_counter_sample::kComponent, From::kInteger, "componentId"},
    {event::perf_counter_sample::kEvent, From::kInteger, "eventId"},
    {event::perf_counter_sample::kMetric, From::kInteger, "metricId"},
    {event::perf_counter_sample::kCount, From::kInteger, "count"},
    {event::perf_counter_sample::kValue, From::kReal, "value"},
};

constexpr Table kTables[] = {
    {TableId::kOsrtCall, kOsrtCallSources, kOsrtCallColumns},
    {TableId::kOsrtArgument, kOsrtArgumentSources, kOsrtArgumentColumns},
    {TableId::kOsrtFileAccess, kOsrtFileAccessSources, kOsrtFileAccessColumns},
    {TableId::kOsrtFile, kOsrtFileSources, kOsrtFileColumns},
    {TableId::kSyscall, kSyscallSources, kSyscallColumns},
    {TableId::kCallFrame, kCallFrameSources, kCallFrameColumns},
    {TableId::kCpuSample, kCpuSampleSources, kCpuSampleColumns},
    {TableId::kSchedEvent, kSchedEventSources, kSchedEventColumns},
    {TableId::kMetricSample, kMetricSampleSources, kMetricSampleColumns},
    {TableId::kMetric, kMetricSources, kMetricColumns},
    {TableId::kGpuContextSwitch, kGpuContextSwitchSources, kGpuContextSwitchColumns},
    {TableId::kNetworkSample, kNetworkSampleSources, kNetworkSampleColumns},
    {TableId::kNetworkCongestion, kNetworkCongestionSources, kNetworkCongestionColumns},
    {TableId::kToolMessage, kToolMessageSources, kToolMessageColumns},
    {TableId::kToolOverhead, kToolOverheadSources, kToolOverheadColumns},
    {TableId::kPerfCounterSample, kPerfCounterSampleSources, kPerfCounterSampleColumns},
};

}  // namespace

std::span<const Table> system_tables() {
  return kTables;
}

}  // namespace sextant::nsys
