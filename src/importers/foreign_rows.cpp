// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/foreign_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

namespace sextant::importers {

using nsys::Kept;
using nsys::kKeptColumnsAWord;

namespace {

/// By SQLite's rules for the affinity of a column, as far as they matter here.
event::Type type_of(std::string declared) {
  for (char& c : declared) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto has = [&](std::string_view word) { return declared.find(word) != std::string::npos; };
  if (has("INT")) return event::Type::kInt;
  if (has("CHAR") || has("CLOB") || has("TEXT")) return event::Type::kString;
  if (has("REAL") || has("FLOA") || has("DOUB")) return event::Type::kReal;
  return event::Type::kInt;
}

}  // namespace

ForeignRows::ForeignRows(const SourceTable& source, uint16_t number) : source_(source), batch_(table_) {
  const auto add_column = [&](std::string name, event::Type type) {
    names_.push_back(std::move(name));
    columns_.push_back({static_cast<uint16_t>(columns_.size()), names_.back(), type, "as the source has it"});
  };
  for (size_t i = 0; i < source.columns.size(); ++i) {
    add_column(source.columns[i].name, type_of(source.columns[i].declared_type));
    wanted_.push_back(static_cast<int>(i));
  }
  for (size_t i = 0; i * kKeptColumnsAWord < source.columns.size(); ++i)
    add_column(fmt::format("types:{}", i), event::Type::kBits);
  table_ = {number, source.name, 0, columns_, "kept as it is"};
  batch_ = report::Rows(table_);
}

void ForeignRows::add(std::span<const Value> row, NsysStrings& strings, report::Writer& writer) {
  const size_t first_word = row.size();
  for (size_t i = 0; i < row.size(); i += kKeptColumnsAWord)
    batch_.columns[first_word + i / kKeptColumnsAWord].push_back(0);
  for (size_t i = 0; i < row.size(); ++i) {
    const Value& value = row[i];
    const bool as_text = columns_[i].type == event::Type::kString;
    uint64_t bits = 0;
    Kept code = Kept::kNone;
    switch (value.kind) {
      case Value::Kind::kNull:
        break;
      case Value::Kind::kInt:
        code = columns_[i].type == event::Type::kInt ? Kept::kOwn : Kept::kInteger;
        bits = as_text ? strings.intern(writer, std::to_string(value.integer))
                       : static_cast<uint64_t>(value.integer);
        break;
      case Value::Kind::kReal:
        code = columns_[i].type == event::Type::kReal ? Kept::kOwn : Kept::kReal;
        bits = as_text ? strings.intern(writer, fmt::format("{}", value.real))
                       : std::bit_cast<uint64_t>(value.real);
        break;
      case Value::Kind::kText:
        code = as_text ? Kept::kOwn : Kept::kText;
        bits = strings.intern(writer, value.bytes);
        break;
      case Value::Kind::kBlob:
        code = Kept::kBlob;
        bits = strings.intern(writer, value.bytes);
    }
    batch_.columns[i].push_back(bits);
    batch_.columns[first_word + i / kKeptColumnsAWord].back() |= static_cast<uint64_t>(code)
                                                                 << (4 * (i % kKeptColumnsAWord));
  }
  ++rows_read_;
}

Status ForeignRows::flush(report::Writer& writer) {
  const report::Rows* parts[] = {&batch_};
  SEXTANT_TRY(writer.write_group(parts, {}));
  batch_.clear();
  return {};
}

Status ForeignRows::import(const SqliteDatabase& database, NsysStrings& strings, report::Writer& writer) {
  // wide tables are written in smaller chunks, to bound memory
  const size_t most_rows = std::max<size_t>(1024, report::kChunkRows / (1 + columns_.size() / 64));
  Status written;
  SEXTANT_TRY(database.scan(source_, wanted_, [&](std::span<const Value> row) {
    add(row, strings, writer);
    if (batch_.count() >= most_rows) written = flush(writer);
    return written.has_value();
  }));
  SEXTANT_TRY(written);
  return flush(writer);
}

}  // namespace sextant::importers
