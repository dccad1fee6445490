// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// corners HOW N [M]: ranges from places where a recorder has little room. Prints how many were made, "made
// N".
//   contexts N      8 contexts (makecontext) with stacks of 16 KiB take turns on one thread, N ranges each
//   preempted N     the same, but a timer signal switches between two of them, at any instant
//   stacks N [PROGRAM]  N threads with the smallest stack that there is; each also starts PROGRAM if it is
//   given handler N       N fork children whose first range is made by a signal handler on an alternate stack
//   with 4 KiB to spare storm T P       P fork children, 8 at a time, with T threads each; 5 ranges a thread
//   unload LIBRARY N    N times: open it, let it make 5 ranges (and 5 in a domain), close it
//   full N          takes every descriptor there is, then N ranges in each of two threads
//   crash           three calls deep, then abort()
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "nvtx_client.h"

enum { kContexts = 8, kContextStack = 16384, kHandlerRoom = 4096, kGuard = 65536, kAtOnce = 8 };

extern char** environ;
static long made;

static void ranges(const char* name, long n) {
  for (long i = 0; i < n; ++i) {
    nvtxRangePushA(name);
    nvtxRangePop();
  }
}

static void must(int ok, const char* what) {
  if (ok) return;
  perror(what);
  exit(90);
}

/// A stack with room below it that must not be touched; more than a page, which a large frame would step
/// over.
static char* guarded_stack(size_t bytes) {
  char* at = mmap(0, bytes + kGuard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(at != MAP_FAILED && mprotect(at, kGuard, PROT_NONE) == 0, "mmap");
  return at + kGuard;
}

// -- contexts
// ---------------------------------------------------------------------------------------------------

static ucontext_t main_context, context[kContexts];
static long turns;
static volatile int at, ended;

static void context_work(void) {
  int me = at;
  for (long i = 0; i < turns; ++i) {
    char text[64];
    ranges("context", 1);
    snprintf(text, sizeof text, "%d %ld", me, i);
    at = (me + 1) % kContexts;
    swapcontext(&context[me], &context[at]);
  }
  at = (me + 1) % kContexts;  // the next one has as many turns
  if (++ended < kContexts) setcontext(&context[at]);
}

static void prepare(int i, size_t bytes, void (*work)(void)) {
  must(getcontext(&context[i]) == 0, "getcontext");
  context[i].uc_stack.ss_sp = guarded_stack(bytes);
  context[i].uc_stack.ss_size = bytes;
  context[i].uc_link = &main_context;
  makecontext(&context[i], work, 0);
}

static void contexts(long n) {
  turns = n;
  for (int i = 0; i < kContexts; ++i) prepare(i, kContextStack, context_work);
  swapcontext(&main_context, &context[0]);
  made += n * kContexts;
}

static volatile sig_atomic_t switching;
static volatile long done[2];

static void on_timer(int number) {
  (void)number;
  if (!switching) return;
  int from = at;
  at = !from;
  swapcontext(&context[from], &context[at]);
}

static void preempted_work(void) {
  int me = at;
  while (switching) {
    ranges("context", 1);
    done[me] = done[me] + 1;
    if (done[0] + done[1] >= turns) switching = 0;
  }
}

static void preempted(long n) {
  turns = n;
  for (int i = 0; i < 2; ++i) prepare(i, 65536, preempted_work);
  struct sigaction action = {0};
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART | SA_NODEFER;
  sigaction(SIGALRM, &action, 0);
  struct itimerval timer = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
  switching = 1;
  setitimer(ITIMER_REAL, &timer, 0);
  swapcontext(&main_context, &context[0]);  // comes back when one of the two has ended
  setitimer(ITIMER_REAL, &off, 0);
  made += done[0] + done[1];
}

// -- small stacks
// -------------------------------------------------------------------------------------------------

static char* program;

static void* small_thread(void* unused) {
  (void)unused;
  ranges("small", 10);
  if (program) {
    char* arguments[] = {program, 0};
    pid_t pid;
    int status = 0;
    must(posix_spawnp(&pid, program, 0, 0, arguments, environ) == 0, "posix_spawnp");
    waitpid(pid, &status, 0);
    must(status == 0, "child");
  }
  return 0;
}

static void stacks(int n) {
  long smallest = sysconf(_SC_THREAD_STACK_MIN);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setguardsize(&attributes, kGuard);
  must(pthread_attr_setstacksize(&attributes, (size_t)(smallest > 16384 ? smallest : 16384)) == 0,
       "stack size");
  for (int i = 0; i < n; ++i) {
    pthread_t id;
    must(pthread_create(&id, &attributes, small_thread, 0) == 0, "pthread_create");
    pthread_join(id, 0);
  }
  made += 10 * n;
}

static char* top_of_stack;
static size_t frame_bytes;

static void on_first_signal(int number) {
  char here;
  (void)number;
  frame_bytes = (size_t)(top_of_stack - &here);
}

static void on_signal(int number) {
  (void)number;
  ranges("handler", 10);
}

static void raise_on(char* stack, size_t bytes, void (*handle)(int)) {
  stack_t alternate = {.ss_sp = stack, .ss_size = bytes};
  struct sigaction action = {0};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  must(sigaltstack(&alternate, 0) == 0, "sigaltstack");
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
}

static void handler(int n) {
  char* stack = guarded_stack(65536);
  top_of_stack = stack + 65536;
  raise_on(stack, 65536, on_first_signal);  // how much the kernel needs depends on the processor
  size_t room = (frame_bytes + kHandlerRoom + 63) / 64 * 64;
  for (int i = 0; i < n; ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      raise_on(stack, room, on_signal);
      _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    must(status == 0, "child");
  }
  made += 10 * n;
}

// -- many
// -----------------------------------------------------------------------------------------------------------

static void* storm_thread(void* start) {
  pthread_barrier_wait(start);
  ranges("storm", 5);
  return 0;
}

static void storm_child(int threads) {
  pthread_t ids[256];
  pthread_barrier_t start;
  pthread_barrier_init(&start, 0, (unsigned)threads);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  for (int t = 0; t < threads; ++t)
    if (pthread_create(&ids[t], &attributes, storm_thread, &start)) _exit(91);
  for (int t = 0; t < threads; ++t) pthread_join(ids[t], 0);
  _exit(0);
}

static void storm(int threads, int processes) {
  int running = 0;
  for (int started = 0; started < processes || running > 0;) {
    if (started < processes && running < kAtOnce) {
      pid_t pid = fork();
      must(pid >= 0, "fork");
      if (pid == 0) storm_child(threads);
      ++started;
      ++running;
      continue;
    }
    int status = 0;
    must(wait(&status) > 0 && status == 0, "child");
    --running;
  }
  made += 5L * threads * processes;
}

static void unload(const char* library, int n) {
  for (int i = 0; i < n; ++i) {
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    must(handle != 0, "dlopen");
    void (*plugin_run)(int) = (void (*)(int))dlsym(handle, "plugin_run");
    plugin_run(5);
    must(dlclose(handle) == 0, "dlclose");
    void* left = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    if (left) puts("still loaded"), exit(92);
  }
  made += 10L * n;
}

static void* full_thread(void* n) {
  ranges("full", *(long*)n);
  return 0;
}

static void full(long n) {
  while (open("/dev/null", O_RDONLY) >= 0) {
  }
  pthread_t id;
  must(pthread_create(&id, 0, full_thread, &n) == 0, "pthread_create");
  full_thread(&n);
  pthread_join(id, 0);
  made += 2 * n;
}

// -- the end of a bad program
// -------------------------------------------------------------------------------------

__attribute__((noinline, noclone)) static void corner_inner(volatile int* depth) {
  if (*depth == 2) abort();
  *depth = 9;
}
__attribute__((noinline, noclone)) static void corner_middle(volatile int* depth) {
  *depth = 2;
  corner_inner(depth);
  *depth = 3;
}
__attribute__((noinline, noclone)) static void corner_outer(void) {
  volatile int depth = 1;
  corner_middle(&depth);
  depth = 4;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const char* how = argv[1];
  const char* first = argc > 2 ? argv[2] : "0";
  const char* second = argc > 3 ? argv[3] : "0";
  ranges("main", 1);
  ++made;
  if (!strcmp(how, "contexts"))
    contexts(atol(first));
  else if (!strcmp(how, "preempted"))
    preempted(atol(first));
  else if (!strcmp(how, "stacks"))
    program = argc > 3 ? argv[3] : 0, stacks(atoi(first));
  else if (!strcmp(how, "handler"))
    handler(atoi(first));
  else if (!strcmp(how, "storm"))
    storm(atoi(first), atoi(second));
  else if (!strcmp(how, "unload"))
    unload(first, atoi(second));
  else if (!strcmp(how, "full"))
    full(atol(first));
  else if (!strcmp(how, "crash"))
    corner_outer();
  else
    return 2;
  printf("made %ld\n", made);
  return 0;
}
