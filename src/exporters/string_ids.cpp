// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/string_ids.h"

#include <algorithm>
#include <cstring>

#include "text/utf8.h"

namespace sextant::exporters {

namespace {

bool is_ascii(std::string_view text) {
  uint64_t bits = 0;
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    bits |= word;
  }
  for (; i < text.size(); ++i) bits |= static_cast<uint8_t>(text[i]);
  return (bits & 0x8080808080808080u) == 0;
}

}  // namespace

std::string_view valid_text(std::string_view text, std::string* fixed) {
  if (is_ascii(text)) return text;
  fixed->clear();
  text::append_valid_utf8(fixed, text);
  return *fixed;
}

int64_t StringIds::use(uint64_t string) {
  if (string > reader_->string_count()) return add(reader_->string(string));  // an id that was never written
  if (string >= used_.size()) used_.resize(std::max<size_t>(string + 1, 2 * used_.size()));
  used_[string] = true;
  return static_cast<int64_t>(string);
}

int64_t StringIds::add(std::string_view text) {
  return added_.emplace(text, first_added_ + static_cast<int64_t>(added_.size())).first->second;
}

void StringIds::write(SqliteTable& table, Bytes bytes) const {
  SqliteRecord record;
  std::string fixed;
  const auto write_one = [&](int64_t id, std::string_view text) {
    record.clear();
    record.null().text(bytes == Bytes::kValid ? valid_text(text, &fixed) : text);  // the id is the row id
    table.append(id, record);
  };
  for (size_t id = 0; id < used_.size(); ++id)
    if (used_[id]) write_one(static_cast<int64_t>(id), reader_->string(id));
  std::vector<std::string_view> added(added_.size());
  for (const auto& [text, id] : added_) added[static_cast<size_t>(id - first_added_)] = text;
  for (size_t i = 0; i < added.size(); ++i) write_one(first_added_ + static_cast<int64_t>(i), added[i]);
}

}  // namespace sextant::exporters
