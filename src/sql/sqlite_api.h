// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: SQLite's functions: those that are linked in, or, in the loadable extension, those of the
// program that has loaded it.
#pragma once

#ifdef SEXTANT_SQLITE_EXTENSION
#include <sqlite3ext.h>
extern "C" {
extern const sqlite3_api_routines* sqlite3_api;  // of src/sqlite_extension/extension.cpp
}
#else
#include <sqlite3.h>
#endif
