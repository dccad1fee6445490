// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Column numbers of the tables about: The operating system's side: runtime calls, system calls, samples,
// scheduling, counters of GPUs, network devices. Numbers are never given to something else; new ones go to
// the end. Number 63 is `nulls` (schema.h) in every table.
#pragma once

#include "event/schema.h"

namespace sextant::event {

namespace osrt_call {
enum Col : uint16_t {
  kStart,
  kDuration,
  kClass,
  kProcess,
  kTid,
  kName,
  kReturnValue,
  kNesting,
  kCallChain,
  kArguments,
  kErrno,
  kObject,
  kObjectKind,
  kFile,
  kFamily,
  kFlags,
  kText,
  kDetail,
  kDetailKind,
  kNulls = kNullsColumn
};
enum Flag : uint64_t { kWaits = 1, kFailed = 2, kUnfinished = 4 };
}  // namespace osrt_call
namespace osrt_argument {
enum Col : uint16_t { kArguments, kValue, kIndex, kNulls = kNullsColumn };
}
namespace osrt_file_access {
enum Col : uint16_t {
  kStart,
  kDuration,
  kFile,
  kTid,
  kType,
  kCall,
  kBytes,
  kContext,
  kProcess,
  kErrno,
  kNulls = kNullsColumn
};
}
namespace osrt_file {
enum Col : uint16_t { kOpened, kClosed, kFile, kPid, kPath, kProcess, kDescriptor, kNulls = kNullsColumn };
}
namespace syscall {
enum Col : uint16_t { kStart, kDuration, kClass, kProcess, kTid, kName, kCallChain, kNulls = kNullsColumn };
}
namespace call_frame {
enum Col : uint16_t {
  kSource,
  kChain,
  kSymbol,
  kModule,
  kKernelMode,
  kThumb,
  kUnresolved,
  kSpecial,
  kAddress,
  kUnwindMethod,
  kDepth,
  kNulls = kNullsColumn
};
}
namespace cpu_sample {
enum Col : uint16_t { kSample, kTime, kCpu, kThreadState, kProcess, kTid, kCycles, kNulls = kNullsColumn };
}
namespace sched_event {
enum Col : uint16_t { kTime, kCpu, kIsIn, kProcess, kTid, kThreadState, kThreadBlock, kNulls = kNullsColumn };
}
namespace metric_sample {
enum Col : uint16_t { kTime, kRawTime, kUnit, kType, kMetric, kValue, kNulls = kNullsColumn };
}
namespace metric {
enum Col : uint16_t { kUnit, kType, kSource, kTypeName, kMetric, kName, kNulls = kNullsColumn };
}
namespace gpu_context_switch {
enum Col : uint16_t { kTime, kTag, kVm, kSequence, kContext, kProcess, kGpu, kNulls = kNullsColumn };
}
namespace network_sample {
enum Col : uint16_t {
  kStart,
  kDuration,
  kDeviceKind,
  kDevice,
  kPort,
  kMetricList,
  kMetric,
  kValue,
  kNulls = kNullsColumn
};
}
namespace network_congestion {
enum Col : uint16_t {
  kTime,
  kDevice,
  kType,
  kSourceLid,
  kTargetLid,
  kServiceLevel,
  kOpcode,
  kSourceQueuePair,
  kTargetQueuePair,
  kIngressPort,
  kEgressPort,
  kNulls = kNullsColumn
};
}
namespace tool_message {
enum Col : uint16_t { kTime, kTimeSource, kSource, kSeverity, kText, kProcess, kNulls = kNullsColumn };
}
namespace tool_overhead {
enum Col : uint16_t {
  kStart,
  kDuration,
  kProcess,
  kTid,
  kCorrelation,
  kName,
  kReturnValue,
  kType,
  kNulls = kNullsColumn
};
}
namespace perf_counter_sample {
enum Col : uint16_t {
  kStart,
  kDuration,
  kUnit,
  kVm,
  kComponent,
  kEvent,
  kMetric,
  kCount,
  kValue,
  kNulls = kNullsColumn
};
}

}  // namespace sextant::event
