// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// os_work FILE TIMES: known numbers of calls of the C library, in ranges. In "load" FILE is opened, written
// (100 bytes), read with pread and closed, TIMES times, and a file that is not there opened 3 times; in
// "talk" TIMES bytes go through a pipe to a thread and back; in "rest" it sleeps 20 times 5 ms; in "child" a
// child is waited for. Two threads named "pool" wait all the time for work that does not come.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvtx_client.h"

struct Worker {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t told;
  int end;
};

static struct Worker pool[2] = {{.mutex = PTHREAD_MUTEX_INITIALIZER, .told = PTHREAD_COND_INITIALIZER},
                                {.mutex = PTHREAD_MUTEX_INITIALIZER, .told = PTHREAD_COND_INITIALIZER}};
static int there[2], back[2];

static void must(int ok) {
  if (!ok) abort();
}

static void* wait_for_work(void* argument) {
  struct Worker* self = argument;
  pthread_mutex_lock(&self->mutex);
  while (!self->end) pthread_cond_wait(&self->told, &self->mutex);
  pthread_mutex_unlock(&self->mutex);
  return NULL;
}

static void* echo(void* unused) {
  (void)unused;
  char byte;
  while (read(there[0], &byte, 1) == 1) must(write(back[1], &byte, 1) == 1);
  return NULL;
}

static void load(const char* path, int times) {
  char bytes[100] = "text";
  nvtxRangePushA("load");
  for (int i = 0; i < times; ++i) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    must(file >= 0 && write(file, bytes, sizeof bytes) == sizeof bytes);
    must(pread(file, bytes, sizeof bytes, 0) == sizeof bytes);
    must(close(file) == 0);
  }
  for (int i = 0; i < 3; ++i) must(open("/no/such/file", O_RDONLY) == -1 && errno == ENOENT);
  nvtxRangePop();
}

static void talk(int times) {
  pthread_t thread;
  char byte = 'x';
  must(pipe(there) == 0 && pipe(back) == 0);
  must(pthread_create(&thread, NULL, echo, NULL) == 0);
  nvtxRangePushA("talk");
  for (int i = 0; i < times; ++i) must(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1);
  nvtxRangePop();
  must(close(there[1]) == 0 && pthread_join(thread, NULL) == 0);
}

static void tell_to_end(struct Worker* worker) {
  pthread_mutex_lock(&worker->mutex);
  worker->end = 1;
  pthread_cond_signal(&worker->told);
  pthread_mutex_unlock(&worker->mutex);
  must(pthread_join(worker->thread, NULL) == 0);
}

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  for (int i = 0; i < 2; ++i) {
    must(pthread_create(&pool[i].thread, NULL, wait_for_work, &pool[i]) == 0);
    must(pthread_setname_np(pool[i].thread, "pool") == 0);
  }
  load(argv[1], atoi(argv[2]));
  talk(atoi(argv[2]));
  nvtxRangePushA("rest");
  for (int i = 0; i < 20; ++i) usleep(5000);
  nvtxRangePop();
  nvtxRangePushA("child");
  pid_t child = fork();
  if (child == 0) _exit(0);
  must(child > 0 && waitpid(child, NULL, 0) == child);
  nvtxRangePop();
  for (int i = 0; i < 2; ++i) tell_to_end(&pool[i]);
  return 0;
}
