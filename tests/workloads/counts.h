// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A file of the workload's own in which it counts its completed NVTX calls, so that a test knows after a
// SIGKILL what must have been recorded. Every thread takes a slot; the slot's number is in the names of its
// ranges.
#pragma once

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

struct CountSlot {  // "begun" is stored before the call, "done" after it: at most one call lies between them
  _Atomic uint64_t push_begun, push_done, pop_begun, pop_done;
  uint64_t pid, tid;
  uint64_t pad[2];
};

struct CountFile {
  _Atomic uint64_t used;
  uint64_t pad[7];
  struct CountSlot slots[1023];
};

static inline struct CountFile* count_file(const char* path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || ftruncate(fd, sizeof(struct CountFile)) != 0) return 0;
  void* at = mmap(0, sizeof(struct CountFile), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return at == MAP_FAILED ? 0 : (struct CountFile*)at;
}

static inline uint64_t count_slot(struct CountFile* file) {
  uint64_t number = atomic_fetch_add(&file->used, 1);
  if (number >= 1023) _exit(3);
  file->slots[number].pid = (uint64_t)getpid();
  file->slots[number].tid = (uint64_t)gettid();
  return number;
}
