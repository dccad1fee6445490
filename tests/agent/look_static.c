// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A static program: 0 if its environment has no NVTX tool, but still the preload and the run for what it
// starts.
#include <stdlib.h>

int main(void) {
  return getenv("LD_PRELOAD") != NULL && getenv("NVTX_INJECTION64_PATH") == NULL &&
                 getenv("SEXTANT_RUN") != NULL
             ? 0
             : 1;
}
