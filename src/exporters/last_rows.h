// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Of the rows of a keyed table that have equal keys the last one counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/query.h"

namespace sextant::exporters {

class LastRows {
 public:
  /// `keys`: the columns of the table's key; without any all rows count.
  Status find(const query::Source& source, uint16_t table, std::span<const uint16_t> keys) {
    if (keys.empty()) return {};
    std::unordered_map<std::string, uint64_t> last;
    SEXTANT_TRY(source.scan_table(table, keys, 1, [&](size_t, query::TableBatch& batch) {
      std::string key;
      for (size_t i = 0; i < batch.rows; ++i) {
        key.clear();
        for (const auto& column : batch.columns)
          key.append(reinterpret_cast<const char*>(&column[i]), sizeof(uint64_t));
        const auto [at, is_new] = last.try_emplace(key, batch.first_row + i);
        if (!is_new) replaced_.push_back(at->second), at->second = batch.first_row + i;
      }
    }));
    std::sort(replaced_.begin(), replaced_.end());
    return {};
  }

  /// `row`: first_row of its batch, and its place there.
  bool counts(uint64_t row) const { return !std::binary_search(replaced_.begin(), replaced_.end(), row); }

 private:
  std::vector<uint64_t> replaced_;
};

}  // namespace sextant::exporters
