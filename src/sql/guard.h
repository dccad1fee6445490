// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: what a statement may do.
#pragma once

#include "sql/sqlite_api.h"

namespace sextant::sql {

/// From now on the connection reads, and writes to TEMP objects only. While `*declaring` is set, a module
/// declares the columns of its table, which SQLite takes for a CREATE TABLE.
void guard(sqlite3* connection, bool* declaring);

}  // namespace sextant::sql
