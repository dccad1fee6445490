// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// signals HOW N: a 5 kHz timer signal whose handler pushes and pops a range "handler", while main pushes N
// ranges "main".
//   plain | altstack   the handler returns (on a stack of its own)
//   jump | altjump     every 3rd handler leaves by siglongjmp, in the middle of a range of its own ("left")
//   one time of two
// Prints the number of ranges of each name that were completed (or begun, for "left").
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "nvtx_client.h"

static volatile sig_atomic_t jumping, handlers, left, may_jump;
static volatile long done, interrupted;
static sigjmp_buf back;

static void on_signal(int number) {
  (void)number;
  nvtxRangePushA("handler");
  nvtxRangePop();
  int n = ++handlers;
  if (jumping && may_jump && n % 3 == 0) {
    if (n % 2) {
      nvtxRangePushA("left");
      ++left;
    }
    may_jump = 0;
    siglongjmp(back, 1);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  long n = atol(argv[2]);
  jumping = strstr(argv[1], "jump") != 0;
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  if (!strncmp(argv[1], "alt", 3)) {
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&stack, 0);
    action.sa_flags |= SA_ONSTACK;
  }
  sigaction(SIGALRM, &action, 0);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &timer, 0);
  // A jump out of push or pop leaves the program unable to know whether the call took effect: such rounds are
  // "interrupted" and only bound the count. sigsetjmp stands outside the loop: its system call would attract
  // most of the signals.
  if (sigsetjmp(back, 1)) ++interrupted;
  may_jump = 1;
  while (done < n) {
    nvtxRangePushA("main");
    nvtxRangePop();
    done = done + 1;
  }
  may_jump = 0;
  struct itimerval off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &off, 0);
  printf("main %ld\ninterrupted %ld\nhandler %d\nleft %d\n", done, interrupted, (int)handlers, (int)left);
  return 0;
}
