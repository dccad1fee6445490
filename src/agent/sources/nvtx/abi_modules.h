// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The slice of NVTX's binary interface beyond events (abi.h): names of resources, synchronisation objects,
// and the extension modules for memory, payloads and counters. Numbers, sizes and offsets are facts of that
// interface; tests/agent/nvtx_abi_test.cpp compares each with the real headers where they are present.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::agent::nvtx::abi {

// Sizes of the function tables; entry 0 is unused.
inline constexpr uint32_t kCudaSize = 9, kOpenClSize = 15, kCudaRtSize = 7, kSyncSize = 7;

/// Function numbers of kSync.
enum Sync : uint32_t {
  kSyncCreate = 1,
  kSyncDestroy = 2,
  kSyncAcquireStart = 3,
  kSyncAcquireFailed = 4,
  kSyncAcquireSuccess = 5,
  kSyncReleasing = 6,
};

/// Kinds of resources: class << 16 | number.
enum ResourceType : uint32_t {
  kThreadNative = 1u << 16 | 3,
  kThreadPosix = 1u << 16 | 4,
  kCuDevice = 4u << 16 | 1,
  kCuContext = 4u << 16 | 2,
  kCuStream = 4u << 16 | 3,
  kCuEvent = 4u << 16 | 4,
  kCudaDevice = 5u << 16 | 0,
  kCudaStream = 5u << 16 | 1,
  kCudaEvent = 5u << 16 | 2,
  kClDevice = 6u << 16 | 1,
  kClContext = 6u << 16 | 2,
  kClQueue = 6u << 16 | 3,
  kClMemory = 6u << 16 | 4,
  kClSampler = 6u << 16 | 5,
  kClProgram = 6u << 16 | 6,
  kClEvent = 6u << 16 | 7,
};

struct ResourceAttributes {
  uint16_t version;
  uint16_t size;
  uint32_t type;  // ResourceType
  uint64_t identifier;
  int32_t message_type;
  const void* message;
};
static_assert(sizeof(ResourceAttributes) == 32 && offsetof(ResourceAttributes, message) == 24);

struct SyncAttributes {
  uint16_t version;
  uint16_t size;
  int32_t message_type;
  const void* message;
};
static_assert(sizeof(SyncAttributes) == 16);

// Extension modules
// -------------------------------------------------------------------------------------------------

enum Extension : uint16_t { kMemory = 1, kPayload = 2, kCounters = 4 };

struct ExtensionSegment {
  size_t id;
  size_t slot_count;
  intptr_t* slots;  // 0: not filled in; 1: disabled
};

struct ExtensionModule {
  uint16_t version;
  uint16_t size;
  uint16_t module;
  uint16_t compatibility;
  size_t segment_count;
  ExtensionSegment* segments;
  void* export_function;
  const void* info;
};
static_assert(sizeof(ExtensionModule) == 40);

/// Payload type of event attributes: `payload` points to PayloadData, `reserved` says how many.
inline constexpr int32_t kExtendedPayload = static_cast<int32_t>(0xDFBD0009);

struct PayloadData {
  uint64_t schema;
  size_t size;  // SIZE_MAX: a text that ends with NUL
  const void* data;
};

/// Slots of kPayload.
enum PayloadSlot : uint32_t {
  kSchemaRegister = 0,
  kEnumRegister = 1,
  kMarkPayload = 2,
  kPushPayload = 3,
  kPopPayload = 4,
  kStartPayload = 5,
  kEndPayload = 6,
  kIsEnabled = 7,
  kTimestampGet = 8,
  kTimeDomainRegister = 9,
  kTimerSource = 10,
  kTimerSourceWithData = 11,
  kScopeRegister = 12,
  kTimeSyncPoint = 13,
  kTimeSyncPointTable = 14,
  kTimestampConversion = 15,
  kEventSubmit = 16,
  kEventBatchSubmit = 17,
  kPayloadSlots = 18,
};

/// Types of payload entries that the agent has to know; all others are the collector's business.
enum EntryType : uint64_t {
  kText = 75,
  kText8 = 76,
  kText16 = 77,
  kText32 = 78,
  kRegisteredText = 80,
  kReferenced = 1022,
  kRaw = 1023,
  kFirstSchema = 1u << 24,
};
inline constexpr uint64_t kFirstDynamicId = uint64_t{1} << 32;

enum EntryFlags : uint64_t {
  kEntryPointer = 1 << 1,
  kEntryFromBase = 1 << 2,
  kEntryFromHere = 1 << 3,
  kEntryArray = 7 << 4,
  kEntryFixedArray = 1 << 4,
  kEntryDeepCopy = 1 << 8,
};
inline constexpr uint64_t kSchemaDeepCopy = 1 << 1;

struct SchemaEntry {
  uint64_t flags;
  uint64_t type;
  const char* name;
  const char* description;
  uint64_t detail;
  uint64_t offset;
  const void* semantics;
  const void* reserved;
};
static_assert(sizeof(SchemaEntry) == 64);

struct SchemaAttributes {
  uint64_t mask;
  const char* name;
  uint64_t type;
  uint64_t flags;
  const SchemaEntry* entries;
  size_t entry_count;
  size_t static_size;
  size_t alignment;
  uint64_t id;
  void* extension;
};
/// SchemaAttributes::mask
enum SchemaFields : uint64_t {
  kSchemaName = 1 << 1,
  kSchemaType = 1 << 2,
  kSchemaFlags = 1 << 3,
  kSchemaEntries = 1 << 4,
  kSchemaEntryCount = 1 << 5,
  kSchemaSize = 1 << 6,
  kSchemaAlignment = 1 << 7,
  kSchemaId = 1 << 8,
};
inline constexpr uint64_t kStaticSchema = 1;

struct EnumEntry {
  const char* name;
  uint64_t value;
  int8_t is_flag;
};
static_assert(sizeof(EnumEntry) == 24);

struct EnumAttributes {
  uint64_t mask;
  const char* name;
  const EnumEntry* entries;
  size_t entry_count;
  size_t size;
  uint64_t id;
  void* extension;
};
/// EnumAttributes::mask
enum EnumFields : uint64_t {
  kEnumName = 1 << 1,
  kEnumEntries = 1 << 2,
  kEnumEntryCount = 1 << 3,
  kEnumSize = 1 << 4,
  kEnumId = 1 << 5,
};

struct ScopeAttributes {
  size_t size;
  const char* path;
  uint64_t parent;
  uint64_t id;
};

struct TimeDomainAttributes {
  uint64_t scope;
  uint64_t timestamp_type;
  uint64_t id;
  uint64_t timer_flags;
  int64_t resolution;
  uint64_t start;
};

struct SyncPoint {
  int64_t source;
  int64_t destination;
};

struct EventBatch {
  uint64_t schema;
  size_t size;
  const void* events;
  uint64_t scope;
  uint64_t flags;
  const void* flex_data;
  size_t flex_size;
  size_t flex_offset;
};

/// What `semantics` pointers lead to: a chain of these, each the beginning of a larger structure.
struct Semantics {
  uint32_t size;
  uint16_t id;
  uint16_t version;
  const Semantics* next;
};
enum SemanticsId : uint16_t { kScopeSemantics = 1, kTimeSemantics = 2, kCounterSemantics = 5 };

struct ScopeOfEntry {
  Semantics header;
  uint64_t scope;
};
struct TimeOfEntry {
  Semantics header;
  uint64_t time_domain;
};
struct CounterMeaning {
  Semantics header;
  uint64_t flags;
  const char* unit;
  uint64_t scale_numerator;
  uint64_t scale_denominator;
  int64_t limit_type;
  uint64_t min;
  uint64_t max;
};
static_assert(sizeof(CounterMeaning) == 72);

/// Slots of kCounters.
enum CounterSlot : uint32_t {
  kCounterRegister = 0,
  kCounterInt64 = 1,
  kCounterFloat64 = 2,
  kCounterSample = 3,
  kCounterNoValue = 4,
  kCounterBatch = 5,
  kCounterSlots = 6,
};

struct CounterAttributes {
  size_t size;
  uint64_t schema;
  const char* name;
  const char* description;
  uint64_t scope;
  const Semantics* semantics;
  uint64_t id;
};

struct CounterBatchData {
  uint64_t counter;
  const void* counters;
  size_t bytes;
  uint64_t flags;
  const int64_t* timestamps;
  size_t timestamps_bytes;
};

/// Slots of kMemory.
enum MemorySlot : uint32_t {
  kHeapRegister = 0,
  kHeapUnregister = 1,
  kHeapReset = 2,
  kRegionsRegister = 3,
  kRegionsResize = 4,
  kRegionsUnregister = 5,
  kRegionsName = 6,
  kPermissionsAssign = 7,
  kPermissionsCreate = 8,
  kPermissionsDestroy = 9,
  kPermissionsReset = 10,
  kPermissionsBind = 11,
  kPermissionsUnbind = 12,
  kCudaProcessPermissions = 13,
  kCudaDevicePermissions = 14,
  kCudaPeerAccess = 15,
  kCudaMarkInitialized = 16,
  kMemorySlots = 17,
};

struct VirtualRange {
  size_t size;
  const void* address;
};

struct HeapDescription {
  uint16_t compatibility;
  uint16_t size;
  uint32_t reserved;
  uint32_t usage;
  uint32_t type;
  size_t description_size;
  const void* description;  // VirtualRange where type is kVirtualAddress
  uint32_t category;
  uint32_t message_type;
  const void* message;
};
static_assert(sizeof(HeapDescription) == 48);
inline constexpr uint32_t kVirtualAddress = 1;

/// The batches of regions that are registered, resized, unregistered, named, given permissions, or marked as
/// initialised. `word` is the heap of kRegionsRegister and the permissions of kPermissionsAssign; those two
/// and no others have it.
struct RegionsWithWord {
  uint16_t compatibility;
  uint16_t size;
  uint32_t type;
  uint64_t word;
  size_t count;
  size_t element_size;
  const void* elements;
  void** handles;  // kRegionsRegister: filled in by the tool, may be null
};
struct Regions {
  uint16_t compatibility;
  uint16_t size;
  uint32_t type;  // of the descriptions; kRegionsUnregister: of the references
  size_t count;
  size_t element_size;
  const void* elements;
};

struct RegionName {
  uint32_t reference_type;
  uint32_t message_type;
  uint64_t region;
  const void* message;
  uint32_t category;
  uint32_t reserved;
};
static_assert(sizeof(RegionName) == 32);

struct RegionPermissions {
  uint32_t flags;
  uint32_t reference_type;
  uint64_t region;
};

}  // namespace sextant::agent::nvtx::abi
