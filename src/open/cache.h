// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports that are kept, so that a file is imported once: a folder of reports named by a hash of what they
// were made from and by the importer's version. Several processes may use it at once: entries appear whole,
// by renaming, and what is open stays readable when it is thrown out. The folder must belong to this user and
// to nobody else.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace sextant::open {

using ContentHash = std::array<uint8_t, 16>;

/// XXH3_128bits of a file's content. `go_on` is asked now and then; false ends it with kUnsupported.
Result<ContentHash> hash_file(const std::string& path, const std::function<bool()>& go_on);

class Cache {
 public:
  static constexpr uint64_t kDefaultBytes = 4ull << 30;

  /// $XDG_CACHE_HOME/sextant/imports, or ~/.cache/sextant/imports. nullopt: neither is set.
  static std::optional<std::string> default_folder();
  /// $SEXTANT_CACHE_BYTES, or kDefaultBytes.
  static uint64_t default_bytes();

  /// Makes the folder where it is missing. Errors: kDenied (someone else could write there), kIo.
  static Result<Cache> open(const std::string& folder, uint64_t most_bytes);

  /// Where the import of a content belongs. It need not be there.
  std::string place(const ContentHash& hash, uint32_t importer_version) const;

  /// Whether it is there; if so it counts as used just now.
  bool use(const std::string& place) const;

  /// Throws out what was not used for longest until the rest fits; never `keep`. Errors are no errors: it is
  /// tried again next time.
  void trim(const std::string& keep) const;

 private:
  Cache(std::string folder, uint64_t most_bytes) : folder_(std::move(folder)), most_bytes_(most_bytes) {}
  std::string folder_;
  uint64_t most_bytes_;
};

}  // namespace sextant::open
