// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/imported_strings.h"

#include <algorithm>

#include "event/schema_target.h"
#include "exporters/report_rows.h"

namespace sextant::exporters {

namespace {

constexpr int64_t kHighestNumber = INT64_MAX / 2;  // leaves room for numbers of our own behind the source's

}  // namespace

ImportedStrings::ImportedStrings(const report::Reader& reader) : reader_(reader), strings_(reader) {
  using namespace event::imported_string;
  for_each_row(reader, event::kImportedString, std::array<uint16_t, 2>{kNumber, kString},
               [&](const auto& row) { source_.emplace_back(static_cast<int64_t>(row[0]), row[1]); });
  std::erase_if(source_, [](const auto& entry) { return entry.first > kHighestNumber; });
  if (source_.empty()) return;
  const auto same_number = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::stable_sort(source_.begin(), source_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  source_.erase(std::unique(source_.begin(), source_.end(), same_number), source_.end());
  own_numbers_ = false;
  strings_ = StringIds(reader, std::max<int64_t>(source_.back().first, 0) + 1);
  numbers_.resize(reader.string_count() + 1, -1);
  for (const auto& [number, string] : source_)
    if (string < numbers_.size() && numbers_[string] < 0) numbers_[string] = number;
}

void ImportedStrings::write(SqliteTable& table) const {
  SqliteRecord record;
  for (const auto& [number, string] : source_) {
    record.clear();
    record.null().text(reader_.string(string));
    table.append(number, record);
  }
  strings_.write(table, StringIds::Bytes::kAsTheyAre);
}

}  // namespace sextant::exporters
