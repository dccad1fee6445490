// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "text/output.h"

namespace sextant::exporters {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// What the signal handler removes. One at a time; written before the handlers are set, cleared after they are
// gone.
char protected_path[4096];
std::atomic<bool> is_protected{false};

void remove_and_die(int signal) {
  if (is_protected.load()) ::unlink(protected_path);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when the handler returns
}

void protect(const std::string& path) {
  if (is_protected.load() || path.size() >= sizeof protected_path) return;
  std::memcpy(protected_path, path.c_str(), path.size() + 1);
  is_protected = true;
  for (const int signal : kSignals) {
    struct sigaction before;
    // A program that handles or ignores a signal lives on, and the destructor does the work.
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = remove_and_die;
    ::sigaction(signal, &action, nullptr);
  }
}

void unprotect() {
  for (const int signal : kSignals) {
    struct sigaction now;
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == remove_and_die)
      ::signal(signal, SIG_DFL);
  }
  is_protected = false;
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

tl::unexpected<Error> already_exists(const std::string& path) {
  return fail(ErrorCode::kUsage,
              fmt::format("{} exists already; --force-overwrite replaces it, -o names another file", path));
}

Status check_name(const std::string& path, bool replace) {
  struct stat found;
  if (path.empty() || path.back() == '/')
    return fail(ErrorCode::kUsage, fmt::format("the output '{}' is not a file name", path));
  if (::lstat(path.c_str(), &found) != 0) return {};  // whatever is wrong with it, creating the file will say
  if (S_ISDIR(found.st_mode)) return fail(ErrorCode::kUsage, fmt::format("the output {} is a folder", path));
  if (!replace) return already_exists(path);
  if (text::is_no_plain_file(path))
    return fail(ErrorCode::kUsage,
                fmt::format("the output {} is not a regular file; -o names another", path));
  return {};
}

/// A temporary name that nothing has; `make` is given it and returns 0, or -1 with errno.
template <typename Make>
Result<std::string> with_unused_name(const std::string& path, const Make& make) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::string name = fmt::format("{}.{}-{}.tmp", path, ::getpid(), attempt);
    if (make(name.c_str()) == 0) return name;
    if (errno != EEXIST) break;
  }
  return fail_errno(errno, fmt::format("cannot create {}", path));
}

}  // namespace

Status refuse_the_report_itself(const std::string& report, const std::string& output) {
  struct stat in, out;
  if (::stat(report.c_str(), &in) != 0 || ::stat(output.c_str(), &out) != 0) return {};
  if (in.st_dev != out.st_dev || in.st_ino != out.st_ino) return {};
  return fail(ErrorCode::kUsage,
              fmt::format("the output {} is the report itself; -o names another file", output));
}

Result<OutputFile> OutputFile::create(const std::string& path, bool replace) {
  SEXTANT_TRY(check_name(path, replace));
  OutputFile file(path, replace);
  file.fd_ = base::Fd(::open(folder_of(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  // The file gets its name through /proc; where that is not mounted, a temporary name is better than a
  // surprise at the end.
  if (file.fd_.valid() && ::access("/proc/self/fd", X_OK) == 0) return file;
  SEXTANT_TRY(file.open_named());
  return file;
}

Result<OutputFile> OutputFile::create_named(const std::string& path, bool replace) {
  SEXTANT_TRY(check_name(path, replace));
  OutputFile file(path, replace);
  SEXTANT_TRY(file.open_named());
  return file;
}

Status OutputFile::open_named() {
  SEXTANT_ASSIGN(temporary_, with_unused_name(path_, [&](const char* name) {
                   fd_ = base::Fd(::open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666));
                   return fd_.valid() ? 0 : -1;
                 }));
  protect(temporary_);
  return {};
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      replace_(other.replace_),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::move(other.fd_)) {}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  unprotect();
}

Status OutputFile::commit() {
  const std::string in_proc = fmt::format("/proc/self/fd/{}", fd_.get());
  const auto link_to = [&](const char* name) {
    const int from = temporary_.empty() ? AT_SYMLINK_FOLLOW : 0;
    return ::linkat(AT_FDCWD, temporary_.empty() ? in_proc.c_str() : temporary_.c_str(), AT_FDCWD, name,
                    from);
  };
  if (!replace_ && link_to(path_.c_str()) == 0) return {};  // the destructor removes the temporary name
  if (!replace_ && errno == EEXIST) return already_exists(path_);
  // Replacing, or a file system without hard links (then the name was free a moment ago)
  if (temporary_.empty()) {
    SEXTANT_ASSIGN(temporary_, with_unused_name(path_, link_to));
  }
  const unsigned flags = replace_ ? 0 : RENAME_NOREPLACE;
  int renamed = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), flags);
  if (renamed != 0 && errno == EINVAL) renamed = ::rename(temporary_.c_str(), path_.c_str());
  if (renamed != 0 && errno == EEXIST) return already_exists(path_);
  if (renamed != 0) return fail_errno(errno, fmt::format("cannot name the output {}", path_));
  temporary_.clear();
  unprotect();
  return {};
}

}  // namespace sextant::exporters
