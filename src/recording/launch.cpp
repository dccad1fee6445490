// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/launch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace sextant::recording {

namespace {

bool read_exactly(int fd, void* to, size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    ssize_t n = ::read(fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<size_t>(n);
  }
  return true;
}

bool write_exactly(int fd, const void* from, size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    ssize_t n = ::write(fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<size_t>(n);
  }
  return true;
}

void append_text(std::string* out, const std::string& text) {
  out->append(text.c_str(), text.size() + 1);
}

std::vector<char*> pointers(char*& at, uint32_t count) {
  std::vector<char*> out;
  for (uint32_t i = 0; i < count; ++i) {
    out.push_back(at);
    at += std::string_view(at).size() + 1;
  }
  out.push_back(nullptr);
  return out;
}

/// The child: waits for {bytes, arguments, variables} and that many NUL-terminated strings: path, arguments,
/// environment.
[[noreturn]] void wait_and_execute(int go, int failure, bool show_output, const ToolSignals& signals,
                                   const User* user) {
  uint32_t sizes[3];
  if (!read_exactly(go, sizes, sizeof sizes)) ::_exit(127);
  std::string text(sizes[0], '\0');
  if (!read_exactly(go, text.data(), text.size())) ::_exit(127);
  char* path = text.data();
  char* at = path + std::string_view(path).size() + 1;
  std::vector<char*> arguments = pointers(at, sizes[1]);
  std::vector<char*> environment = pointers(at, sizes[2]);
  if (!show_output) {
    int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(null, 1);
    ::dup2(null, 2);
  }
  signals.give_back();
  int error = user != nullptr ? become(*user) : 0;
  if (error == 0) {
    ::execve(path, arguments.data(), environment.data());
    error = errno;
  }
  if (error == ENOEXEC) {  // a script without #!, as shells and execvp treat it
    std::vector<char*> shell = {const_cast<char*>("/bin/sh"), path};
    shell.insert(shell.end(), arguments.begin() + 1, arguments.end());
    ::execve(shell[0], shell.data(), environment.data());
  }
  (void)write_exactly(failure, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

LaunchedProgram::LaunchedProgram(LaunchedProgram&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      go_(std::move(other.go_)),
      failure_(std::move(other.failure_)),
      running_(other.running_) {}

LaunchedProgram::~LaunchedProgram() {
  if (pid_ <= 0 || running_) return;
  go_.reset();  // end of file: it ends by itself
  ::waitpid(pid_, nullptr, 0);
}

Result<LaunchedProgram> LaunchedProgram::fork(bool show_output, const ToolSignals& signals,
                                              const User* user) {
  int go[2], failure[2];
  if (::pipe2(go, O_CLOEXEC) != 0) return fail_errno(errno, "pipe");
  base::Fd go_read(go[0]), go_write(go[1]);
  if (::pipe2(failure, O_CLOEXEC) != 0) return fail_errno(errno, "pipe");
  base::Fd failure_read(failure[0]), failure_write(failure[1]);
  LaunchedProgram program;
  program.pid_ = ::fork();
  if (program.pid_ < 0) return fail_errno(errno, "cannot fork");
  if (program.pid_ == 0) {
    go_write.reset();
    failure_read.reset();
    wait_and_execute(go_read.get(), failure_write.get(), show_output, signals, user);
  }
  program.go_ = std::move(go_write);
  program.failure_ = std::move(failure_read);
  return program;
}

Status LaunchedProgram::run(const std::string& path, const std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment) {
  std::string text;
  append_text(&text, path);
  for (const std::string& argument : arguments) append_text(&text, argument);
  for (const std::string& variable : environment) append_text(&text, variable);
  uint32_t sizes[3] = {static_cast<uint32_t>(text.size()), static_cast<uint32_t>(arguments.size()),
                       static_cast<uint32_t>(environment.size())};
  if (!write_exactly(go_.get(), sizes, sizeof sizes) || !write_exactly(go_.get(), text.data(), text.size()))
    return fail(ErrorCode::kInternal, "the program's process ended before it could be started");
  go_.reset();
  int error = 0;
  ssize_t n;
  do n = ::read(failure_.get(), &error, sizeof error);
  while (n < 0 && errno == EINTR);
  failure_.reset();
  if (n == static_cast<ssize_t>(sizeof error) && error == ENOENT && ::access(path.c_str(), F_OK) == 0)
    return fail(ErrorCode::kNotFound,
                path +
                    ": cannot be executed: the interpreter that it names (its first line, or for ELF its "
                    "PT_INTERP) is not there");
  if (n == static_cast<ssize_t>(sizeof error)) return fail_errno(error, path + ": cannot be executed");
  running_ = true;
  return {};
}

}  // namespace sextant::recording
