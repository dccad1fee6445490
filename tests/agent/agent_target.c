// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the agent's tests run: agent_target MODE [ARGS]. Each mode does one thing and exits with 0 if the
// program itself came through unharmed; what was recorded is judged by agent_test.cpp.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "nvtx_client.h"

extern char** environ;

static int failures;
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "agent_target:%d: %s\n", __LINE__, #condition); \
      ++failures;                                                     \
    }                                                                 \
  } while (0)

static void pairs(const char* name, long count) {
  for (long i = 0; i < count; ++i) {
    nvtxRangePushA(name);
    nvtxRangePop();
  }
}

static nvtxEventAttributes_t attributes(int type) {
  nvtxEventAttributes_t a;
  memset(&a, 0, sizeof a);
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = type;
  return a;
}

/* Every call once, with what it returns. */
static int calls(void) {
  nvtxInitialize(NULL);
  CHECK(nvtxRangePushA("outer") == 0);
  CHECK(nvtxRangePushW(L"gr\u00fc\u00df \U0001F600") == 1);
  nvtxEventAttributes_t ascii = attributes(NVTX_MESSAGE_TYPE_ASCII);
  ascii.message.ascii = "attributed";
  ascii.colorType = NVTX_COLOR_ARGB;
  ascii.color = 0xff112233;
  ascii.category = 7;
  ascii.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  ascii.payload.iValue = -5;
  CHECK(nvtxRangePushEx(&ascii) == 2);
  CHECK(nvtxRangePop() == 2);
  CHECK(nvtxRangePop() == 1);
  CHECK(nvtxRangePop() == 0);
  CHECK(nvtxRangePop() < 0);
  nvtxMarkA("mark a");
  nvtxMarkW(L"mark w");
  nvtxMarkEx(&ascii);
  nvtxRangeId_t first = nvtxRangeStartA("start a");
  nvtxRangeId_t second = nvtxRangeStartW(L"start w");
  nvtxRangeId_t third = nvtxRangeStartEx(&ascii);
  CHECK(first != 0 && second != 0 && third != 0 && first != second && second != third && first != third);
  nvtxRangeEnd(first);
  nvtxRangeEnd(third);
  nvtxRangeEnd(second);
  nvtxNameCategoryA(7, "seven");
  nvtxNameCategoryW(8, L"eight");
  nvtxNameOsThreadA((uint32_t)getpid(), "main thread");
  nvtxNameOsThreadW(4242, L"other thread");

  nvtxDomainHandle_t domain = nvtxDomainCreateA("domain a");
  nvtxDomainHandle_t wide = nvtxDomainCreateW(L"domain w");
  CHECK(domain != NULL && wide != NULL && domain != wide);
  CHECK(nvtxDomainCreateA("domain a") == domain);
  nvtxStringHandle_t registered = nvtxDomainRegisterStringA(domain, "registered a");
  nvtxStringHandle_t registered_w = nvtxDomainRegisterStringW(domain, L"registered w");
  CHECK(registered != NULL && registered_w != NULL);
  nvtxEventAttributes_t by_handle = attributes(NVTX_MESSAGE_TYPE_REGISTERED);
  by_handle.message.registered = registered;
  CHECK(nvtxDomainRangePushEx(domain, &by_handle) == 0);
  by_handle.message.registered = registered_w;
  CHECK(nvtxDomainRangePushEx(wide, &by_handle) == 0);
  CHECK(nvtxRangePushA("default domain") == 0);
  CHECK(nvtxDomainRangePushEx(domain, &ascii) == 1);
  CHECK(nvtxDomainRangePop(domain) == 1);
  CHECK(nvtxDomainRangePop(wide) == 0);
  CHECK(nvtxRangePop() == 0);
  CHECK(nvtxDomainRangePop(domain) == 0);
  nvtxDomainMarkEx(domain, &by_handle);
  nvtxRangeId_t in_domain = nvtxDomainRangeStartEx(domain, &ascii);
  nvtxDomainRangeEnd(domain, in_domain);
  nvtxDomainNameCategoryA(domain, 1, "category a");
  nvtxDomainNameCategoryW(domain, 2, L"category w");
  nvtxDomainDestroy(domain);

  nvtxEventAttributes_t old = attributes(NVTX_MESSAGE_TYPE_ASCII);
  old.message.ascii = "never read";
  old.size = 24; /* a layout without payload and message */
  nvtxMarkEx(&old);
  nvtxEventAttributes_t wide_message = attributes(NVTX_MESSAGE_TYPE_UNICODE);
  wide_message.message.unicode = L"wide message";
  nvtxMarkEx(&wide_message);
  nvtxMarkA(NULL);
  nvtxMarkA("");
  return failures;
}

static pthread_barrier_t barrier;
static long thread_pairs;

static void* racer(void* name) {
  pthread_barrier_wait(&barrier);
  pairs(name, thread_pairs);
  return NULL;
}

static void run_threads(int count, long each) {
  pthread_t threads[64];
  char names[64][16];
  thread_pairs = each;
  pthread_barrier_init(&barrier, NULL, (unsigned)count);
  for (int i = 0; i < count; ++i) {
    snprintf(names[i], sizeof names[i], "t%d", i);
    pthread_create(&threads[i], NULL, racer, names[i]);
  }
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void* short_thread(void* name) {
  pairs(name, 5);
  return NULL;
}

static int churn(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, short_thread, (void*)"churn");
    pthread_join(thread, NULL);
  }
  return 0;
}

static int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

static int fork_once(void) {
  pairs("parent", 10);
  pid_t pid = fork();
  if (pid == 0) {
    pairs("child", 20);
    _exit(3);
  }
  CHECK(wait_for(pid) == 3 << 8);
  pid = fork();
  if (pid == 0) _exit(4); /* records nothing, is a process all the same */
  CHECK(wait_for(pid) == 4 << 8);
  pairs("parent", 10);
  return failures;
}

/* Handles made before the fork must work after it. */
static int fork_handles(void) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("kept domain");
  nvtxEventAttributes_t a = attributes(NVTX_MESSAGE_TYPE_REGISTERED);
  a.message.registered = nvtxDomainRegisterStringA(domain, "kept string");
  nvtxDomainMarkEx(domain, &a);
  pid_t pid = fork();
  nvtxDomainMarkEx(domain, &a);
  if (pid == 0) _exit(0);
  CHECK(wait_for(pid) == 0);
  return failures;
}

static volatile int stop_busy;
static void* busy(void* name) {
  while (!stop_busy) {
    pairs(name, 100);
    usleep(100);
  }
  return NULL;
}

static int fork_from_busy(int forks) {
  pthread_t threads[8];
  nvtxInitialize(NULL); /* a child of a fork in the middle of NVTX's own start would wait for ever */
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, busy, (void*)"busy");
  for (int i = 0; i < forks; ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      pairs("child", 7);
      _exit(0);
    }
    CHECK(wait_for(pid) == 0);
  }
  stop_busy = 1;
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  return failures;
}

static int raw_clone(void) {
  pairs("parent", 3);
  long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) {
    pairs("raw child", 4);
    syscall(SYS_exit_group, 0);
  }
  CHECK(wait_for((pid_t)pid) == 0);
  pairs("parent", 3);
  return failures;
}

static int vfork_events(int count) {
  pairs("parent", 2);
  for (int i = 0; i < count; ++i) {
    pid_t pid = vfork();
    if (pid == 0) {
      nvtxMarkA("in vfork child");
      _exit(5);
    }
    CHECK(wait_for(pid) == 5 << 8);
  }
  pairs("parent", 2);
  return failures;
}

static int vfork_exec(char** command) {
  nvtxMarkA("before");
  pid_t pid = vfork();
  if (pid == 0) {
    execvp(command[0], command);
    _exit(127);
  }
  int status = wait_for(pid);
  nvtxMarkA("after");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int spawn(char** command, char** environment) {
  pid_t pid = 0;
  if (posix_spawnp(&pid, command[0], NULL, NULL, command, environment) != 0) return 99;
  int status = wait_for(pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int failing_exec(void) {
  nvtxMarkA("before");
  char* arguments[] = {"x", NULL};
  CHECK(execve("/no/such/program", arguments, environ) == -1 && errno == ENOENT);
  CHECK(execlp("/no/such/program", "x", "y", (char*)NULL) == -1 && errno == ENOENT);
  nvtxMarkA("after");
  return failures;
}

static sigjmp_buf jump;
static volatile sig_atomic_t in_loop, jumps, handled, marks;

static void handler(int signal) {
  (void)signal;
  int saved = errno;
  nvtxRangePushA("in handler");
  nvtxRangePop();
  ++handled;
  errno = saved;
  if (in_loop && handled % 7 == 0) {
    ++jumps;
    siglongjmp(jump, 1);
  }
}

/* Handlers record at a high rate and leave by siglongjmp every seventh time. Prints what was issued and
 * finished for certain. */
static int signals(long count, int alternate) {
  static char stack[65536];
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  if (alternate) {
    stack_t alternate_stack = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate_stack, NULL);
    action.sa_flags = SA_ONSTACK;
  }
  sigaction(SIGALRM, &action, NULL);
  nvtxMarkA("warm"); /* what a handler records while the thread is being registered is dropped and counted */
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &timer, NULL);
  volatile long i = 0;
  while (i < count) {
    sigsetjmp(jump, 1);
    in_loop = 1;
    for (; i < count; ++i) {
      nvtxMarkA("main loop");
      ++marks;
    }
    in_loop = 0;
  }
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, NULL);
  printf("%d %d %d\n", (int)marks, (int)handled, (int)jumps);
  return fflush(stdout);
}

static int names(int count) {
  char name[32];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "name %d", i % (count / 2 + 1));
    nvtxMarkA(name);
  }
  return 0;
}

static int long_names(void) {
  static char name[100001];
  memset(name, 'x', 100000);
  nvtxMarkA(name);
  name[59999] = (char)0xc3; /* the cut would split this character */
  name[60000] = (char)0xa4;
  nvtxMarkA(name);
  /* a name that ends with the last byte of a page, with nothing mapped behind it */
  char* pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + 4096, 4096);
  for (int length = 0; length < 40; ++length) {
    char* at = pages + 4096 - length - 1;
    memset(at, 'e', (size_t)length);
    at[length] = 0;
    nvtxMarkA(at);
    nvtxMarkA(at);
  }
  return 0;
}

static int sandbox(int before) {
  if (before) pairs("before", 10);
  nvtxInitialize(NULL);
  struct sock_filter allow_little[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {4, allow_little};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 77;
  pairs("after", 200000); /* more than the pool holds */
  _exit(9);
}

/* A vfork child that goes into another root before it executes: no business of the parent. */
static int vfork_chroot(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    if (chroot("/") != 0) _exit(77);
    execl("/bin/true", "true", (char*)NULL);
    _exit(127);
  }
  int status = wait_for(pid);
  if (status == 77 << 8) return 77;
  CHECK(status == 0);
  pairs("parent", 200000);
  return failures;
}

static int own_chroot(void) {
  nvtxInitialize(NULL);
  if (chroot("/proc") != 0) return 77;
  pairs("after", 100000);
  pid_t pid = fork();
  if (pid == 0) _exit(6);
  CHECK(wait_for(pid) == 6 << 8);
  return failures;
}

static int ends(const char* how) {
  pairs("end", 100);
  if (strcmp(how, "exit") == 0) exit(11);
  if (strcmp(how, "_exit") == 0) _exit(12);
  if (strcmp(how, "quick_exit") == 0) quick_exit(13);
  if (strcmp(how, "return") == 0) return 14;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  return 1;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  long number = argc > 2 ? atol(argv[2]) : 0;
  if (strcmp(mode, "nothing") == 0) return 0;
  if (strcmp(mode, "calls") == 0) return calls();
  if (strcmp(mode, "pairs") == 0) return pairs("pair", number), 0;
  if (strcmp(mode, "threads") == 0) return run_threads(32, number), 0;
  if (strcmp(mode, "churn") == 0) return churn((int)number);
  if (strcmp(mode, "fork") == 0) return fork_once();
  if (strcmp(mode, "fork_handles") == 0) return fork_handles();
  if (strcmp(mode, "fork_busy") == 0) return fork_from_busy((int)number);
  if (strcmp(mode, "clone") == 0) return raw_clone();
  if (strcmp(mode, "vfork") == 0) return vfork_events((int)number);
  if (strcmp(mode, "vfork_exec") == 0) return vfork_exec(argv + 2);
  if (strcmp(mode, "exec") == 0) return pairs("exec", 1), execvp(argv[2], argv + 2);
  if (strcmp(mode, "spawn") == 0) return spawn(argv + 2, environ);
  if (strcmp(mode, "spawn_bare") == 0) return spawn(argv + 2, (char*[]){"PATH=/usr/bin:/bin", NULL});
  if (strcmp(mode, "failing_exec") == 0) return failing_exec();
  if (strcmp(mode, "signals") == 0) return signals(number, 0);
  if (strcmp(mode, "signals_altstack") == 0) return signals(number, 1);
  if (strcmp(mode, "names") == 0) return names((int)number);
  if (strcmp(mode, "long_names") == 0) return long_names();
  if (strcmp(mode, "sandbox") == 0) return sandbox((int)number);
  if (strcmp(mode, "vfork_chroot") == 0) return vfork_chroot();
  if (strcmp(mode, "chroot") == 0) return own_chroot();
  if (strcmp(mode, "end") == 0) return ends(argv[2]);
  fprintf(stderr, "agent_target: unknown mode\n");
  return 64;
}
