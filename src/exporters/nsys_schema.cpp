// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/nsys_schema.h"

#include "exporters/nsys_enums.h"

namespace sextant::exporters {

namespace {

constexpr auto kKept = SqliteFile::Empty::kKept;
constexpr auto kLeftOut = SqliteFile::Empty::kLeftOut;

SqliteTable& add(SqliteFile& file, std::string_view name, std::string_view columns, SqliteFile::Empty empty) {
  std::string sql = "CREATE TABLE ";
  sql.append(name).append(" (").append(columns).append(")");
  return file.add_table(std::string(name), std::move(sql), empty);
}

constexpr std::string_view kNvtxColumns =
    "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, "
    "color INTEGER, "
    "text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value "
    "INTEGER, "
    "int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL, "
    "jsonTextId INTEGER, "
    "jsonText TEXT";

}  // namespace

NsysTables::NsysTables(SqliteFile& file, bool event_ids)
    : string_ids(add(file, "StringIds", "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL", kKept)),
      system_env(
          add(file, "TARGET_INFO_SYSTEM_ENV",
              "globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL, nameEnum INTEGER NOT NULL, "
              "value TEXT NOT NULL",
              kKept)),
      session_start_time(add(file, "TARGET_INFO_SESSION_START_TIME",
                             "utcEpochNs INTEGER, utcTime TEXT, localTime TEXT", kKept)),
      analysis_details(
          add(file, "ANALYSIS_DETAILS",
              "globalVid INTEGER NOT NULL, duration INTEGER NOT NULL, startTime INTEGER NOT NULL, "
              "stopTime INTEGER NOT NULL",
              kKept)),
      processes(add(file, "PROCESSES", "globalPid INTEGER, pid INTEGER, name TEXT", kKept)),
      diagnostics(add(file, "DIAGNOSTIC_EVENT",
                      "timestamp INTEGER NOT NULL, timestampType INTEGER NOT NULL, source INTEGER NOT NULL, "
                      "severity INTEGER NOT NULL, text TEXT NOT NULL, globalPid INTEGER",
                      kLeftOut)),
      overhead(
          add(file, "PROFILER_OVERHEAD",
              "start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER NOT NULL, "
              "returnValue INTEGER NOT NULL",
              kLeftOut)),
      nvtx_events(add(file, "NVTX_EVENTS", std::string(kNvtxColumns) + (event_ids ? ", eventId INTEGER" : ""),
                      kLeftOut)),
      thread_names(
          add(file, "ThreadNames", "nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER", kKept)),
      capture(add(file, "META_DATA_CAPTURE", "name TEXT NOT NULL, value TEXT", kKept)),
      export_info(add(file, "META_DATA_EXPORT", "name TEXT NOT NULL, value TEXT", kKept)) {}

void write_enum_tables(SqliteFile& file) {
  SqliteRecord record;
  for_each_enum_table([&](std::string_view name) {
    SqliteTable& table = add(file, name, "id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT", kKept);
    for_each_enum_value(name, [&](const EnumValue& value) {
      record.clear();
      record.null().text(value.name).text(value.label);
      table.append(value.id, record);
    });
  });
}

}  // namespace sextant::exporters
