/* SPDX-FileCopyrightText: The Sextant authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * perf_try: the errno of perf_event_open for samples of an own process, with the kernel's part, and of the
 * whole machine; 0 where it works. What `sextant doctor` says is compared with it.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int attempt(int with_kernel, pid_t pid, int cpu) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = 1000000;
  attributes.disabled = 1;
  attributes.exclude_kernel = !with_kernel;
  attributes.exclude_hv = 1;
  const long fd = syscall(SYS_perf_event_open, &attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) return errno;
  close((int)fd);
  return 0;
}

int main(void) {
  printf("%d %d %d\n", attempt(0, 0, -1), attempt(1, 0, -1), attempt(1, -1, 0));
  return 0;
}
