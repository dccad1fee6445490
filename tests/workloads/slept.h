// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// For a range that sleeps: two times between which its duration must be, whoever measures it, by the
// monotonic clock.
//   struct Slept slept = {now_ns(), 0, 0, 0}; push; sleep_in_range(&slept, 50); pop; print_slept(&slept);
#pragma once

#include <errno.h>
#include <stdio.h>
#include <time.h>

struct Slept {
  long long before, opened, closing, after;
};

static inline long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline void sleep_in_range(struct Slept* slept, long milliseconds) {
  struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  slept->opened = now_ns();
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
  slept->closing = now_ns();
}

static inline void print_slept(struct Slept* slept) {
  slept->after = now_ns();
  printf("slept %lld %lld\n", slept->closing - slept->opened, slept->after - slept->before);
}
