// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A report as Chrome trace events (JSON), for Perfetto, chrome://tracing and everything else that reads them:
// docs/formats/chrome-trace.md says what becomes what. Memory: about 60 bytes an event of the most frequent
// kind, about 40 more a CUDA call.
#pragma once

#include <string>

#include "base/result.h"
#include "exporters/registry.h"
#include "query/query.h"

namespace sextant::exporters {

Status export_chrome(const query::Source& source, const std::string& output, const ExportOptions& options);

}  // namespace sextant::exporters
