/* SPDX-FileCopyrightText: The Sextant authors
   SPDX-License-Identifier: Apache-2.0

   Calls of the C library where hooks go wrong. Each part checks what the program itself can see and prints
   "ok"; what it has called is printed as "NAME COUNT" for whoever looks at the report. An exit code other
   than 0: the line that is wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
      _exit(2);                                                                 \
    }                                                                           \
  } while (0)

static int zero = -1;

/* errno is what the call left, and is left alone by calls that succeed */
static void part_errno(void) {
  char byte;
  for (int i = 0; i < 3000; ++i) {
    errno = 0;
    CHECK(open("/nonexistent/file", O_RDONLY) == -1 && errno == ENOENT);
    CHECK(read(-1, &byte, 1) == -1 && errno == EBADF);
    CHECK(open((char*)1, O_RDONLY) == -1 && errno == EFAULT);
    errno = 77;
    CHECK(read(zero, &byte, 1) == 1 && errno == 77);
    sem_t semaphore;
    CHECK(sem_init(&semaphore, 0, 1) == 0);
    CHECK(sem_wait(&semaphore) == 0 && errno == 77);
    pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == EDEADLK && errno == 77);
    struct timespec past = {0, 0};
    CHECK(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
  }
  CHECK(fcntl(zero, F_GETFD) == 0 && fcntl(zero, F_SETFD, FD_CLOEXEC) == 0 &&
        fcntl(zero, F_GETFD) == FD_CLOEXEC);
  int copy = fcntl(zero, F_DUPFD, 100);
  CHECK(copy >= 100 && close(copy) == 0);
  int made = open("made", O_CREAT | O_WRONLY | O_TRUNC, 0640);
  struct stat status;
  CHECK(made >= 0 && fstat(made, &status) == 0 && (status.st_mode & 0777) == (0640 & ~umask(022)));
  void* at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(at != MAP_FAILED && (at = mremap(at, 4096, 8192, MREMAP_MAYMOVE)) != MAP_FAILED &&
        munmap(at, 8192) == 0);
  printf("read 6000\nopen 6003\n");
}

/* threads that are cancelled while they wait */
static int pipe_of[2];
static sem_t never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int cleaned, waiting;

static void clean(void* lock) {
  if (lock != NULL) pthread_mutex_unlock(lock);
  atomic_fetch_add(&cleaned, 1);
}
static void* wait_for_ever(void* kind) {
  char byte;
  struct pollfd one = {pipe_of[0], POLLIN, 0};
  struct timespec long_time = {1000, 0};
  pthread_cleanup_push(clean, kind == (void*)2 ? &mutex : NULL);
  if (kind == (void*)2) pthread_mutex_lock(&mutex);
  atomic_fetch_add(&waiting, 1);
  switch ((long)kind) {
    case 0:
      (void)!read(pipe_of[0], &byte, 1);
      break;
    case 1:
      sem_wait(&never);
      break;
    case 2:
      for (;;) pthread_cond_wait(&condition, &mutex);
    case 3:
      poll(&one, 1, -1);
      break;
    case 4:
      nanosleep(&long_time, NULL);
      break;
    case 5:
      pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
      for (;;) (void)!read(zero, &byte, 1);
    case 6:
      for (;;) {
        sem_t free_one;
        sem_init(&free_one, 0, 1);
        sem_wait(&free_one);
      }
  }
  pthread_cleanup_pop(1);
  return NULL;
}
static void part_cancel(void) {
  CHECK(pipe(pipe_of) == 0 && sem_init(&never, 0, 0) == 0);
  for (int round = 0; round < 10; ++round) {
    for (long kind = 0; kind < 7; ++kind) {
      pthread_t thread;
      void* result;
      int before = waiting;
      CHECK(pthread_create(&thread, NULL, wait_for_ever, (void*)kind) == 0);
      while (waiting == before) sched_yield();
      if (round % 2 == 0) usleep(1000);
      CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    }
  }
  CHECK(cleaned == 70 && pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
}

/* a handler that calls what the program calls */
static volatile sig_atomic_t in_handler;
static int null_device;
static void on_timer(int number) {
  (void)number;
  int error = errno;
  in_handler += write(null_device, "x", 1) == 1;
  errno = error;
}
static void start_timer(int flags) {
  struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART | flags};
  struct itimerval often = {{0, 200}, {0, 200}};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
}
static void stop_timer(void) {
  struct itimerval never_again = {{0, 0}, {0, 0}};
  CHECK(setitimer(ITIMER_REAL, &never_again, NULL) == 0);
  signal(SIGALRM, SIG_IGN);
}
static void handlers(int flags, long reads) {
  char byte;
  start_timer(flags);
  for (long i = 0; i < reads; ++i) CHECK(read(zero, &byte, 1) == 1);
  stop_timer();
  printf("read %ld\nwrite %d\n", reads, (int)in_handler);
}
static void part_signals(void) {
  handlers(0, 400000);
}
static void part_altstack(void) {
  static char room[16384];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  CHECK(sigaltstack(&stack, NULL) == 0);
  handlers(SA_ONSTACK, 300000);
}

/* calls that are left by a jump */
static sigjmp_buf back;
static void jump(int number) {
  siglongjmp(back, number);
}
static void part_jumps(void) {
  char byte;
  CHECK(pipe(pipe_of) == 0);
  struct sigaction action = {.sa_handler = jump, .sa_flags = 0};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  volatile int jumps = 0, done = 0;
  for (volatile int i = 0; i < 300; ++i) {
    if (sigsetjmp(back, 1) == 0) {
      struct itimerval once = {{0, 0}, {0, 300}};
      CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
      (void)!read(pipe_of[0], &byte, 1);
      CHECK(0);
    }
    ++jumps;
    CHECK(read(zero, &byte, 1) == 1);
    ++done;
  }
  CHECK(jumps == 300);
  printf("read %d\n", done);
}

/* many threads with little stack, whose values are destroyed by code that calls the C library */
static pthread_key_t key;
static atomic_int destroyed;
static void destroy(void* rounds) {
  CHECK(write(null_device, "y", 1) == 1);
  atomic_fetch_add(&destroyed, 1);
  if ((long)rounds > 1) pthread_setspecific(key, (void*)((long)rounds - 1));
}
static void* small_thread(void* rounds) {
  char byte;
  for (int i = 0; i < 10; ++i) CHECK(read(zero, &byte, 1) == 1);
  int file = open("/dev/null", O_RDONLY);
  CHECK(file >= 0 && close(file) == 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_setspecific(key, rounds);
  return NULL;
}
static void part_threads(void) {
  pthread_attr_t small;
  CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN) == 0);
  CHECK(pthread_key_create(&key, destroy) == 0);
  enum { kAtOnce = 8, kRounds = 100 };
  for (int round = 0; round < kRounds; ++round) {
    pthread_t threads[kAtOnce];
    for (long i = 0; i < kAtOnce; ++i)
      CHECK(pthread_create(&threads[i], &small, small_thread, (void*)(1 + i % 3)) == 0);
    for (int i = 0; i < kAtOnce; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  }
  printf("read %d\nwrite %d\nopen %d\npthread_create %d\n", kAtOnce * kRounds * 10, destroyed,
         kAtOnce * kRounds + 2, kAtOnce * kRounds);
}

/* forks out of a process whose threads are busy with locks and files */
static atomic_int stop;
static void* busy(void* unused) {
  char byte;
  while (!stop) {
    pthread_mutex_lock(&mutex);
    (void)!read(zero, &byte, 1);
    pthread_mutex_unlock(&mutex);
    free(malloc(100000));
  }
  return unused;
}
static void part_forks(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) CHECK(pthread_create(&threads[i], NULL, busy, NULL) == 0);
  enum { kForks = 30 };
  for (int i = 0; i < kForks; ++i) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      for (int k = 0; k < 10; ++k) CHECK(write(null_device, "c", 1) == 1);
      _exit(i % 2 == 0 ? 11 : 12);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
          WEXITSTATUS(status) == (i % 2 == 0 ? 11 : 12));
  }
  stop = 1;
  for (int i = 0; i < 4; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  printf("fork %d\nwaitpid %d\nwrite %d\n", kForks, kForks, kForks * 10);
}

/* children that share memory */
static int in_clone(void* unused) {
  char byte;
  (void)unused;
  return read(zero, &byte, 1) == 1 ? 5 : 6;
}
static void part_vfork(void) {
  int status;
  for (volatile int i = 0; i < 20; ++i) {
    pid_t child = vfork();
    CHECK(child >= 0);
    if (child == 0) {
      close(zero + 50);
      execl("/bin/sh", "sh", "-c", "exit 9", (char*)NULL);
      _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 9);
  }
  for (int i = 0; i < 20; ++i) {
    static char stack[65536] __attribute__((aligned(16)));
    pid_t child = clone(in_clone, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
  }
  printf("vfork 20\nwaitpid 40\n");
}

/* descriptors of ours must not be among those that a program closes, and what follows is still recorded */
static void part_close(void) {
  char byte;
  for (int i = 0; i < 100; ++i) CHECK(read(zero, &byte, 1) == 1);
  for (int fd = 3; fd < 1024; ++fd) close(fd);
  CHECK(syscall(SYS_close_range, 3, ~0u, 0) == 0 || errno == ENOSYS);
  CHECK((zero = open("/dev/zero", O_RDONLY)) == 3);
  for (int i = 0; i < 100; ++i) CHECK(read(zero, &byte, 1) == 1);
  printf("read 200\nclose 1021\n");
}

/* a program that is bound to the condition variables of 2002, which lie in memory otherwise */
#if defined(__x86_64__)
int old_wait(pthread_cond_t*, pthread_mutex_t*);
int old_signal(pthread_cond_t*);
__asm__(".symver old_wait,pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver old_signal,pthread_cond_signal@GLIBC_2.2.5");
static int set;
static void* wait_the_old_way(void* at) {
  pthread_mutex_lock(&mutex);
  while (!set) CHECK(old_wait(at, &mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
static void part_versions(void) {
  static struct {
    void* old;
    char guard[64];
  } memory; /* a pointer was all there was */
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, wait_the_old_way, &memory) == 0);
  usleep(20000);
  pthread_mutex_lock(&mutex);
  set = 1;
  CHECK(old_signal((pthread_cond_t*)&memory) == 0);
  pthread_mutex_unlock(&mutex);
  CHECK(pthread_join(thread, NULL) == 0);
  for (size_t i = 0; i < sizeof memory.guard; ++i) CHECK(memory.guard[i] == 0);
}
#else
static void part_versions(void) {}
#endif

/* locks: only those that were taken by somebody else wait */
static void* hold(void* unused) {
  pthread_mutex_lock(&mutex);
  atomic_store(&waiting, 1);
  usleep(20000);
  pthread_mutex_unlock(&mutex);
  return unused;
}
static int word;
static void* wake(void* unused) {
  usleep(20000);
  __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}
static void part_locks(void) {
  pthread_t thread;
  for (int i = 0; i < 100000; ++i)
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
  CHECK(sem_init(&never, 0, 1000) == 0);
  for (int i = 0; i < 1000; ++i) CHECK(sem_wait(&never) == 0 && pthread_cond_signal(&condition) == 0);
  CHECK(pthread_create(&thread, NULL, hold, NULL) == 0);
  while (!waiting) sched_yield();
  CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0 &&
        pthread_join(thread, NULL) == 0);
  CHECK(pthread_create(&thread, NULL, wake, NULL) == 0);
  while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0)
    CHECK(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0 || errno == EAGAIN);
  CHECK(pthread_join(thread, NULL) == 0);
  printf("pthread_mutex_lock 1\n");
}

/* which file, how many bytes */
static void part_files(void) {
  char text[100] = "";
  int out = open("data", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  CHECK(out >= 0 && write(out, text, 100) == 100 && write(out, text, 50) == 50 && close(out) == 0);
  FILE* in = fopen("data", "r");
  CHECK(in != NULL && fread(text, 1, 100, in) == 100 && fclose(in) == 0);
  int again = open("data", O_RDONLY), copy = dup(again);
  CHECK(again >= 0 && copy >= 0 && close(again) == 0 && read(copy, text, 30) == 30 && close(copy) == 0);
  CHECK(rename("data", "data2") == 0 && unlink("data2") == 0);
}

/* nothing that was called is missing when the end comes at once */
static void part_killed(void) {
  char byte;
  for (int i = 0; i < 20000; ++i) CHECK(read(zero, &byte, 1) == 1);
  printf("read 20000\n");
  fflush(stdout);
  kill(getpid(), SIGKILL);
}

/* calls that never return */
static int dead_pipe[2], handler_pipe[2];
static atomic_int tids[8];
static pthread_t first_hanging;
static void hang_in_handler(int number) {
  char byte;
  (void)number;
  (void)!read(handler_pipe[0], &byte, 1);
}
static void* hang(void* kind) {
  char byte;
  struct pollfd one = {dead_pipe[0], POLLIN, 0};
  tids[(long)kind] = (int)syscall(SYS_gettid);
  switch ((long)kind) {
    case 0:
    case 6:
      for (;;) (void)!read(dead_pipe[0], &byte, 1);
    case 1:
      for (;;) sem_wait(&never);
    case 2:
      for (;;) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, word, NULL, NULL, 0);
    case 3:
      for (;;) poll(&one, 1, 1000000);
    case 4:
      pthread_mutex_lock(&mutex);
      break;
    case 5:
      pthread_join(first_hanging, NULL);
  }
  return NULL;
}
/* in the system, not to come back */
static int asleep(int tid) {
  char path[64], line[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
  FILE* file = fopen(path, "r");
  if (file == NULL) return 0;
  const char* state = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
  fclose(file);
  return state != NULL && state[1] == ' ' && state[2] == 'S';
}
static void wait_until_asleep(long kind) {
  for (int times = 0; times < 3;) {
    times = tids[kind] != 0 && asleep(tids[kind]) ? times + 1 : 0;
    usleep(2000);
  }
}
static void hang_all(void) {
  pthread_t thread;
  CHECK(pipe(dead_pipe) == 0 && pipe(handler_pipe) == 0 && sem_init(&never, 0, 0) == 0 &&
        pthread_mutex_lock(&mutex) == 0);
  struct sigaction action = {.sa_handler = hang_in_handler, .sa_flags = SA_RESTART};
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  for (long kind = 0; kind < 7; ++kind) {
    CHECK(pthread_create(&thread, NULL, hang, (void*)kind) == 0);
    if (kind == 0) first_hanging = thread;
    wait_until_asleep(kind);
  }
  CHECK(pthread_kill(thread, SIGUSR1) == 0);
  usleep(20000);
  wait_until_asleep(6);
  printf("hang %d\n", tids[0]);
  fflush(stdout);
}
static void part_hangs(void) {
  hang_all();
  kill(getpid(), SIGKILL);
}
static void part_hangs_on(void) {
  hang_all();
  for (;;) pause();
}
static void part_hangs_exit(void) {
  hang_all();
}

/* left by a jump, and then calls from deeper down until the end: nothing is still going on */
static void deeper(int levels) {
  char byte;
  if (levels > 0)
    deeper(levels - 1);
  else
    for (int i = 0; i < 100; ++i) CHECK(read(zero, &byte, 1) == 1);
}
static void part_jumped(void) {
  char byte;
  CHECK(pipe(dead_pipe) == 0 && signal(SIGALRM, jump) != SIG_ERR);
  if (sigsetjmp(back, 1) == 0) {
    struct itimerval soon = {{0, 0}, {0, 20000}};
    CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    (void)!read(dead_pipe[0], &byte, 1);
    CHECK(0);
  }
  deeper(20);
}

/* calls that are left in a way of which nobody tells */
static ucontext_t before;
static void go_back(int number) {
  (void)number;
  setcontext(&before);
}
static void part_left(void) {
  struct itimerval soon = {{0, 0}, {0, 20000}};
  volatile int rounds = 0;
  char byte;
  CHECK(pipe(dead_pipe) == 0 && signal(SIGALRM, go_back) != SIG_ERR && getcontext(&before) == 0);
  if (++rounds <= 5) {
    CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    (void)!read(dead_pipe[0], &byte, 1);
    CHECK(0);
  }
  kill(getpid(), SIGKILL);
}

/* what else is kept of a call */
static void part_details(void) {
  struct timespec time = {0, 3000000};
  struct timeval value = {0, 4000};
  char text[200];
  CHECK(poll(NULL, 0, 7) == 0 && nanosleep(&time, NULL) == 0 && select(0, NULL, NULL, NULL, &value) == 0 &&
        usleep(2000) == 0);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == 0);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, (struct timespec*)8, NULL) == EFAULT);
  CHECK(nanosleep((struct timespec*)8, NULL) == -1 && errno == EFAULT);
  CHECK(connect(-1, (struct sockaddr*)8, 16) == -1 && errno == EBADF);
  int listener = socket(AF_INET, SOCK_STREAM, 0),
      out = open("data", O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
  struct {
    unsigned short family, port;
    unsigned char rest[12];
  } address = {AF_INET, 0, {127, 0, 0, 1}};
  CHECK(bind(listener, (struct sockaddr*)&address, sizeof address) == 0);
  address.port = 0x0100; /* 1, in the order of the network */
  int client = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(connect(client, (struct sockaddr*)&address, sizeof address) == -1);
  CHECK(write(out, text, 30) == 30 && lseek(out, 0, SEEK_SET) == 0 && read(out, text, 200) == 30);
  CHECK(kill(getpid(), SIGCONT) == 0 && fcntl(out, F_GETFD) == FD_CLOEXEC);
  void* at = mmap(NULL, 3ul << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(at != MAP_FAILED && mprotect(at, 8192, PROT_READ) == 0 && munmap(at, 3ul << 30) == 0);
  CHECK(munmap((void*)1, 4096) == -1 && errno == EINVAL);
}

/* threads that get names and end at once */
static void* named(void* by_itself) {
  char byte;
  if (by_itself != NULL) CHECK(prctl(PR_SET_NAME, "by itself") == 0);
  CHECK(read(zero, &byte, 1) == 1);
  if (by_itself != NULL) CHECK(pthread_setname_np(pthread_self(), "again") == 0);
  return NULL;
}
static void* named_by_parent(void* unused) {
  char byte;
  while (!waiting) sched_yield();
  CHECK(read(zero, &byte, 1) == 1);
  return unused;
}
static void part_names(void) {
  pthread_t first, second;
  CHECK(pthread_create(&first, NULL, named, &waiting) == 0 &&
        pthread_create(&second, NULL, named_by_parent, NULL) == 0);
  CHECK(pthread_setname_np(second, "by its parent") == 0 &&
        pthread_setname_np(second, "a name that is too long") == ERANGE);
  waiting = 1;
  CHECK(pthread_join(first, NULL) == 0 && pthread_join(second, NULL) == 0);
}

/* children that share memory and thread-local storage */
static int writes(void* times) {
  char byte = 0;
  for (long i = 0; i < (long)times; ++i) (void)!write(null_device, &byte, 1);
  return 0;
}
static void part_clones(void) {
  static char stack[1 << 16];
  int status;
  int child = clone(writes, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, (void*)100);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  writes((void*)7);
  child = clone(writes, stack + sizeof stack, SIGCHLD, (void*)3);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  printf("write 10\nclone 2\n");
}
static void part_shared(void) {
  static char stack[1 << 16];
  int status, child = clone(writes, stack + sizeof stack, CLONE_VM | SIGCHLD, (void*)100);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } parts[] = {{"errno", part_errno},       {"cancel", part_cancel},   {"signals", part_signals},
               {"altstack", part_altstack}, {"jumps", part_jumps},     {"threads", part_threads},
               {"forks", part_forks},       {"vfork", part_vfork},     {"close", part_close},
               {"versions", part_versions}, {"locks", part_locks},     {"files", part_files},
               {"killed", part_killed},     {"hangs", part_hangs},     {"hangs_on", part_hangs_on},
               {"jumped", part_jumped},     {"details", part_details}, {"hangs_exit", part_hangs_exit},
               {"names", part_names},       {"clones", part_clones},   {"shared", part_shared},
               {"left", part_left}};
  if (argc != 2) return 1;
  zero = open("/dev/zero", O_RDONLY);
  null_device = open("/dev/null", O_WRONLY);
  CHECK(zero >= 0 && null_device >= 0);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    if (strcmp(parts[i].name, argv[1]) != 0) continue;
    parts[i].run();
    puts("ok");
    return 0;
  }
  return 1;
}
