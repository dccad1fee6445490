// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// --filter-time and --filter-nvtx: the span of time that a command looks at. As in nsys everything counts,
// whole, that exists at some moment of the span.
#pragma once

#include "cli/arguments.h"
#include "query/query.h"

namespace sextant::cli {

/// "[START]/[END]", each a sum of numbers with units as nsys writes them: "1s2ms", "1.5e3us", "2000"
/// (nanoseconds). kUsage.
Result<query::Window> parse_window(std::string_view words);

/// The span of the range "name[@domain][/index]", as --filter-nvtx takes it. kNotFound.
Result<query::Window> find_range(const query::Source& source, std::string_view word);

/// Limits `source` as the command line says; --filter-nvtx overrides --filter-time. kUsage, kNotFound (no
/// such range).
Status limit_time(const Arguments& arguments, query::Source* source);

}  // namespace sextant::cli
