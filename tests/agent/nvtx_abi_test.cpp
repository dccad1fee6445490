// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Every number of src/agent/sources/nvtx/abi.h and of examples/nvtx_client.h against the real headers.
// Compiled only where SEXTANT_NVTX_INCLUDE names them; that it compiles is the test.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include "agent/sources/nvtx/abi.h"

namespace abi = sextant::agent::nvtx::abi;

#define SAME(ours, theirs) static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs))

SAME(abi::kCallbacks, NVTX_ETID_CALLBACKS);
SAME(abi::kVersionInfo, NVTX_ETID_VERSIONINFO);
SAME(abi::kCore, NVTX_CB_MODULE_CORE);
SAME(abi::kCuda, NVTX_CB_MODULE_CUDA);
SAME(abi::kOpenCl, NVTX_CB_MODULE_OPENCL);
SAME(abi::kCudaRt, NVTX_CB_MODULE_CUDART);
SAME(abi::kCore2, NVTX_CB_MODULE_CORE2);
SAME(abi::kSync, NVTX_CB_MODULE_SYNC);
SAME(abi::kVersion, NVTX_VERSION);
SAME(abi::kNoTracking, NVTX_NO_PUSH_POP_TRACKING);

#define CORE(name) SAME(abi::k##name, NVTX_CBID_CORE_##name)
CORE(MarkEx);
CORE(MarkA);
CORE(MarkW);
CORE(RangeStartEx);
CORE(RangeStartA);
CORE(RangeStartW);
CORE(RangeEnd);
CORE(RangePushEx);
CORE(RangePushA);
CORE(RangePushW);
CORE(RangePop);
CORE(NameCategoryA);
CORE(NameCategoryW);
CORE(NameOsThreadA);
CORE(NameOsThreadW);
SAME(abi::kCoreSize, NVTX_CBID_CORE_SIZE);

#define CORE2(name) SAME(abi::k##name, NVTX_CBID_CORE2_##name)
CORE2(DomainMarkEx);
CORE2(DomainRangeStartEx);
CORE2(DomainRangeEnd);
CORE2(DomainRangePushEx);
CORE2(DomainRangePop);
CORE2(DomainResourceCreate);
CORE2(DomainResourceDestroy);
CORE2(DomainNameCategoryA);
CORE2(DomainNameCategoryW);
CORE2(DomainRegisterStringA);
CORE2(DomainRegisterStringW);
CORE2(DomainCreateA);
CORE2(DomainCreateW);
CORE2(DomainDestroy);
CORE2(Initialize);
SAME(abi::kCore2Size, NVTX_CBID_CORE2_SIZE);

SAME(sizeof(abi::Callbacks), sizeof(NvtxExportTableCallbacks));
SAME(offsetof(abi::Callbacks, module_table), offsetof(NvtxExportTableCallbacks, GetModuleFunctionTable));
SAME(sizeof(abi::VersionInfo), sizeof(NvtxExportTableVersionInfo));
SAME(offsetof(abi::VersionInfo, version), offsetof(NvtxExportTableVersionInfo, version));
SAME(offsetof(abi::VersionInfo, set_tool_version),
     offsetof(NvtxExportTableVersionInfo, SetInjectionNvtxVersion));

SAME(sizeof(abi::EventAttributes), sizeof(nvtxEventAttributes_t));
#define FIELD(ours, theirs) \
  SAME(offsetof(abi::EventAttributes, ours), offsetof(nvtxEventAttributes_t, theirs))
FIELD(version, version);
FIELD(size, size);
FIELD(category, category);
FIELD(color_type, colorType);
FIELD(color, color);
FIELD(payload_type, payloadType);
FIELD(reserved, reserved0);
FIELD(payload, payload);
FIELD(message_type, messageType);
FIELD(message, message);

SAME(abi::kNoColor, NVTX_COLOR_UNKNOWN);
SAME(abi::kArgb, NVTX_COLOR_ARGB);
SAME(abi::kNoPayload, NVTX_PAYLOAD_UNKNOWN);
SAME(abi::kUint64, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64);
SAME(abi::kInt64, NVTX_PAYLOAD_TYPE_INT64);
SAME(abi::kDouble, NVTX_PAYLOAD_TYPE_DOUBLE);
SAME(abi::kUint32, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32);
SAME(abi::kInt32, NVTX_PAYLOAD_TYPE_INT32);
SAME(abi::kFloat, NVTX_PAYLOAD_TYPE_FLOAT);
SAME(abi::kNoMessage, NVTX_MESSAGE_UNKNOWN);
SAME(abi::kAscii, NVTX_MESSAGE_TYPE_ASCII);
SAME(abi::kWide, NVTX_MESSAGE_TYPE_UNICODE);
SAME(abi::kRegistered, NVTX_MESSAGE_TYPE_REGISTERED);
