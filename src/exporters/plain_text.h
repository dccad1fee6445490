// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A report as text that every program reads: docs/formats/text-exports.md.
#pragma once

#include <string>

#include "base/result.h"
#include "exporters/registry.h"
#include "query/query.h"

namespace sextant::exporters {

/// One JSON object a line, one line a row. `output`: a file as with export_sqlite, or "-", standard output.
Status export_jsonlines(const query::Source& source, const std::string& output, const ExportOptions& options);

/// One CSV file a table in the folder `output`, which is made if it is not there. Each file appears when it
/// is whole. Errors: kUsage (a file exists and `replace` is not set, `output` is no folder), kDenied, kIo.
Status export_csv(const query::Source& source, const std::string& output, const ExportOptions& options);

}  // namespace sextant::exporters
