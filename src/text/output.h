// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Output is a buffered writer to a file descriptor that never loses an error: after a failed write it stays failed, swallows
// what follows, and finish() tells. Results of commands go through standard output's one. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sextant::text {

class Output {
 public:
  explicit Output(int fd) : fd_(fd) {}  // borrowed
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
  int error_ = 0;
  std::string buffer_;
};

}  // namespace sextant::text
