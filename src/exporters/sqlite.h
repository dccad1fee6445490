// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A report as an SQLite database with the tables, columns and values of nsys's own export (schema 3.7), so
// that nsys's reports and everybody's scripts read it. docs/formats/sqlite.md lists what is written. Memory
// is bounded by one chunk of the report plus the strings that are needed, not by the number of rows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "query/query.h"

namespace sextant::exporters {

struct SqliteOptions {
  bool replace = false;  // an existing output is replaced (when the new one is whole)
  std::function<void(uint64_t done, uint64_t total)>
      progress;  // rows of the report, at most once a batch; may be empty
};

/// Writes `output`: under a temporary name beside it, renamed when whole. After an error, and after SIGINT,
/// SIGTERM or SIGHUP while it runs, nothing new is left behind. Errors: kUsage (output exists and `replace`
/// is not set, or is a folder), kDenied, kNotFound (folder), kIo (disk full).
Status export_sqlite(const query::Source& source, const std::string& output, const SqliteOptions& options);

}  // namespace sextant::exporters
