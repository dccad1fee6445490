// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// StringIds of an imported report. Where tables were kept as they are, which may name strings by numbers, the
// source's numbers are written again; else the report's own, which have the same order.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "exporters/sqlite_file.h"
#include "exporters/string_ids.h"
#include "report/reader.h"

namespace sextant::exporters {

class ImportedStrings {
 public:
  explicit ImportedStrings(const report::Reader& reader);

  /// The number of a string of the report in StringIds.
  int64_t use(uint64_t string) {
    if (string < numbers_.size() && numbers_[string] >= 0) return numbers_[string];
    return own_numbers_ ? strings_.use(string) : strings_.add(reader_.string(string));
  }

  void write(SqliteTable& table) const;

 private:
  const report::Reader& reader_;
  StringIds strings_;
  bool own_numbers_ = true;
  std::vector<std::pair<int64_t, uint64_t>> source_;  // number and string, by number
  std::vector<int64_t> numbers_;                      // by string; -1: none
};

}  // namespace sextant::exporters
