// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema_nvtx.h"
#include "nsys/tables.h"

namespace sextant::nsys {

namespace {

using event::TableId;

constexpr Source kNvtxEventSources[] = {
    {"NVTX_EVENTS", 0, ""},
};
constexpr Column kNvtxEventColumns[] = {
    {event::nvtx_event::kStart, From::kTime, "start"},
    {event::nvtx_event::kDuration, From::kEnd, "end"},
    {event::nvtx_event::kRow, From::kRowid, ""},
    {event::nvtx_event::kType, From::kInteger, "eventType"},
    {event::nvtx_event::kRangeId, From::kInteger, "rangeId"},
    {event::nvtx_event::kCategory, From::kInteger, "category"},
    {event::nvtx_event::kColor, From::kInteger, "color"},
    {event::nvtx_event::kText, From::kText, "text"},
    {event::nvtx_event::kTextRegistered, From::kStringId, "textId"},
    {event::nvtx_event::kProcess, From::kProcessOfThread, "globalTid"},
    {event::nvtx_event::kTid, From::kTid, "globalTid"},
    {event::nvtx_event::kEndProcess, From::kProcessOfThread, "endGlobalTid"},
    {event::nvtx_event::kEndTid, From::kTid, "endGlobalTid"},
    {event::nvtx_event::kDomain, From::kInteger, "domainId"},
    {event::nvtx_event::kPayloadUint64, From::kInteger, "uint64Value"},
    {event::nvtx_event::kPayloadInt64, From::kInteger, "int64Value"},
    {event::nvtx_event::kPayloadDouble, From::kReal, "doubleValue"},
    {event::nvtx_event::kPayloadUint32, From::kInteger, "uint32Value"},
    {event::nvtx_event::kPayloadInt32, From::kInteger, "int32Value"},
    {event::nvtx_event::kPayloadFloat, From::kReal, "floatValue"},
    {event::nvtx_event::kJsonRegistered, From::kStringId, "jsonTextId"},
    {event::nvtx_event::kJson, From::kText, "jsonText"},
    {event::nvtx_event::kBinary, From::kText, "binaryData"},
    {event::nvtx_event::kEventId, From::kInteger, "eventId"},
};

constexpr Source kNvtxPayloadSchemaSources[] = {
    {"NVTX_PAYLOAD_SCHEMAS", 0, ""},
};
constexpr Column kNvtxPayloadSchemaColumns[] = {
    {event::nvtx_payload_schema::kDomain, From::kInteger, "domainId"},
    {event::nvtx_payload_schema::kSchema, From::kInteger, "schemaId"},
    {event::nvtx_payload_schema::kName, From::kText, "name"},
    {event::nvtx_payload_schema::kType, From::kInteger, "type"},
    {event::nvtx_payload_schema::kFlags, From::kInteger, "flags"},
    {event::nvtx_payload_schema::kEntries, From::kInteger, "numEntries"},
    {event::nvtx_payload_schema::kSize, From::kInteger, "payloadSize"},
    {event::nvtx_payload_schema::kAlignment, From::kInteger, "alignTo"},
};

constexpr Source kNvtxPayloadEntrySources[] = {
    {"NVTX_PAYLOAD_SCHEMA_ENTRIES", 0, ""},
};
constexpr Column kNvtxPayloadEntryColumns[] = {
    {event::nvtx_payload_entry::kDomain, From::kInteger, "domainId"},
    {event::nvtx_payload_entry::kSchema, From::kInteger, "schemaId"},
    {event::nvtx_payload_entry::kIndex, From::kInteger, "idx"},
    {event::nvtx_payload_entry::kFlags, From::kInteger, "flags"},
    {event::nvtx_payload_entry::kType, From::kInteger, "type"},
    {event::nvtx_payload_entry::kName, From::kText, "name"},
    {event::nvtx_payload_entry::kDescription, From::kText, "description"},
    {event::nvtx_payload_entry::kDetail, From::kInteger, "arrayOrUnionDetail"},
    {event::nvtx_payload_entry::kOffset, From::kInteger, "offset"},
};

constexpr Source kNvtxPayloadEnumSources[] = {
    {"NVTX_PAYLOAD_ENUMS", 0, ""},
};
constexpr Column kNvtxPayloadEnumColumns[] = {
    {event::nvtx_payload_enum::kDomain, From::kInteger, "domainId"},
    {event::nvtx_payload_enum::kSchema, From::kInteger, "schemaId"},
    {event::nvtx_payload_enum::kName, From::kText, "name"},
    {event::nvtx_payload_enum::kEntries, From::kInteger, "numEntries"},
    {event::nvtx_payload_enum::kSize, From::kInteger, "size"},
};

constexpr Source kNvtxPayloadEnumEntrySources[] = {
    {"NVTX_PAYLOAD_ENUM_ENTRIES", 0, ""},
};
constexpr Column kNvtxPayloadEnumEntryColumns[] = {
    {event::nvtx_payload_enum_entry::kDomain, From::kInteger, "domainId"},
    {event::nvtx_payload_enum_entry::kSchema, From::kInteger, "schemaId"},
    {event::nvtx_payload_enum_entry::kIndex, From::kInteger, "idx"},
    {event::nvtx_payload_enum_entry::kName, From::kText, "name"},
    {event::nvtx_payload_enum_entry::kValue, From::kInteger, "value"},
    {event::nvtx_payload_enum_entry::kIsFlag, From::kInteger, "isFlag"},
};

constexpr Source kNvtxEventPayloadSources[] = {
    {"NVTX_EVENTS_PAYLOAD_SCHEMAS", 0, ""},
};
constexpr Column kNvtxEventPayloadColumns[] = {
    {event::nvtx_event_payload::kEventId, From::kInteger, "eventId"},
    {event::nvtx_event_payload::kProcess, From::kProcess, "globalPid"},
    {event::nvtx_event_payload::kDomain, From::kInteger, "domainId"},
    {event::nvtx_event_payload::kSchema, From::kInteger, "payloadSchemaID"},
};

constexpr Source kNvtxPayloadRelationSources[] = {
    {"NVTX_PAYLOAD_SCHEMA_RELATIONS", 0, ""},
};
constexpr Column kNvtxPayloadRelationColumns[] = {
    {event::nvtx_payload_relation::kProcess, From::kProcess, "globalPid"},
    {event::nvtx_payload_relation::kDomain, From::kInteger, "domainId"},
    {event::nvtx_payload_relation::kParentSchema, From::kInteger, "parentSchemaId"},
    {event::nvtx_payload_relation::kField, From::kText, "fieldName"},
    {event::nvtx_payload_relation::kNestedSchema, From::kInteger, "nestedSchemaId"},
};

constexpr Source kNvtxExportNameSources[] = {
    {"NVTX_EXPORT_TRANSLATION", 0, ""},
};
constexpr Column kNvtxExportNameColumns[] = {
    {event::nvtx_export_name::kOriginal, From::kText, "originalName"},
    {event::nvtx_export_name::kSanitized, From::kText, "sanitizedName"},
};

constexpr Source kNvtxScopeSources[] = {
    {"NVTX_SCOPES", 0, ""},
};
constexpr Column kNvtxScopeColumns[] = {
    {event::nvtx_scope::kDomain, From::kInteger, "domainId"},
    {event::nvtx_scope::kScope, From::kInteger, "scopeId"},
    {event::nvtx_scope::kParentScope, From::kInteger, "parentScopeId"},
    {event::nvtx_scope::kPath, From::kText, "path"},
};

constexpr Table kTables[] = {
    {TableId::kNvtxEvent, kNvtxEventSources, kNvtxEventColumns},
    {TableId::kNvtxPayloadSchema, kNvtxPayloadSchemaSources, kNvtxPayloadSchemaColumns},
    {TableId::kNvtxPayloadEntry, kNvtxPayloadEntrySources, kNvtxPayloadEntryColumns},
    {TableId::kNvtxPayloadEnum, kNvtxPayloadEnumSources, kNvtxPayloadEnumColumns},
    {TableId::kNvtxPayloadEnumEntry, kNvtxPayloadEnumEntrySources, kNvtxPayloadEnumEntryColumns},
    {TableId::kNvtxEventPayload, kNvtxEventPayloadSources, kNvtxEventPayloadColumns},
    {TableId::kNvtxPayloadRelation, kNvtxPayloadRelationSources, kNvtxPayloadRelationColumns},
    {TableId::kNvtxExportName, kNvtxExportNameSources, kNvtxExportNameColumns},
    {TableId::kNvtxScope, kNvtxScopeSources, kNvtxScopeColumns},
};

}  // namespace

std::span<const Table> nvtx_tables() {
  return kTables;
}

}  // namespace sextant::nsys
