/* SPDX-FileCopyrightText: The Sextant authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Made-up libcuda.so.1 and libcupti.so in one file (built twice), as far as sextant-probe opens counters.
 * FAKE_CUPTI=N is the result of opening; FAKE_CUDA=N that of starting CUDA.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static int number(const char* name) {
  const char* value = getenv(name);
  return value == NULL ? 0 : atoi(value);
}

int cuInit(unsigned flags) {
  return flags == 0 ? number("FAKE_CUDA") : 1;
}
int cuDeviceGetCount(int* count) {
  *count = 2;
  return 0;
}

static int initialized, opened;

int cuptiProfilerInitialize(size_t* parameters) {
  if (parameters[0] != 16) return 1;
  initialized = 1;
  return 0;
}
/* size, private data, device, object */
int cuptiPmSamplingEnable(size_t* parameters) {
  if (!initialized || parameters[0] != 32 || parameters[1] != 0 || parameters[2] > 1) return 1;
  if (number("FAKE_CUPTI") == 0) {
    parameters[3] = 0x1000 + parameters[2];
    ++opened;
  }
  return number("FAKE_CUPTI");
}
/* size, private data, object */
int cuptiPmSamplingDisable(size_t* parameters) {
  if (parameters[0] != 24 || parameters[2] < 0x1000) return 1;
  if (--opened == 0) printf("closed\n");
  return 0;
}
