// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: which tables of nsys a report has. Imported ones come out of the vocabulary by
// src/nsys/tables.h, the other way round; those of recordings of our own that the vocabulary has in another
// shape are made in recorded_nvtx.cpp and, the small ones, by the exporter (small_tables.cpp).
#pragma once

#include <deque>

#include "exporters/nvtx_events.h"
#include "nsys/tables.h"
#include "sql/table.h"

namespace sextant::sql {

using Catalogue = std::deque<Table>;

bool is_imported(const query::Source& source);

/// Every table of the vocabulary that has rows, those that were kept as they are, and StringIds. `values`
/// learns the source's numbers of strings, where they have to be kept.
Catalogue make_catalogue(const query::Source& source, Values* values);

/// StringIds: by the report's numbers, or by the source's where tables were kept that may name them.
Table string_ids(const query::Source& source, Values* values);

/// NVTX_EVENTS of a recording of our own; the ranges that were never closed are also added to `unfinished`.
Result<Table> recorded_nvtx(const query::Source& source, Values* values, exporters::Unfinished* unfinished);

/// The columns of its tables about OS runtime calls that nsys does not have.
void complete_recorded_osrt(Catalogue* catalogue);

/// Those tables of such a recording of which the last row of each key counts: they are small, and not in the
/// catalogue.
std::vector<nsys::Table> keyed_tables();

/// The bytes of a database with the other tables of such a recording, StringIds among them, as an export has
/// them.
Result<std::vector<uint8_t>> small_tables(const query::Source& source,
                                          const exporters::Unfinished& unfinished);

}  // namespace sextant::sql
