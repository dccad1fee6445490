// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// race THREADS: that many threads make the process's first NVTX call at the same instant.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "nvtx_client.h"

static pthread_barrier_t start;

static void* work(void* unused) {
  (void)unused;
  pthread_barrier_wait(&start);
  nvtxRangePushA("first");
  nvtxRangePop();
  return 0;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 32;
  pthread_t ids[256];
  if (n < 1 || n > 256) return 2;
  pthread_barrier_init(&start, 0, (unsigned)n);
  for (int i = 0; i < n; ++i) pthread_create(&ids[i], 0, work, 0);
  for (int i = 0; i < n; ++i) pthread_join(ids[i], 0);
  return 0;
}
