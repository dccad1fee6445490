// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// DurationGroups: durations by a key of N numbers. Open addressing over group numbers; one worker's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "stats/durations.h"

namespace sextant::stats {

template <size_t N>
class DurationGroups {
 public:
  using Key = std::array<uint64_t, N>;

  void add(const Key& key, int64_t value) {
    if (last_ >= groups_.size() || groups_[last_].first != key) last_ = find(key);
    groups_[last_].second.add(value);
  }

  std::vector<std::pair<Key, Durations>>& all() { return groups_; }

 private:
  static uint64_t hash(const Key& key) {
    uint64_t h = 0;
    for (const uint64_t part : key) h = (h ^ part) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return h;
  }

  size_t find(const Key& key) {
    size_t at = hash(key) & mask_;
    for (; slots_[at] != 0; at = (at + 1) & mask_)
      if (groups_[slots_[at] - 1].first == key) return slots_[at] - 1;
    groups_.emplace_back(key, Durations());
    slots_[at] = static_cast<uint32_t>(groups_.size());
    if (groups_.size() * 2 > slots_.size()) grow();
    return groups_.size() - 1;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    mask_ = slots_.size() - 1;
    for (size_t g = 0; g < groups_.size(); ++g) {
      size_t at = hash(groups_[g].first) & mask_;
      while (slots_[at] != 0) at = (at + 1) & mask_;
      slots_[at] = static_cast<uint32_t>(g + 1);
    }
  }

  std::vector<std::pair<Key, Durations>> groups_;
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(256, 0);  // 0: free, else 1 + group
  size_t mask_ = 255;
  size_t last_ = SIZE_MAX;
};

}  // namespace sextant::stats
