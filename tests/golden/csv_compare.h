// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a table with the one that another tool made of the same data, cell by cell and in its order.
// Integers and texts are equal; decimals differ by one unit of the last digit that the other tool printed at
// most. Rows change places only among those that have the same value in the column by which the table is
// sorted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace golden {

using Rows = std::vector<std::vector<std::string>>;

/// RFC 4180; empty lines are left out.
Rows parse_csv(std::string_view text);

/// Column by which nsys sorts a table with this header; -1: not known. Rows with equal values there have no
/// order that could be known.
int sort_column(const Rows& rows);

bool same_cell(const std::string& wanted, const std::string& got);

/// "" if they are alike, else what is different. The first row is the header. `sort_column`: -1 if not known,
/// then rows keep their places.
std::string difference(const Rows& wanted, const Rows& got, int sort_column);

}  // namespace golden
