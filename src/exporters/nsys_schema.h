// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of nsys's SQLite export that Sextant writes: names, columns and types of its schema 3.7 (nsys
// 2023.4), plus DIAGNOSTIC_EVENT of later ones. docs/formats/sqlite.md says what stands in them.
#pragma once

#include <string_view>

#include "exporters/sqlite_file.h"

namespace sextant::exporters {

inline constexpr int kSchemaMajor = 3;
inline constexpr int kSchemaMinor = 7;
inline constexpr int kSchemaMicro = 2;

/// Tables that every export has are made at once; the others exist only if rows come.
struct NsysTables {
  /// `event_ids`: NVTX_EVENTS has the column eventId, as in later schemas, by which payloads are found.
  explicit NsysTables(SqliteFile& file, bool event_ids = false);

  SqliteTable& string_ids;
  SqliteTable& system_env;
  SqliteTable& session_start_time;
  SqliteTable& analysis_details;
  SqliteTable& processes;
  SqliteTable& diagnostics;
  SqliteTable& overhead;
  SqliteTable& nvtx_events;
  SqliteTable& thread_names;
  SqliteTable& capture;
  SqliteTable& export_info;
};

/// Makes and fills the ENUM_ tables.
void write_enum_tables(SqliteFile& file);

}  // namespace sextant::exporters
