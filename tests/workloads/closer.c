// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// closer FIRST [loop | closefrom]: closes every descriptor from FIRST on (by close_range; one by one up to
// 1023; by closefrom), before and after its first range; opens files of its own at these numbers and writes
// into them. Exit code 4: something else is in the files, too.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvtx_client.h"

static const char* how;

static void close_all(unsigned first) {
  if (!how)
    syscall(SYS_close_range, first, ~0u, 0);
  else if (!strcmp(how, "loop"))
    for (unsigned fd = first; fd < 1024; ++fd) close((int)fd);
  else
    closefrom((int)first);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  unsigned first = (unsigned)atoi(argv[1]);
  if (argc > 2) how = argv[2];
  close_all(first);
  int own[20];
  for (int i = 0; i < 20; ++i) {
    own[i] = open("own", O_RDWR | O_CREAT | O_APPEND, 0666);
    nvtxRangePushA("a");
    if (write(own[i], "data\n", 5) != 5) return 3;
    nvtxRangePop();
  }
  close_all(first);
  for (int i = 0; i < 20000; ++i) {
    nvtxRangePushA("b");
    nvtxRangePop();
  }
  int fd = open("own", O_RDONLY);
  char text[200];
  long n = read(fd, text, sizeof text);
  for (long i = 0; i + 5 <= n; i += 5)
    if (memcmp(text + i, "data\n", 5)) return 4;
  return n == 100 ? 0 : 5;
}
