// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of sql/: the SQLite modules. `sextant`: a table of the catalogue, for CREATE VIRTUAL TABLE "name"
// USING sextant(...). One function for each report of `sextant stats`, as in SELECT * FROM
// cuda_gpu_kern_sum().
#pragma once

#include "sql/sqlite_api.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sql/catalogue.h"
#include "text/table.h"

namespace sextant::sql {

/// What the modules need; outlives the connection.
struct Tables {
  const query::Source* source = nullptr;
  Values* values = nullptr;
  Catalogue* catalogue = nullptr;
  uint64_t index_bytes_left = 0;  // for look-ups by equality
  bool declaring = false;         // see guard()
};

/// sqlite3_declare_vtab, which the guard would refuse otherwise.
int declare(sqlite3* connection, Tables* tables, const std::string& columns);

/// Whose tables CREATE VIRTUAL TABLE "name" USING sextant(arguments) means, and which one: `table` comes as
/// the name. nullptr: `error` says why there is none.
using FindTables = std::function<std::shared_ptr<Tables>(std::span<const std::string> arguments,
                                                         std::string* table, std::string* error)>;

void add_table_module(sqlite3* connection, FindTables find);
void add_report_functions(sqlite3* connection, const std::shared_ptr<Tables>& tables);

/// By kernel: from the begin of the launching call to that of the kernel.
Result<text::Table> launch_latency(const query::Source& source);

}  // namespace sextant::sql
