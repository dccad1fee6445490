// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of importers/: nsys's numbers of strings (table StringIds) to those of the report.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "importers/sqlite_database.h"
#include "report/writer.h"

namespace sextant::importers {

class NsysStrings {
 public:
  /// Reads StringIds into the report. Memory: about 4 bytes for each number up to the highest.
  static Result<NsysStrings> load(const SqliteDatabase& database, report::Writer& writer);

  std::optional<uint32_t> find(int64_t id) const {
    if (static_cast<uint64_t>(id) < dense_.size()) {
      const uint32_t found = dense_[static_cast<size_t>(id)];
      return found == kNone ? std::nullopt : std::optional(found);
    }
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? std::nullopt : std::optional(found->second);
  }
  uint64_t rows() const { return rows_; }

  /// Writes the table imported_string.
  Status write_numbers(report::Writer& writer) const;

  /// The report's number of a text. Beyond what a reader keeps (report::kMaxTotalStringBytes) texts are
  /// dropped and counted.
  uint32_t intern(report::Writer& writer, std::string_view text) {
    if (text.size() > bytes_left_) {
      ++dropped_;
      return writer.string_id("(text dropped)");
    }
    const size_t before = writer.string_count();
    const uint32_t id = writer.string_id(text);
    if (writer.string_count() != before) bytes_left_ -= text.size();
    return id;
  }
  uint64_t dropped() const { return dropped_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  void add(int64_t id, uint32_t string);

  std::vector<uint32_t> dense_;  // by number
  std::unordered_map<int64_t, uint32_t> sparse_;
  uint64_t rows_ = 0;
  uint64_t bytes_left_ = report::kMaxTotalStringBytes - (1u << 20);  // a little for what is not the source's
  uint64_t dropped_ = 0;
};

}  // namespace sextant::importers
