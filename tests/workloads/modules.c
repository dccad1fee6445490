// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// modules: NVTX beyond ranges and marks: resources, synchronisation objects, payloads of every shape,
// counters, memory. With REAL_NVTX it is built with NVIDIA's headers.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef REAL_NVTX
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSync.h>
#else
#include "nvtx_modules.h"
#endif

static nvtxDomainHandle_t domain;

static nvtxEventAttributes_t event(const char* message) {
  nvtxEventAttributes_t a;
  memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = message;
  return a;
}

static uint64_t schema(const char* name, uint64_t type, const nvtxPayloadSchemaEntry_t* entries, size_t count,
                       size_t size) {
  nvtxPayloadSchemaAttr_t a;
  memset(&a, 0, sizeof a);
  a.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
  if (size != 0) a.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
  a.name = name;
  a.type = type;
  a.entries = entries;
  a.numEntries = count;
  a.payloadStaticSize = size;
  return nvtxPayloadSchemaRegister(domain, &a);
}

static void resources(void) {
  nvtxResourceAttributes_t a;
  memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
  a.identifierType = NVTX_RESOURCE_TYPE_GENERIC_POINTER;
  a.identifier.ullValue = 0x1234;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = "a lock";
  nvtxResourceHandle_t lock = nvtxDomainResourceCreate(domain, &a);
  printf("resource %d\n", lock != NULL);
  nvtxDomainResourceDestroy(lock);
  a.identifierType = NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE;
  a.identifier.ullValue = (uint64_t)syscall(SYS_gettid);
  a.message.ascii = "named as a resource";
  nvtxDomainResourceCreate(domain, &a);
#ifndef REAL_NVTX
  nvtxNameCuDeviceA(3, "third device");
  nvtxNameCuStreamA((void*)0x77, "driver stream");
  nvtxNameCuStreamW((void*)0x78, L"wide stream \u00e4");
  nvtxNameCudaDeviceA(1, "runtime device");
  nvtxNameCudaStreamA((void*)0x79, "runtime stream");
  nvtxNameClCommandQueueA((void*)0x7a, "a queue");
  nvtx_modules_call_unknown();
  nvtx_modules_call_unknown();
#endif
}

static void synchronisation(void) {
  nvtxSyncUserAttributes_t a;
  memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = "own mutex";
  nvtxSyncUser_t s = nvtxDomainSyncUserCreate(domain, &a);
  nvtxDomainSyncUserAcquireStart(s);
  nvtxDomainSyncUserAcquireFailed(s);
  nvtxDomainSyncUserAcquireStart(s);
  nvtxDomainSyncUserAcquireSuccess(s);
  nvtxDomainSyncUserReleasing(s);
  nvtxDomainSyncUserDestroy(s);
}

struct Inner {
  int32_t x, y;
};
struct Flat {
  uint64_t bytes;
  int rank;
  float share;
  int mode;           // an enumeration
  struct Inner at;    // a structure
  double list[3];     // an array
  char tag[8];        // a text in place
  const char* path;   // a text elsewhere
  const void* label;  // a registered string
  struct Inner pair[2];
};

static void payloads(void) {
  static const nvtxPayloadEnum_t kModes[] = {{"idle", 0, 0}, {"busy", 7, 0}};
  nvtxPayloadEnumAttr_t e;
  memset(&e, 0, sizeof e);
  e.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME | NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
  e.name = "mode";
  e.entries = kModes;
  e.numEntries = 2;
  e.sizeOfEnum = sizeof(int);
  uint64_t mode = nvtxPayloadEnumRegister(domain, &e);
  const nvtxPayloadSchemaEntry_t kInner[] = {{0, NVTX_PAYLOAD_ENTRY_TYPE_INT32, "x", 0, 0, 0, 0, 0},
                                             {0, NVTX_PAYLOAD_ENTRY_TYPE_INT32, "y", 0, 0, 0, 0, 0}};
  uint64_t inner = schema("inner", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, kInner, 2, sizeof(struct Inner));
  const nvtxPayloadSchemaEntry_t kFlat[] = {
      {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "bytes", "size of the message", 0, 0, 0, 0},
      {0, NVTX_PAYLOAD_ENTRY_TYPE_INT, "rank", 0, 0, 0, 0, 0},
      {0, NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, "share", 0, 0, 0, 0, 0},
      {0, mode, "mode", 0, 0, 0, 0, 0},
      {0, inner, "at", 0, 0, 0, 0, 0},
      {NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, "list", 0, 3, 0, 0, 0},
      {0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "tag", 0, 8, 0, 0, 0},
      {NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "path", 0, 0, 0, 0, 0},
      {0, NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, "label", 0, 0, 0, 0, 0},
      {NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, inner, "pair", 0, 2, 0, 0, 0}};
  uint64_t flat = schema("all kinds", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, kFlat, 10, sizeof(struct Flat));
  struct Flat f = {1048576, 3, 0.5f, 7, {-1, 2}, {1, 2.5, -4}, "tag", "/some/where", 0, {{10, 11}, {20, 21}}};
  f.label = nvtxDomainRegisterStringA(domain, "a label");
  nvtxPayloadData_t data = {flat, sizeof f, &f};
  nvtxEventAttributes_t a = event("with payload");
  a.payloadType = NVTX_PAYLOAD_TYPE_EXT;
  a.reserved0 = 1;
  a.payload.ullValue = (uint64_t)(uintptr_t)&data;
  nvtxDomainRangePushEx(domain, &a);
  nvtxDomainRangePop(domain);
  nvtxDomainMarkEx(domain, &a);

  // the message is a field; another payload comes where the range ends
  const nvtxPayloadSchemaEntry_t kNamed[] = {
      {NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
       NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "message", 0, 0, 0, 0, 0},
      {0, NVTX_PAYLOAD_ENTRY_TYPE_INT64, "step", 0, 0, 0, 0, 0}};
  struct {
    const char* message;
    int64_t step;
  } named = {"named by payload", 42};
  uint64_t named_schema = schema("named", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, kNamed, 2, sizeof named);
  nvtxPayloadData_t begin = {named_schema, sizeof named, &named};
  uint32_t result = 99;
  nvtxPayloadData_t end = {NVTX_PAYLOAD_ENTRY_TYPE_UINT32, sizeof result, &result};
  printf("level %d", nvtxRangePushPayload(domain, &begin, 1));
  printf(" %d\n", nvtxRangePopPayload(domain, &end, 1));
  nvtxMarkPayload(domain, &begin, 1);
  nvtxRangeId_t id = nvtxRangeStartPayload(domain, &begin, 1);
  nvtxRangeEndPayload(domain, id, &end, 1);

  // variable length, and long
  const nvtxPayloadSchemaEntry_t kDynamic[] = {
      {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT32, "count", 0, 0, 0, 0, 0},
      {NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, NVTX_PAYLOAD_ENTRY_TYPE_INT32, "numbers", 0, 0, 0, 0, 0}};
  uint64_t dynamic = schema("dynamic", NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, kDynamic, 2, 0);
  static int32_t many[1001] = {1000};
  for (int i = 1; i <= 1000; ++i) many[i] = i * i;
  nvtxPayloadData_t large = {dynamic, sizeof many, many};
  a = event("long payload");
  a.payloadType = NVTX_PAYLOAD_TYPE_EXT;
  a.reserved0 = 1;
  a.payload.ullValue = (uint64_t)(uintptr_t)&large;
  nvtxDomainRangePushEx(domain, &a);
  nvtxDomainRangePop(domain);
}

static void counters(void) {
  nvtxScopeAttr_t scope = {sizeof scope, "machine/gpu[0]", 1, 0};
  uint64_t where = nvtxScopeRegister(domain, &scope);
  nvtxSemanticsCounter_t meaning;
  memset(&meaning, 0, sizeof meaning);
  meaning.header.structSize = sizeof meaning;
  meaning.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
  meaning.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
  meaning.unit = "watt";
  meaning.unitScaleNumerator = meaning.unitScaleDenominator = 1;
  nvtxCounterAttr_t a;
  memset(&a, 0, sizeof a);
  a.structSize = sizeof a;
  a.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE;
  a.name = "power";
  a.description = "what it draws";
  a.scopeId = where;
  a.semantics = &meaning.header;
  uint64_t power = nvtxCounterRegister(domain, &a);
  for (int i = 0; i < 100; ++i) nvtxCounterSampleFloat64(domain, power, 0.25 * i);
  nvtxCounterSampleNoValue(domain, power, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
  a.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  a.name = "queue";
  a.semantics = 0;
  uint64_t queue = nvtxCounterRegister(domain, &a);
  for (int64_t i = 0; i < 10; ++i) nvtxCounterSampleInt64(domain, queue, i - 5);
  const nvtxPayloadSchemaEntry_t kGroup[] = {{0, NVTX_PAYLOAD_ENTRY_TYPE_INT32, "in", 0, 0, 0, 0, 0},
                                             {0, NVTX_PAYLOAD_ENTRY_TYPE_INT32, "out", 0, 0, 0, 0, 0}};
  a.schemaId = schema("traffic", NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, kGroup, 2, 8);
  a.name = "traffic";
  uint64_t traffic = nvtxCounterRegister(domain, &a);
  int32_t sample[2] = {5, -6};
  nvtxCounterSample(domain, traffic, sample, sizeof sample);
  int32_t batch[6] = {1, 2, 3, 4, 5, 6};
  int64_t times[3] = {100, 200, 300};
  nvtxCounterBatch_t b = {traffic, batch, sizeof batch, 0, times, sizeof times};
  nvtxCounterBatchSubmit(domain, &b);
}

static void memory(void) {
  static char heap[4096];
  nvtxMemVirtualRangeDesc_t range = {sizeof heap, heap};
  nvtxMemHeapDesc_t h;
  memset(&h, 0, sizeof h);
  h.extCompatID = NVTX_EXT_COMPATID_MEM;
  h.structSize = sizeof h;
  h.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
  h.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  h.typeSpecificDescSize = sizeof range;
  h.typeSpecificDesc = &range;
  h.messageType = NVTX_MESSAGE_TYPE_ASCII;
  h.message.ascii = "pool";
  nvtxMemHeapHandle_t handle = nvtxMemHeapRegister(domain, &h);
  nvtxMemVirtualRangeDesc_t regions[2] = {{256, heap}, {512, heap + 256}};
  nvtxMemRegionHandle_t out[2] = {0, 0};
  nvtxMemRegionsRegisterBatch_t reg;
  memset(&reg, 0, sizeof reg);
  reg.extCompatID = NVTX_EXT_COMPATID_MEM;
  reg.structSize = sizeof reg;
  reg.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  reg.heap = handle;
  reg.regionCount = 2;
  reg.regionDescElementSize = sizeof regions[0];
  reg.regionDescElements = regions;
  reg.regionHandleElementsOut = out;
  nvtxMemRegionsRegister(domain, &reg);
  printf("handles %d\n", out[0] != out[1]);
  nvtxMemRegionNameDesc_t name;
  memset(&name, 0, sizeof name);
  name.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
  name.nameType = NVTX_MESSAGE_TYPE_ASCII;
  name.region.pointer = heap;
  name.name.ascii = "weights";
  nvtxMemRegionsNameBatch_t names;
  memset(&names, 0, sizeof names);
  names.extCompatID = NVTX_EXT_COMPATID_MEM;
  names.structSize = sizeof names;
  names.regionCount = 1;
  names.regionElementSize = sizeof name;
  names.regionElements = &name;
  nvtxMemRegionsName(domain, &names);
  nvtxMemRegionRef_t refs[2];
  refs[0].pointer = heap;
  refs[1].pointer = heap + 256;
  nvtxMemRegionsUnregisterBatch_t un;
  memset(&un, 0, sizeof un);
  un.extCompatID = NVTX_EXT_COMPATID_MEM;
  un.structSize = sizeof un;
  un.refType = NVTX_MEM_REGION_REF_TYPE_POINTER;
  un.refCount = 2;
  un.refElementSize = sizeof refs[0];
  un.refElements = refs;
  nvtxMemRegionsUnregister(domain, &un);
  nvtxMemHeapUnregister(domain, handle);
}

int main(void) {
  domain = nvtxDomainCreateA("modules");
  printf("enabled %d\n", nvtxDomainIsEnabled(domain));
  resources();
  synchronisation();
  payloads();
  counters();
  memory();
  nvtxDomainDestroy(domain);
  return 0;
}
