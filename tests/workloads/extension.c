// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// extension: asks the tool to take the payload extension, as NVTX 3.1 and later do at its first use, then
// records one range. A tool that answers 0 makes nvtxDomainIsEnabled say no, whereupon Python's nvtx package
// records nothing at all.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "nvtx_client.h"

struct Segment {
  size_t unused;
  size_t slot_count;
  intptr_t* slots;
};

struct Module {  // nvtxExtModuleInfo_t
  uint16_t version, size, module, compatibility;
  size_t segment_count;
  struct Segment* segments;
  void* get_export_function;
  const void* info;
};

int main(void) {
  const char* path = getenv("NVTX_INJECTION64_PATH");
  void* tool = path ? dlopen(path, RTLD_NOW) : NULL;
  int (*initialize)(struct Module*) = NULL;
  if (tool) *(void**)&initialize = dlsym(tool, "InitializeInjectionNvtxExtension");
  intptr_t slots[63] = {0};
  struct Segment segment = {0, 63, slots};
  struct Module payload = {3, sizeof payload, 2, 0x104, 1, &segment, NULL, NULL};
  printf("answer %d\n", initialize ? initialize(&payload) : -1);
  nvtxRangePushA("after the extension");
  nvtxRangePop();
  return 0;
}
