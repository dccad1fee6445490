// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NameTable: string ids of one arena -> string ids of the report. The report's writer compares contents, so
// equal names of several processes (or twice in one arena) become one. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/writer.h"
#include "spool/run_folder_arena.h"

namespace sextant::collector {

class NameTable {
 public:
  /// `id` 0 is "". A name that cannot be read becomes "(damaged name)" and is counted.
  uint32_t report_id(uint32_t id, spool::Arena& arena, report::Writer& writer) {
    if (id == 0) return 0;
    Entry& front = front_[(id * kMix) >> (32 - kFrontBits)];
    if (front.id == id) return front.name;
    uint32_t name = look_up(id, arena, writer);
    front = {id, name};
    return name;
  }

  uint64_t damaged() const { return damaged_; }

 private:
  struct Entry {
    uint32_t id = 0;
    uint32_t name = 0;
  };
  static constexpr uint32_t kMix = 2654435769u;
  static constexpr uint32_t kFrontBits = 8;

  uint32_t look_up(uint32_t id, spool::Arena& arena, report::Writer& writer);
  Entry& place_of(uint32_t id);
  void grow();

  Entry front_[1u << kFrontBits];
  std::vector<Entry> table_;  // open addressing, a power of two, at most half full
  size_t filled_ = 0;
  uint64_t damaged_ = 0;
  std::string text_;
};

}  // namespace sextant::collector
