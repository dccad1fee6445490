// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of exporters/: all tables of a report, row by row, as plain values. Times are nanoseconds since the
// session's start. Of rows with equal keys only the last one, which counts, is told.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/query.h"

namespace sextant::exporters {

struct PlainValue {
  enum class Kind : uint8_t { kNone, kUnsigned, kSigned, kReal, kText };
  Kind kind = Kind::kNone;
  uint64_t bits = 0;      // of the number
  std::string_view text;  // any bytes
};

class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual Status begin(const std::string& table, const std::vector<std::string>& columns) = 0;
  virtual void row(std::span<const PlainValue> values) = 0;
  virtual Status end() = 0;
  virtual Status status() const = 0;  // asked after each batch; an error ends the work
};

/// Tables without rows are left out. `progress`: rows done, rows of all; may be empty.
Status for_each_table(const query::Source& source, RowSink& sink,
                      const std::function<void(uint64_t done, uint64_t total)>& progress);

}  // namespace sextant::exporters
