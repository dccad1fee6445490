// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables for what NVTX clients tell beside events: counters, names of resources, synchronisation objects,
// memory; and capture windows. Only names of CUDA devices and streams have a table of nsys's; the others are
// Sextant's own (docs/formats/sqlite.md). Tables without rows are left out.
#pragma once

#include "exporters/nvtx_events.h"
#include "exporters/processes_by_number.h"
#include "exporters/sqlite_file.h"
#include "query/query.h"

namespace sextant::exporters {

void write_nvtx_extras(const query::Source& source, const ProcessesByNumber& processes, NvtxEvents& events,
                       SqliteFile& file);

}  // namespace sextant::exporters
