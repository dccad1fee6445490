// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// forks HOW N [PROGRAM ARGS]: processes made in every way there is while other threads push ranges.
//   busy     8 threads push ranges while N children are forked; each pushes 10 ranges "child"; every 4th
//   execs PROGRAM double   N times: fork, fork again, the middle one ends at once daemon   a session of its
//   own, ends N milliseconds after its parent, having pushed 100 ranges vfork    N times vfork + exec PROGRAM
//   (or _exit) clone    N raw clone(2) children (no atfork handlers run), each pushes 10 ranges spawn    N
//   times posix_spawn of PROGRAM
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvtx_client.h"

extern char** environ;
static char** program;
static atomic_int stop;
static atomic_long busy_ranges;

static void ranges(const char* name, int n) {
  for (int i = 0; i < n; ++i) {
    nvtxRangePushA(name);
    nvtxRangePop();
  }
}

static void* busy_thread(void* unused) {
  (void)unused;
  while (!atomic_load(&stop)) {
    ranges("busy", 100);
    atomic_fetch_add(&busy_ranges, 100);
    free(malloc(100));
    usleep(200);
  }
  return 0;
}

static int failed;
static void reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) ++failed;
}

static void busy(int n) {
  pthread_t ids[8];
  for (int t = 0; t < 8; ++t) pthread_create(&ids[t], 0, busy_thread, 0);
  for (int i = 0; i < n; ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      ranges("child", 10);
      if (program && i % 4 == 3) {
        execv(program[0], program);
        _exit(99);
      }
      _exit(0);
    }
    reap(pid);
  }
  atomic_store(&stop, 1);
  for (int t = 0; t < 8; ++t) pthread_join(ids[t], 0);
}

static void twice(int n) {
  for (int i = 0; i < n; ++i) {
    int pipe_fds[2];
    if (pipe(pipe_fds)) exit(98);
    pid_t pid = fork();
    if (pid == 0) {
      if (fork() == 0) {
        ranges("grandchild", 10);
        _exit(0);  // closes its end of the pipe
      }
      _exit(0);
    }
    reap(pid);
    close(pipe_fds[1]);
    char c;
    if (read(pipe_fds[0], &c, 1) != 0) ++failed;
    close(pipe_fds[0]);
  }
}

static void daemonise(int ms) {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  usleep((useconds_t)ms * 1000);
  ranges("daemon", 100);
  _exit(0);
}

static void vforks(int n) {
  for (volatile int i = 0; i < n; ++i) {
    ranges("parent", 1);
    pid_t pid = vfork();
    if (pid == 0) {
      if (program) execv(program[0], program);
      _exit(program ? 99 : 0);
    }
    ranges("parent", 1);
    reap(pid);
  }
}

static void clones(int n) {
  for (int i = 0; i < n; ++i) {
    ranges("parent", 1);
    long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) {
      ranges("cloned", 10);
      syscall(SYS_exit_group, 0);
    }
    reap((pid_t)pid);
  }
}

static void spawns(int n) {
  for (int i = 0; i < n; ++i) {
    pid_t pid;
    if (!program || posix_spawn(&pid, program[0], 0, 0, program, environ)) exit(97);
    reap(pid);
  }
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[2]);
  if (argc > 3) program = argv + 3;
  ranges("main", 1);
  if (!strcmp(argv[1], "busy"))
    busy(n);
  else if (!strcmp(argv[1], "double"))
    twice(n);
  else if (!strcmp(argv[1], "daemon"))
    daemonise(n);
  else if (!strcmp(argv[1], "vfork"))
    vforks(n);
  else if (!strcmp(argv[1], "clone"))
    clones(n);
  else if (!strcmp(argv[1], "spawn"))
    spawns(n);
  else
    return 2;
  ranges("main", 1);
  if (failed) printf("%d children failed\n", failed);
  const char* counts = getenv("COUNTS");  // the number of "busy" ranges, for the test
  FILE* out = counts ? fopen(counts, "w") : 0;
  if (out) {
    fprintf(out, "%ld\n", atomic_load(&busy_ranges));
    fclose(out);
  }
  return failed != 0;
}
