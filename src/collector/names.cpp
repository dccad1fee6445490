// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/names.h"

namespace sextant::collector {

NameTable::Entry& NameTable::place_of(uint32_t id) {
  size_t mask = table_.size() - 1;
  size_t at = (id * kMix) & mask;
  while (table_[at].id != 0 && table_[at].id != id) at = (at + 1) & mask;
  return table_[at];
}

void NameTable::grow() {
  std::vector<Entry> old(table_.empty() ? 64 : table_.size() * 2);
  old.swap(table_);
  for (const Entry& entry : old)
    if (entry.id != 0) place_of(entry.id) = entry;
}

uint32_t NameTable::look_up(uint32_t id, spool::Arena& arena, report::Writer& writer) {
  if (filled_ * 2 >= table_.size()) grow();
  Entry& entry = place_of(id);
  if (entry.id == id) return entry.name;
  uint32_t name;
  if (id == spool::kNameDropped) {
    name = writer.string_id("(name dropped)");
  } else if (arena.reader().name(id, &text_) || (arena.refresh(), arena.reader().name(id, &text_))) {
    // refreshed: the agent may have let the file grow since it was last asked for its size
    name = writer.string_id(text_);
  } else {
    ++damaged_;
    name = writer.string_id("(damaged name)");
  }
  entry = {id, name};
  ++filled_;
  return name;
}

}  // namespace sextant::collector
