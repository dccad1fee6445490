// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// counted FILE PROCESSES THREADS PAUSE_US [CALLS]: every thread of every process pushes and pops at random
// depths and counts each completed call in FILE (counts.h). PAUSE_US is slept after each 256 calls. Ends by
// itself after CALLS calls a thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "counts.h"
#include "nvtx_client.h"

static struct CountFile* file;
static unsigned pause_us;
static uint64_t calls = UINT64_MAX;

static void* work(void* unused) {
  (void)unused;
  uint64_t number = count_slot(file);
  struct CountSlot* slot = &file->slots[number];
  uint64_t random = number * 7919 + 12345;
  char name[32];
  snprintf(name, sizeof name, "slot%d", (int)number);
  int depth = 0;
  for (uint64_t i = 0; i < calls; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    int push = depth == 0 || (depth < 9 && (random >> 40 & 1));
    if (push) {
      atomic_fetch_add(&slot->push_begun, 1);
      nvtxRangePushA(name);
      atomic_fetch_add(&slot->push_done, 1);
      ++depth;
    } else {
      atomic_fetch_add(&slot->pop_begun, 1);
      nvtxRangePop();
      atomic_fetch_add(&slot->pop_done, 1);
      --depth;
    }
    if (pause_us && i % 256 == 255) usleep(pause_us);
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 5 || !(file = count_file(argv[1]))) return 2;
  int processes = atoi(argv[2]), threads = atoi(argv[3]);
  pause_us = (unsigned)atoi(argv[4]);
  if (argc > 5) calls = strtoull(argv[5], 0, 10);
  for (int p = 1; p < processes; ++p)
    if (fork() == 0) break;
  pthread_t ids[256];
  for (int t = 1; t < threads; ++t) pthread_create(&ids[t], 0, work, 0);
  work(0);
  for (int t = 1; t < threads; ++t) pthread_join(ids[t], 0);
  while (wait(0) > 0) {
  }
  return 0;
}
