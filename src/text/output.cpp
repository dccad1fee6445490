// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "text/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sextant::text {

namespace {
constexpr size_t kBufferBytes = 64 * 1024;
}

bool is_no_plain_file(const std::string& path) {
  for (const char* descriptors : {"/dev/fd/", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/"})
    if (path.starts_with(descriptors)) return true;
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

void Output::write(std::string_view bytes) {
  if (error_ != 0) return;
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void Output::flush() {
  const char* at = buffer_.data();
  size_t left = buffer_.size();
  while (left > 0 && error_ == 0) {
    const ssize_t n = ::write(fd_, at, left);
    if (n >= 0) {
      at += n;
      left -= static_cast<size_t>(n);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

Status Output::finish() {
  flush();
  if (error_ != 0) return fail_errno(error_, name_);
  return {};
}

bool Output::broken_pipe() const {
  return error_ == EPIPE;
}

}  // namespace sextant::text
