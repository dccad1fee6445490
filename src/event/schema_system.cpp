// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_system.h"

#include <array>

#include "event/schema_parts.h"

namespace sextant::event {

namespace {

constexpr std::array kOsrtCallColumns = {
    Column{osrt_call::kStart, "start", Type::kTime, "when the call began"},
    Column{osrt_call::kDuration, "duration", Type::kDuration,
           "how long it took; of one that never returned until its thread, process or the recording ended, "
           "and null"},
    Column{osrt_call::kClass, "class", Type::kEnum, "class of the event"},
    Column{osrt_call::kProcess, "process", Type::kUint, "process number"},
    Column{osrt_call::kTid, "tid", Type::kUint, "calling thread"},
    Column{osrt_call::kName, "name", Type::kString, "function"},
    Column{osrt_call::kReturnValue, "return_value", Type::kInt, "what it returned"},
    Column{osrt_call::kNesting, "nesting", Type::kUint, "traced calls around this one"},
    Column{osrt_call::kCallChain, "call_chain", Type::kUint, "joins with call_frame of source 1"},
    Column{osrt_call::kArguments, "arguments", Type::kUint, "joins with osrt_argument"},
    Column{osrt_call::kErrno, "errno", Type::kUint, "the error where it failed"},
    Column{osrt_call::kObject, "object", Type::kUint, "what it was about, as object_kind says"},
    Column{osrt_call::kObjectKind, "object_kind", Type::kEnum,
           "0 none, 1 descriptor, 2 address, 3 pid, 4 thread, 5 signal"},
    Column{osrt_call::kFile, "file", Type::kUint, "joins with osrt_file"},
    Column{osrt_call::kFamily, "family", Type::kEnum,
           "1 file, 2 stream, 3 socket, 4 poll, 5 sleep, 6 lock, 7 wait, 8 thread, 9 process, 10 memory, "
           "11 between processes, 12 loader"},
    Column{osrt_call::kFlags, "flags", Type::kUint,
           "1: its time is waiting for others, 2: it failed, 4: it never returned"},
    Column{osrt_call::kText, "text", Type::kString, "the path it was given"},
    Column{osrt_call::kDetail, "detail", Type::kUint, "another argument, as detail_kind says"},
    Column{osrt_call::kDetailKind, "detail_kind", Type::kEnum,
           "0 none, 1 bytes asked for, 2 limit in nanoseconds (2^64-1: none), 3 flags of open, 4 address "
           "family << 16 | port, "
           "5 signal, 6 command of fcntl, 7 request of ioctl"},
    kNulls,
};
constexpr std::array kOsrtArgumentColumns = {
    Column{osrt_argument::kArguments, "arguments", Type::kUint, "joins with osrt_call"},
    Column{osrt_argument::kValue, "value", Type::kInt, "the value"},
    Column{osrt_argument::kIndex, "index", Type::kUint, "position"},
    kNulls,
};
constexpr std::array kOsrtFileAccessColumns = {
    Column{osrt_file_access::kStart, "start", Type::kTime, "when it began"},
    Column{osrt_file_access::kDuration, "duration", Type::kDuration, "how long it took"},
    Column{osrt_file_access::kFile, "file", Type::kUint, "joins with osrt_file"},
    Column{osrt_file_access::kTid, "tid", Type::kUint, "thread's system id"},
    Column{osrt_file_access::kType, "type", Type::kEnum, "1 open, 2 close, 3 read, 4 write, 6 metadata"},
    Column{osrt_file_access::kCall, "call", Type::kUint, "number of the call"},
    Column{osrt_file_access::kBytes, "bytes", Type::kUint, "bytes moved"},
    Column{osrt_file_access::kContext, "context", Type::kString, "more about it"},
    Column{osrt_file_access::kProcess, "process", Type::kUint, "process number"},
    Column{osrt_file_access::kErrno, "errno", Type::kUint, "the error where it failed"},
    kNulls,
};
constexpr std::array kOsrtFileColumns = {
    Column{osrt_file::kOpened, "opened", Type::kTime, "when"},
    Column{osrt_file::kClosed, "closed", Type::kTime, "when"},
    Column{osrt_file::kFile, "file", Type::kUint, "joins with osrt_file_access"},
    Column{osrt_file::kPid, "pid", Type::kUint, "pid of the process"},
    Column{osrt_file::kPath, "path", Type::kString, "path"},
    Column{osrt_file::kProcess, "process", Type::kUint, "process number"},
    Column{osrt_file::kDescriptor, "descriptor", Type::kUint, "descriptor that it got"},
    kNulls,
};
constexpr std::array kSyscallColumns = {
    Column{syscall::kStart, "start", Type::kTime, "when the call began"},
    Column{syscall::kDuration, "duration", Type::kDuration, "how long it took"},
    Column{syscall::kClass, "class", Type::kEnum, "class of the event"},
    Column{syscall::kProcess, "process", Type::kUint, "process number"},
    Column{syscall::kTid, "tid", Type::kUint, "calling thread"},
    Column{syscall::kName, "name", Type::kString, "system call"},
    Column{syscall::kCallChain, "call_chain", Type::kUint, "joins with call_frame of source 3"},
    kNulls,
};
constexpr std::array kCallFrameColumns = {
    Column{call_frame::kSource, "source", Type::kEnum,
           "whose chains: 0 cpu_sample, 1 osrt_call, 2 cuda_api, 3 syscall"},
    Column{call_frame::kChain, "chain", Type::kUint, "number of the chain"},
    Column{call_frame::kSymbol, "symbol", Type::kString, "function"},
    Column{call_frame::kModule, "module", Type::kString, "file"},
    Column{call_frame::kKernelMode, "kernel_mode", Type::kUint, "1: in the kernel"},
    Column{call_frame::kThumb, "thumb", Type::kUint, "1: ARM Thumb code"},
    Column{call_frame::kUnresolved, "unresolved", Type::kUint, "1: no symbol was found"},
    Column{call_frame::kSpecial, "special", Type::kUint, "1: a mark within the chain, not a frame"},
    Column{call_frame::kAddress, "address", Type::kUint, "address"},
    Column{call_frame::kUnwindMethod, "unwind_method", Type::kEnum, "how it was found"},
    Column{call_frame::kDepth, "depth", Type::kUint, "0: innermost"},
    kNulls,
};
constexpr std::array kCpuSampleColumns = {
    Column{cpu_sample::kSample, "sample", Type::kUint, "joins with call_frame of source 0"},
    Column{cpu_sample::kTime, "time", Type::kTime, "when"},
    Column{cpu_sample::kCpu, "cpu", Type::kUint, "logical CPU"},
    Column{cpu_sample::kThreadState, "thread_state", Type::kEnum, "state of the thread"},
    Column{cpu_sample::kProcess, "process", Type::kUint, "process number"},
    Column{cpu_sample::kTid, "tid", Type::kUint, "thread"},
    Column{cpu_sample::kCycles, "cycles", Type::kUint, "weight; 0: taken at a context switch"},
    kNulls,
};
constexpr std::array kSchedEventColumns = {
    Column{sched_event::kTime, "time", Type::kTime, "when"},
    Column{sched_event::kCpu, "cpu", Type::kUint, "logical CPU"},
    Column{sched_event::kIsIn, "is_in", Type::kUint, "1: put on, 0: taken off"},
    Column{sched_event::kProcess, "process", Type::kUint, "process number"},
    Column{sched_event::kTid, "tid", Type::kUint, "thread"},
    Column{sched_event::kThreadState, "thread_state", Type::kEnum, "state that it went to"},
    Column{sched_event::kThreadBlock, "thread_block", Type::kEnum, "what it waits for"},
    kNulls,
};
constexpr std::array kMetricSampleColumns = {
    Column{metric_sample::kTime, "time", Type::kTime, "when"},
    Column{metric_sample::kRawTime, "raw_time", Type::kInt, "time stamp of the device"},
    Column{metric_sample::kUnit, "unit", Type::kEnum, "0 GPU, 1 SoC"},
    Column{metric_sample::kType, "type", Type::kUint, "device; the lowest byte is the GPU's number"},
    Column{metric_sample::kMetric, "metric", Type::kUint, "joins with metric"},
    Column{metric_sample::kValue, "value", Type::kInt, "value"},
    kNulls,
};
constexpr std::array kMetricColumns = {
    Column{metric::kUnit, "unit", Type::kEnum, "0 GPU, 1 SoC"},
    Column{metric::kType, "type", Type::kUint, "device"},
    Column{metric::kSource, "source", Type::kUint, "who measures"},
    Column{metric::kTypeName, "type_name", Type::kString, "device's name"},
    Column{metric::kMetric, "metric", Type::kUint, "number"},
    Column{metric::kName, "name", Type::kString, "name"},
    kNulls,
};
constexpr std::array kGpuContextSwitchColumns = {
    Column{gpu_context_switch::kTime, "time", Type::kTime, "when"},
    Column{gpu_context_switch::kTag, "tag", Type::kEnum, "what happened"},
    Column{gpu_context_switch::kVm, "vm", Type::kUint, "virtual machine"},
    Column{gpu_context_switch::kSequence, "sequence", Type::kUint, "number of the event"},
    Column{gpu_context_switch::kContext, "context", Type::kUint, "context of the device"},
    Column{gpu_context_switch::kProcess, "process", Type::kUint, "process number"},
    Column{gpu_context_switch::kGpu, "gpu", Type::kUint, "GPU number"},
    kNulls,
};
constexpr std::array kNetworkSampleColumns = {
    Column{network_sample::kStart, "start", Type::kTime, "when the interval began"},
    Column{network_sample::kDuration, "duration", Type::kDuration, "its length"},
    Column{network_sample::kDeviceKind, "device_kind", Type::kEnum, "0 network card, 1 switch"},
    Column{network_sample::kDevice, "device", Type::kInt, "the device"},
    Column{network_sample::kPort, "port", Type::kUint, "port"},
    Column{network_sample::kMetricList, "metric_list", Type::kUint, "joins with network_metric"},
    Column{network_sample::kMetric, "metric", Type::kUint, "joins with network_metric"},
    Column{network_sample::kValue, "value", Type::kInt, "value"},
    kNulls,
};
constexpr std::array kNetworkCongestionColumns = {
    Column{network_congestion::kTime, "time", Type::kTime, "when"},
    Column{network_congestion::kDevice, "device", Type::kInt, "the switch"},
    Column{network_congestion::kType, "type", Type::kEnum, "kind"},
    Column{network_congestion::kSourceLid, "source_lid", Type::kUint, "sender's local id"},
    Column{network_congestion::kTargetLid, "target_lid", Type::kUint, "receiver's local id"},
    Column{network_congestion::kServiceLevel, "service_level", Type::kUint, "service level"},
    Column{network_congestion::kOpcode, "opcode", Type::kUint, "operation"},
    Column{network_congestion::kSourceQueuePair, "source_queue_pair", Type::kUint, "sender's queue pair"},
    Column{network_congestion::kTargetQueuePair, "target_queue_pair", Type::kUint, "receiver's queue pair"},
    Column{network_congestion::kIngressPort, "ingress_port", Type::kUint, "port in"},
    Column{network_congestion::kEgressPort, "egress_port", Type::kUint, "port out"},
    kNulls,
};
constexpr std::array kToolMessageColumns = {
    Column{tool_message::kTime, "time", Type::kTime, "when"},
    Column{tool_message::kTimeSource, "time_source", Type::kEnum, "which clock"},
    Column{tool_message::kSource, "source", Type::kEnum, "which part of the tool"},
    Column{tool_message::kSeverity, "severity", Type::kEnum, "how bad"},
    Column{tool_message::kText, "text", Type::kString, "the message"},
    Column{tool_message::kProcess, "process", Type::kUint, "process number"},
    kNulls,
};
constexpr std::array kToolOverheadColumns = {
    Column{tool_overhead::kStart, "start", Type::kTime, "when it began"},
    Column{tool_overhead::kDuration, "duration", Type::kDuration, "how long it took"},
    Column{tool_overhead::kProcess, "process", Type::kUint, "process number"},
    Column{tool_overhead::kTid, "tid", Type::kUint, "thread"},
    Column{tool_overhead::kCorrelation, "correlation", Type::kUint, "number of the event"},
    Column{tool_overhead::kName, "name", Type::kString, "what was done"},
    Column{tool_overhead::kReturnValue, "return_value", Type::kInt, "result code"},
    Column{tool_overhead::kType, "type", Type::kEnum, "kind of overhead"},
    kNulls,
};
constexpr std::array kPerfCounterSampleColumns = {
    Column{perf_counter_sample::kStart, "start", Type::kTime, "when the interval began"},
    Column{perf_counter_sample::kDuration, "duration", Type::kDuration, "its length"},
    Column{perf_counter_sample::kUnit, "unit", Type::kEnum, "0 raw event, 1 derived metric"},
    Column{perf_counter_sample::kVm, "vm", Type::kUint, "virtual machine"},
    Column{perf_counter_sample::kComponent, "component", Type::kUint, "part of the machine"},
    Column{perf_counter_sample::kEvent, "event", Type::kUint, "number of the raw event"},
    Column{perf_counter_sample::kMetric, "metric", Type::kUint, "number of the metric"},
    Column{perf_counter_sample::kCount, "count", Type::kInt, "value of a raw event"},
    Column{perf_counter_sample::kValue, "value", Type::kReal, "value of a metric"},
    kNulls,
};

constexpr std::array kTables = {
    Table{kOsrtCall, "osrt_call", 0, kOsrtCallColumns, "calls into the operating system's runtime"},
    Table{kOsrtArgument, "osrt_argument", 0, kOsrtArgumentColumns, "arguments of runtime calls"},
    Table{kOsrtFileAccess, "osrt_file_access", 0, kOsrtFileAccessColumns, "reads and writes"},
    Table{kOsrtFile, "osrt_file", 0, kOsrtFileColumns, "files opened"},
    Table{kSyscall, "syscall", 0, kSyscallColumns, "system calls"},
    Table{kCallFrame, "call_frame", 0, kCallFrameColumns,
          "frames of call chains, in the order of the source"},
    Table{kCpuSample, "cpu_sample", 0, kCpuSampleColumns, "samples of threads"},
    Table{kSchedEvent, "sched_event", 0, kSchedEventColumns, "threads put on a CPU and taken off"},
    Table{kMetricSample, "metric_sample", 0, kMetricSampleColumns, "values of GPU and SoC metrics"},
    Table{kMetric, "metric", 0, kMetricColumns, "metrics of GPUs and SoCs"},
    Table{kGpuContextSwitch, "gpu_context_switch", 0, kGpuContextSwitchColumns,
          "switches of a GPU between contexts"},
    Table{kNetworkSample, "network_sample", 0, kNetworkSampleColumns,
          "counters of network devices and switches"},
    Table{kNetworkCongestion, "network_congestion", 0, kNetworkCongestionColumns,
          "congestion told by switches"},
    Table{kToolMessage, "tool_message", 0, kToolMessageColumns, "messages of the tool that recorded"},
    Table{kToolOverhead, "tool_overhead", 0, kToolOverheadColumns,
          "what recording cost, as the tool that recorded tells it"},
    Table{kPerfCounterSample, "perf_counter_sample", 0, kPerfCounterSampleColumns,
          "hardware counters of CPUs and SoCs"},
};

}  // namespace

std::span<const Table> system_tables() {
  return kTables;
}

}  // namespace sextant::event
