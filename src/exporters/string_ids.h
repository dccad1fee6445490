// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// StringIds: the strings that rows of other tables refer to by number. Ids are the report's own string ids,
// so nothing is renumbered and a bit a string is all that is remembered. Texts become valid UTF-8: nsys's own
// reports stop at the first byte that is not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporters/sqlite_file.h"
#include "report/reader.h"

namespace sextant::exporters {

/// `text` itself if it is valid UTF-8, else `*fixed`, which receives it with U+FFFD for what is not.
std::string_view valid_text(std::string_view text, std::string* fixed);

class StringIds {
 public:
  explicit StringIds(const report::Reader& reader)
      : StringIds(reader, static_cast<int64_t>(reader.string_count()) + 1) {}
  /// `first_added`: the id of the first text that add() gets.
  StringIds(const report::Reader& reader, int64_t first_added)
      : reader_(&reader), first_added_(first_added) {}

  /// The id of a string of the report; it will be written.
  int64_t use(uint64_t string);
  /// The same for a text that need not be in the report.
  int64_t add(std::string_view text);

  enum class Bytes { kValid, kAsTheyAre };  // of texts that are not UTF-8
  void write(SqliteTable& table, Bytes bytes = Bytes::kValid) const;

 private:
  const report::Reader* reader_;
  int64_t first_added_;
  std::vector<bool> used_;                          // by string id
  std::unordered_map<std::string, int64_t> added_;  // ids from first_added_ on
};

}  // namespace sextant::exporters
