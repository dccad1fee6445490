// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The slice of NVTX version 3's binary interface that a tool needs: how an NVTX instance hands its function
// tables to a tool, the numbers of the functions and the layout of event attributes. Numbers, sizes and
// offsets are facts of that interface; tests/agent/nvtx_abi_test.cpp compares each with the real headers
// where they are present.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::agent::nvtx::abi {

// Export tables of an instance, by number.
enum ExportTable : uint32_t { kCallbacks = 1, kVersionInfo = 3 };

// Modules of functions within kCallbacks.
enum Module : uint32_t { kCore = 1, kCuda = 2, kOpenCl = 3, kCudaRt = 4, kCore2 = 5, kSync = 6 };

// Function numbers of kCore. Entry 0 of every table is unused.
enum Core : uint32_t {
  kMarkEx = 1,
  kMarkA = 2,
  kMarkW = 3,
  kRangeStartEx = 4,
  kRangeStartA = 5,
  kRangeStartW = 6,
  kRangeEnd = 7,
  kRangePushEx = 8,
  kRangePushA = 9,
  kRangePushW = 10,
  kRangePop = 11,
  kNameCategoryA = 12,
  kNameCategoryW = 13,
  kNameOsThreadA = 14,
  kNameOsThreadW = 15,
  kCoreSize = 16,
};

// Function numbers of kCore2.
enum Core2 : uint32_t {
  kDomainMarkEx = 1,
  kDomainRangeStartEx = 2,
  kDomainRangeEnd = 3,
  kDomainRangePushEx = 4,
  kDomainRangePop = 5,
  kDomainResourceCreate = 6,
  kDomainResourceDestroy = 7,
  kDomainNameCategoryA = 8,
  kDomainNameCategoryW = 9,
  kDomainRegisterStringA = 10,
  kDomainRegisterStringW = 11,
  kDomainCreateA = 12,
  kDomainCreateW = 13,
  kDomainDestroy = 14,
  kInitialize = 15,
  kCore2Size = 16,
};

using Function = void (*)();
using FunctionTable = Function**;  // entries point at the instance's function pointers; some may be null

struct Callbacks {
  size_t struct_size;
  int (*module_table)(uint32_t module, FunctionTable* table, unsigned* entries);  // 1: ok
};

struct VersionInfo {
  size_t struct_size;
  uint32_t version;
  uint32_t reserved;
  void (*set_tool_version)(uint32_t version);
};

using GetExportTable = const void* (*)(uint32_t table);

inline constexpr uint32_t kVersion = 3;
inline constexpr int kNoTracking = -2;  // what push and pop return when no tool tracks levels

enum ColorType : int32_t { kNoColor = 0, kArgb = 1 };
enum PayloadType : int32_t {
  kNoPayload = 0,
  kUint64 = 1,
  kInt64 = 2,
  kDouble = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat = 6
};
enum MessageType : int32_t { kNoMessage = 0, kAscii = 1, kWide = 2, kRegistered = 3 };

struct EventAttributes {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type;
  int32_t reserved;
  uint64_t payload;  // the 32-bit kinds use its first four bytes
  int32_t message_type;
  const void* message;
};
static_assert(sizeof(EventAttributes) == 48 && offsetof(EventAttributes, payload) == 24 &&
              offsetof(EventAttributes, message) == 40);

}  // namespace sextant::agent::nvtx::abi
