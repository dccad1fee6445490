// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What examples/nvtx_client.h leaves out of NVTX: resources, names of CUDA and OpenCL objects,
// synchronisation objects, and the extensions for payloads, counters and memory. Names and binary interface
// are those of NVIDIA's headers, so that a workload can be built with either (REAL_NVTX).
#ifndef SEXTANT_TESTS_NVTX_MODULES_H
#define SEXTANT_TESTS_NVTX_MODULES_H

#include "nvtx_client.h"

typedef struct nvtxResourceHandle* nvtxResourceHandle_t;
typedef struct nvtxSyncUser* nvtxSyncUser_t;

#define NVTX_RESOURCE_TYPE_GENERIC_POINTER (1 << 16 | 1)
#define NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE (1 << 16 | 3)

typedef struct {
  uint16_t version, size;
  int32_t identifierType;
  union {
    const void* pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_t;
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_t))

typedef struct {
  uint16_t version, size;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxSyncUserAttributes_t;
#define NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxSyncUserAttributes_t))

#define CALL(type, module, number, none, signature, arguments)                    \
  {                                                                               \
    type(*f) signature = (type(*) signature)nvtx_client_function(module, number); \
    return f != NULL ? f arguments : none;                                        \
  }
#define CALL_VOID(module, number, signature, arguments)                           \
  {                                                                               \
    void(*f) signature = (void(*) signature)nvtx_client_function(module, number); \
    if (f != NULL) f arguments;                                                   \
  }

static inline nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t d, nvtxResourceAttributes_t* a)
    CALL(nvtxResourceHandle_t, 5, 6, NULL, (nvtxDomainHandle_t, nvtxResourceAttributes_t*),
         (d, a)) static inline void nvtxDomainResourceDestroy(nvtxResourceHandle_t r)
        CALL_VOID(5, 7, (nvtxResourceHandle_t), (r)) static inline void nvtxNameCuDeviceA(int d,
                                                                                          const char* n)
            CALL_VOID(2, 1, (int, const char*), (d, n)) static inline void nvtxNameCuStreamA(void* s,
                                                                                             const char* n)
                CALL_VOID(2, 5, (void*, const char*),
                          (s, n)) static inline void nvtxNameCuStreamW(void* s, const wchar_t* n)
                    CALL_VOID(2, 6, (void*, const wchar_t*),
                              (s, n)) static inline void nvtxNameCudaDeviceA(int d, const char* n)
                        CALL_VOID(4, 1, (int, const char*),
                                  (d, n)) static inline void nvtxNameCudaStreamA(void* s, const char* n)
                            CALL_VOID(4, 3, (void*, const char*),
                                      (s, n)) static inline void nvtxNameClCommandQueueA(void* q,
                                                                                         const char* n)
                                CALL_VOID(3, 5, (void*, const char*), (q, n)) static inline nvtxSyncUser_t
    nvtxDomainSyncUserCreate(nvtxDomainHandle_t d, const nvtxSyncUserAttributes_t* a)
        CALL(nvtxSyncUser_t, 6, 1, NULL, (nvtxDomainHandle_t, const nvtxSyncUserAttributes_t*),
             (d, a)) static inline void nvtxDomainSyncUserDestroy(nvtxSyncUser_t s)
            CALL_VOID(6, 2, (nvtxSyncUser_t),
                      (s)) static inline void nvtxDomainSyncUserAcquireStart(nvtxSyncUser_t s)
                CALL_VOID(6, 3, (nvtxSyncUser_t),
                          (s)) static inline void nvtxDomainSyncUserAcquireFailed(nvtxSyncUser_t s)
                    CALL_VOID(6, 4, (nvtxSyncUser_t),
                              (s)) static inline void nvtxDomainSyncUserAcquireSuccess(nvtxSyncUser_t s)
                        CALL_VOID(6, 5, (nvtxSyncUser_t),
                                  (s)) static inline void nvtxDomainSyncUserReleasing(nvtxSyncUser_t s)
                            CALL_VOID(6, 6, (nvtxSyncUser_t), (s))

    /* ---- Extension modules: the tool fills in slots ---- */

    typedef struct {
  size_t segmentId, slotCount;
  intptr_t* functionSlots;
} nvtxExtModuleSegment_t;
typedef struct {
  uint16_t nvtxVer, structSize, moduleId, compatId;
  size_t segmentsCount;
  nvtxExtModuleSegment_t* segments;
  void* getExportFunction;
  const void* extInfo;
} nvtxExtModuleInfo_t;

enum { NVTX_MODULES_MEM = 1, NVTX_MODULES_PAYLOAD = 2, NVTX_MODULES_COUNTERS = 4, NVTX_MODULES_SLOTS = 63 };
static intptr_t nvtx_modules_slots[5][NVTX_MODULES_SLOTS];
static int nvtx_modules_ready[5];

static inline void* nvtx_modules_function(unsigned module, unsigned slot) {
  if (!nvtx_modules_ready[module]) {
    const char* path = getenv("NVTX_INJECTION64_PATH");
    void* tool;
    int (*initialize)(nvtxExtModuleInfo_t*) = NULL;
    nvtxExtModuleSegment_t segment = {0, NVTX_MODULES_SLOTS, nvtx_modules_slots[module]};
    nvtxExtModuleInfo_t info = {3, sizeof info, (uint16_t)module, 0x104, 1, &segment, NULL, NULL};
    nvtxInitialize(NULL);
    tool = path != NULL ? dlopen(path, RTLD_LAZY) : NULL;
    if (tool != NULL) *(void**)&initialize = dlsym(tool, "InitializeInjectionNvtxExtension");
    if (initialize != NULL) initialize(&info);
    nvtx_modules_ready[module] = 1;
  }
  return (void*)nvtx_modules_slots[module][slot];
}

#define EXT(type, module, slot, none, signature, arguments)                      \
  {                                                                              \
    type(*f) signature = (type(*) signature)nvtx_modules_function(module, slot); \
    return f != NULL ? f arguments : none;                                       \
  }
#define EXT_VOID(module, slot, signature, arguments)                             \
  {                                                                              \
    void(*f) signature = (void(*) signature)nvtx_modules_function(module, slot); \
    if (f != NULL) f arguments;                                                  \
  }

/* Payloads */
#define NVTX_PAYLOAD_TYPE_EXT ((int32_t)0xDFBD0009)
#define NVTX_PAYLOAD_ENTRY_FLAG_POINTER (1 << 1)
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE (1 << 4)
#define NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX (3 << 4)
#define NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY (1 << 8)
#define NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE (1 << 10)
#define NVTX_PAYLOAD_ENTRY_TYPE_CHAR 1
#define NVTX_PAYLOAD_ENTRY_TYPE_INT 5
#define NVTX_PAYLOAD_ENTRY_TYPE_INT32 15
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT32 16
#define NVTX_PAYLOAD_ENTRY_TYPE_INT64 17
#define NVTX_PAYLOAD_ENTRY_TYPE_UINT64 18
#define NVTX_PAYLOAD_ENTRY_TYPE_FLOAT 19
#define NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE 20
#define NVTX_PAYLOAD_ENTRY_TYPE_CSTRING 75
#define NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE 80
#define NVTX_PAYLOAD_SCHEMA_TYPE_STATIC 1
#define NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC 2
#define NVTX_PAYLOAD_SCHEMA_TYPE_UNION 3
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME (1 << 1)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE (1 << 2)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES (1 << 4)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES (1 << 5)
#define NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE (1 << 6)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME (1 << 1)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES (1 << 2)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES (1 << 3)
#define NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE (1 << 4)

typedef struct {
  uint64_t schemaId;
  size_t size;
  const void* payload;
} nvtxPayloadData_t;
typedef struct nvtxSemanticsHeader_v1 {
  uint32_t structSize;
  uint16_t semanticId, version;
  const struct nvtxSemanticsHeader_v1* next;
} nvtxSemanticsHeader_t;
typedef struct {
  uint64_t flags, type;
  const char *name, *description;
  uint64_t arrayOrUnionDetail, offset;
  const nvtxSemanticsHeader_t* semantics;
  const void* reserved;
} nvtxPayloadSchemaEntry_t;
typedef struct {
  uint64_t fieldMask;
  const char* name;
  uint64_t type, flags;
  const nvtxPayloadSchemaEntry_t* entries;
  size_t numEntries, payloadStaticSize, packAlign;
  uint64_t schemaId;
  void* extension;
} nvtxPayloadSchemaAttr_t;
typedef struct {
  const char* name;
  uint64_t value;
  int8_t isFlag;
} nvtxPayloadEnum_t;
typedef struct {
  uint64_t fieldMask;
  const char* name;
  const nvtxPayloadEnum_t* entries;
  size_t numEntries, sizeOfEnum;
  uint64_t schemaId;
  void* extension;
} nvtxPayloadEnumAttr_t;
typedef struct {
  size_t structSize;
  const char* path;
  uint64_t parentScope, scopeId;
} nvtxScopeAttr_t;

static inline uint64_t nvtxPayloadSchemaRegister(nvtxDomainHandle_t d, const nvtxPayloadSchemaAttr_t* a)
    EXT(uint64_t, 2, 0, 0, (nvtxDomainHandle_t, const nvtxPayloadSchemaAttr_t*),
        (d, a)) static inline uint64_t
    nvtxPayloadEnumRegister(nvtxDomainHandle_t d, const nvtxPayloadEnumAttr_t* a)
        EXT(uint64_t, 2, 1, 0, (nvtxDomainHandle_t, const nvtxPayloadEnumAttr_t*),
            (d, a)) static inline void nvtxMarkPayload(nvtxDomainHandle_t d, const nvtxPayloadData_t* p,
                                                       size_t n)
            EXT_VOID(2, 2, (nvtxDomainHandle_t, const nvtxPayloadData_t*, size_t),
                     (d, p, n)) static inline int nvtxRangePushPayload(nvtxDomainHandle_t d,
                                                                       const nvtxPayloadData_t* p, size_t n)
                EXT(int, 2, 3, -2, (nvtxDomainHandle_t, const nvtxPayloadData_t*, size_t),
                    (d, p, n)) static inline int nvtxRangePopPayload(nvtxDomainHandle_t d,
                                                                     const nvtxPayloadData_t* p, size_t n)
                    EXT(int, 2, 4, -2, (nvtxDomainHandle_t, const nvtxPayloadData_t*, size_t),
                        (d, p, n)) static inline nvtxRangeId_t
    nvtxRangeStartPayload(nvtxDomainHandle_t d, const nvtxPayloadData_t* p, size_t n)
        EXT(nvtxRangeId_t, 2, 5, 0, (nvtxDomainHandle_t, const nvtxPayloadData_t*, size_t),
            (d, p, n)) static inline void nvtxRangeEndPayload(nvtxDomainHandle_t d, nvtxRangeId_t id,
                                                              const nvtxPayloadData_t* p, size_t n)
            EXT_VOID(2, 6, (nvtxDomainHandle_t, nvtxRangeId_t, const nvtxPayloadData_t*, size_t),
                     (d, id, p, n)) static inline uint8_t nvtxDomainIsEnabled(nvtxDomainHandle_t d)
                EXT(uint8_t, 2, 7, 0, (nvtxDomainHandle_t), (d)) static inline uint64_t
    nvtxScopeRegister(nvtxDomainHandle_t d, const nvtxScopeAttr_t* a)
        EXT(uint64_t, 2, 12, 0, (nvtxDomainHandle_t, const nvtxScopeAttr_t*), (d, a))
/* Counters */
#define NVTX_SEMANTIC_ID_COUNTERS_V1 5
#define NVTX_COUNTER_SEMANTIC_VERSION 2
#define NVTX_COUNTER_SAMPLE_UNAVAILABLE 2
            typedef struct {
  size_t structSize;
  uint64_t schemaId;
  const char *name, *description;
  uint64_t scopeId;
  const nvtxSemanticsHeader_t* semantics;
  uint64_t counterId;
} nvtxCounterAttr_t;
typedef union {
  int64_t i64;
  uint64_t u64;
  double f64;
} nvtxCounterLimit_t;
typedef struct {
  nvtxSemanticsHeader_t header;
  uint64_t flags;
  const char* unit;
  uint64_t unitScaleNumerator, unitScaleDenominator;
  int64_t limitType;
  nvtxCounterLimit_t min, max;
} nvtxSemanticsCounter_t;
typedef struct {
  uint64_t counterId;
  const void* counters;
  size_t countersSize;
  uint64_t flags;
  const int64_t* timestamps;
  size_t timestampsSize;
} nvtxCounterBatch_t;

static inline uint64_t nvtxCounterRegister(nvtxDomainHandle_t d, const nvtxCounterAttr_t* a)
    EXT(uint64_t, 4, 0, 0, (nvtxDomainHandle_t, const nvtxCounterAttr_t*),
        (d, a)) static inline void nvtxCounterSampleInt64(nvtxDomainHandle_t d, uint64_t c, int64_t v)
        EXT_VOID(4, 1, (nvtxDomainHandle_t, uint64_t, int64_t),
                 (d, c, v)) static inline void nvtxCounterSampleFloat64(nvtxDomainHandle_t d, uint64_t c,
                                                                        double v)
            EXT_VOID(4, 2, (nvtxDomainHandle_t, uint64_t, double),
                     (d, c, v)) static inline void nvtxCounterSample(nvtxDomainHandle_t d, uint64_t c,
                                                                     const void* v, size_t n)
                EXT_VOID(4, 3, (nvtxDomainHandle_t, uint64_t, const void*, size_t),
                         (d, c, v, n)) static inline void nvtxCounterSampleNoValue(nvtxDomainHandle_t d,
                                                                                   uint64_t c, uint8_t r)
                    EXT_VOID(4, 4, (nvtxDomainHandle_t, uint64_t, uint8_t),
                             (d, c, r)) static inline void nvtxCounterBatchSubmit(nvtxDomainHandle_t d,
                                                                                  const nvtxCounterBatch_t* b)
                        EXT_VOID(4, 5, (nvtxDomainHandle_t, const nvtxCounterBatch_t*), (d, b))

/* Memory */
#define NVTX_EXT_COMPATID_MEM 0x0102
#define NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR 1
#define NVTX_MEM_TYPE_VIRTUAL_ADDRESS 1
#define NVTX_MEM_REGION_REF_TYPE_POINTER 1
                            typedef struct nvtxMemHeap_v1* nvtxMemHeapHandle_t;
typedef struct nvtxMemRegion_v1* nvtxMemRegionHandle_t;
typedef union {
  void const* pointer;
  nvtxMemRegionHandle_t handle;
} nvtxMemRegionRef_t;
typedef struct {
  size_t size;
  void const* ptr;
} nvtxMemVirtualRangeDesc_t;
typedef struct {
  uint16_t extCompatID, structSize;
  uint32_t reserved0, usage, type;
  size_t typeSpecificDescSize;
  void const* typeSpecificDesc;
  uint32_t category, messageType;
  nvtxMessageValue_t message;
} nvtxMemHeapDesc_t;
typedef struct {
  uint16_t extCompatID, structSize;
  uint32_t regionType;
  nvtxMemHeapHandle_t heap;
  size_t regionCount, regionDescElementSize;
  void const* regionDescElements;
  nvtxMemRegionHandle_t* regionHandleElementsOut;
} nvtxMemRegionsRegisterBatch_t;
typedef struct {
  uint16_t extCompatID, structSize;
  uint32_t refType;
  size_t refCount, refElementSize;
  nvtxMemRegionRef_t const* refElements;
} nvtxMemRegionsUnregisterBatch_t;
typedef struct {
  uint32_t regionRefType, nameType;
  nvtxMemRegionRef_t region;
  nvtxMessageValue_t name;
  uint32_t category, reserved0;
} nvtxMemRegionNameDesc_t;
typedef struct {
  uint16_t extCompatID, structSize;
  uint32_t reserved0;
  size_t regionCount, regionElementSize;
  nvtxMemRegionNameDesc_t const* regionElements;
  size_t reserved1;
} nvtxMemRegionsNameBatch_t;

static inline nvtxMemHeapHandle_t nvtxMemHeapRegister(nvtxDomainHandle_t d, nvtxMemHeapDesc_t const* h) EXT(
    nvtxMemHeapHandle_t, 1, 0, NULL, (nvtxDomainHandle_t, nvtxMemHeapDesc_t const*),
    (d, h)) static inline void nvtxMemHeapUnregister(nvtxDomainHandle_t d, nvtxMemHeapHandle_t h)
    EXT_VOID(1, 1, (nvtxDomainHandle_t, nvtxMemHeapHandle_t),
             (d, h)) static inline void nvtxMemRegionsRegister(nvtxDomainHandle_t d,
                                                               nvtxMemRegionsRegisterBatch_t const* b)
        EXT_VOID(1, 3, (nvtxDomainHandle_t, nvtxMemRegionsRegisterBatch_t const*),
                 (d, b)) static inline void nvtxMemRegionsUnregister(nvtxDomainHandle_t d,
                                                                     nvtxMemRegionsUnregisterBatch_t const* b)
            EXT_VOID(1, 5, (nvtxDomainHandle_t, nvtxMemRegionsUnregisterBatch_t const*),
                     (d, b)) static inline void nvtxMemRegionsName(nvtxDomainHandle_t d,
                                                                   nvtxMemRegionsNameBatch_t const* b)
                EXT_VOID(1, 6, (nvtxDomainHandle_t, nvtxMemRegionsNameBatch_t const*), (d, b))

    /* A function that is newer than this tool. */
    static inline void nvtx_modules_call_unknown(void) EXT_VOID(2, 40, (void), ())

#endif
