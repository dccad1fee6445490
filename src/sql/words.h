// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: as much of SQL's words as has to be understood before SQLite does.
#pragma once

#include <string>
#include <string_view>

namespace sextant::sql {

/// Where the text goes on behind white space, comments and semicolons.
size_t skip_space(std::string_view sql);

/// The first word behind white space and comments, quotes taken off; "" if there is none.
std::string_view first_word(std::string_view sql);

/// Is it CREATE [UNIQUE] INDEX?
bool creates_index(std::string_view sql);

/// Behind its semicolon, where that is neither in quotes nor in a comment.
size_t end_of_statement(std::string_view sql);

/// For use between single quotes.
std::string escaped(std::string_view text);

}  // namespace sextant::sql
