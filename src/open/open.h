// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any file that Sextant can read becomes a query::Source: its own reports as they are, exports of nsys by way
// of an import that is made once and kept (open/cache.h). Files are known by content, never by name, and
// never written to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "open/sniff.h"
#include "query/query.h"

namespace sextant::open {

struct OpenOptions {
  bool no_cache =
      false;  // an import is made in a temporary file that nobody else sees and that is gone afterwards
  bool with_nsys = false;    // reports of nsys are exported by an nsys on PATH
  std::string cache_folder;  // empty: Cache::default_folder()
  std::optional<uint64_t> cache_bytes;
  std::function<bool()> go_on;                       // asked now and then during long work; false ends it
  std::function<void(uint64_t, uint64_t)> progress;  // of an import: bytes done, bytes of the file
  std::function<void(const std::string&)> notice;    // one sentence about what is being done or could not be
};

struct Opened {
  query::Source source;
  FileKind kind;          // of the file that was named
  std::string path;       // as it was named; source.reader().path() is the import's
  bool imported = false;  // just now
};

/// Errors: those of sniffing, importing and query::Source::open; kUnsupported with what to do for files that
/// need nsys first.
Result<Opened> open_file(const std::string& path, const OpenOptions& options);

/// Only what there is to read.
Result<query::Source> open(const std::string& path, const OpenOptions& options);

/// Files for files; for a folder, the files in it (and in folders below, by name) that are reports of any
/// kind. A file beside its own export is left out: of X.nsys-rep and X.sqlite only the latter is taken.
/// With kAllNamedSo also files of folders that are named as reports of Sextant and are none, such as empty
/// ones: for lists, that can say why they cannot be read. kNotFound: a folder without any.
enum class Take : uint8_t { kReports, kAllNamedSo };
Result<std::vector<std::string>> expand(std::span<const std::string> paths, Take take = Take::kReports);

}  // namespace sextant::open
