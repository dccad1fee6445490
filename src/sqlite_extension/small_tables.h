// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The small tables of a recording (processes, session, diagnostics ...), which sql/ makes as a database in
// memory. Here that database has a connection of its own, and a module passes on what it says. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/sqlite_api.h"

namespace sextant::sqlite_extension {

class SmallTables {
 public:
  SmallTables() = default;
  SmallTables(const SmallTables&) = delete;
  SmallTables& operator=(const SmallTables&) = delete;
  ~SmallTables();

  /// The bytes of a database; none: no tables.
  Status load(const std::vector<uint8_t>& database);

  const std::vector<std::string>& names() const { return names_; }
  sqlite3* connection() const { return connection_; }

 private:
  sqlite3* connection_ = nullptr;
  std::vector<std::string> names_;
};

/// As sql::FindTables.
using FindSmallTables = std::function<std::shared_ptr<SmallTables>(std::span<const std::string> arguments,
                                                                   std::string* table, std::string* error)>;

/// For CREATE VIRTUAL TABLE name USING sextant_small(FILE, TABLE).
void add_small_module(sqlite3* connection, FindSmallTables find);

}  // namespace sextant::sqlite_extension
