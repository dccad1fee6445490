// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names come from the programs that are profiled: any bytes at all. These functions make them fit where they
// go.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sextant::text {

/// Length of the valid UTF-8 sequence at the start of `bytes` (1..4), 0 if there is none: overlong forms,
/// surrogates and values beyond U+10FFFF are invalid. `bytes` is not empty.
size_t utf8_sequence(std::string_view bytes);

/// Appends `bytes` with every byte that is not part of valid UTF-8 replaced by U+FFFD.
void append_valid_utf8(std::string* out, std::string_view bytes);
std::string valid_utf8(std::string_view bytes);

/// For people at a terminal: valid UTF-8 without control characters (C0, DEL, C1), which become \n, \t, \x1b,
/// \u0085, and without the characters that reorder text (U+202A..202E, U+2066..2069).
std::string printable(std::string_view bytes);

/// Number of code points of valid UTF-8, which is what column widths count.
size_t code_points(std::string_view utf8);

}  // namespace sextant::text
