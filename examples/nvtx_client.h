// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// An NVTX version 3 client in one header, for C and C++: marks, push/pop ranges, start/end ranges, domains,
// registered strings, event attributes, names of threads and categories. Names and binary interface are those
// of NVIDIA's nvtx3 headers, so any NVTX tool can be used with it, and a program can change to those headers
// by changing its include line.
//
// At the first call the tool named by $NVTX_INJECTION64_PATH is opened and asked to fill in the functions;
// without a tool a call costs about a nanosecond. Thread-safe. Link with -ldl where the C library is older
// than glibc 2.34.
#ifndef SEXTANT_EXAMPLES_NVTX_CLIENT_H
#define SEXTANT_EXAMPLES_NVTX_CLIENT_H

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;

enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
};
enum {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
};

typedef union {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct {
  uint16_t version; /* NVTX_VERSION */
  uint16_t size;    /* NVTX_EVENT_ATTRIB_STRUCT_SIZE */
  uint32_t category;
  int32_t colorType;
  uint32_t color; /* ARGB */
  int32_t payloadType;
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/* ---- What a tool sees: tables of addresses of function pointers, one table a module ---- */

typedef void (*NvtxClientFunction)(void);

typedef struct {
  size_t struct_size;
  int (*module_table)(unsigned module, NvtxClientFunction*** table, unsigned* entries);
} NvtxClientCallbacks;

typedef struct {
  size_t struct_size;
  uint32_t version;
  uint32_t reserved;
  void (*set_tool_version)(uint32_t version);
} NvtxClientVersion;

enum {
  NVTX_CLIENT_FRESH = 0,
  NVTX_CLIENT_STARTED = 1,
  NVTX_CLIENT_READY = 2,
  NVTX_CLIENT_MODULES = 7,
  NVTX_CLIENT_ENTRIES = 16
};

typedef struct {
  volatile unsigned state;
  NvtxClientFunction function[NVTX_CLIENT_MODULES]
                             [NVTX_CLIENT_ENTRIES]; /* by module and number; entry 0 is unused */
  NvtxClientFunction* table[NVTX_CLIENT_MODULES][NVTX_CLIENT_ENTRIES + 1];
  NvtxClientCallbacks callbacks;
  NvtxClientVersion version;
} NvtxClient;

/* One instance for all files of an executable or shared library. */
__attribute__((weak, visibility("hidden"))) NvtxClient nvtx_client;

static inline int nvtx_client_module_table(unsigned module, NvtxClientFunction*** table, unsigned* entries) {
  /* core, CUDA, OpenCL, CUDA runtime, core 2, synchronisation */
  static const unsigned kEntries[NVTX_CLIENT_MODULES] = {0, 16, 9, 15, 7, 16, 7};
  if (module == 0 || module >= NVTX_CLIENT_MODULES) return 0;
  if (table != NULL) *table = nvtx_client.table[module];
  if (entries != NULL) *entries = kEntries[module];
  return 1;
}

static inline void nvtx_client_tool_version(uint32_t version) {
  (void)version;
}

static inline const void* nvtx_client_export_table(uint32_t id) {
  if (id == 1) return &nvtx_client.callbacks;
  if (id == 3) return &nvtx_client.version;
  return NULL;
}

typedef const void* (*NvtxClientExportTable)(uint32_t id);
typedef int (*NvtxClientInitialize)(NvtxClientExportTable tables);

static inline void nvtx_client_load(void) {
  const char* path = getenv("NVTX_INJECTION64_PATH");
  void* tool;
  NvtxClientInitialize initialize;
  unsigned module, entry;
  nvtx_client.callbacks.struct_size = sizeof nvtx_client.callbacks;
  nvtx_client.callbacks.module_table = nvtx_client_module_table;
  nvtx_client.version.struct_size = sizeof nvtx_client.version;
  nvtx_client.version.version = NVTX_VERSION;
  nvtx_client.version.set_tool_version = nvtx_client_tool_version;
  for (module = 1; module < NVTX_CLIENT_MODULES; ++module)
    for (entry = 1; entry < NVTX_CLIENT_ENTRIES; ++entry)
      nvtx_client.table[module][entry] = &nvtx_client.function[module][entry];
  if (path == NULL) return;
  tool = dlopen(path, RTLD_LAZY);
  if (tool == NULL) return;
  initialize = (NvtxClientInitialize)dlsym(tool, "InitializeInjectionNvtx2");
  if (initialize != NULL && initialize(nvtx_client_export_table) != 0) return;
  for (module = 1; module < NVTX_CLIENT_MODULES; ++module)
    for (entry = 1; entry < NVTX_CLIENT_ENTRIES; ++entry) nvtx_client.function[module][entry] = NULL;
  dlclose(tool);
}

static __attribute__((noinline, unused)) void nvtx_client_start(void) {
  unsigned fresh = NVTX_CLIENT_FRESH;
  if (__atomic_compare_exchange_n(&nvtx_client.state, &fresh, NVTX_CLIENT_STARTED, 0, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    nvtx_client_load();
    __atomic_store_n(&nvtx_client.state, NVTX_CLIENT_READY, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&nvtx_client.state, __ATOMIC_ACQUIRE) != NVTX_CLIENT_READY) sched_yield();
}

static inline NvtxClientFunction nvtx_client_function(unsigned module, unsigned number) {
  if (__builtin_expect(__atomic_load_n(&nvtx_client.state, __ATOMIC_ACQUIRE) != NVTX_CLIENT_READY, 0))
    nvtx_client_start();
  return nvtx_client.function[module][number];
}

/* ---- The calls ---- */

static inline void nvtxMarkEx(const nvtxEventAttributes_t* event) {
  void (*f)(const nvtxEventAttributes_t*) =
      (void (*)(const nvtxEventAttributes_t*))nvtx_client_function(1, 1);
  if (f != NULL) f(event);
}
static inline void nvtxMarkA(const char* message) {
  void (*f)(const char*) = (void (*)(const char*))nvtx_client_function(1, 2);
  if (f != NULL) f(message);
}
static inline void nvtxMarkW(const wchar_t* message) {
  void (*f)(const wchar_t*) = (void (*)(const wchar_t*))nvtx_client_function(1, 3);
  if (f != NULL) f(message);
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  nvtxRangeId_t (*f)(const nvtxEventAttributes_t*) =
      (nvtxRangeId_t(*)(const nvtxEventAttributes_t*))nvtx_client_function(1, 4);
  return f != NULL ? f(event) : 0;
}
static inline nvtxRangeId_t nvtxRangeStartA(const char* message) {
  nvtxRangeId_t (*f)(const char*) = (nvtxRangeId_t(*)(const char*))nvtx_client_function(1, 5);
  return f != NULL ? f(message) : 0;
}
static inline nvtxRangeId_t nvtxRangeStartW(const wchar_t* message) {
  nvtxRangeId_t (*f)(const wchar_t*) = (nvtxRangeId_t(*)(const wchar_t*))nvtx_client_function(1, 6);
  return f != NULL ? f(message) : 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t id) {
  void (*f)(nvtxRangeId_t) = (void (*)(nvtxRangeId_t))nvtx_client_function(1, 7);
  if (f != NULL) f(id);
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
  int (*f)(const nvtxEventAttributes_t*) = (int (*)(const nvtxEventAttributes_t*))nvtx_client_function(1, 8);
  return f != NULL ? f(event) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushA(const char* message) {
  int (*f)(const char*) = (int (*)(const char*))nvtx_client_function(1, 9);
  return f != NULL ? f(message) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushW(const wchar_t* message) {
  int (*f)(const wchar_t*) = (int (*)(const wchar_t*))nvtx_client_function(1, 10);
  return f != NULL ? f(message) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePop(void) {
  int (*f)(void) = (int (*)(void))nvtx_client_function(1, 11);
  return f != NULL ? f() : NVTX_NO_PUSH_POP_TRACKING;
}
static inline void nvtxNameCategoryA(uint32_t category, const char* name) {
  void (*f)(uint32_t, const char*) = (void (*)(uint32_t, const char*))nvtx_client_function(1, 12);
  if (f != NULL) f(category, name);
}
static inline void nvtxNameCategoryW(uint32_t category, const wchar_t* name) {
  void (*f)(uint32_t, const wchar_t*) = (void (*)(uint32_t, const wchar_t*))nvtx_client_function(1, 13);
  if (f != NULL) f(category, name);
}
static inline void nvtxNameOsThreadA(uint32_t thread, const char* name) {
  void (*f)(uint32_t, const char*) = (void (*)(uint32_t, const char*))nvtx_client_function(1, 14);
  if (f != NULL) f(thread, name);
}
static inline void nvtxNameOsThreadW(uint32_t thread, const wchar_t* name) {
  void (*f)(uint32_t, const wchar_t*) = (void (*)(uint32_t, const wchar_t*))nvtx_client_function(1, 15);
  if (f != NULL) f(thread, name);
}
static inline void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  void (*f)(nvtxDomainHandle_t, const nvtxEventAttributes_t*) =
      (void (*)(nvtxDomainHandle_t, const nvtxEventAttributes_t*))nvtx_client_function(5, 1);
  if (f != NULL) f(domain, event);
}
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                   const nvtxEventAttributes_t* event) {
  nvtxRangeId_t (*f)(nvtxDomainHandle_t, const nvtxEventAttributes_t*) =
      (nvtxRangeId_t(*)(nvtxDomainHandle_t, const nvtxEventAttributes_t*))nvtx_client_function(5, 2);
  return f != NULL ? f(domain, event) : 0;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id) {
  void (*f)(nvtxDomainHandle_t, nvtxRangeId_t) =
      (void (*)(nvtxDomainHandle_t, nvtxRangeId_t))nvtx_client_function(5, 3);
  if (f != NULL) f(domain, id);
}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  int (*f)(nvtxDomainHandle_t, const nvtxEventAttributes_t*) =
      (int (*)(nvtxDomainHandle_t, const nvtxEventAttributes_t*))nvtx_client_function(5, 4);
  return f != NULL ? f(domain, event) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  int (*f)(nvtxDomainHandle_t) = (int (*)(nvtxDomainHandle_t))nvtx_client_function(5, 5);
  return f != NULL ? f(domain) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
  void (*f)(nvtxDomainHandle_t, uint32_t, const char*) =
      (void (*)(nvtxDomainHandle_t, uint32_t, const char*))nvtx_client_function(5, 8);
  if (f != NULL) f(domain, category, name);
}
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category,
                                           const wchar_t* name) {
  void (*f)(nvtxDomainHandle_t, uint32_t, const wchar_t*) =
      (void (*)(nvtxDomainHandle_t, uint32_t, const wchar_t*))nvtx_client_function(5, 9);
  if (f != NULL) f(domain, category, name);
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
  nvtxStringHandle_t (*f)(nvtxDomainHandle_t, const char*) =
      (nvtxStringHandle_t(*)(nvtxDomainHandle_t, const char*))nvtx_client_function(5, 10);
  return f != NULL ? f(domain, text) : NULL;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t* text) {
  nvtxStringHandle_t (*f)(nvtxDomainHandle_t, const wchar_t*) =
      (nvtxStringHandle_t(*)(nvtxDomainHandle_t, const wchar_t*))nvtx_client_function(5, 11);
  return f != NULL ? f(domain, text) : NULL;
}
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  nvtxDomainHandle_t (*f)(const char*) = (nvtxDomainHandle_t(*)(const char*))nvtx_client_function(5, 12);
  return f != NULL ? f(name) : NULL;
}
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* name) {
  nvtxDomainHandle_t (*f)(const wchar_t*) =
      (nvtxDomainHandle_t(*)(const wchar_t*))nvtx_client_function(5, 13);
  return f != NULL ? f(name) : NULL;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
  void (*f)(nvtxDomainHandle_t) = (void (*)(nvtxDomainHandle_t))nvtx_client_function(5, 14);
  if (f != NULL) f(domain);
}
static inline void nvtxInitialize(const void* reserved) {
  void (*f)(const void*) = (void (*)(const void*))nvtx_client_function(5, 15);
  if (f != NULL) f(reserved);
}

#ifdef __cplusplus
}
#endif

#endif
