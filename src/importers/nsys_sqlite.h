// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// An SQLite export of nsys, of any version, becomes a report. What goes where:
// docs/formats/nsys-sqlite-import.md. The source is read once, table by table, in bounded memory (rows of one
// chunk, and all strings); it is not trusted and not changed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sextant::report {
class Writer;
}

namespace sextant::importers {

/// Part of the key under which imports are kept: raised whenever the same source would become another report.
inline constexpr uint32_t kNsysImporterVersion = 7;

struct NsysImportOptions {
  std::array<uint8_t, 16> run_id{};  // of the report; a hash of the source
  std::string source_name;           // what the report says that it was made from; empty: `path`
  std::function<bool()> go_on;       // asked now and then; false ends the import
  /// Asked when all rows are written and `file`, under its temporary name, can be read, before it is
  /// finished: what else the report is to say.
  std::function<Status(const std::string& file, report::Writer& writer)> at_end;
  std::function<void(uint64_t, uint64_t)> progress;  // bytes done, bytes of the file; now and then
};

struct NsysImportSummary {
  std::vector<std::pair<std::string, uint64_t>>
      rows;                     // by table of the source, StringIds included, in the order they were read
  uint64_t foreign_tables = 0;  // of them, kept as they are
};

/// Writes `report_path`, under a temporary name beside it until it is whole; an older file of that name is
/// replaced then. Errors: as SqliteDatabase::open; kUnsupported if it is no export of nsys; kIo.
Result<NsysImportSummary> import_nsys_sqlite(const std::string& path, const std::string& report_path,
                                             const NsysImportOptions& options);

}  // namespace sextant::importers
