// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of nsys that a report was imported from, written again: the same names, columns, types, rows and
// order, by the mapping that the import went by (nsys/tables.h). Tables that were kept as they are come back
// as they were. Memory: one chunk of the report, and the numbers of its strings.
#pragma once

#include <cstdint>
#include <functional>

#include "exporters/sqlite_file.h"
#include "report/reader.h"

namespace sextant::exporters {

/// Whether the report was made of an export of nsys, and says of which tables.
bool is_imported(const report::Reader& reader);

/// `progress`: rows of the report, now and then; may be empty. Chunks that cannot be read are skipped.
/// Errors: kCorrupt (the report's list of tables makes no sense), those of the file.
Status write_imported_tables(const report::Reader& reader, SqliteFile& file,
                             const std::function<void(uint64_t done, uint64_t total)>& progress);

}  // namespace sextant::exporters
