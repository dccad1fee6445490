// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: everything that a report has as tables. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sql/catalogue.h"
#include "sql/module.h"

namespace sextant::sql {

struct Contents {
  /// `source` stays the caller's and must outlive it. `index_bytes`: for what joins and GROUP BY need.
  static Result<std::unique_ptr<Contents>> make(const query::Source& source, uint64_t index_bytes);

  explicit Contents(const query::Source& source) : values(source) {}
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  Values values;
  Catalogue catalogue;
  Tables tables;               // of all these
  std::vector<uint8_t> small;  // of recordings of our own: a database with the small tables
};

}  // namespace sextant::sql
