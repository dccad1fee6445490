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

}  // namespace

Comparison::Comparison(const SqliteDatabase& database, const report::Reader& reader)
    : database_(database), reader_(reader) {
  const SourceTable* table = database.find("StringIds");
  const int columns[] = {table->find("id"), table->find("value")};
  EXPECT_TRUE(database.scan_by_sqlite(*table, columns, [&](std::span<const Value> row) {
    strings_[row[0].integer] = std::string(row[1].bytes);
    return true;
  }));
  const ReportTable processes(reader, event::kImportedProcess);
  for (size_t i = 0; i < processes.rows(); ++i)
    globals_[processes.at(event::imported_process::kProcess, i)] =
        processes.at(event::imported_process::kGlobalId, i);
}

/// What a cell of the source must have become. Values of a wrong kind and names that do not exist are
/// missing.
std::string Comparison::expected(const Value& value, const NsysColumn& column) {
  if (value.kind == Value::Kind::kNull) return "null";
  const bool whole = value.kind == Value::Kind::kInt ||
                     (value.kind == Value::Kind::kReal && value.real == std::floor(value.real));
  const int64_t number = value.kind == Value::Kind::kInt ? value.integer
                         : whole                         ? static_cast<int64_t>(value.real)
                                                         : 0;
  switch (column.from) {
    case From::kText:
      if (value.kind == Value::Kind::kInt) return "t" + std::to_string(value.integer);
      return value.kind == Value::Kind::kReal ? "any" : "t" + std::string(value.bytes);
    case From::kReal:
      if (value.kind == Value::Kind::kReal) return shown(value);
      return value.kind == Value::Kind::kInt ? real(static_cast<double>(value.integer)) : "null";
    case From::kStringId: {
      const auto found = strings_.find(number);
      return !whole || found == strings_.end() ? "null" : "t" + found->second;
    }
    case From::kProcessOfThread:
      return whole ? integer(static_cast<uint64_t>(number) & ~uint64_t{0xFFFFFF}) : "null";
    case From::kTid:
      return whole ? integer(static_cast<uint64_t>(number) & 0xFFFFFF) : "null";
    default:
      return whole ? integer(static_cast<uint64_t>(number)) : "null";
  }
}

/// The cell of the source again, out of the report.
std::string Comparison::got(const ReportTable& rows, const NsysTable& table, const NsysColumn& column,
                            size_t row) {
  if (event::is_null(rows.at(event::kNullsColumn, row), column.to)) return "null";
  const uint64_t value = rows.at(column.to, row);
  switch (column.from) {
    case From::kText:
    case From::kStringId:
      return "t" + std::string(reader_.string(value));
    case From::kReal:
      return real(std::bit_cast<double>(value));
    case From::kTime:
      return integer(value - kSessionStart);
    case From::kEnd: {
      for (const NsysColumn& start : table.columns) {
        if (start.from != From::kTime) continue;
        const bool missing = event::is_null(rows.at(event::kNullsColumn, row), start.to);
        return integer((missing ? 0 : rows.at(start.to, row) - kSessionStart) + value);
      }
      return "no start";
    }
    case From::kProcess:
    case From::kProcessOfThread:
      return integer(globals_[value]);
    default:
      return integer(value);
  }
}

void Comparison::compare_known(const SourceTable& table, const NsysTarget& target) {
  const uint16_t number = target.table->to;
  const ReportTable& rows = tables_.try_emplace(number, reader_, number).first->second;
  std::vector<const NsysColumn*> columns, missing;
  std::vector<int> wanted;
  for (const NsysColumn& column : target.table->columns) {
    if (column.from == From::kConstant || column.from == From::kTableName) continue;
    const int at = column.from == From::kRowid ? SqliteDatabase::kRowid : table.find(column.source);
    if (at < 0 && column.from != From::kRowid) {
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
      const std::string want = expected(values[i], *columns[i]);
      const std::string have = got(rows, *target.table, *columns[i], row);
      if (want == "any" || want == have) continue;
      ADD_FAILURE() << table.name << "." << columns[i]->source << " row " << row - rows_taken_[number] << ": "
                    << want << " became " << have;
      return false;
    }
    for (const NsysColumn* column : missing)
      EXPECT_TRUE(event::is_null(rows.at(event::kNullsColumn, row), column->to))
          << table.name << "." << column->source;
    for (const NsysColumn& column : target.table->columns) {
      if (column.from == From::kConstant) {
        EXPECT_EQ(rows.at(column.to, row), target.source->constant) << table.name;
      } else if (column.from == From::kTableName) {
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
      const auto word = rows.at(static_cast<uint16_t>(values.size() + i / ForeignRows::kColumnsAWord), row);
      uint64_t code = word >> (4 * (i % ForeignRows::kColumnsAWord)) & 15;
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
    const NsysTarget target =
        find_nsys_target(table->name, [&](std::string_view c) { return table->find(c) >= 0; });
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
