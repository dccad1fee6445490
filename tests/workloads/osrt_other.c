/* SPDX-FileCopyrightText: The Sextant authors
   SPDX-License-Identifier: Apache-2.0

   Another library in LD_PRELOAD that replaces functions of the C library: read, and pthread_mutex_lock
   without the function that tries. Its constructor makes calls before most others have run. Says at the end
   how often it was called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long reads, locks;

ssize_t read(int fd, void* to, size_t bytes) {
  static ssize_t (*next)(int, void*, size_t);
  if (next == NULL) next = (ssize_t(*)(int, void*, size_t))dlsym(RTLD_NEXT, "read");
  ++reads;
  return next(fd, to, bytes);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static int (*next)(pthread_mutex_t*);
  if (next == NULL) next = (int (*)(pthread_mutex_t*))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  ++locks;
  return next(mutex);
}

__attribute__((constructor(101))) static void early(void) {
  char byte;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int file = open("/dev/zero", O_RDONLY);
  if (file < 0 || read(file, &byte, 1) != 1 || close(file) != 0) abort();
  if (pthread_mutex_lock(&mutex) != 0 || pthread_mutex_unlock(&mutex) != 0) abort();
}

__attribute__((destructor)) static void tell(void) {
  char line[100];
  snprintf(line, sizeof line, "other: %ld reads, %ld locks\n", reads, locks);
  (void)!write(1, line, strlen(line));
}
