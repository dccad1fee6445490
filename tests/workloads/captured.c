// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// captured KIND TIMES [WAIT_MS]: TIMES ranges "cap" of the domain "dom", given as KIND (plain, registered,
// wide, start), each with 5 ranges "inner" in it, a mark, and one in a thread of its own; 3 ranges "before"
// ahead of them and 2 "between" behind each. Exit code 7.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nvtx_client.h"

static nvtxDomainHandle_t domain;
static nvtxRangeId_t started;

static void open_range(const char* kind) {
  nvtxEventAttributes_t a;
  memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = "cap";
  if (strcmp(kind, "registered") == 0) {
    a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    a.message.registered = nvtxDomainRegisterStringA(domain, "cap");
  } else if (strcmp(kind, "wide") == 0) {
    a.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    a.message.unicode = L"cap";
  }
  if (strcmp(kind, "start") == 0)
    started = nvtxDomainRangeStartEx(domain, &a);
  else
    nvtxDomainRangePushEx(domain, &a);
}

static void close_range(const char* kind) {
  if (strcmp(kind, "start") == 0)
    nvtxDomainRangeEnd(domain, started);
  else
    nvtxDomainRangePop(domain);
}

static void* elsewhere(void* unused) {
  (void)unused;
  nvtxRangePushA("thread");
  nvtxRangePop();
  return NULL;
}

static void many(const char* name, int times) {
  for (int i = 0; i < times; ++i) {
    nvtxRangePushA(name);
    nvtxRangePop();
  }
}

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "plain";
  int times = argc > 2 ? atoi(argv[2]) : 1, wait = argc > 3 ? atoi(argv[3]) : 0;
  domain = nvtxDomainCreateA("dom");
  nvtxNameCategoryA(5, "fifth");
  many("before", 3);
  for (int i = 0; i < times; ++i) {
    pthread_t other;
    nvtxRangePushA("outer");
    open_range(kind);
    many("inner", 5);
    nvtxMarkA("mark");
    pthread_create(&other, NULL, elsewhere, NULL);
    pthread_join(other, NULL);
    usleep((useconds_t)wait * 1000);
    close_range(kind);
    nvtxRangePop();
    many("between", 2);
    usleep((useconds_t)wait * 1000);
  }
  puts("done");
  return 7;
}
