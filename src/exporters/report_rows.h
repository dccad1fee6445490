// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads small tables of a report row by row: those for which query::Source has nothing of its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "report/reader.h"

namespace sextant::exporters {

/// Calls use(row) for every row in file order; row[i] is the value of columns[i]. Chunks that cannot be read
/// are skipped.
template <size_t N, typename Use>
void for_each_row(const report::Reader& reader, uint16_t table, const std::array<uint16_t, N>& columns,
                  const Use& use) {
  std::array<std::vector<uint64_t>, N> values;
  for (const report::ChunkRef& chunk : reader.chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(report::ChunkKind::kData) || chunk.header.table != table)
      continue;
    if (!reader.read_columns(chunk, columns, values)) continue;
    std::array<uint64_t, N> row;
    for (size_t i = 0; i < values[0].size(); ++i) {
      for (size_t c = 0; c < N; ++c) row[c] = values[c][i];
      use(row);
    }
  }
}

}  // namespace sextant::exporters
