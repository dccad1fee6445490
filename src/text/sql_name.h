// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of tables and columns in SQL. They come from files of other tools: any bytes at all.
#pragma once

#include <string>
#include <string_view>

namespace sextant::text {

/// An identifier as SQL reads it, whatever is in it: in double quotes, those in it doubled.
std::string sql_quoted(std::string_view name);

/// Whether SQL takes both for the same name: case of ASCII letters does not count.
bool same_sql_name(std::string_view a, std::string_view b);

}  // namespace sextant::text
