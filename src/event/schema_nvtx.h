// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Column numbers of the tables about: NVTX as another tool recorded it: one row an event, whatever its kind,
// in the order of the source; and the descriptions of structured payloads. Numbers are never given to
// something else; new ones go to the end. Number 63 is `nulls` (schema.h) in every table.
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

}  // namespace sextant::event
