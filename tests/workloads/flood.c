// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// flood N [THREADS [NAMES]]: THREADS threads push and pop N ranges each at full rate under NAMES rotating
// names, then say so.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "nvtx_client.h"

static long count;
static int names = 1;
static char text[100000][16];

static void* work(void* unused) {
  (void)unused;
  for (long i = 0; i < count; ++i) {
    nvtxRangePushA(text[i % names]);
    nvtxRangePop();
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  count = atol(argv[1]);
  int threads = argc > 2 ? atoi(argv[2]) : 1;
  if (argc > 3) names = atoi(argv[3]);
  if (threads > 256 || names < 1 || names > 100000) return 2;
  for (int i = 0; i < names; ++i) snprintf(text[i], sizeof text[i], "name%d", i);
  pthread_t ids[256];
  int started = 1;
  while (started < threads && pthread_create(&ids[started], 0, work, 0) == 0) ++started;
  work(0);
  for (int t = 1; t < started; ++t) pthread_join(ids[t], 0);
  printf("issued %ld\n", count * started);
  return 0;
}
