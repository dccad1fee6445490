// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of query/: which push/pop ranges were never closed. Every group of chunks of a ring carries the
// ring's open stack; only the stack in its newest group counts.
#pragma once

#include "query/source.h"

namespace sextant::query {

/// Columns of event::kNvtxOpen, in the order of `columns`, of the rows that count.
Result<std::vector<std::vector<uint64_t>>> open_ranges(Source::State& state,
                                                       std::span<const uint16_t> columns);

}  // namespace sextant::query
