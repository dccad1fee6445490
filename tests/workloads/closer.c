// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// closer FIRST: closes every descriptor from FIRST on, before and after its first range; opens files of its
// own at these numbers; writes into them; what the files hold afterwards goes to the file CLOSER_OUT.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nvtx_client.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  unsigned first = (unsigned)atoi(argv[1]);
  syscall(SYS_close_range, first, ~0u, 0);
  int own[20];
  for (int i = 0; i < 20; ++i) {
    own[i] = open("own", O_RDWR | O_CREAT | O_APPEND, 0666);
    nvtxRangePushA("a");
    if (write(own[i], "data\n", 5) != 5) return 3;
    nvtxRangePop();
  }
  syscall(SYS_close_range, first, ~0u, 0);
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
