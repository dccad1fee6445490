// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "event/schema_nvtx.h"
#include "event/schema_parts.h"

namespace sextant::event {

namespace {

constexpr std::array kResourceColumns = {
    Column{nvtx_resource::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_resource::kTid, "tid", Type::kUint, "thread that called"},
    Column{nvtx_resource::kTime, "time", Type::kTime, "when"},
    Column{nvtx_resource::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_resource::kType, "type", Type::kEnum,
           "class << 16 | number, as NVTX has them: 65539 thread, 262145.. CUDA driver's device, context, "
           "stream, event, 327680.. CUDA runtime's device, stream, event, 393217.. OpenCL's; 0: a "
           "synchronisation object of the program's"},
    Column{nvtx_resource::kIdentifier, "identifier", Type::kUint, "number, handle or address of the thing"},
    Column{nvtx_resource::kName, "name", Type::kString, "its name"},
    Column{nvtx_resource::kAction, "action", Type::kEnum, "0 named, 1 given up"},
    Column{nvtx_resource::kHandle, "handle", Type::kUint, "what the client holds for it, 0: nothing"},
};
constexpr std::array kSyncEventColumns = {
    Column{nvtx_sync_event::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_sync_event::kTid, "tid", Type::kUint, "thread that called"},
    Column{nvtx_sync_event::kTime, "time", Type::kTime, "when"},
    Column{nvtx_sync_event::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_sync_event::kObject, "object", Type::kUint,
           "which one; named by nvtx_resource, where it is the identifier"},
    Column{nvtx_sync_event::kAction, "action", Type::kEnum,
           "1 created, 2 destroyed, 3 acquiring, 4 not acquired, 5 acquired, 6 releasing"},
    Column{nvtx_sync_event::kName, "name", Type::kString, "its name, where it is created"},
};
constexpr std::array kMemoryEventColumns = {
    Column{nvtx_memory_event::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_memory_event::kTid, "tid", Type::kUint, "thread that called"},
    Column{nvtx_memory_event::kTime, "time", Type::kTime, "when"},
    Column{nvtx_memory_event::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{
        nvtx_memory_event::kAction, "action", Type::kEnum,
        "0 heap registered, 1 heap unregistered, 2 heap reset, 3 region registered, 4 region resized, 5 "
        "region unregistered, 6 region named, 7 permissions assigned, 8 permissions created, 9 permissions "
        "destroyed, 10 permissions reset, 11 permissions bound, 12 permissions unbound, 13 CUDA process "
        "permissions, 14 CUDA device permissions, 15 CUDA peer access, 16 CUDA memory initialised"},
    Column{nvtx_memory_event::kObject, "object", Type::kUint,
           "heap, region or permissions; 0: named by its address"},
    Column{nvtx_memory_event::kParent, "parent", Type::kUint,
           "heap of a region, permissions that are assigned, stream that initialised"},
    Column{nvtx_memory_event::kAddress, "address", Type::kUint, "first byte"},
    Column{nvtx_memory_event::kBytes, "bytes", Type::kUint, "size"},
    Column{nvtx_memory_event::kName, "name", Type::kString, "its name"},
    Column{nvtx_memory_event::kCategory, "category", Type::kUint, "category number"},
    Column{nvtx_memory_event::kType, "type", Type::kUint,
           "kind of memory, of the reference, scope or device, by action"},
    Column{nvtx_memory_event::kFlags, "flags", Type::kUint,
           "usage of a heap, permissions, flags of the call"},
};
constexpr std::array kRegistrationColumns = {
    Column{nvtx_registration::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_registration::kInstance, "instance", Type::kUint, "process page of the agent"},
    Column{nvtx_registration::kDomainId, "domain_id", Type::kUint,
           "number of the domain within the instance"},
    Column{nvtx_registration::kWhat, "what", Type::kEnum,
           "1 schema, 2 enumeration, 3 scope, 4 counter, 5 time domain, 6 pair of times"},
    Column{nvtx_registration::kId, "id", Type::kUint, "its number"},
    Column{nvtx_registration::kBytes, "bytes", Type::kString,
           "the description as the agent wrote it (docs/formats/spool.md 5.1); from it come "
           "nvtx_schema_field, nvtx_enum_value, nvtx_counter, nvtx_own_scope"},
};
constexpr std::array kSchemaFieldColumns = {
    Column{nvtx_schema_field::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_schema_field::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_schema_field::kSchema, "schema", Type::kUint, "number of the schema"},
    Column{nvtx_schema_field::kSchemaName, "schema_name", Type::kString, "its name"},
    Column{nvtx_schema_field::kSchemaType, "schema_type", Type::kEnum,
           "1 static, 2 dynamic, 3 union, 4 union with internal selector"},
    Column{nvtx_schema_field::kSchemaFlags, "schema_flags", Type::kUint, "flags of the schema"},
    Column{nvtx_schema_field::kSchemaBytes, "schema_bytes", Type::kUint,
           "size of a payload, 0: follows from the fields"},
    Column{nvtx_schema_field::kAlignment, "alignment", Type::kUint, "largest alignment, 0: natural"},
    Column{nvtx_schema_field::kFields, "fields", Type::kUint,
           "number of fields; a schema without any has one row with an empty name"},
    Column{nvtx_schema_field::kIndex, "index", Type::kUint, "position of the field"},
    Column{nvtx_schema_field::kFlags, "flags", Type::kUint, "flags of the field"},
    Column{nvtx_schema_field::kType, "type", Type::kUint, "predefined type, schema or enumeration"},
    Column{nvtx_schema_field::kName, "name", Type::kString, "name of the field"},
    Column{nvtx_schema_field::kDescription, "description", Type::kString, "what it means"},
    Column{nvtx_schema_field::kDetail, "detail", Type::kUint,
           "length of an array or text, selector of a union"},
    Column{nvtx_schema_field::kOffset, "offset", Type::kUint,
           "bytes from the beginning as given, 0: follows from the fields before"},
    Column{nvtx_schema_field::kUnit, "unit", Type::kString, "unit of a counter"},
};
constexpr std::array kEnumValueColumns = {
    Column{nvtx_enum_value::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_enum_value::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_enum_value::kSchema, "schema", Type::kUint, "number of the enumeration"},
    Column{nvtx_enum_value::kEnumName, "enum_name", Type::kString, "its name"},
    Column{nvtx_enum_value::kBytes, "bytes", Type::kUint, "size of a value"},
    Column{nvtx_enum_value::kValues, "values", Type::kUint, "how many it has"},
    Column{nvtx_enum_value::kIndex, "index", Type::kUint, "position"},
    Column{nvtx_enum_value::kName, "name", Type::kString, "name of the value"},
    Column{nvtx_enum_value::kValue, "value", Type::kInt, "value"},
    Column{nvtx_enum_value::kIsFlag, "is_flag", Type::kUint, "1: a bit of a set"},
};
constexpr std::array kPayloadColumns = {
    Column{nvtx_payload::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_payload::kTid, "tid", Type::kUint, "thread that called"},
    Column{nvtx_payload::kTime, "time", Type::kTime, "when"},
    Column{nvtx_payload::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_payload::kEvent, "event", Type::kUint,
           "joins with `payload` of ranges and marks whose payload_type is 7, with range_id for use 2, with "
           "a counter for uses 3 and 4"},
    Column{nvtx_payload::kUse, "use", Type::kEnum,
           "0 of an event, 1 of a range, given when it was popped, 2 of a start/end range, given when it "
           "ended, 3 counter sample, 4 counter samples, 5 event with times of its own, 6 many of those"},
    Column{nvtx_payload::kIndex, "index", Type::kUint, "position among the event's payloads"},
    Column{nvtx_payload::kSchema, "schema", Type::kUint, "schema or predefined type"},
    Column{nvtx_payload::kBytes, "bytes", Type::kUint, "size as recorded"},
    Column{nvtx_payload::kState, "state", Type::kEnum,
           "0 its values are in nvtx_payload_value, 1 schema unknown, 2 shorter than its schema says, 3 cut, "
           "4 memory that others point to"},
};
constexpr std::array kPayloadValueColumns = {
    Column{nvtx_payload_value::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_payload_value::kEvent, "event", Type::kUint, "as in nvtx_payload"},
    Column{nvtx_payload_value::kIndex, "index", Type::kUint, "position among the event's payloads"},
    Column{nvtx_payload_value::kItem, "item", Type::kUint, "position in a batch"},
    Column{nvtx_payload_value::kField, "field", Type::kString,
           "name of the field; within structures joined by dots"},
    Column{nvtx_payload_value::kElement, "element", Type::kUint, "1 + position in an array, 0: no array"},
    Column{nvtx_payload_value::kKind, "kind", Type::kEnum,
           "0 unsigned, 1 signed, 2 double, 3 text, 4 enumeration (value and text), 5 bytes as hexadecimal "
           "text"},
    Column{
        nvtx_payload_value::kNumber, "number", Type::kInt,
        "kinds 0, 1, 4: the value (0: unsigned, as two's complement); kind 3: the pointer, if there was one"},
    Column{nvtx_payload_value::kReal, "real", Type::kReal, "kind 2: the value"},
    Column{nvtx_payload_value::kText, "text", Type::kString, "by kind"},
};
constexpr std::array kCounterColumns = {
    Column{nvtx_counter::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_counter::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_counter::kCounter, "counter", Type::kUint, "number of the counter or group"},
    Column{nvtx_counter::kName, "name", Type::kString, "its name"},
    Column{nvtx_counter::kDescription, "description", Type::kString, "what it means"},
    Column{nvtx_counter::kSchema, "schema", Type::kUint, "schema of a group, or predefined type"},
    Column{nvtx_counter::kScope, "scope", Type::kUint, "scope"},
    Column{nvtx_counter::kUnit, "unit", Type::kString, "unit"},
    Column{nvtx_counter::kFlags, "flags", Type::kUint, "how values are meant, as NVTX has them"},
    Column{nvtx_counter::kScaleNumerator, "scale_numerator", Type::kUint, "of the unit"},
    Column{nvtx_counter::kScaleDenominator, "scale_denominator", Type::kUint, "of the unit"},
    Column{nvtx_counter::kLimitType, "limit_type", Type::kEnum, "0 none, 1 signed, 2 unsigned, 3 double"},
    Column{nvtx_counter::kMin, "min", Type::kBits, "by limit_type"},
    Column{nvtx_counter::kMax, "max", Type::kBits, "by limit_type"},
    Column{nvtx_counter::kTimeDomain, "time_domain", Type::kUint, "of times given by the client"},
};
constexpr std::array kCounterSampleColumns = {
    Column{nvtx_counter_sample::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_counter_sample::kTid, "tid", Type::kUint, "thread that called"},
    Column{nvtx_counter_sample::kTime, "time", Type::kTime, "when"},
    Column{nvtx_counter_sample::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_counter_sample::kCounter, "counter", Type::kUint, "number of the counter or group"},
    Column{nvtx_counter_sample::kField, "field", Type::kString, "counter of a group, empty: the only one"},
    Column{nvtx_counter_sample::kElement, "element", Type::kUint, "1 + position in an array, 0: no array"},
    Column{nvtx_counter_sample::kKind, "kind", Type::kEnum,
           "0 unsigned, 1 signed, 2 double, 4 enumeration, 16 zero, 17 unchanged, 18 unavailable"},
    Column{nvtx_counter_sample::kNumber, "number", Type::kInt, "kinds 0, 1, 4: the value"},
    Column{nvtx_counter_sample::kReal, "value", Type::kReal, "the value as a double, whatever its kind"},
    Column{nvtx_counter_sample::kGivenTime, "given_time", Type::kInt, "time given by the client, 0: none"},
};
constexpr std::array kOwnScopeColumns = {
    Column{nvtx_own_scope::kProcessId, "process", Type::kUint, "process number"},
    Column{nvtx_own_scope::kDomain, "domain", Type::kString, "domain's name, empty: the default domain"},
    Column{nvtx_own_scope::kScope, "scope", Type::kUint, "number of the scope"},
    Column{nvtx_own_scope::kParentScope, "parent_scope", Type::kUint, "scope around it"},
    Column{nvtx_own_scope::kPath, "path", Type::kString, "its path"},
};
constexpr std::array kCaptureWindowColumns = {
    Column{capture_window::kNumber, "number", Type::kUint, "from 1"},
    Column{capture_window::kStart, "start", Type::kTime, "when it opened"},
    Column{capture_window::kEnd, "end", Type::kTime, "when it closed, 0: it did not"},
    Column{capture_window::kProcessId, "pid", Type::kUint,
           "operating system's id of the process that opened it"},
    Column{capture_window::kTid, "tid", Type::kUint, "thread that opened it"},
    Column{capture_window::kRange, "range", Type::kString, "name of the range"},
    Column{capture_window::kDomain, "domain", Type::kString, "its domain, * any, empty: the default domain"},
};

constexpr std::array kOwnTables = {
    Table{kNvtxResource, "nvtx_resource", 0, kResourceColumns,
          "names given to threads, devices, streams, locks"},
    Table{kNvtxSyncEvent, "nvtx_sync_event", 0, kSyncEventColumns,
          "the life of synchronisation objects that a program builds for itself"},
    Table{kNvtxMemoryEvent, "nvtx_memory_event", 0, kMemoryEventColumns, "heaps, regions and permissions"},
    Table{kNvtxRegistration, "nvtx_registration", 5, kRegistrationColumns,
          "what clients registered, as the agent wrote it"},
    Table{kNvtxSchemaField, "nvtx_schema_field", 0, kSchemaFieldColumns,
          "layouts of structured payloads, field by field"},
    Table{kNvtxEnumValue, "nvtx_enum_value", 0, kEnumValueColumns,
          "enumerations of payloads, value by value"},
    Table{kNvtxPayload, "nvtx_payload", 0, kPayloadColumns, "structured payloads of events"},
    Table{kNvtxPayloadValue, "nvtx_payload_value", 0, kPayloadValueColumns, "their values, field by field"},
    Table{kNvtxCounter, "nvtx_counter", 0, kCounterColumns, "counters and groups of counters"},
    Table{kNvtxCounterSample, "nvtx_counter_sample", 0, kCounterSampleColumns, "their samples"},
    Table{kNvtxOwnScope, "nvtx_own_scope", 0, kOwnScopeColumns, "scopes of counters and payload values"},
    Table{kCaptureWindow, "capture_window", 1, kCaptureWindowColumns, "when a capture range was open"},
};

}  // namespace

std::span<const Table> nvtx_own_tables() {
  return kOwnTables;
}

}  // namespace sextant::event
