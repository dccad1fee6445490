/* SPDX-FileCopyrightText: The Sextant authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A made-up libnvidia-ml.so.1 with two GPUs, for sextant-probe. FAKE_NVML=error makes it fail to start, =slow
 * to take for ever, =old lacks processes.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
} Process;

static int how(const char* word) {
  const char* value = getenv("FAKE_NVML");
  return value != NULL && strcmp(value, word) == 0;
}

int nvmlInit_v2(void) {
  if (how("slow")) pause();
  return how("error") ? 9 : 0;
}
int nvmlShutdown(void) {
  return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  strncpy(text, "550.54.15", bytes);
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 3;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static int devices[2];
  if (index > 1) return 15; /* lost */
  *device = &devices[index];
  devices[index] = (int)index;
  return 0;
}
int nvmlDeviceGetName(void* device, char* text, unsigned bytes) {
  strncpy(text, *(int*)device == 0 ? "NVIDIA H100 80GB HBM3" : "Tesla T4", bytes);
  return 0;
}
int nvmlDeviceGetArchitecture(void* device, unsigned* value) {
  *value = *(int*)device == 0 ? 9 : 6;
  return 0;
}
int nvmlDeviceGetBrand(void* device, unsigned* value) {
  *value = *(int*)device == 0 ? 14 : 2;
  return 0;
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
  *current = *pending = 1;
  return *(int*)device == 0 ? 0 : 3; /* the T4 knows no MIG */
}
int nvmlDeviceGetVirtualizationMode(void* device, unsigned* value) {
  (void)device;
  *value = 1;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* processes) {
  if (*(int*)device != 0 || how("old")) {
    *count = 0;
    return how("old") ? 3 : 0;
  }
  if (*count < 2) return 7;
  memset(processes, 0, 2 * sizeof *processes);
  processes[0].pid = 4711;
  processes[1].pid = 4712;
  *count = 2;
  return 0;
}
