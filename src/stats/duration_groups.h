// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// KeyedGroups: values by a key of N numbers; DurationGroups: bags of durations. Open addressing over group
// numbers; one worker's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "stats/durations.h"

namespace sextant::stats {

template <size_t N, typename Value>
class KeyedGroups {
 public:
  using Key = std::array<uint64_t, N>;

  /// The value of a key, a new one if there is none. Valid until the next one is asked for.
  Value& at(const Key& key) { return groups_[find(key)].second; }

  std::vector<std::pair<Key, Value>>& all() { return groups_; }

 private:
  struct Slot {
    Key key;
    uint32_t group = 0;  // 0: free, else 1 + group
  };

  static uint64_t hash(const Key& key) {
    uint64_t h = key[0] * 0x9E3779B97F4A7C15u;
    for (size_t i = 1; i < N; ++i) h += (key[i] + i) * (0xD6E8FEB86659FD93u + 2 * i);
    return h >> 32;
  }
  static bool same(const Key& a, const Key& b) {
    uint64_t differing = 0;
    for (size_t i = 0; i < N; ++i) differing |= a[i] ^ b[i];
    return differing == 0;
  }

  size_t find(const Key& key) {
    size_t at = hash(key) & mask_;
    for (; slots_[at].group != 0; at = (at + 1) & mask_)
      if (same(slots_[at].key, key)) return slots_[at].group - 1;
    groups_.emplace_back(key, Value());
    slots_[at] = {key, static_cast<uint32_t>(groups_.size())};
    if (groups_.size() * 2 > slots_.size()) grow();
    return groups_.size() - 1;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    mask_ = slots_.size() - 1;
    for (size_t g = 0; g < groups_.size(); ++g) {
      size_t at = hash(groups_[g].first) & mask_;
      while (slots_[at].group != 0) at = (at + 1) & mask_;
      slots_[at] = {groups_[g].first, static_cast<uint32_t>(g + 1)};
    }
  }

  std::vector<std::pair<Key, Value>> groups_;
  std::vector<Slot> slots_ = std::vector<Slot>(256);
  size_t mask_ = 255;
};

template <size_t N>
class DurationGroups : public KeyedGroups<N, Durations> {
 public:
  void add(const typename KeyedGroups<N, Durations>::Key& key, int64_t value) { this->at(key).add(value); }
};

}  // namespace sextant::stats
