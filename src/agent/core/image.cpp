// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/core/image.h"

#include <elf.h>
#include <sys/prctl.h>

#include "agent/core/sys.h"
#include "base/elf.h"

namespace sextant::agent {

using spool::Untraced;

namespace {

constexpr int kScriptDepth = 4;     // the kernel follows as many interpreters
constexpr size_t kHeadBytes = 256;  // as many does the kernel look at

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#endif

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

/// In a program that gains rights the linker ignores a preload.
bool gains_rights(int fd, const struct stat& info) {
  if (sys::system_call(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return false;
  auto uid = static_cast<uid_t>(sys::system_call(SYS_getuid));
  auto gid = static_cast<gid_t>(sys::system_call(SYS_getgid));
  if ((info.st_mode & S_ISUID) != 0 && info.st_uid != uid) return true;
  if ((info.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && info.st_gid != gid) return true;
  return uid != 0 &&
         sys::system_call(SYS_fgetxattr, fd, reinterpret_cast<long>("security.capability"), 0, 0) > 0;
}

/// `name`: for the linker itself, which has no interpreter and honours the preload all the same.
[[gnu::noinline]] Untraced inspect_elf(int fd, const char* head, const char* name) {
  Elf64_Ehdr elf;
  std::memcpy(&elf, head, sizeof elf);
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_ident[EI_DATA] != ELFDATA2LSB || elf.e_machine != kMachine)
    return Untraced::kArchitecture;
  for (uint16_t i = 0; i < elf.e_phnum && i < 128; ++i) {
    Elf64_Phdr program{};
    if (elf.e_phentsize != sizeof program) break;
    if (sys::read_at(fd, &program, sizeof program, elf.e_phoff + uint64_t{i} * sizeof program) !=
        sizeof program)
      break;
    if (program.p_type != PT_INTERP) continue;
    char interpreter[256];
    uint64_t n = program.p_filesz < sizeof interpreter - 1 ? program.p_filesz : sizeof interpreter - 1;
    long got = sys::read_at(fd, interpreter, n, program.p_offset);
    interpreter[got > 0 ? got : 0] = 0;
    if (std::strncmp(base_name(interpreter), "ld-musl", 7) == 0) return Untraced::kMusl;
    const auto read = [fd](void* to, size_t bytes, uint64_t offset) {
      return sys::read_at(fd, to, bytes, offset);
    };
    return base::needs_address_sanitizer(elf, read) ? Untraced::kSanitizer : Untraced::kNo;
  }
  bool linker =
      std::strncmp(base_name(name), "ld-linux", 8) == 0 || std::strncmp(base_name(name), "ld.so", 5) == 0;
  return linker ? Untraced::kNo : Untraced::kStatic;
}

/// The interpreter of a "#!" line, cut out of `head` in place; nullptr if there is none.
const char* script_interpreter(char* head) {
  char* p = head + 2;
  while (*p == ' ' || *p == '\t') ++p;
  char* end = p;
  while (*end != 0 && *end != ' ' && *end != '\t' && *end != '\n' && *end != '\r') ++end;
  *end = 0;
  return *p != 0 ? p : nullptr;
}

}  // namespace

Untraced inspect_image(const char* path, int fd) {
  char head[kHeadBytes + 1];
  char interpreter[kHeadBytes + 1];
  const char* name = path != nullptr ? path : "";
  for (int depth = 0; depth < kScriptDepth; ++depth) {
    bool opened = path != nullptr;
    struct stat info {};
    if (opened) {
      if (sys::path_status(path, &info) != 0 || !S_ISREG(info.st_mode)) return Untraced::kNo;
      fd = sys::open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
      if (fd < 0) return Untraced::kNo;
    }
    if (sys::file_status(fd, &info) != 0) info.st_mode = 0;
    std::memset(head, 0, sizeof head);
    long n = S_ISREG(info.st_mode) ? sys::read_at(fd, head, kHeadBytes, 0) : 0;
    Untraced result = Untraced::kNo;
    bool elf = n >= static_cast<long>(sizeof(Elf64_Ehdr)) && std::memcmp(head, ELFMAG, SELFMAG) == 0;
    if (elf) result = gains_rights(fd, info) ? Untraced::kSetuid : inspect_elf(fd, head, name);
    if (opened) sys::close_file(fd);
    if (elf || n < 3 || head[0] != '#' || head[1] != '!') return result;
    path = script_interpreter(head);
    if (path == nullptr) return Untraced::kNo;
    sys::copy_text(interpreter, sizeof interpreter, path);
    path = name = interpreter;
  }
  return Untraced::kNo;
}

bool find_program(const char* file, const char* search, char* to, size_t room) {
  if (std::strchr(file, '/') != nullptr) {
    sys::copy_text(to, room, file);
    return true;
  }
  if (search == nullptr) search = "/bin:/usr/bin";
  for (const char* p = search;; ++p) {
    const char* end = strchrnul(p, ':');
    size_t n = static_cast<size_t>(end - p);
    if (n + std::strlen(file) + 2 <= room) {
      std::memcpy(to, p, n);
      if (n != 0) to[n++] = '/';
      sys::copy_text(to + n, room - n, file);
      if (sys::system_call(SYS_faccessat, AT_FDCWD, reinterpret_cast<long>(to), 1 /* X_OK */) == 0)
        return true;
    }
    if (*end == 0) return false;
    p = end;
  }
}

}  // namespace sextant::agent
