// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Output is a buffered writer to a file descriptor that never loses an error: after a failed write it stays
// failed, swallows what follows, and finish() tells. Results of commands go through standard output's one.
// Not thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace sextant::text {

/// A path that must be written to as it is: to give its name to a new file would destroy it (a device, a
/// pipe, a socket) or put a file where a descriptor was meant (/dev/stdout).
bool is_no_plain_file(const std::string& path);

class Output {
 public:
  /// `fd` is borrowed; `name` is for messages.
  explicit Output(int fd, std::string name = "standard output") : fd_(fd), name_(std::move(name)) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes);
  bool failed() const { return error_ != 0; }

  /// Writes what is buffered. kIo with the system's reason; broken_pipe() tells that the reader is just gone.
  Status finish();
  bool broken_pipe() const;

 private:
  void flush();

  int fd_;
  std::string name_;
  int error_ = 0;
  std::string buffer_;
};

}  // namespace sextant::text
