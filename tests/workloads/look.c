// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// look [range]: prints what a program can see of its own state: descriptors, terminal, signal masks and
// dispositions, limits, groups, umask, timers, threads. The same with and without a profiler, but for its
// environment.
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nvtx_client.h"

static void descriptors(void) {
  DIR* dir = opendir("/proc/self/fd");
  for (struct dirent* e; (e = readdir(dir));) {
    int fd = atoi(e->d_name);
    if (e->d_name[0] == '.' || fd == dirfd(dir)) continue;
    struct stat s;
    fstat(fd, &s);
    printf("fd %d type %o\n", fd, s.st_mode & S_IFMT);
  }
  closedir(dir);
}

static void status_lines(void) {
  static const char* const kept[] = {"Name:",   "Threads:", "SigQ", "SigBlk:",     "SigIgn:", "SigCgt:",
                                     "SigPnd:", "Uid:",     "Gid:", "NoNewPrivs:", "Seccomp:"};
  FILE* f = fopen("/proc/self/status", "r");
  char line[256];
  while (fgets(line, sizeof line, f))
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
      if (!strncmp(line, kept[i], strlen(kept[i])) && strncmp(line, "SigQ", 4)) fputs(line, stdout);
  fclose(f);
}

int main(int argc, char** argv) {
  if (argc > 1 && !strcmp(argv[1], "range")) {
    nvtxRangePushA("look");
    nvtxRangePop();
  }
  descriptors();
  status_lines();
  for (int r = 0; r < 16; ++r) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)r, &limit) == 0)
      printf("limit %d %lu %lu\n", r, (unsigned long)limit.rlim_cur, (unsigned long)limit.rlim_max);
  }
  mode_t mask = umask(0);
  printf("umask %o nice %d\n", mask, getpriority(PRIO_PROCESS, 0));
  printf("tty %d %d %d leader %d dumpable %d subreaper-death-signal %d\n", isatty(0), isatty(1), isatty(2),
         getpgrp() == getpid(), prctl(PR_GET_DUMPABLE), 0);
  if (isatty(0)) printf("foreground %d\n", tcgetpgrp(0) == getpgrp());
  char cwd[4096];
  printf("cwd %s\n", getcwd(cwd, sizeof cwd) ? cwd : "?");
  return 0;
}
