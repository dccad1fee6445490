// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the launcher and the agent both ask of a program file before it is run. No allocation, no locks, no
// libc beyond memory functions: safe inside the agent. Layouts: elf(5).
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace sextant::base {

inline constexpr uint16_t kMaxElfSegments = 128;

/// Names of libraries as offsets in the table of strings, and that table's address.
struct NeededLibraries {
  uint64_t name[32];
  uint32_t count = 0;
  uint64_t strings = 0;  // the segment that holds it gives its place in the file
};

/// Read little by little: the caller's stack may be a small one.
template <typename Read>
NeededLibraries needed_libraries(const Elf64_Phdr& dynamic, const Read& read) {
  constexpr uint64_t kMostEntries = 128, kAtOnce = 16;
  NeededLibraries out;
  for (uint64_t at = 0; at < kMostEntries && at < dynamic.p_filesz / sizeof(Elf64_Dyn); at += kAtOnce) {
    Elf64_Dyn entries[kAtOnce];
    uint64_t left = dynamic.p_filesz - at * sizeof(Elf64_Dyn);
    uint64_t bytes = left < sizeof entries ? left : sizeof entries;
    const long got = read(entries, bytes, dynamic.p_offset + at * sizeof(Elf64_Dyn));
    for (long i = 0; i < got / static_cast<long>(sizeof(Elf64_Dyn)); ++i) {
      if (entries[i].d_tag == DT_NULL) return out;
      if (entries[i].d_tag == DT_STRTAB) out.strings = entries[i].d_un.d_ptr;
      if (entries[i].d_tag == DT_NEEDED && out.count < sizeof out.name / sizeof *out.name)
        out.name[out.count++] = entries[i].d_un.d_val;
    }
    if (got != static_cast<long>(sizeof entries)) break;
  }
  return out;
}

/// True if the program is linked with the shared address sanitizer, which ends the program when any library,
/// a preloaded one too, comes before it. `read(buffer, bytes, offset)` reads the file and returns how many
/// bytes it got.
template <typename Read>
bool needs_address_sanitizer(const Elf64_Ehdr& elf, const Read& read) {
  Elf64_Phdr dynamic{};
  const auto segment = [&](uint16_t i, Elf64_Phdr* to) {
    return read(to, sizeof *to, elf.e_phoff + uint64_t{i} * sizeof *to) == static_cast<long>(sizeof *to);
  };
  const uint16_t segments = elf.e_phentsize != sizeof(Elf64_Phdr) ? 0
                            : elf.e_phnum < kMaxElfSegments       ? elf.e_phnum
                                                                  : kMaxElfSegments;
  for (uint16_t i = 0; i < segments && dynamic.p_type != PT_DYNAMIC; ++i)
    if (!segment(i, &dynamic)) return false;
  if (dynamic.p_type != PT_DYNAMIC) return false;
  const NeededLibraries needed = needed_libraries(dynamic, read);
  for (uint16_t i = 0; i < segments; ++i) {
    Elf64_Phdr load{};
    if (!segment(i, &load)) return false;
    if (load.p_type != PT_LOAD || needed.strings < load.p_vaddr ||
        needed.strings - load.p_vaddr >= load.p_filesz)
      continue;
    for (uint32_t n = 0; n < needed.count; ++n) {
      char name[64] = {};
      if (read(name, sizeof name - 1, load.p_offset + (needed.strings - load.p_vaddr) + needed.name[n]) <= 0)
        continue;
      if (std::strstr(name, "libasan.so") != nullptr || std::strstr(name, "libclang_rt.asan") != nullptr)
        return true;
    }
    return false;
  }
  return false;
}

}  // namespace sextant::base
