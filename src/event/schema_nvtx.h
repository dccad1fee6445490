// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Column numbers of the tables about: NVTX as another tool recorded it: one row an event, whatever its kind,
// in the order of the source; and the descriptions of structured payloads. Then those of Sextant's own
// recordings that are not ranges and marks (schema.h): what clients named, registered, counted, and attached
// to events. Numbers are never given to something else; new ones go to the end. Number 63 is `nulls`
// (schema.h) in every table that has it.
#pragma once

#include "event/schema.h"

namespace sextant::event {

namespace nvtx_event {
enum Col : uint16_t {
  kStart,
  kDuration,
  kRow,
  kType,
  kRangeId,
  kCategory,
  kColor,
  kText,
  kTextRegistered,
  kProcess,
  kTid,
  kEndProcess,
  kEndTid,
  kDomain,
  kPayloadUint64,
  kPayloadInt64,
  kPayloadDouble,
  kPayloadUint32,
  kPayloadInt32,
  kPayloadFloat,
  kJsonRegistered,
  kJson,
  kBinary,
  kEventId,
  kNulls = kNullsColumn
};
}
namespace nvtx_payload_schema {
enum Col : uint16_t {
  kDomain,
  kSchema,
  kName,
  kType,
  kFlags,
  kEntries,
  kSize,
  kAlignment,
  kNulls = kNullsColumn
};
}
namespace nvtx_payload_entry {
enum Col : uint16_t {
  kDomain,
  kSchema,
  kIndex,
  kFlags,
  kType,
  kName,
  kDescription,
  kDetail,
  kOffset,
  kNulls = kNullsColumn
};
}
namespace nvtx_payload_enum {
enum Col : uint16_t { kDomain, kSchema, kName, kEntries, kSize, kNulls = kNullsColumn };
}
namespace nvtx_payload_enum_entry {
enum Col : uint16_t { kDomain, kSchema, kIndex, kName, kValue, kIsFlag, kNulls = kNullsColumn };
}
namespace nvtx_event_payload {
enum Col : uint16_t { kEventId, kProcess, kDomain, kSchema, kNulls = kNullsColumn };
}
namespace nvtx_payload_relation {
enum Col : uint16_t { kProcess, kDomain, kParentSchema, kField, kNestedSchema, kNulls = kNullsColumn };
}
namespace nvtx_export_name {
enum Col : uint16_t { kOriginal, kSanitized, kNulls = kNullsColumn };
}
namespace nvtx_scope {
enum Col : uint16_t { kDomain, kScope, kParentScope, kPath, kNulls = kNullsColumn };
}

// Of Sextant's own recordings. `domain` is the domain's name, as in nvtx_range; keys hold within a process.
inline constexpr TableId kNvtxResource = static_cast<TableId>(13);
inline constexpr TableId kNvtxSyncEvent = static_cast<TableId>(14);
inline constexpr TableId kNvtxMemoryEvent = static_cast<TableId>(15);
inline constexpr TableId kNvtxRegistration = static_cast<TableId>(16);
inline constexpr TableId kNvtxSchemaField = static_cast<TableId>(17);
inline constexpr TableId kNvtxEnumValue = static_cast<TableId>(18);
inline constexpr TableId kNvtxPayload = static_cast<TableId>(19);
inline constexpr TableId kNvtxPayloadValue = static_cast<TableId>(29);
inline constexpr TableId kNvtxCounter = static_cast<TableId>(30);
inline constexpr TableId kNvtxCounterSample = static_cast<TableId>(31);
inline constexpr TableId kNvtxOwnScope = static_cast<TableId>(119);
inline constexpr TableId kCaptureWindow = static_cast<TableId>(120);

namespace nvtx_resource {
enum Col : uint16_t { kProcessId, kTid, kTime, kDomain, kType, kIdentifier, kName, kAction, kHandle };
}
namespace nvtx_sync_event {
enum Col : uint16_t { kProcessId, kTid, kTime, kDomain, kObject, kAction, kName };
}
namespace nvtx_memory_event {
enum Col : uint16_t {
  kProcessId,
  kTid,
  kTime,
  kDomain,
  kAction,
  kObject,
  kParent,
  kAddress,
  kBytes,
  kName,
  kCategory,
  kType,
  kFlags
};
}
namespace nvtx_registration {
enum Col : uint16_t { kProcessId, kInstance, kDomainId, kWhat, kId, kBytes };
}
namespace nvtx_schema_field {
enum Col : uint16_t {
  kProcessId,
  kDomain,
  kSchema,
  kSchemaName,
  kSchemaType,
  kSchemaFlags,
  kSchemaBytes,
  kAlignment,
  kFields,
  kIndex,
  kFlags,
  kType,
  kName,
  kDescription,
  kDetail,
  kOffset,
  kUnit
};
}
namespace nvtx_enum_value {
enum Col : uint16_t {
  kProcessId,
  kDomain,
  kSchema,
  kEnumName,
  kBytes,
  kValues,
  kIndex,
  kName,
  kValue,
  kIsFlag
};
}
namespace nvtx_payload {
enum Col : uint16_t { kProcessId, kTid, kTime, kDomain, kEvent, kUse, kIndex, kSchema, kBytes, kState };
/// kState
enum class State : uint8_t { kDecoded = 0, kNoSchema = 1, kTooShort = 2, kCut = 3, kReferenced = 4 };
}  // namespace nvtx_payload
namespace nvtx_payload_value {
enum Col : uint16_t { kProcessId, kEvent, kIndex, kItem, kField, kElement, kKind, kNumber, kReal, kText };
/// kKind
enum class Kind : uint8_t { kUint = 0, kInt = 1, kReal = 2, kText = 3, kEnum = 4, kBytes = 5 };
}  // namespace nvtx_payload_value
namespace nvtx_counter {
enum Col : uint16_t {
  kProcessId,
  kDomain,
  kCounter,
  kName,
  kDescription,
  kSchema,
  kScope,
  kUnit,
  kFlags,
  kScaleNumerator,
  kScaleDenominator,
  kLimitType,
  kMin,
  kMax,
  kTimeDomain
};
}
namespace nvtx_counter_sample {
enum Col : uint16_t {
  kProcessId,
  kTid,
  kTime,
  kDomain,
  kCounter,
  kField,
  kElement,
  kKind,
  kNumber,
  kReal,
  kGivenTime
};
/// kKind, beside those of nvtx_payload_value
inline constexpr uint64_t kMissing = 16;  // + the client's reason
}  // namespace nvtx_counter_sample
namespace nvtx_own_scope {
enum Col : uint16_t { kProcessId, kDomain, kScope, kParentScope, kPath };
}
namespace capture_window {
enum Col : uint16_t { kNumber, kStart, kEnd, kProcessId, kTid, kRange, kDomain };
}

}  // namespace sextant::event
