// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NVTX push/pop time by path as a picture: one SVG file that needs nothing else, no script in it. A box is as
// wide as the time of its path and lies below the box around it; what it is, how long and how often, is told
// when the pointer rests on it. The same report gives the same bytes, and a name has the same colour
// everywhere.
#pragma once

#include <string>

#include "base/result.h"
#include "exporters/registry.h"
#include "query/query.h"

namespace sextant::exporters {

/// With options.by_thread a process and a thread are above the ranges. kNotFound: there are no ranges.
Status export_flame(const query::Source& source, const std::string& output, const ExportOptions& options);

}  // namespace sextant::exporters
