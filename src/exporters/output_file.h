// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OutputFile: a file that appears under its name only when it is whole. Until commit() it has no name at all
// (O_TMPFILE), so that not even a SIGKILL leaves anything behind; on file systems that cannot do that it has
// a temporary name beside the output, which the destructor removes, and so do SIGINT, SIGTERM and SIGHUP
// where they would end the program.
//
// Not thread-safe; at most one with a temporary name at a time is protected against signals.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sextant::exporters {

/// An error where both names lead to the same file: replacing it would lose what is being read.
Status refuse_the_report_itself(const std::string& report, const std::string& output);

class OutputFile {
 public:
  /// Mode 0666 & ~umask. Errors: kUsage (exists and `replace` is not set, or is a folder), kDenied, kNotFound
  /// (its folder), kIo.
  static Result<OutputFile> create(const std::string& path, bool replace);

  /// The same, always with a temporary name.
  static Result<OutputFile> create_named(const std::string& path, bool replace);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) = delete;
  ~OutputFile();

  int fd() const { return fd_.get(); }

  /// Gives the file its name; an older one is replaced in one step, or, without `replace`, is an error if it
  /// has come up meanwhile.
  Status commit();

 private:
  OutputFile(std::string path, bool replace) : path_(std::move(path)), replace_(replace) {}
  Status open_named();

  std::string path_;
  bool replace_;
  std::string temporary_;  // empty: the file has no name yet
  base::Fd fd_;
};

}  // namespace sextant::exporters
