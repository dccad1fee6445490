// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of source and programs that the person who started the server lets browsers see: those in folders
// given with
// --source-path, and nothing else. Thread-safe once made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sextant::serve {

class SourceFiles {
 public:
  /// Folders as they are named on the command line. kUsage, kNotFound, kDenied.
  static Result<SourceFiles> make(const std::vector<std::string>& folders);

  bool allowed() const { return !folders_.empty(); }

  struct File {
    base::Fd fd;       // of a regular file
    std::string path;  // where it really is
    uint64_t bytes = 0;
    int64_t modified_ns = 0;  // since 1970
  };
  /// The file with a path that a report or debug information has: there, or else below a folder with as much
  /// of the path's end as possible. Links are followed, and must not lead out of the folders. kNotFound.
  Result<File> open(std::string_view recorded) const;

  /// Lines from `first` on (1 is the first), at most `count`. kUnsupported: too large, or no text.
  static Result<std::vector<std::string>> lines(const File& file, uint64_t first, size_t count);

 private:
  Result<File> open_here(const std::string& path) const;

  std::vector<std::string> folders_;  // real paths
};

}  // namespace sextant::serve
