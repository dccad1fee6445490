// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A table of an imported recording that was kept as it is, read by the names of its columns
// (docs/formats/nsys-sqlite-import.md, the end). Numbers of strings in it are those of the source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "query/query.h"

namespace sextant::query {

class ForeignTable {
 public:
  /// No rows where there is no such table.
  static Result<ForeignTable> load(const Source& source, std::string_view table,
                                   const std::vector<std::string_view>& columns);

  size_t rows() const { return rows_; }
  /// By position in `columns`. Nothing where the value, or the whole column, is missing or no integer.
  std::optional<int64_t> integer(size_t column, size_t row) const;

 private:
  size_t rows_ = 0;
  std::vector<std::vector<uint64_t>> values_;  // of each column; empty: not there
  std::vector<std::vector<uint64_t>> kinds_;   // four bits of each value, already taken out
};

/// Strings by the source's numbers.
class ForeignStrings {
 public:
  static Result<ForeignStrings> load(const Source& source);

  /// Number of the string in the report; 0, the empty string, if it is not known.
  uint64_t find(std::optional<int64_t> number) const;

 private:
  std::unordered_map<uint64_t, uint64_t> strings_;
};

}  // namespace sextant::query
