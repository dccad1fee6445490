// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Slices of all open reports that were read lately, within a bound of memory. Beyond it others are thrown out
// at random: of a picture that needs a little more than fits most is still there for the next one, where the
// one that was used longest ago would always be the one needed next. What is in use stays alive when it is
// thrown out. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "serve/layer.h"

namespace sextant::serve {

class SliceCache {
 public:
  static constexpr size_t kMostBytes = 112 << 20;
  using Key = std::pair<const void*, size_t>;  // a layer, and the slice's number

  explicit SliceCache(size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  /// nullptr where none is kept that covers the span.
  std::shared_ptr<const Slice> find(const Key& key, const query::Window& span);
  /// Whether one is kept, of whatever span.
  bool holds(const Key& key) const;
  /// Takes the place of the one that was kept.
  void add(const Key& key, std::shared_ptr<const Slice> slice);
  /// Forgets all slices of a layer that goes away.
  void forget(const void* layer);
  size_t bytes() const;

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const Slice> slice;
  };
  void drop(size_t entry);

  mutable std::mutex mutex_;
  const size_t most_bytes_;
  size_t bytes_ = 0;
  std::vector<Entry> entries_;
  std::map<Key, size_t> by_key_;  // place in entries_
  std::minstd_rand random_;
};

}  // namespace sextant::serve
