// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// sandbox HOW N: pushes N ranges, half of them after it has shut itself in.
//   seccomp   a filter that kills the process at any system call but write and exit
//   strict    strict seccomp: read, write and exit only, and no time stamp counter
//   tsc       the time stamp counter taken away
//   chroot    an empty root folder
//   pivot     a mount namespace of its own, whose root is another file system
//   userns    a user and mount namespace of its own, and then an empty root folder; needs no rights
//   uid       another user
//   memory    RLIMIT_AS at what is mapped already
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
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

static int write_file(const char* path, const char* text) {
  int fd = open(path, O_WRONLY);
  if (fd < 0) return 1;
  int bad = write(fd, text, strlen(text)) < 0;
  close(fd);
  return bad;
}

static int pivot(void) {
  return unshare(CLONE_NEWNS) || mount("none", "/", 0, MS_REC | MS_PRIVATE, 0) ||
         mount("none", "empty", "tmpfs", 0, 0) || chdir("empty") || syscall(SYS_pivot_root, ".", ".") ||
         umount2(".", MNT_DETACH) || chdir("/");
}

static int user_namespace(void) {
  char map[32];
  snprintf(map, sizeof map, "0 %d 1", (int)getuid());
  return unshare(CLONE_NEWUSER | CLONE_NEWNS) || write_file("/proc/self/uid_map", map) || chroot("empty") ||
         chdir("/");
}

static int shut_in(const char* how) {
  if (!strcmp(how, "seccomp")) return filter();
  if (!strcmp(how, "strict")) return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  if (!strcmp(how, "tsc")) return prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
  if (!strcmp(how, "chroot")) return chroot("empty") || chdir("/");
  if (!strcmp(how, "pivot")) return pivot();
  if (!strcmp(how, "userns")) return user_namespace();
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
