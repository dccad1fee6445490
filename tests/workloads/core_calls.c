// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// core_calls: every call of the NVTX core interface once or more, with every attribute.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvtx_client.h"

static nvtxEventAttributes_t attributes(const char* message) {
  nvtxEventAttributes_t a;
  memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = message;
  return a;
}

static void payloads(void) {
  nvtxEventAttributes_t a = attributes("payload u64");
  a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  a.payload.ullValue = 18446744073709551615ull;
  nvtxRangePushEx(&a), nvtxRangePop();
  a = attributes("payload i64");
  a.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  a.payload.llValue = -9000000000ll;
  nvtxRangePushEx(&a), nvtxRangePop();
  a = attributes("payload double");
  a.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
  a.payload.dValue = -2.5;
  nvtxRangePushEx(&a), nvtxRangePop();
  a = attributes("payload u32");
  a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32;
  a.payload.uiValue = 4294967295u;
  nvtxRangePushEx(&a), nvtxRangePop();
  a = attributes("payload i32");
  a.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  a.payload.iValue = -7;
  nvtxRangePushEx(&a), nvtxRangePop();
  a = attributes("payload float");
  a.payloadType = NVTX_PAYLOAD_TYPE_FLOAT;
  a.payload.fValue = 0.25f;
  nvtxRangePushEx(&a), nvtxRangePop();
}

static void* end_elsewhere(void* id) {
  nvtxRangeEnd(*(nvtxRangeId_t*)id);
  nvtxRangePushA("in second thread");
  nvtxRangePop();
  return 0;
}

static void default_domain(void) {
  nvtxRangePushA("ascii push");
  nvtxRangePushW(L"wide push \u00e4\u20ac\U0001F600");
  nvtxRangePop();
  nvtxRangePop();
  nvtxEventAttributes_t a = attributes("coloured");
  a.colorType = NVTX_COLOR_ARGB;
  a.color = 0xFF112233;
  a.category = 7;
  nvtxNameCategoryA(7, "seventh");
  nvtxNameCategoryW(8, L"eighth \u00f6");
  nvtxRangePushEx(&a);
  nvtxRangePop();
  payloads();
  nvtxMarkA("ascii mark");
  nvtxMarkW(L"wide mark");
  a = attributes("mark with payload");
  a.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  a.payload.iValue = 41;
  nvtxMarkEx(&a);
  nvtxRangeId_t first = nvtxRangeStartA("ascii start"), second = nvtxRangeStartW(L"wide start");
  a = attributes("start with colour");
  a.colorType = NVTX_COLOR_ARGB;
  a.color = 0x80FF0000;
  nvtxRangeId_t third = nvtxRangeStartEx(&a);
  nvtxRangeEnd(second);
  nvtxRangeEnd(first);
  pthread_t other;
  pthread_create(&other, 0, end_elsewhere, &third);
  pthread_join(other, 0);
}

static void named_domains(void) {
  nvtxDomainHandle_t d = nvtxDomainCreateA("lib.a"), w = nvtxDomainCreateW(L"lib.w");
  nvtxStringHandle_t s = nvtxDomainRegisterStringA(d, "registered"),
                     sw = nvtxDomainRegisterStringW(d, L"registered wide");
  nvtxEventAttributes_t a = attributes(0);
  a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  a.message.registered = s;
  nvtxDomainNameCategoryA(d, 3, "third of a");
  nvtxDomainNameCategoryW(d, 4, L"fourth of a");
  a.category = 3;
  nvtxDomainRangePushEx(d, &a);
  a.message.registered = sw;
  nvtxDomainRangePushEx(d, &a);
  nvtxDomainMarkEx(d, &a);
  nvtxDomainRangePop(d);
  nvtxDomainRangePop(d);
  a = attributes("plain in a");
  nvtxRangeId_t id = nvtxDomainRangeStartEx(d, &a);
  nvtxDomainRangeEnd(d, id);
  nvtxRangePushA("across");  // the stacks of two domains are independent of each other
  nvtxDomainRangePushEx(w, &a);
  nvtxRangePop();
  nvtxDomainRangePop(w);
  nvtxDomainDestroy(w);
  nvtxDomainDestroy(d);
}

int main(void) {
  nvtxInitialize(0);
  nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), "the main thread");
  default_domain();
  named_domains();
  nvtxRangePop();  // one pop too many does nothing
  nvtxRangePushA("never closed");
  return 0;
}
