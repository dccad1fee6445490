// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_nvtx.h"

#include <array>

#include "event/schema_parts.h"

namespace sextant::event {

namespace {

constexpr std::array kNvtxEventColumns = {
    Column{nvtx_event::kStart, "start", Type::kTime, "when it began"},
    Column{nvtx_event::kDuration, "duration", Type::kDuration,
           "how long it took; null: never closed, or no range"},
    Column{nvtx_event::kRow, "row", Type::kInt, "number of the row in the source"},
    Column{nvtx_event::kType, "type", Type::kEnum,
           "33 category name, 34 mark, 39 thread name, 59 push/pop range, 60 start/end range, 75 domain "
           "created, 76 domain destroyed"},
    Column{nvtx_event::kRangeId, "range_id", Type::kInt, "number of the range"},
    Column{nvtx_event::kCategory, "category", Type::kUint, "category number"},
    Column{nvtx_event::kColor, "color", Type::kUint, "ARGB"},
    Column{nvtx_event::kText, "text", Type::kString, "message given as plain string"},
    Column{nvtx_event::kTextRegistered, "text_registered", Type::kString,
           "message given as registered string"},
    Column{nvtx_event::kProcess, "process", Type::kUint, "process number"},
    Column{nvtx_event::kTid, "tid", Type::kUint, "thread that opened it"},
    Column{nvtx_event::kEndProcess, "end_process", Type::kUint,
           "process number of the thread that closed it"},
    Column{nvtx_event::kEndTid, "end_tid", Type::kUint, "thread that closed it"},
    Column{nvtx_event::kDomain, "domain", Type::kInt,
           "number of the domain, named by rows of type 75; 0: the default domain"},
    Column{nvtx_event::kPayloadUint64, "payload_uint64", Type::kUint, "payload, if given as such"},
    Column{nvtx_event::kPayloadInt64, "payload_int64", Type::kInt, "payload, if given as such"},
    Column{nvtx_event::kPayloadDouble, "payload_double", Type::kReal, "payload, if given as such"},
    Column{nvtx_event::kPayloadUint32, "payload_uint32", Type::kUint, "payload, if given as such"},
    Column{nvtx_event::kPayloadInt32, "payload_int32", Type::kInt, "payload, if given as such"},
    Column{nvtx_event::kPayloadFloat, "payload_float", Type::kReal,
           "payload, if given as such, widened to double"},
    Column{nvtx_event::kJsonRegistered, "json_registered", Type::kString,
           "structured payload as JSON, registered string"},
    Column{nvtx_event::kJson, "json", Type::kString, "structured payload as JSON"},
    Column{nvtx_event::kBinary, "binary", Type::kString, "payload that has no schema, as text"},
    Column{nvtx_event::kEventId, "event_id", Type::kInt, "joins with nvtx_event_payload"},
    kNulls,
};
constexpr std::array kNvtxPayloadSchemaColumns = {
    Column{nvtx_payload_schema::kDomain, "domain", Type::kInt, "number of the domain"},
    Column{nvtx_payload_schema::kSchema, "schema", Type::kInt, "number of the layout"},
    Column{nvtx_payload_schema::kName, "name", Type::kString, "its name"},
    Column{nvtx_payload_schema::kType, "type", Type::kEnum, "kind of layout"},
    Column{nvtx_payload_schema::kFlags, "flags", Type::kUint, "flags"},
    Column{nvtx_payload_schema::kEntries, "entries", Type::kUint, "number of entries"},
    Column{nvtx_payload_schema::kSize, "size", Type::kUint, "bytes"},
    Column{nvtx_payload_schema::kAlignment, "alignment", Type::kUint, "alignment"},
    kNulls,
};
constexpr std::array kNvtxPayloadEntryColumns = {
    Column{nvtx_payload_entry::kDomain, "domain", Type::kInt, "number of the domain"},
    Column{nvtx_payload_entry::kSchema, "schema", Type::kInt, "number of the layout"},
    Column{nvtx_payload_entry::kIndex, "index", Type::kUint, "position"},
    Column{nvtx_payload_entry::kFlags, "flags", Type::kUint, "flags"},
    Column{nvtx_payload_entry::kType, "type", Type::kUint, "type of the field"},
    Column{nvtx_payload_entry::kName, "name", Type::kString, "its name"},
    Column{nvtx_payload_entry::kDescription, "description", Type::kString, "what it means"},
    Column{nvtx_payload_entry::kDetail, "detail", Type::kUint, "length of an array, selector of a union"},
    Column{nvtx_payload_entry::kOffset, "offset", Type::kUint, "bytes from the beginning"},
    kNulls,
};
constexpr std::array kNvtxPayloadEnumColumns = {
    Column{nvtx_payload_enum::kDomain, "domain", Type::kInt, "number of the domain"},
    Column{nvtx_payload_enum::kSchema, "schema", Type::kInt, "number of the enumeration"},
    Column{nvtx_payload_enum::kName, "name", Type::kString, "its name"},
    Column{nvtx_payload_enum::kEntries, "entries", Type::kUint, "number of entries"},
    Column{nvtx_payload_enum::kSize, "size", Type::kUint, "bytes"},
    kNulls,
};
constexpr std::array kNvtxPayloadEnumEntryColumns = {
    Column{nvtx_payload_enum_entry::kDomain, "domain", Type::kInt, "number of the domain"},
    Column{nvtx_payload_enum_entry::kSchema, "schema", Type::kInt, "number of the enumeration"},
    Column{nvtx_payload_enum_entry::kIndex, "index", Type::kUint, "position"},
    Column{nvtx_payload_enum_entry::kName, "name", Type::kString, "name of the value"},
    Column{nvtx_payload_enum_entry::kValue, "value", Type::kInt, "value"},
    Column{nvtx_payload_enum_entry::kIsFlag, "is_flag", Type::kUint, "1: a bit of a set"},
    kNulls,
};
constexpr std::array kNvtxEventPayloadColumns = {
    Column{nvtx_event_payload::kEventId, "event_id", Type::kInt, "joins with nvtx_event"},
    Column{nvtx_event_payload::kProcess, "process", Type::kUint, "process number"},
    Column{nvtx_event_payload::kDomain, "domain", Type::kInt, "number of the domain"},
    Column{nvtx_event_payload::kSchema, "schema", Type::kInt, "number of the layout"},
    kNulls,
};
constexpr std::array kNvtxPayloadRelationColumns = {
    Column{nvtx_payload_relation::kProcess, "process", Type::kUint, "process number"},
    Column{nvtx_payload_relation::kDomain, "domain", Type::kInt, "number of the domain"},
    Column{nvtx_payload_relation::kParentSchema, "parent_schema", Type::kInt, "layout that holds the field"},
    Column{nvtx_payload_relation::kField, "field", Type::kString, "the field"},
    Column{nvtx_payload_relation::kNestedSchema, "nested_schema", Type::kInt, "layout of the field"},
    kNulls,
};
constexpr std::array kNvtxExportNameColumns = {
    Column{nvtx_export_name::kOriginal, "original", Type::kString, "as the program gave it"},
    Column{nvtx_export_name::kSanitized, "sanitized", Type::kString, "as the tables have it"},
    kNulls,
};
constexpr std::array kNvtxScopeColumns = {
    Column{nvtx_scope::kDomain, "domain", Type::kInt, "number of the domain"},
    Column{nvtx_scope::kScope, "scope", Type::kInt, "number of the scope"},
    Column{nvtx_scope::kParentScope, "parent_scope", Type::kInt, "scope around it"},
    Column{nvtx_scope::kPath, "path", Type::kString, "its path"},
    kNulls,
};

constexpr std::array kTables = {
    Table{kNvtxEvent, "nvtx_event", 0, kNvtxEventColumns,
          "NVTX ranges, marks, names and domains of an imported recording"},
    Table{kNvtxPayloadSchema, "nvtx_payload_schema", 0, kNvtxPayloadSchemaColumns,
          "layouts of structured payloads"},
    Table{kNvtxPayloadEntry, "nvtx_payload_entry", 0, kNvtxPayloadEntryColumns, "fields of payload layouts"},
    Table{kNvtxPayloadEnum, "nvtx_payload_enum", 0, kNvtxPayloadEnumColumns, "enumerations of payloads"},
    Table{kNvtxPayloadEnumEntry, "nvtx_payload_enum_entry", 0, kNvtxPayloadEnumEntryColumns,
          "values of payload enumerations"},
    Table{kNvtxEventPayload, "nvtx_event_payload", 0, kNvtxEventPayloadColumns,
          "which layout the payload of an event has"},
    Table{kNvtxPayloadRelation, "nvtx_payload_relation", 0, kNvtxPayloadRelationColumns,
          "layouts within layouts"},
    Table{kNvtxExportName, "nvtx_export_name", 0, kNvtxExportNameColumns,
          "names changed so that they can be names of tables"},
    Table{kNvtxScope, "nvtx_scope", 0, kNvtxScopeColumns, "scopes of payload values"},
};

}  // namespace

std::span<const Table> nvtx_tables() {
  return kTables;
}

}  // namespace sextant::event
