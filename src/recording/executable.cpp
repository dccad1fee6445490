// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/elf.h"
#include "base/fd.h"

namespace sextant::recording {

using spool::Untraced;

namespace {

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#endif
constexpr int kMaxInterpreters = 4;

Result<std::string> look_up(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (size_t begin = 0; begin <= folders.size();) {
    size_t end = std::min(folders.find(':', begin), folders.size());
    std::string candidate = folders.substr(begin, end - begin);
    candidate = (candidate.empty() ? "." : candidate) + "/" + name;
    struct stat info {};
    if (::stat(candidate.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        ::access(candidate.c_str(), X_OK) == 0)
      return candidate;
    begin = end + 1;
  }
  return fail(ErrorCode::kNotFound, name + ": no such program in PATH");
}

/// The program interpreter decides: none, another C library's, or glibc's.
Untraced examine_elf(int fd, const Elf64_Ehdr& header) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kMachine) return Untraced::kArchitecture;
  for (unsigned i = 0; i < header.e_phnum && i < 256; ++i) {
    Elf64_Phdr segment{};
    if (::pread(fd, &segment, sizeof segment, static_cast<off_t>(header.e_phoff + i * sizeof segment)) !=
        sizeof segment)
      break;
    if (segment.p_type != PT_INTERP) continue;
    char interpreter[256] = {};
    ssize_t n = ::pread(fd, interpreter, std::min<size_t>(segment.p_filesz, sizeof interpreter - 1),
                        static_cast<off_t>(segment.p_offset));
    if (n > 0 && std::strstr(interpreter, "ld-musl") != nullptr) return Untraced::kMusl;
    const auto read = [fd](void* to, size_t bytes, uint64_t offset) {
      return static_cast<long>(::pread(fd, to, bytes, static_cast<off_t>(offset)));
    };
    return base::needs_address_sanitizer(header, read) ? Untraced::kSanitizer : Untraced::kNo;
  }
  return Untraced::kStatic;
}

Untraced examine(const std::string& path, int depth) {
  base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a named pipe would be waited for
  if (!fd.valid()) return Untraced::kNo;  // executable but not readable: the kernel will know
  struct stat info {};
  if (::fstat(fd.get(), &info) == 0) {
    bool other_user = (info.st_mode & S_ISUID) != 0 && info.st_uid != ::geteuid();
    bool other_group = (info.st_mode & S_ISGID) != 0 && info.st_gid != ::getegid();
    bool capabilities = ::geteuid() != 0 && ::fgetxattr(fd.get(), "security.capability", nullptr, 0) > 0;
    if (other_user || other_group || capabilities) return Untraced::kSetuid;
  }
  union {
    Elf64_Ehdr elf;
    char text[256];
  } head{};
  ssize_t n = ::pread(fd.get(), head.text, sizeof head.text - 1, 0);
  if (n >= static_cast<ssize_t>(sizeof head.elf) && std::memcmp(head.elf.e_ident, ELFMAG, SELFMAG) == 0)
    return examine_elf(fd.get(), head.elf);
  if (n > 2 && head.text[0] == '#' && head.text[1] == '!' && depth < kMaxInterpreters) {
    std::string line(head.text + 2, std::strcspn(head.text + 2, "\n"));
    size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) return Untraced::kNo;
    return examine(line.substr(begin, line.find_first_of(" \t", begin) - begin), depth + 1);
  }
  return Untraced::kNo;  // a script without #!: run by /bin/sh
}

}  // namespace

Result<Executable> find_executable(const std::string& name) {
  if (name.empty()) return fail(ErrorCode::kNotFound, "the program's name is empty");
  SEXTANT_ASSIGN(std::string path, look_up(name));
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return fail_errno(errno, path);
  if (S_ISDIR(info.st_mode)) return fail(ErrorCode::kDenied, path + ": is a folder, not a program");
  if (::access(path.c_str(), X_OK) != 0)
    return fail(ErrorCode::kDenied, path + ": is not executable (chmod +x, or name its interpreter)");
  struct stat own {};
  if (::stat("/proc/self/exe", &own) == 0 && own.st_dev == info.st_dev && own.st_ino == info.st_ino)
    return Executable{path, Untraced::kOwnTool};
  return Executable{path, examine(path, 0)};
}

}  // namespace sextant::recording
