// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "event/schema_target.h"
#include "importers/foreign_rows.h"
#include "importers/import_test.h"

namespace sextant::importers::test {

namespace {

constexpr uint64_t kSessionStart = uint64_t{1} << 62;

std::string integer(uint64_t value) {
  return "i" + std::to_string(static_cast<int64_t>(value));
}
std::string real(double value) {
  return "r" + std::to_string(std::bit_cast<uint64_t>(value));
}

}  // namespace

std::string shown(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kInt:
      return integer(static_cast<uint64_t>(value.integer));
    case Value::Kind::kReal:
      return real(value.real);
    case Value::Kind::kText:
      return "t" + std::string(value.bytes);
    case Value::Kind::kBlob:
      return "b" + std::string(value.bytes);
  }
  return "";
}

std::map<int64_t, std::string> strings_of(const SqliteDatabase& database) {
  std::map<int64_t, std::string> strings;
  const SourceTable* table = database.find("StringIds");
  const int columns[] = {table->find("id"), table->find("value")};
  EXPECT_TRUE(database.scan_by_sqlite(*table, columns, [&](std::span<const Value> row) {
    strings[row[0].integer] = std::string(row[1].bytes);
    return true;
  }));
  return strings;
}

Comparison::Comparison(const SqliteDatabase& database, const report::Reader& reader)
    : database_(database), reader_(reader), strings_(strings_of(database)) {
  const ReportTable processes(reader, event::kImportedProcess);
  for (size_t i = 0; i < processes.rows(); ++i)
    globals_[processes.at(event::imported_process::kProcess, i)] =
        processes.at(event::imported_process::kGlobalId, i);
}

/// What a cell of the source must have become. Values of a wrong kind and names that do not exist are
/// missing.
std::string meaning(const Value& value, const nsys::Column& column,
                    const std::map<int64_t, std::string>& strings) {
  if (value.kind == Value::Kind::kNull) return "null";
  const bool whole = value.kind == Value::Kind::kInt ||
                     (value.kind == Value::Kind::kReal && value.real == std::floor(value.real));
  const int64_t number = value.kind == Value::Kind::kInt ? value.integer
                         : whole                         ? static_cast<int64_t>(value.real)
                                                         : 0;
  switch (column.from) {
    case nsys::From::kText:
      if (value.kind == Value::Kind::kInt) return "t" + std::to_string(value.integer);
      return value.kind == Value::Kind::kReal ? "any" : "t" + std::string(value.bytes);
    case nsys::From::kReal:
      if (value.kind == Value::Kind::kReal) return shown(value);
      return value.kind == Value::Kind::kInt ? real(static_cast<double>(value.integer)) : "null";
    case nsys::From::kStringId: {
      const auto found = strings.find(number);
      return !whole || found == strings.end() ? "null" : "t" + found->second;
    }
    case nsys::From::kProcessOfThread:
      return whole ? integer(static_cast<uint64_t>(number) & ~uint64_t{0xFFFFFF}) : "null";
    case nsys::From::kTid:
      return whole ? integer(static_cast<uint64_t>(number) & 0xFFFFFF) : "null";
    default:
      return whole ? integer(static_cast<uint64_t>(number)) : "null";
  }
}

/// The cell of the source again, out of the report.
std::string Comparison::got(const ReportTable& rows, const nsys::Table& table, const nsys::Column& column,
                            size_t row) {
  if (event::is_null(rows.at(event::kNullsColumn, row), column.to)) return "null";
  const uint64_t value = rows.at(column.to, row);
  switch (column.from) {
    case nsys::From::kText:
    case nsys::From::kStringId:
      return "t" + std::string(reader_.string(value));
    case nsys::From::kReal:
      return real(std::bit_cast<double>(value));
    case nsys::From::kTime:
      return integer(value - kSessionStart);
    case nsys::From::kEnd: {
      for (const nsys::Column& start : table.columns) {
        if (start.from != nsys::From::kTime) continue;
        const bool missing = event::is_null(rows.at(event::kNullsColumn, row), start.to);
        return integer((missing ? 0 : rows.at(start.to, row) - kSessionStart) + value);
      }
      return "no start";
    }
    case nsys::From::kProcess:
    case nsys::From::kProcessOfThread:
      return integer(globals_[value]);
    default:
      return integer(value);
  }
}

void Comparison::compare_known(const SourceTable& table, const nsys::Target& target) {
  const uint16_t number = target.table->to;
  const ReportTable& rows = tables_.try_emplace(number, reader_, number).first->second;
  std::vector<const nsys::Column*> columns, missing;
  std::vector<int> wanted;
  for (const nsys::Column& column : target.table->columns) {
    if (column.from == nsys::From::kConstant || column.from == nsys::From::kTableName) continue;
    const int at = column.from == nsys::From::kRowid ? SqliteDatabase::kRowid : table.find(column.source);
    if (at < 0 && column.from != nsys::From::kRowid) {
      missing.push_back(&column);
      continue;
    }
    columns.push_back(&column);
    wanted.push_back(at);
  }
  size_t row = rows_taken_[number];
  EXPECT_TRUE(database_.scan_by_sqlite(table, wanted, [&](std::span<const Value> values) {
    if (row >= rows.rows()) return false;
    for (size_t i = 0; i < columns.size(); ++i, ++cells) {
      const std::string want = meaning(values[i], *columns[i], strings_);
      const std::string have = got(rows, *target.table, *columns[i], row);
      if (want == "any" || want == have) continue;
      ADD_FAILURE() << table.name << "." << columns[i]->source << " row " << row - rows_taken_[number] << ": "
                    << want << " became " << have;
      return false;
    }
    for (const nsys::Column* column : missing)
      EXPECT_TRUE(event::is_null(rows.at(event::kNullsColumn, row), column->to))
          << table.name << "." << column->source;
    for (const nsys::Column& column : target.table->columns) {
      if (column.from == nsys::From::kConstant) {
        EXPECT_EQ(rows.at(column.to, row), target.source->constant) << table.name;
      } else if (column.from == nsys::From::kTableName) {
        EXPECT_EQ(reader_.string(rows.at(column.to, row)), table.name);
      }
    }
    ++row;
    return true;
  }));
  rows_taken_[number] = row;
}

void Comparison::compare_foreign(const SourceTable& table, uint16_t number) {
  const ReportTable rows(reader_, number);
  std::vector<int> wanted;
  for (size_t i = 0; i < table.columns.size(); ++i) wanted.push_back(static_cast<int>(i));
  const report::TableInfo* info = nullptr;
  for (const report::TableInfo& candidate : reader_.tables())
    if (candidate.id == number) info = &candidate;
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->name, table.name);
  ASSERT_GE(info->columns.size(), wanted.size());
  size_t row = 0;
  EXPECT_TRUE(database_.scan_by_sqlite(table, wanted, [&](std::span<const Value> values) {
    if (row >= rows.rows()) return false;
    for (size_t i = 0; i < values.size(); ++i, ++cells) {
      EXPECT_EQ(info->columns[i].name, table.columns[i].name);
      const std::string& type = info->columns[i].type;
      const auto bits = rows.at(static_cast<uint16_t>(i), row);
      const auto word = rows.at(static_cast<uint16_t>(values.size() + i / nsys::kKeptColumnsAWord), row);
      uint64_t code = word >> (4 * (i % nsys::kKeptColumnsAWord)) & 15;
      if (code == 0) code = type == "string" ? 4 : type == "real" ? 3 : 2;
      std::string have;
      if (code == 1) have = "null";
      if (code == 2) have = type == "string" ? "i" + std::string(reader_.string(bits)) : integer(bits);
      if (code == 3)
        have = type == "string" ? real(std::stod(std::string(reader_.string(bits))))
                                : real(std::bit_cast<double>(bits));
      if (code >= 4) have = (code == 4 ? "t" : "b") + std::string(reader_.string(bits));
      EXPECT_EQ(shown(values[i]), have) << table.name << "." << table.columns[i].name << " row " << row;
    }
    ++row;
    return true;
  }));
  EXPECT_EQ(row, rows.rows()) << table.name;
}

void Comparison::run() {
  uint16_t foreign = event::kFirstForeignTable;
  std::vector<const SourceTable*> order;
  if (const SourceTable* processes = database_.find("PROCESSES")) order.push_back(processes);
  for (const SourceTable& table : database_.tables())
    if (table.name != "StringIds" && table.name != "PROCESSES") order.push_back(&table);
  for (const SourceTable* table : order) {
    const nsys::Target target =
        nsys::find_target(table->name, [&](std::string_view c) { return table->find(c) >= 0; });
    if (target.table != nullptr) {
      compare_known(*table, target);
      continue;
    }
    uint64_t rows = 0;
    const int none[] = {0};
    EXPECT_TRUE(
        database_.scan_by_sqlite(*table, none, [&](std::span<const Value>) { return ++rows, false; }));
    if (rows > 0) compare_foreign(*table, foreign++);
  }
  for (const auto& [number, rows] : tables_)
    EXPECT_EQ(rows_taken_[number], rows.rows()) << event::find_table(number)->name;
}

}  // namespace sextant::importers::test
