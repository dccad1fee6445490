// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_loop MODE COUNT [WARMUP]
// Does WARMUP operations, then COUNT timed ones. Prints one JSON object: processor time an operation.
//   read   one byte of /dev/zero      write  one byte to /dev/null     open   open + close of /dev/null
//   mutex  lock + unlock, uncontended
//   locks  the same beside a second thread     sem    post + wait beside it, never waiting
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void loop(const char* mode, long n) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  char byte = 0;
  long failed = 0;
  if (strcmp(mode, "read") == 0)
    for (long i = 0; i < n; ++i) failed += read(zero, &byte, 1) != 1;
  else if (strcmp(mode, "write") == 0)
    for (long i = 0; i < n; ++i) failed += write(null, &byte, 1) != 1;
  else if (strcmp(mode, "open") == 0)
    for (long i = 0; i < n; ++i) failed += close(open("/dev/null", O_RDONLY)) != 0;
  else if (strcmp(mode, "mutex") == 0 || strcmp(mode, "locks") == 0)
    for (long i = 0; i < n; ++i)
      failed += pthread_mutex_lock(&mutex) != 0 || pthread_mutex_unlock(&mutex) != 0;
  else if (strcmp(mode, "sem") == 0)
    for (long i = 0; i < n; ++i) failed += sem_post(&semaphore) != 0 || sem_wait(&semaphore) != 0;
  if (failed != 0) abort();
  close(zero);
  close(null);
}

static void* idle(void* unused) {
  pause();
  return unused;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: osrt_loop MODE COUNT [WARMUP]\n");
    return 1;
  }
  const long count = atol(argv[2]);
  pthread_t second;  // where there is one only, the C library's locks are no atomic instructions
  if (strcmp(argv[1], "locks") == 0 || strcmp(argv[1], "sem") == 0) pthread_create(&second, NULL, idle, NULL);
  loop(argv[1], argc > 3 ? atol(argv[3]) : 0);
  const double begin = cpu_ns();
  loop(argv[1], count);
  printf("{\"mode\": \"%s\", \"count\": %ld, \"cpu_ns_per_op\": %.3f}\n", argv[1], count,
         (cpu_ns() - begin) / (double)count);
  return 0;
}
