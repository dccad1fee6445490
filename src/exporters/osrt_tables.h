// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OSRT_API, OSRT_FILE_ACCESS_EVENTS and OSRT_FILE_ACCESS_DESCRIPTORS of a recording of our own: nsys's
// columns (those about files of its schema 3.20 and later), and behind them some that nsys does not have.
#pragma once

#include <cstdint>
#include <functional>

#include "exporters/processes_by_number.h"
#include "exporters/sqlite_file.h"
#include "exporters/string_ids.h"

namespace sextant::exporters {

/// Rows of these tables in the report.
uint64_t osrt_rows(const query::Source& source);

/// Tables without rows are left out. `progress`: rows written so far; an error ends the work.
Status write_osrt_tables(const query::Source& source, const ProcessesByNumber& processes, StringIds& strings,
                         SqliteFile& file, const std::function<Status(uint64_t rows)>& progress);

}  // namespace sextant::exporters
