// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX for programs that can only load shared libraries, such as python3 with ctypes.
#include "nvtx_client.h"

int shim_push(const char* name) {
  return nvtxRangePushA(name);
}
int shim_pop(void) {
  return nvtxRangePop();
}
void shim_mark(const char* name) {
  nvtxMarkA(name);
}
