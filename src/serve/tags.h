// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Tags that people give to reports, in a file of the server's owner: one line a report, its file and the tags
// behind tabs. Reports themselves are never changed. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"

namespace sextant::serve {

class Tags {
 public:
  static constexpr size_t kMostTags = 32, kMostLength = 64, kMostReports = 10'000;

  /// Without a file nothing can be set. Errors: of reading it; one that is not there yet is empty.
  static Result<std::unique_ptr<Tags>> load(const std::string& path);

  bool can_set() const { return !path_.empty(); }
  std::vector<std::string> of(const std::string& file) const;
  /// kUsage: too many, too long, or with control characters. kDenied, kIo: the file cannot be written; it
  /// stays as it was.
  Status set(const std::string& file, const std::vector<std::string>& tags);

 private:
  Status save() const;

  std::string path_;
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> tags_;  // by the report's file
};

}  // namespace sextant::serve
