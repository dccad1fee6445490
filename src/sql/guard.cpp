// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sql/guard.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sextant::sql {

namespace {

constexpr std::array<std::string_view, 11> kPragmas = {
    "table_info",    "table_xinfo", "table_list",  "database_list",   "index_list",      "index_info",
    "function_list", "module_list", "pragma_list", "compile_options", "foreign_key_list"};

bool is_temp(const char* database) {
  return database != nullptr && std::string_view(database) == "temp";
}

bool is_allowed_pragma(const char* name) {
  const std::string_view pragma = name == nullptr ? "" : name;
  return std::any_of(kPragmas.begin(), kPragmas.end(), [&](std::string_view known) {
    return pragma.size() == known.size() &&
           sqlite3_strnicmp(pragma.data(), known.data(), static_cast<int>(known.size())) == 0;
  });
}

int authorize(void* declaring, int action, const char* first, const char* second, const char* database,
              const char*) {
  if (*static_cast<const bool*>(declaring)) return SQLITE_OK;
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_DROP_TEMP_INDEX:
    case SQLITE_DROP_TEMP_TRIGGER:
      return SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
    case SQLITE_REINDEX:
      return is_temp(database) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return second != nullptr && sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return is_allowed_pragma(first) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

void guard(sqlite3* connection, bool* declaring) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_set_authorizer(connection, authorize, declaring);
}

}  // namespace sextant::sql
