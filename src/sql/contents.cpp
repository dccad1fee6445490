// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sql/contents.h"

namespace sextant::sql {

Result<std::unique_ptr<Contents>> Contents::make(const query::Source& source, uint64_t index_bytes) {
  auto contents = std::make_unique<Contents>(source);
  contents->catalogue = make_catalogue(source, &contents->values);
  if (!is_imported(source)) {
    exporters::Unfinished unfinished;
    SEXTANT_ASSIGN(Table nvtx, recorded_nvtx(source, &contents->values, &unfinished));
    complete_recorded_osrt(&contents->catalogue);
    if (nvtx.rows() > 0) contents->catalogue.push_back(std::move(nvtx));
    SEXTANT_ASSIGN(contents->small, small_tables(source, unfinished));
  }
  contents->tables = {.source = &source,
                      .values = &contents->values,
                      .catalogue = &contents->catalogue,
                      .index_bytes_left = index_bytes};
  return contents;
}

}  // namespace sextant::sql
