// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of importers/: how often each duration occurs in a table, by name, for the report's summary of it
// (docs/formats/report.md §6.1). It gives up, and says so, where that would not be much smaller than the
// table itself or would take much memory (at most about 70 MB).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/writer.h"

namespace sextant::importers {

class DurationCounts {
 public:
  /// For a table with columns of strings and durations: the first ones are taken.
  explicit DurationCounts(const event::Table& table);

  /// Whether a table is worth it: its summaries by name are what people ask for.
  static bool wanted(const event::Table& table);

  void add(const report::Rows& batch);

  /// Writes the summary if there is to be one.
  Status write(report::Writer& writer);

 private:
  // Durations of a name lie close together: 64 neighbours share a page.
  static constexpr size_t kPageBits = 6;
  static constexpr size_t kPage = size_t{1} << kPageBits;
  static constexpr size_t kMostPages = 256 * 1024;

  struct Slot {
    uint64_t name = 0, high = 0;  // of the duration: all but the lowest bits
    uint32_t page = 0;            // number + 1; 0: free
  };

  uint32_t page_of(uint64_t name, uint64_t high);
  void grow();
  void give_up();

  const event::Table& table_;
  size_t name_at_ = 0, duration_at_ = 0;  // positions of the columns
  uint64_t rows_ = 0;
  bool given_up_ = false;
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::vector<uint32_t> counts_;  // kPage for every page
  size_t pages_ = 0;
};

}  // namespace sextant::importers
