// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every number of src/agent/sources/nvtx/abi_modules.h against the real headers, as nvtx_abi_test.cpp. That
// it compiles is the test.
#define NVTX_NO_IMPL
#define NVTX_EXT_TYPES_GUARD
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtx3/nvToolsExtSync.h>

#include "agent/sources/nvtx/abi_modules.h"

namespace abi = sextant::agent::nvtx::abi;

#define SAME(ours, theirs) static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs))
#define FIELD(type, field, theirs, their_field) \
  SAME(offsetof(abi::type, field), offsetof(theirs, their_field))

SAME(abi::kCudaSize, NVTX_CBID_CUDA_SIZE);
SAME(abi::kOpenClSize, NVTX_CBID_OPENCL_SIZE);
SAME(abi::kCudaRtSize, NVTX_CBID_CUDART_SIZE);
SAME(abi::kSyncSize, NVTX_CBID_SYNC_SIZE);
SAME(abi::kSyncCreate, NVTX_CBID_SYNC_DomainSyncUserCreate);
SAME(abi::kSyncDestroy, NVTX_CBID_SYNC_DomainSyncUserDestroy);
SAME(abi::kSyncAcquireStart, NVTX_CBID_SYNC_DomainSyncUserAcquireStart);
SAME(abi::kSyncAcquireFailed, NVTX_CBID_SYNC_DomainSyncUserAcquireFailed);
SAME(abi::kSyncAcquireSuccess, NVTX_CBID_SYNC_DomainSyncUserAcquireSuccess);
SAME(abi::kSyncReleasing, NVTX_CBID_SYNC_DomainSyncUserReleasing);
SAME(abi::kThreadNative, NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE);
SAME(abi::kThreadPosix, NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX);

// the names of CUDA and OpenCL objects: narrow and wide, pair by pair
SAME(1, NVTX_CBID_CUDA_NameCuDeviceA);
SAME(3, NVTX_CBID_CUDA_NameCuContextA);
SAME(5, NVTX_CBID_CUDA_NameCuStreamA);
SAME(7, NVTX_CBID_CUDA_NameCuEventA);
SAME(1, NVTX_CBID_CUDART_NameCudaDeviceA);
SAME(3, NVTX_CBID_CUDART_NameCudaStreamA);
SAME(5, NVTX_CBID_CUDART_NameCudaEventA);
SAME(1, NVTX_CBID_OPENCL_NameClDeviceA);
SAME(3, NVTX_CBID_OPENCL_NameClContextA);
SAME(5, NVTX_CBID_OPENCL_NameClCommandQueueA);
SAME(7, NVTX_CBID_OPENCL_NameClMemObjectA);
SAME(9, NVTX_CBID_OPENCL_NameClSamplerA);
SAME(11, NVTX_CBID_OPENCL_NameClProgramA);
SAME(13, NVTX_CBID_OPENCL_NameClEventA);

SAME(sizeof(abi::ResourceAttributes), sizeof(nvtxResourceAttributes_t));
FIELD(ResourceAttributes, type, nvtxResourceAttributes_t, identifierType);
FIELD(ResourceAttributes, identifier, nvtxResourceAttributes_t, identifier);
FIELD(ResourceAttributes, message_type, nvtxResourceAttributes_t, messageType);
FIELD(ResourceAttributes, message, nvtxResourceAttributes_t, message);
SAME(sizeof(abi::SyncAttributes), sizeof(nvtxSyncUserAttributes_t));
FIELD(SyncAttributes, message_type, nvtxSyncUserAttributes_t, messageType);
FIELD(SyncAttributes, message, nvtxSyncUserAttributes_t, message);

SAME(abi::kMemory, NVTX_EXT_MODULEID_MEM);
SAME(abi::kPayload, NVTX_EXT_PAYLOAD_MODULEID);
SAME(abi::kCounters, NVTX_EXT_COUNTERS_MODULEID);
SAME(sizeof(abi::ExtensionModule), sizeof(nvtxExtModuleInfo_t));
FIELD(ExtensionModule, module, nvtxExtModuleInfo_t, moduleId);
FIELD(ExtensionModule, segments, nvtxExtModuleInfo_t, segments);
SAME(sizeof(abi::ExtensionSegment), sizeof(nvtxExtModuleSegment_t));
FIELD(ExtensionSegment, slots, nvtxExtModuleSegment_t, functionSlots);

SAME(abi::kExtendedPayload, NVTX_PAYLOAD_TYPE_EXT);
SAME(sizeof(abi::PayloadData), sizeof(nvtxPayloadData_t));
SAME(sizeof(abi::SchemaEntry), sizeof(nvtxPayloadSchemaEntry_t));
FIELD(SchemaEntry, detail, nvtxPayloadSchemaEntry_t, arrayOrUnionDetail);
FIELD(SchemaEntry, semantics, nvtxPayloadSchemaEntry_t, semantics);
SAME(sizeof(abi::SchemaAttributes), sizeof(nvtxPayloadSchemaAttr_t));
FIELD(SchemaAttributes, entries, nvtxPayloadSchemaAttr_t, entries);
FIELD(SchemaAttributes, static_size, nvtxPayloadSchemaAttr_t, payloadStaticSize);
FIELD(SchemaAttributes, id, nvtxPayloadSchemaAttr_t, schemaId);
SAME(sizeof(abi::EnumEntry), sizeof(nvtxPayloadEnum_t));
SAME(sizeof(abi::EnumAttributes), sizeof(nvtxPayloadEnumAttr_t));
FIELD(EnumAttributes, size, nvtxPayloadEnumAttr_t, sizeOfEnum);
SAME(sizeof(abi::ScopeAttributes), sizeof(nvtxScopeAttr_t));
SAME(sizeof(abi::TimeDomainAttributes), sizeof(nvtxTimeDomainAttr_t));
SAME(sizeof(abi::SyncPoint), sizeof(nvtxSyncPoint_t));
SAME(sizeof(abi::EventBatch), sizeof(nvtxEventBatch_t));
SAME(abi::kSchemaRegister, NVTX3EXT_CBID_nvtxPayloadSchemaRegister);
SAME(abi::kEnumRegister, NVTX3EXT_CBID_nvtxPayloadEnumRegister);
SAME(abi::kMarkPayload, NVTX3EXT_CBID_nvtxMarkPayload);
SAME(abi::kPushPayload, NVTX3EXT_CBID_nvtxRangePushPayload);
SAME(abi::kPopPayload, NVTX3EXT_CBID_nvtxRangePopPayload);
SAME(abi::kStartPayload, NVTX3EXT_CBID_nvtxRangeStartPayload);
SAME(abi::kEndPayload, NVTX3EXT_CBID_nvtxRangeEndPayload);
SAME(abi::kIsEnabled, NVTX3EXT_CBID_nvtxDomainIsEnabled);
SAME(abi::kTimestampGet, NVTX3EXT_CBID_nvtxTimestampGet);
SAME(abi::kTimeDomainRegister, NVTX3EXT_CBID_nvtxTimeDomainRegister);
SAME(abi::kTimerSource, NVTX3EXT_CBID_nvtxTimerSource);
SAME(abi::kTimerSourceWithData, NVTX3EXT_CBID_nvtxTimerSourceWithData);
SAME(abi::kScopeRegister, NVTX3EXT_CBID_nvtxScopeRegister);
SAME(abi::kTimeSyncPoint, NVTX3EXT_CBID_nvtxTimeSyncPoint);
SAME(abi::kTimeSyncPointTable, NVTX3EXT_CBID_nvtxTimeSyncPointTable);
SAME(abi::kTimestampConversion, NVTX3EXT_CBID_nvtxTimestampConversionFactor);
SAME(abi::kEventSubmit, NVTX3EXT_CBID_nvtxEventSubmit);
SAME(abi::kEventBatchSubmit, NVTX3EXT_CBID_nvtxEventBatchSubmit);
SAME(abi::kText, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING);
SAME(abi::kText32, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32);
SAME(abi::kRegisteredText, NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE);
SAME(abi::kReferenced, NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED);
SAME(abi::kRaw, NVTX_TYPE_PAYLOAD_SCHEMA_RAW);
SAME(abi::kFirstSchema, NVTX_PAYLOAD_SCHEMA_ID_STATIC_START);
SAME(abi::kFirstDynamicId, NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);
SAME(abi::kEntryPointer, NVTX_PAYLOAD_ENTRY_FLAG_POINTER);
SAME(abi::kEntryFromBase, NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE);
SAME(abi::kEntryFromHere, NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE);
SAME(abi::kEntryArray, NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY);
SAME(abi::kEntryFixedArray, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE);
SAME(abi::kEntryDeepCopy, NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY);
SAME(abi::kSchemaDeepCopy, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY);
SAME(abi::kSchemaName, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME);
SAME(abi::kSchemaId, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID);
SAME(abi::kEnumName, NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME);
SAME(abi::kEnumId, NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID);
SAME(abi::kStaticSchema, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC);
SAME(abi::kScopeSemantics, NVTX_SEMANTIC_ID_SCOPE_V1);
SAME(abi::kTimeSemantics, NVTX_SEMANTIC_ID_TIME_V1);
SAME(abi::kCounterSemantics, NVTX_SEMANTIC_ID_COUNTERS_V1);
SAME(sizeof(abi::Semantics), sizeof(nvtxSemanticsHeader_t));
SAME(sizeof(abi::ScopeOfEntry), sizeof(nvtxSemanticsScope_t));
SAME(sizeof(abi::TimeOfEntry), sizeof(nvtxSemanticsTime_t));
SAME(sizeof(abi::CounterMeaning), sizeof(nvtxSemanticsCounter_t));
FIELD(CounterMeaning, limit_type, nvtxSemanticsCounter_t, limitType);

SAME(abi::kCounterRegister, NVTX3EXT_CBID_nvtxCounterRegister);
SAME(abi::kCounterInt64, NVTX3EXT_CBID_nvtxCounterSampleInt64);
SAME(abi::kCounterFloat64, NVTX3EXT_CBID_nvtxCounterSampleFloat64);
SAME(abi::kCounterSample, NVTX3EXT_CBID_nvtxCounterSample);
SAME(abi::kCounterNoValue, NVTX3EXT_CBID_nvtxCounterSampleNoValue);
SAME(abi::kCounterBatch, NVTX3EXT_CBID_nvtxCounterBatchSubmit);
SAME(sizeof(abi::CounterAttributes), sizeof(nvtxCounterAttr_t));
FIELD(CounterAttributes, semantics, nvtxCounterAttr_t, semantics);
SAME(sizeof(abi::CounterBatchData), sizeof(nvtxCounterBatch_t));
FIELD(CounterBatchData, timestamps, nvtxCounterBatch_t, timestamps);

SAME(abi::kHeapRegister, NVTX3EXT_CBID_nvtxMemHeapRegister);
SAME(abi::kHeapUnregister, NVTX3EXT_CBID_nvtxMemHeapUnregister);
SAME(abi::kHeapReset, NVTX3EXT_CBID_nvtxMemHeapReset);
SAME(abi::kRegionsRegister, NVTX3EXT_CBID_nvtxMemRegionsRegister);
SAME(abi::kRegionsResize, NVTX3EXT_CBID_nvtxMemRegionsResize);
SAME(abi::kRegionsUnregister, NVTX3EXT_CBID_nvtxMemRegionsUnregister);
SAME(abi::kRegionsName, NVTX3EXT_CBID_nvtxMemRegionsName);
SAME(abi::kPermissionsAssign, NVTX3EXT_CBID_nvtxMemPermissionsAssign);
SAME(abi::kPermissionsCreate, NVTX3EXT_CBID_nvtxMemPermissionsCreate);
SAME(abi::kPermissionsDestroy, NVTX3EXT_CBID_nvtxMemPermissionsDestroy);
SAME(abi::kPermissionsReset, NVTX3EXT_CBID_nvtxMemPermissionsReset);
SAME(abi::kPermissionsBind, NVTX3EXT_CBID_nvtxMemPermissionsBind);
SAME(abi::kPermissionsUnbind, NVTX3EXT_CBID_nvtxMemPermissionsUnbind);
SAME(abi::kCudaProcessPermissions, NVTX3EXT_CBID_nvtxMemCudaGetProcessWidePermissions);
SAME(abi::kCudaDevicePermissions, NVTX3EXT_CBID_nvtxMemCudaGetDeviceWidePermissions);
SAME(abi::kCudaPeerAccess, NVTX3EXT_CBID_nvtxMemCudaSetPeerAccess);
SAME(abi::kCudaMarkInitialized, NVTX3EXT_CBID_nvtxMemCudaMarkInitialized);
SAME(sizeof(abi::VirtualRange), sizeof(nvtxMemVirtualRangeDesc_t));
SAME(sizeof(abi::HeapDescription), sizeof(nvtxMemHeapDesc_t));
FIELD(HeapDescription, description, nvtxMemHeapDesc_t, typeSpecificDesc);
FIELD(HeapDescription, message, nvtxMemHeapDesc_t, message);
SAME(abi::kVirtualAddress, NVTX_MEM_TYPE_VIRTUAL_ADDRESS);
SAME(sizeof(abi::RegionsWithWord), sizeof(nvtxMemRegionsRegisterBatch_t));
FIELD(RegionsWithWord, word, nvtxMemRegionsRegisterBatch_t, heap);
FIELD(RegionsWithWord, elements, nvtxMemRegionsRegisterBatch_t, regionDescElements);
FIELD(RegionsWithWord, handles, nvtxMemRegionsRegisterBatch_t, regionHandleElementsOut);
FIELD(RegionsWithWord, word, nvtxMemPermissionsAssignBatch_t, permissions);
FIELD(RegionsWithWord, elements, nvtxMemPermissionsAssignBatch_t, regionElements);
SAME(sizeof(abi::Regions), sizeof(nvtxMemRegionsResizeBatch_t));
FIELD(Regions, elements, nvtxMemRegionsResizeBatch_t, regionDescElements);
FIELD(Regions, elements, nvtxMemRegionsUnregisterBatch_t, refElements);
FIELD(Regions, elements, nvtxMemRegionsNameBatch_t, regionElements);
SAME(sizeof(abi::RegionName), sizeof(nvtxMemRegionNameDesc_t));
FIELD(RegionName, message, nvtxMemRegionNameDesc_t, name);
SAME(sizeof(abi::RegionPermissions), sizeof(nvtxMemPermissionsAssignRegionDesc_t));
FIELD(RegionPermissions, region, nvtxMemPermissionsAssignRegionDesc_t, region);
