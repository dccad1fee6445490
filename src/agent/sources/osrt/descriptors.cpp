// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which file a descriptor is, as far as the hooks have seen. A fork child has what its parent knew: numbers
// of files are unique in the run.
#include "agent/sources/osrt/record.h"

namespace sextant::agent::osrt {

constinit Descriptors g_descriptors{};

namespace {
std::atomic<uint32_t> g_files;
}

uint64_t new_file(int fd) {
  if (static_cast<unsigned>(fd) >= kDescriptors || g_state == nullptr) return 0;
  const uint64_t file =
      uint64_t{g_state->epoch} << 32 | (g_files.fetch_add(1, std::memory_order_relaxed) + 1);
  __atomic_store_n(&g_descriptors.file[fd], file, __ATOMIC_RELAXED);
  return file;
}

uint64_t file_of(int fd) {
  return static_cast<unsigned>(fd) < kDescriptors ? __atomic_load_n(&g_descriptors.file[fd], __ATOMIC_RELAXED)
                                                  : 0;
}

uint64_t forget_descriptor(int fd) {
  if (static_cast<unsigned>(fd) >= kDescriptors) return 0;
  note_kind(fd, kUnknown);
  const uint64_t file = __atomic_load_n(&g_descriptors.file[fd], __ATOMIC_RELAXED);
  if (file != 0) __atomic_store_n(&g_descriptors.file[fd], uint64_t{0}, __ATOMIC_RELAXED);
  return file;
}

void note_duplicate(int fd, int copy) {
  if (static_cast<unsigned>(fd) >= kDescriptors || static_cast<unsigned>(copy) >= kDescriptors || fd == copy)
    return;
  __atomic_store_n(&g_descriptors.kind[copy], g_descriptors.kind[fd], __ATOMIC_RELAXED);
  const uint64_t file = file_of(fd);
  if (file != file_of(copy)) __atomic_store_n(&g_descriptors.file[copy], file, __ATOMIC_RELAXED);
}

}  // namespace sextant::agent::osrt
