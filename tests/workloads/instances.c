// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// instances A.so B.so: NVTX used by the program, by two dlopened plug-ins, by a third copy in a dlmopen
// namespace, and after a dlclose of the first.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "nvtx_client.h"

static int run(void* library, int n) {
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
  void (*plugin_run)(int) = (void (*)(int))dlsym(library, "plugin_run");
  plugin_run(n);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  nvtxRangePushA("outer");
  void* a = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (run(a, 10)) return 3;
  if (run(dlopen(argv[2], RTLD_NOW | RTLD_LOCAL), 20)) return 4;
  dlclose(a);
  if (run(dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW), 40)) return 5;
  nvtxRangePop();
  return 0;
}
