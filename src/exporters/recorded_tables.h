// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of a recording of our own whose rows go into a table of nsys's, or in nsys's manner, one to one: as
// nsys/ describes them. Rows of a table with keys are written once, the last one counts.
#pragma once

#include <span>

#include "exporters/processes_by_number.h"
#include "exporters/sqlite_file.h"
#include "exporters/string_ids.h"
#include "nsys/tables.h"
#include "query/query.h"

namespace sextant::exporters {

Status write_recorded_tables(const query::Source& source, const ProcessesByNumber& processes,
                             std::span<const nsys::Table> tables, StringIds& strings, SqliteFile& file);

/// ENUM_OPENCL_COMMAND: names of the numbers in the columns `command`, where the report has OpenCL.
void write_opencl_enum(const query::Source& source, SqliteFile& file);

}  // namespace sextant::exporters
