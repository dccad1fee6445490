// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the stats reports about NVTX share.
#pragma once

#include <string>

#include "query/query.h"

namespace sextant::stats {

/// A range's name as nsys shows it: "name", or "domain:name" in a named domain; invalid UTF-8 replaced.
std::string range_name(const query::Source& source, uint64_t domain, uint64_t name);

/// One sentence: why there is no NVTX range in the report, from what processes and diagnostics say.
std::string why_no_ranges(const query::Source& source);

}  // namespace sextant::stats
