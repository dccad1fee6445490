// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// end_after HOW N: pushes and pops N ranges, then ends in the way named, with nothing flushed by itself in
// between.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvtx_client.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* how = argv[1];
  for (long i = atol(argv[2]); i > 0; --i) {
    nvtxRangePushA("work");
    nvtxRangePop();
  }
  if (!strcmp(how, "return")) return 6;
  if (!strcmp(how, "exit")) exit(5);
  if (!strcmp(how, "_exit")) _exit(7);
  if (!strcmp(how, "exit_group")) syscall(SYS_exit_group, 8);
  if (!strcmp(how, "quick_exit")) quick_exit(9);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "segv")) raise(SIGSEGV);
  if (!strcmp(how, "null")) *(volatile int*)0 = 1;
  if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(how, "term")) raise(SIGTERM);
  return 2;
}
