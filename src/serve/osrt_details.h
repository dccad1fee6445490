// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the row of an OS runtime call means: its numbers in words.
#pragma once

#include "serve/event_details.h"
#include "text/json_writer.h"

namespace sextant::serve {

/// Whether a column of event::kOsrtCall is told in words by write_osrt_words(), or has nothing to tell.
bool told_in_words(const StoredRow& row, uint16_t column);

/// Members of a JSON object: "state" ("waiting", "I/O", "working"), and where there is something to tell
/// "error" ("ENOENT: No such file or directory"), "about" ("descriptor 5", "0x7ffe10", ...), "detail"
/// ("limit 5.00 ms", ...), "returned" ("never"), "file", "path". An imported call has only its state. Nothing
/// for other tables.
Status write_osrt_words(text::JsonWriter& json, const query::Source& source, const StoredRow& row);

}  // namespace sextant::serve
