// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// An NVTX tool that is not Sextant's: declines, and leaves a trace of having been asked.
#include <stdio.h>
#include <stdlib.h>

int InitializeInjectionNvtx2(void* get_export_table) {
  (void)get_export_table;
  const char* path = getenv("OTHER_TOOL_OUT");
  FILE* f = path ? fopen(path, "a") : 0;
  if (f) {
    fputs("asked\n", f);
    fclose(f);
  }
  return 0;
}
