// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys_strings.h"

#include "event/schema_target.h"

namespace sextant::importers {

void NsysStrings::add(int64_t id, uint32_t string) {
  // dense as long as at least every fourth number is used
  const auto at = static_cast<uint64_t>(id);
  if (at < dense_.size() || at <= 4 * rows_ + 1024) {
    if (at >= dense_.size()) dense_.resize(static_cast<size_t>(at) + 1, kNone);
    dense_[static_cast<size_t>(at)] = string;
  } else {
    sparse_[id] = string;
  }
}

Result<NsysStrings> NsysStrings::load(const SqliteDatabase& database, report::Writer& writer) {
  NsysStrings strings;
  const SourceTable* table = database.find("StringIds");
  const int id = table == nullptr ? -1 : table->find("id");
  const int value = table == nullptr ? -1 : table->find("value");
  if (id < 0 || value < 0)
    return fail(ErrorCode::kUnsupported,
                database.path() +
                    " is an SQLite database, but no export of nsys: it has no table StringIds(id, value)");
  const int columns[] = {id, value};
  SEXTANT_TRY(database.scan(*table, columns, [&](std::span<const Value> row) {
    ++strings.rows_;
    const bool text = row[1].kind == Value::Kind::kText || row[1].kind == Value::Kind::kBlob;
    if (row[0].kind == Value::Kind::kInt && text)
      strings.add(row[0].integer, strings.intern(writer, row[1].bytes));
    return true;
  }));
  // numbers that came before the table was dense enough for them
  for (auto at = strings.sparse_.begin(); at != strings.sparse_.end();) {
    if (static_cast<uint64_t>(at->first) < strings.dense_.size()) {
      uint32_t& place = strings.dense_[static_cast<size_t>(at->first)];
      if (place == kNone) place = at->second;
      at = strings.sparse_.erase(at);
    } else {
      ++at;
    }
  }
  return strings;
}

Status NsysStrings::write_numbers(report::Writer& writer) const {
  using namespace event::imported_string;
  report::Rows rows(*event::find_table(event::kImportedString));
  const auto flush = [&]() -> Status {
    const report::Rows* parts[] = {&rows};
    SEXTANT_TRY(writer.write_group(parts, {}));
    rows.clear();
    return {};
  };
  const auto add = [&](uint64_t number, uint32_t string) -> Status {
    rows.column(kNumber).push_back(number);
    rows.column(kString).push_back(string);
    return rows.count() < report::kChunkRows ? Status() : flush();
  };
  for (size_t number = 0; number < dense_.size(); ++number)
    if (dense_[number] != kNone) SEXTANT_TRY(add(number, dense_[number]));
  for (const auto& [number, string] : sparse_) SEXTANT_TRY(add(static_cast<uint64_t>(number), string));
  return rows.count() > 0 ? flush() : Status();
}

}  // namespace sextant::importers
