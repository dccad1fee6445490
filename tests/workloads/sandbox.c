// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sandbox HOW N: pushes N ranges, half of them after it has shut itself in.
//   seccomp   a filter that kills the process at any system call but write and exit
//   strict    strict seccomp: read, write and exit only, and no time stamp counter
//   tsc       the time stamp counter taken away
//   chroot    an empty root folder
//   uid       another user
//   memory    RLIMIT_AS at what is mapped already
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvtx_client.h"

static void ranges(long n) {
  for (long i = 0; i < n; ++i) {
    nvtxRangePushA("work");
    nvtxRangePop();
  }
}

static int filter(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int shut_in(const char* how) {
  if (!strcmp(how, "seccomp")) return filter();
  if (!strcmp(how, "strict")) return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  if (!strcmp(how, "tsc")) return prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
  if (!strcmp(how, "chroot")) return chroot("empty") || chdir("/");
  if (!strcmp(how, "uid")) return setgid(65534) || setuid(65534);
  if (!strcmp(how, "memory")) {
    struct rlimit limit = {1 << 20, 1 << 20};
    return setrlimit(RLIMIT_AS, &limit);
  }
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  long n = atol(argv[2]);
  ranges(n / 2);
  if (shut_in(argv[1])) return 3;
  ranges(n - n / 2);
  if (write(1, "alive\n", 6) != 6) return 4;
  syscall(strcmp(argv[1], "strict") ? SYS_exit_group : SYS_exit, 0);
  return 5;
}
