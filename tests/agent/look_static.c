// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A static program: 0 if its environment has neither preload nor NVTX tool, but still names the run.
#include <stdlib.h>

int main(void) {
  return getenv("LD_PRELOAD") == NULL && getenv("NVTX_INJECTION64_PATH") == NULL && getenv("SEXTANT_RUN") != NULL ? 0 : 1;
}
