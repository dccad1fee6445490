// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Slices of all open reports that were read lately, within a bound of memory. What is in use stays alive when
// it is thrown out. Thread-safe.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "serve/layer.h"

namespace sextant::serve {

class SliceCache {
 public:
  static constexpr size_t kMostBytes = 64 << 20;
  using Key = std::pair<const void*, size_t>;  // a layer, and the slice's number

  explicit SliceCache(size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  std::shared_ptr<const Slice> find(const Key& key);
  void add(const Key& key, std::shared_ptr<const Slice> slice);
  /// Forgets all slices of a layer that goes away.
  void forget(const void* layer);
  size_t bytes() const;

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const Slice> slice;
  };
  void drop_oldest();

  mutable std::mutex mutex_;
  const size_t most_bytes_;
  size_t bytes_ = 0;
  std::list<Entry> entries_;  // the last used one first
  std::map<Key, std::list<Entry>::iterator> by_key_;
};

}  // namespace sextant::serve
