// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The small tables of an export: what was recorded, where, when, and what went wrong.
#pragma once

#include <cstdint>
#include <string>

#include "exporters/nsys_schema.h"
#include "exporters/nvtx_events.h"
#include "exporters/processes_by_number.h"
#include "exporters/string_ids.h"
#include "query/query.h"

namespace sextant::exporters {

struct ExportInfo {
  std::string input;  // the report
  std::string output;
  bool replace = false;
  uint64_t realtime_ns = 0;  // when the export was made
};

void write_processes(const query::Source& source, const ProcessesByNumber& processes, NsysTables& tables,
                     StringIds& strings);
void write_session(const query::Source& source, NsysTables& tables);
void write_system(const query::Source& source, NsysTables& tables);
void write_overhead(const query::Source& source, const ProcessesByNumber& processes, NsysTables& tables,
                    StringIds& strings);
void write_diagnostics(const query::Source& source, const ProcessesByNumber& processes,
                       const Unfinished& unfinished, NsysTables& tables);
void write_export_info(const ExportInfo& info, NsysTables& tables);

}  // namespace sextant::exporters
