// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// waiters HOW N: programs that wait, and are told, in ways that interposed functions do not see or may
// disturb. Prints how many ranges were made, "made N". Exit code 77: this system does not let it.
//   masks N       every handler reset, every signal blocked; N threads unblock one and get it; a range each,
//                 in the handler. What was blocked at the start still is at the end
//   signalfd N    N signals that are blocked and read from a descriptor, by poll
//   uring N       N reads by io_uring; its system calls by syscall()
//   userfault N   N pages that a thread fills when they are touched: by a store, by read(), as the name of a
//                 range, as a path of open()
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvtx_client.h"

enum { kPage = 4096, kNotHere = 77 };

static long made;

static void range(const char* name) {
  nvtxRangePushA(name);
  nvtxRangePop();
}

static void must(int ok, const char* what) {
  if (ok) return;
  perror(what);
  exit(90);
}

// -- signals

static volatile sig_atomic_t handled;

static void on_signal(int number) {
  (void)number;
  range("handler");
  ++handled;
}

static void* one_signal(void* unused) {
  sigset_t mine;
  sigemptyset(&mine);
  sigaddset(&mine, SIGUSR1);
  must(pthread_kill(pthread_self(), SIGUSR1) == 0, "pthread_kill");
  must(pthread_sigmask(SIG_UNBLOCK, &mine, NULL) == 0, "pthread_sigmask");  // it comes now
  return unused;
}

static void block_all(sigset_t* all) {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);  // as daemons do
  sigfillset(all);
  must(sigprocmask(SIG_SETMASK, all, NULL) == 0, "sigprocmask");
}

static void masks(long n) {
  sigset_t all, now;
  block_all(&all);
  must(sigprocmask(SIG_SETMASK, NULL, &all) == 0, "sigprocmask");  // without what cannot be blocked
  must(signal(SIGUSR1, on_signal) != SIG_ERR, "signal");
  for (long i = 0; i < n; ++i) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, one_signal, NULL) == 0, "pthread_create");
    must(pthread_join(thread, NULL) == 0, "pthread_join");
  }
  must(handled == n, "handlers");
  must(sigprocmask(SIG_SETMASK, NULL, &now) == 0 && memcmp(&now, &all, sizeof(long)) == 0, "the mask");
  made += n;
}

static void signals_by_descriptor(long n) {
  sigset_t all;
  block_all(&all);
  int fd = signalfd(-1, &all, SFD_CLOEXEC);
  must(fd >= 0, "signalfd");
  for (long i = 0; i < n; ++i) {
    must(kill(getpid(), SIGUSR2) == 0, "kill");
    struct pollfd waits = {fd, POLLIN, 0};
    must(poll(&waits, 1, -1) == 1, "poll");
    struct signalfd_siginfo info;
    must(read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR2, "read");
    range("signal");
  }
  must(close(fd) == 0, "close");
  made += n;
}

// -- io_uring

static void* ring_map(int fd, size_t bytes, off_t at) {
  void* found = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, at);
  must(found != MAP_FAILED, "mmap of a ring");
  return found;
}

static void uring(long n) {
  struct io_uring_params is = {0};
  int fd = (int)syscall(SYS_io_uring_setup, 4, &is);
  if (fd < 0) exit(kNotHere);
  size_t room = is.sq_off.array + is.sq_entries * sizeof(unsigned);
  size_t other = is.cq_off.cqes + is.cq_entries * sizeof(struct io_uring_cqe);
  char* submit = ring_map(fd, room, IORING_OFF_SQ_RING);
  char* done = ring_map(fd, other, IORING_OFF_CQ_RING);
  struct io_uring_sqe* entries = ring_map(fd, is.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
  int zero = open("/dev/zero", O_RDONLY);
  for (long i = 0; i < n; ++i) {
    char byte = 1;
    unsigned tail = *(unsigned*)(submit + is.sq_off.tail);
    unsigned slot = tail & *(unsigned*)(submit + is.sq_off.ring_mask);
    entries[slot] = (struct io_uring_sqe){.opcode = IORING_OP_READ, .fd = zero, .len = 1, .user_data = 7};
    entries[slot].addr = (uintptr_t)&byte;
    ((unsigned*)(submit + is.sq_off.array))[slot] = slot;
    __atomic_store_n((unsigned*)(submit + is.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
    must(syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1, "io_uring_enter");
    unsigned head = *(unsigned*)(done + is.cq_off.head);
    must(head != __atomic_load_n((unsigned*)(done + is.cq_off.tail), __ATOMIC_ACQUIRE), "nothing done");
    unsigned at = head & *(unsigned*)(done + is.cq_off.ring_mask);
    struct io_uring_cqe* result = (struct io_uring_cqe*)(done + is.cq_off.cqes) + at;
    must(result->user_data == 7 && result->res == 1 && byte == 0, "the result");
    __atomic_store_n((unsigned*)(done + is.cq_off.head), head + 1, __ATOMIC_RELEASE);
    range("uring");
  }
  must(close(zero) == 0 && close(fd) == 0, "close");
  made += n;
}

// -- pages that are filled when they are touched

static int faults;

static void* fill(void* unused) {
  static char page[kPage] __attribute__((aligned(kPage))) = "/dev/zero";
  struct uffd_msg message;
  while (read(faults, &message, sizeof message) == sizeof message) {
    if (message.event != UFFD_EVENT_PAGEFAULT) continue;
    range("fault");  // the other thread stands still in the middle of what it does
    struct uffdio_copy copy = {.src = (uintptr_t)page, .len = kPage};
    copy.dst = message.arg.pagefault.address & ~(uint64_t)(kPage - 1);
    must(ioctl(faults, UFFDIO_COPY, &copy) == 0, "UFFDIO_COPY");
  }
  return unused;
}

static void userfault(long n) {
  faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
  if (faults < 0) exit(kNotHere);
  struct uffdio_api api = {.api = UFFD_API};
  must(ioctl(faults, UFFDIO_API, &api) == 0, "UFFDIO_API");
  size_t bytes = (size_t)n * kPage;
  char* pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(pages != MAP_FAILED, "mmap");
  struct uffdio_register area = {.range = {(uintptr_t)pages, bytes}, .mode = UFFDIO_REGISTER_MODE_MISSING};
  must(ioctl(faults, UFFDIO_REGISTER, &area) == 0, "UFFDIO_REGISTER");
  pthread_t thread;
  must(pthread_create(&thread, NULL, fill, NULL) == 0, "pthread_create");
  int zero = open("/dev/zero", O_RDONLY);
  for (long i = 0; i < n; ++i) {
    char* page = pages + i * kPage;
    int fd = -1;
    nvtxRangePushA("touch");
    if (i % 4 == 0)
      page[100] = 1;
    else if (i % 4 == 1)
      must(read(zero, page, 10) == 10, "read into a page that is not there");
    else if (i % 4 == 2)
      range(page), ++made;
    else
      must((fd = open(page, O_RDONLY)) >= 0 && close(fd) == 0, "open by a path that is not there");
    nvtxRangePop();
  }
  must(pthread_cancel(thread) == 0 && pthread_join(thread, NULL) == 0, "pthread_join");
  must(munmap(pages, bytes) == 0 && close(faults) == 0 && close(zero) == 0, "close");
  made += 2 * n;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  range("main");
  ++made;
  const long n = atol(argv[2]);
  if (!strcmp(argv[1], "masks"))
    masks(n);
  else if (!strcmp(argv[1], "signalfd"))
    signals_by_descriptor(n);
  else if (!strcmp(argv[1], "uring"))
    uring(n);
  else if (!strcmp(argv[1], "userfault"))
    userfault(n);
  else
    return 2;
  printf("made %ld\n", made);
  return 0;
}
