// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The body of a kSchema chunk (§4): the tables of a file as lines of text, so that a file explains itself.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/schema.h"
#include "report/reader.h"

namespace sextant::report {

std::string schema_text(std::span<const event::Table> tables);

/// Adds the tables of `text` to `tables` (ordered by id), replacing those with the same id. Lines of other
/// kinds are passed over. False when a line is malformed or a bound of §9 is exceeded; what came before it
/// has been added.
bool parse_schema(std::string_view text, std::vector<TableInfo>* tables);

}  // namespace sextant::report
