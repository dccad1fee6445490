// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_loop MODE COUNT [THREADS [WARMUP [PROCESSES]]]
// Does WARMUP operations, then COUNT timed ones, in each of THREADS threads of each of PROCESSES forked
// processes (1: none is forked). Prints one JSON object: processor time an operation and thread, and
// CLOCK_MONOTONIC when the last loop ended.
//   push      push + pop of one literal name           names     ... of 64 names in turn, each found by its
//   content pushex    ... with domain, registered string, colour, category and payload mark      a mark
//   startend  a start/end range varied    like a program: 64 names, nested one to four deep, work of changing
//   length in between empty     nothing: what the loop itself costs
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nvtx_client.h"

enum { kNames = 64, kMaxThreads = 256 };

static const char* mode;
static long count, warmup;
static int threads, processes;
static char names[kNames][32];
static nvtxDomainHandle_t domain;
static nvtxStringHandle_t registered;

struct Shared {  // results of all processes
  uint64_t cpu_ns;
  uint64_t end_ns;
};
static struct Shared* shared;

static uint64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void loop_varied(long n) {
  uint32_t random = 12345;
  for (long i = 0; i < n;) {
    random = random * 1664525u + 1013904223u;
    int depth = 1 + (int)(random >> 30);
    if (depth > n - i) depth = (int)(n - i);
    for (int d = 0; d < depth; ++d) nvtxRangePushA(names[(random >> (8 + 4 * d)) & (kNames - 1)]);
    for (volatile uint32_t work = random >> 24; work > 0;) work = work - 1;
    for (int d = 0; d < depth; ++d) nvtxRangePop();
    i += depth;
  }
}

static void loop_pushex(long n) {
  nvtxEventAttributes_t a;
  memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  a.message.registered = registered;
  a.colorType = NVTX_COLOR_ARGB;
  a.color = 0xff00ff00;
  a.category = 7;
  a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  for (long i = 0; i < n; ++i) {
    a.payload.ullValue = (uint64_t)i;
    nvtxDomainRangePushEx(domain, &a);
    nvtxDomainRangePop(domain);
  }
}

static void loop(long n) {
  if (strcmp(mode, "push") == 0) {
    for (long i = 0; i < n; ++i) {
      nvtxRangePushA("bench");
      nvtxRangePop();
    }
  } else if (strcmp(mode, "names") == 0) {
    for (long i = 0; i < n; ++i) {
      nvtxRangePushA(names[i & (kNames - 1)]);
      nvtxRangePop();
    }
  } else if (strcmp(mode, "mark") == 0) {
    for (long i = 0; i < n; ++i) nvtxMarkA("bench");
  } else if (strcmp(mode, "startend") == 0) {
    for (long i = 0; i < n; ++i) nvtxRangeEnd(nvtxRangeStartA("bench"));
  } else if (strcmp(mode, "pushex") == 0) {
    loop_pushex(n);
  } else if (strcmp(mode, "varied") == 0) {
    loop_varied(n);
  }
}

static void* work(void* unused) {
  (void)unused;
  loop(warmup);
  uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
  loop(count);
  __atomic_fetch_add(&shared->cpu_ns, now(CLOCK_THREAD_CPUTIME_ID) - begin, __ATOMIC_RELAXED);
  return NULL;
}

static void run_process(void) {
  domain = nvtxDomainCreateA("bench");
  registered = nvtxDomainRegisterStringA(domain, "bench_registered");
  pthread_t ids[kMaxThreads];
  for (int i = 1; i < threads; ++i) pthread_create(&ids[i], NULL, work, NULL);
  work(NULL);
  for (int i = 1; i < threads; ++i) pthread_join(ids[i], NULL);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: nvtx_loop MODE COUNT [THREADS [WARMUP [PROCESSES]]]\n");
    return 1;
  }
  mode = argv[1];
  count = atol(argv[2]);
  threads = argc > 3 ? atoi(argv[3]) : 1;
  warmup = argc > 4 ? atol(argv[4]) : 0;
  processes = argc > 5 ? atoi(argv[5]) : 1;
  if (threads < 1 || threads > kMaxThreads || processes < 1) return 1;
  for (int i = 0; i < kNames; ++i) snprintf(names[i], sizeof names[i], "range_%02d", i);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;

  if (processes == 1) run_process();
  for (int i = 0; processes > 1 && i < processes; ++i) {
    if (fork() == 0) {
      run_process();
      _exit(0);
    }
  }
  while (wait(NULL) > 0) {
  }
  shared->end_ns = now(CLOCK_MONOTONIC);
  double operations = (double)count * threads * processes;
  printf(
      "{\"mode\": \"%s\", \"count\": %ld, \"threads\": %d, \"processes\": %d, \"cpu_ns_per_op\": %.3f, "
      "\"end_ns\": %llu}\n",
      mode, count, threads, processes, operations > 0 ? (double)shared->cpu_ns / operations : 0,
      (unsigned long long)shared->end_ns);
  return 0;
}
