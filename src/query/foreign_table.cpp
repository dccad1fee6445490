// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "query/foreign_table.h"

#include <algorithm>

#include "event/schema_target.h"

namespace sextant::query {

namespace {

constexpr size_t kKindsAWord = 16;
constexpr uint64_t kOwnKind = 0, kIntegerKind = 2;

}  // namespace

Result<ForeignTable> ForeignTable::load(const Source& source, std::string_view table,
                                        const std::vector<std::string_view>& columns) {
  ForeignTable loaded;
  loaded.values_.resize(columns.size());
  loaded.kinds_.resize(columns.size());
  const auto tables = source.reader().tables();
  const auto info = std::find_if(tables.begin(), tables.end(), [&](const report::TableInfo& t) {
    return t.id >= event::kFirstForeignTable && t.name == table;
  });
  if (info == tables.end()) return loaded;
  const auto number_of = [&](std::string_view name) -> std::optional<uint16_t> {
    for (const report::ColumnInfo& column : info->columns)
      if (column.name == name) return column.id;
    return std::nullopt;
  };
  loaded.rows_ = source.rows(info->id);
  for (size_t c = 0; c < columns.size(); ++c) {
    const auto column = number_of(columns[c]);
    const auto kinds = column ? number_of("types:" + std::to_string(*column / kKindsAWord)) : std::nullopt;
    if (!column || !kinds) continue;
    const uint16_t wanted[] = {*column, *kinds};
    SEXTANT_ASSIGN(TableBatch batch, source.read_table(info->id, wanted));
    for (uint64_t& word : batch.columns[1]) word = word >> (4 * (*column % kKindsAWord)) & 15;
    loaded.rows_ = std::min(loaded.rows_, batch.rows);
    loaded.values_[c] = std::move(batch.columns[0]);
    loaded.kinds_[c] = std::move(batch.columns[1]);
  }
  return loaded;
}

std::optional<int64_t> ForeignTable::integer(size_t column, size_t row) const {
  if (values_[column].empty()) return std::nullopt;
  const uint64_t kind = kinds_[column][row];
  if (kind != kOwnKind && kind != kIntegerKind) return std::nullopt;
  return static_cast<int64_t>(values_[column][row]);
}

Result<ForeignStrings> ForeignStrings::load(const Source& source) {
  using namespace event::imported_string;
  ForeignStrings loaded;
  const uint16_t columns[] = {kNumber, kString};
  SEXTANT_TRY(source.scan_table(event::kImportedString, columns, 1, [&](size_t, TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i) loaded.strings_[b.columns[0][i]] = b.columns[1][i];
  }));
  return loaded;
}

uint64_t ForeignStrings::find(std::optional<int64_t> number) const {
  if (!number) return 0;
  const auto at = strings_.find(static_cast<uint64_t>(*number));
  return at == strings_.end() ? 0 : at->second;
}

}  // namespace sextant::query
