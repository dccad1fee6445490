// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "sql/catalogue.h"

#include <algorithm>
#include <map>

#include "event/schema_target.h"

namespace sextant::sql {

namespace {

constexpr std::string_view kKindsPrefix = "types:";

bool holds_rows_of(const report::ChunkRef& chunk, uint16_t table) {
  return chunk.header.kind == static_cast<uint16_t>(report::ChunkKind::kData) &&
         chunk.header.table == table && chunk.header.rows > 0;
}

Value value_of(nsys::From from) {
  switch (from) {
    case nsys::From::kReal:
      return Value::kReal;
    case nsys::From::kText:
      return Value::kText;
    case nsys::From::kStringId:
      return Value::kString;
    case nsys::From::kProcess:
      return Value::kProcess;
    case nsys::From::kTime:
      return Value::kTime;
    case nsys::From::kEnd:
      return Value::kEnd;
    default:
      return Value::kInteger;
  }
}

std::string_view type_of(Value value) {
  if (value == Value::kReal || value == Value::kFloat) return "REAL";
  return value == Value::kText ? "TEXT" : "INTEGER";
}

/// The vocabulary's column that a table's rows are told apart by, where several of nsys's tables went into
/// one.
const nsys::Column* discriminator(const nsys::Table& table) {
  for (const nsys::Column& column : table.columns)
    if (column.from == nsys::From::kConstant || column.from == nsys::From::kTableName) return &column;
  return nullptr;
}

/// Columns and layout of nsys's table; its name and parts are not set yet.
Table shape(const nsys::Table& from) {
  Table table;
  Layout layout;
  const auto start = std::find_if(from.columns.begin(), from.columns.end(),
                                  [](const nsys::Column& c) { return c.from == nsys::From::kTime; });
  for (const nsys::Column& column : from.columns) {
    if (column.from == nsys::From::kConstant || column.from == nsys::From::kTableName) continue;
    Cell cell{.value = value_of(column.from),
              .column = column.to,
              .test = Test::kPresent,
              .test_column = event::kNullsColumn,
              .test_value = column.to};
    if (column.from == nsys::From::kEnd) cell.second = start == from.columns.end() ? column.to : start->to;
    if (column.from == nsys::From::kRowid) {
      table.row_number = cell;
      continue;
    }
    if (column.from == nsys::From::kTid) {  // second half of the globalTid that the column before has begun
      layout.back().value = Value::kThread;
      layout.back().second = column.to;
      continue;
    }
    layout.push_back(cell);
    table.columns.push_back({std::string(column.source), std::string(type_of(cell.value))});
  }
  table.layouts.push_back(std::move(layout));
  return table;
}

std::string name_of(const nsys::Table& table, const nsys::Column* told_by, uint64_t value,
                    const query::Source& source) {
  if (told_by != nullptr && told_by->from == nsys::From::kTableName)
    return std::string(source.reader().string(value));
  for (const nsys::Source& from : table.sources)
    if (told_by == nullptr || from.constant == value) return std::string(from.table);
  return {};
}

/// The tables of nsys whose rows are in one table of the vocabulary. An import writes a chunk from one of
/// them.
void add_tables(const query::Source& source, const nsys::Table& from, Catalogue* catalogue) {
  const nsys::Column* told_by = discriminator(from);
  std::map<uint64_t, Table*> by_value;
  std::vector<uint64_t> values;
  for (const report::ChunkRef& chunk : source.reader().chunks()) {
    if (!holds_rows_of(chunk, from.to)) continue;
    uint64_t value = 0;
    if (told_by != nullptr) {
      if (!source.reader().read_column(chunk, told_by->to, &values) || values.empty()) continue;
      value = values[0];
    }
    Table*& table = by_value[value];
    if (table == nullptr) {
      table = &catalogue->emplace_back(shape(from));
      table->name = name_of(from, told_by, value, source);
    }
    table->add({.layout = &table->layouts[0], .chunk = &chunk, .rows = chunk.header.rows});
  }
}

/// A table that was kept as it is.
void add_kept(const query::Source& source, const report::TableInfo& info, Catalogue* catalogue) {
  Table table;
  table.name = info.name;
  Layout layout;
  const auto word_of = [&](size_t column) {
    const std::string name = std::string(kKindsPrefix) + std::to_string(column / nsys::kKeptColumnsAWord);
    for (const report::ColumnInfo& c : info.columns)
      if (c.name == name) return static_cast<int>(c.id);
    return -1;
  };
  for (const report::ColumnInfo& column : info.columns) {
    if (column.name.starts_with(kKindsPrefix)) continue;
    const int word = word_of(column.id);
    if (word < 0) continue;
    layout.push_back({.value = Value::kKept,
                      .column = column.id,
                      .second = static_cast<uint16_t>(word),
                      .constant = static_cast<int64_t>(4 * (column.id % nsys::kKeptColumnsAWord)),
                      .own = column.type});
    table.columns.push_back({column.name, ""});
  }
  table.layouts.push_back(std::move(layout));
  Table& kept = catalogue->emplace_back(std::move(table));
  for (const report::ChunkRef& chunk : source.reader().chunks())
    if (holds_rows_of(chunk, info.id))
      kept.add({.layout = &kept.layouts[0], .chunk = &chunk, .rows = chunk.header.rows});
}

/// SQLite takes no two tables of one name, and names of its own are refused.
void drop_unusable(Catalogue* catalogue) {
  std::vector<std::string> seen;
  std::erase_if(*catalogue, [&](const Table& table) {
    std::string name = table.name;
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (name.empty() || name.starts_with("sqlite_") || table.columns.empty()) return true;
    if (name.find('\0') != std::string::npos || std::find(seen.begin(), seen.end(), name) != seen.end())
      return true;
    seen.push_back(std::move(name));
    return false;
  });
}

}  // namespace

bool is_imported(const query::Source& source) {
  return source.rows(event::kImportedProcess) > 0 || source.reader().meta().contains("source.format");
}

std::vector<nsys::Table> keyed_tables() {
  std::vector<nsys::Table> keyed;
  for (const nsys::Table& table : nsys::opencl_tables()) {
    const event::Table* known = event::find_table(table.to);
    if (known != nullptr && known->key_columns > 0) keyed.push_back(table);
  }
  return keyed;
}

Table string_ids(const query::Source& source, Values* values) {
  Table table;
  table.name = "StringIds";
  table.columns = {{"id", "INTEGER"}, {"value", "TEXT"}};
  using namespace event::imported_string;
  table.layouts.push_back(
      {{.value = Value::kInteger, .column = kNumber}, {.value = Value::kText, .column = kString}});
  const uint16_t columns[] = {kNumber, kString};
  std::vector<uint64_t> numbers, strings;
  std::vector<int64_t> by_string;
  std::vector<bool> known;
  // what cannot be read is among source.skipped()
  (void)source.scan_table(event::kImportedString, columns, 1, [&](size_t, query::TableBatch& batch) {
    const size_t count = source.reader().string_count() + 1;
    for (size_t id = by_string.size(); id < count; ++id) by_string.push_back(static_cast<int64_t>(id));
    known.resize(count);
    for (size_t i = 0; i < batch.rows; ++i) {
      const uint64_t string = batch.columns[1][i];
      if (string >= count || known[string]) continue;
      known[string] = true;
      by_string[string] = static_cast<int64_t>(batch.columns[0][i]);
    }
    numbers.insert(numbers.end(), batch.columns[0].begin(), batch.columns[0].end());
    strings.insert(strings.end(), batch.columns[1].begin(), batch.columns[1].end());
  });
  if (numbers.empty())
    for (uint64_t id = 0; id <= source.reader().string_count(); ++id)
      numbers.push_back(id), strings.push_back(id);
  auto block = std::make_shared<Block>();
  block->rows = numbers.size();
  block->column(kNumber) = std::move(numbers);
  block->column(kString) = std::move(strings);
  table.add({.layout = &table.layouts[0], .memory = block, .rows = block->rows});
  table.row_number = table.layouts[0][0];
  values->set_string_numbers(std::move(by_string));
  return table;
}

Catalogue make_catalogue(const query::Source& source, Values* values) {
  Catalogue catalogue;
  catalogue.push_back(string_ids(source, values));
  std::vector<uint16_t> elsewhere;
  if (!is_imported(source))
    for (const nsys::Table& table : keyed_tables()) elsewhere.push_back(table.to);
  for (const auto part : {nsys::nvtx_tables(), nsys::cuda_tables(), nsys::system_tables(),
                          nsys::target_tables(), nsys::parallel_tables(), nsys::opencl_tables()})
    for (const nsys::Table& table : part)
      if (std::find(elsewhere.begin(), elsewhere.end(), table.to) == elsewhere.end())
        add_tables(source, table, &catalogue);
  for (const report::TableInfo& info : source.reader().tables())
    if (info.id >= event::kFirstForeignTable) add_kept(source, info, &catalogue);
  drop_unusable(&catalogue);
  return catalogue;
}

}  // namespace sextant::sql
