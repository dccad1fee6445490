// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics: what was lost, damaged, skipped or not permitted, one row per (code, process); later counts
// replace earlier ones. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "report/writer.h"

namespace sextant::collector {

class Diagnostics {
 public:
  /// Sets the row; nothing happens when it says the same already. process 0: the recording.
  void set(const std::string& code, uint32_t process, uint64_t count, const std::string& text,
           uint64_t first = 0, uint64_t last = 0);
  void add(const std::string& code, uint32_t process, uint64_t more, const std::string& text);

  /// The same for one page of a process, of which each image that it ran has its own: the row has their sum.
  void set_of_page(const std::string& code, uint32_t process, uint32_t page, uint64_t count,
                   const std::string& text);

  /// All of them again: for another report.
  void touch() {
    for (auto& [key, entry] : entries_) entry.dirty = true;
  }
  void add_rows(report::Rows* rows, report::Writer& writer);
  uint64_t count(const std::string& code) const;

 private:
  struct Entry {
    uint64_t count = 0, first = 0, last = 0;
    std::string text;
    bool dirty = false;
  };
  std::map<std::pair<std::string, uint32_t>, Entry> entries_;
  std::map<std::pair<std::string, uint32_t>, uint64_t> of_pages_;  // by code and page
};

}  // namespace sextant::collector
