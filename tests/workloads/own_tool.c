// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// own_tool HOW: a program that sets the variables of injection itself.
//   nvtx VALUE      sets NVTX_INJECTION64_PATH to VALUE before its first NVTX call
//   preload VALUE PROGRAM ARGS   sets LD_PRELOAD to VALUE and goes on as PROGRAM
//   unset PROGRAM ARGS           removes both and goes on as PROGRAM
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nvtx_client.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (!strcmp(argv[1], "nvtx")) {
    setenv("NVTX_INJECTION64_PATH", argv[2], 1);
    for (int i = 0; i < 10; ++i) {
      nvtxRangePushA("own");
      nvtxRangePop();
    }
    return 0;
  }
  nvtxRangePushA("before");
  nvtxRangePop();
  if (!strcmp(argv[1], "preload")) {
    setenv("LD_PRELOAD", argv[2], 1);
    execv(argv[3], argv + 3);
  }
  if (!strcmp(argv[1], "unset")) {
    unsetenv("LD_PRELOAD");
    unsetenv("NVTX_INJECTION64_PATH");
    execv(argv[2], argv + 2);
  }
  return 3;
}
