// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "report/schema_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "event/schema.h"

namespace sextant::report {

namespace {

constexpr std::array<std::string_view, 9> kTypeNames = {"uint", "int",  "time",        "duration", "string",
                                                        "bits", "enum", "nanoseconds", "real"};

/// Cuts the next field off `line`, up to a tab or the end.
std::string_view next_field(std::string_view* line) {
  const size_t tab = line->find('\t');
  const std::string_view field = line->substr(0, tab);
  line->remove_prefix(tab == std::string_view::npos ? line->size() : tab + 1);
  return field;
}

bool to_number(std::string_view field, uint16_t* value) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), *value);
  return error == std::errc() && end == field.data() + field.size();
}

/// The table with this id, emptied, or a new one in its place in the order.
TableInfo* place_for(uint16_t id, std::vector<TableInfo>* tables) {
  auto at = std::lower_bound(tables->begin(), tables->end(), id,
                             [](const TableInfo& t, uint16_t wanted) { return t.id < wanted; });
  if (at == tables->end() || at->id != id) at = tables->insert(at, TableInfo{});
  *at = TableInfo{.id = id};
  return &*at;
}

}  // namespace

std::string schema_text(std::span<const event::Table> tables) {
  std::string text;
  for (const event::Table& table : tables) {
    text += "table\t" + std::to_string(table.id) + '\t' + std::string(table.name) + '\t' +
            std::to_string(table.key_columns) + '\n';
    for (const event::Column& column : table.columns) {
      text += "column\t" + std::to_string(column.id) + '\t' + std::string(column.name) + '\t';
      text += kTypeNames[static_cast<size_t>(column.type)];
      text += '\n';
    }
  }
  return text;
}

bool parse_schema(std::string_view text, std::vector<TableInfo>* tables) {
  TableInfo* table = nullptr;
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    if (newline == std::string_view::npos) return false;
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline + 1);
    const std::string_view kind = next_field(&line);
    if (kind == "table") {
      uint16_t id = 0;
      if (!to_number(next_field(&line), &id) || tables->size() >= kMaxTables) return false;
      table = place_for(id, tables);
      table->name = next_field(&line);
      if (!to_number(next_field(&line), &table->key_columns)) return false;
    } else if (kind == "column") {
      ColumnInfo column;
      if (table == nullptr || table->columns.size() >= kMaxColumns) return false;
      if (!to_number(next_field(&line), &column.id)) return false;
      column.name = next_field(&line);
      column.type = next_field(&line);
      table->columns.push_back(std::move(column));
    }
  }
  return true;
}

}  // namespace sextant::report
