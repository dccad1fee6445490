// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/diagnostics.h"

#include "collector/group.h"

namespace sextant::collector {

void Diagnostics::set(const std::string& code, uint32_t process, uint64_t count, const std::string& text,
                      uint64_t first, uint64_t last) {
  Entry& entry = entries_[{code, process}];
  if (entry.count == count && entry.first == first && entry.last == last && entry.text == text) return;
  entry = {count, first, last, text, true};
}

void Diagnostics::add(const std::string& code, uint32_t process, uint64_t more, const std::string& text) {
  set(code, process, entries_[{code, process}].count + more, text);
}

void Diagnostics::set_of_page(const std::string& code, uint32_t process, uint32_t page, uint64_t count,
                              const std::string& text) {
  if (count == 0) return;
  uint64_t& known = of_pages_[{code, page}];
  const uint64_t others = entries_[{code, process}].count - known;
  known = count;
  set(code, process, others + count, text);
}

void Diagnostics::add_rows(report::Rows* rows, report::Writer& writer) {
  for (auto& [key, entry] : entries_) {
    if (!std::exchange(entry.dirty, false)) continue;
    append_row(rows, {writer.string_id(key.first), key.second, entry.count, entry.first, entry.last,
                      writer.string_id(entry.text)});
  }
}

uint64_t Diagnostics::count(const std::string& code) const {
  uint64_t sum = 0;
  for (const auto& [key, entry] : entries_)
    if (key.first == code) sum += entry.count;
  return sum;
}

}  // namespace sextant::collector
