// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/slice_cache.h"

namespace sextant::serve {

std::shared_ptr<const Slice> SliceCache::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto at = by_key_.find(key);
  if (at == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, at->second);
  return at->second->slice;
}

void SliceCache::add(const Key& key, std::shared_ptr<const Slice> slice) {
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) return;
  bytes_ += slice->bytes();
  entries_.push_front({key, std::move(slice)});
  by_key_[key] = entries_.begin();
  while (bytes_ > most_bytes_ && entries_.size() > 1) drop_oldest();
}

void SliceCache::drop_oldest() {
  bytes_ -= entries_.back().slice->bytes();
  by_key_.erase(entries_.back().key);
  entries_.pop_back();
}

void SliceCache::forget(const void* layer) {
  const std::lock_guard lock(mutex_);
  for (auto at = entries_.begin(); at != entries_.end();) {
    if (at->key.first != layer) {
      ++at;
      continue;
    }
    bytes_ -= at->slice->bytes();
    by_key_.erase(at->key);
    at = entries_.erase(at);
  }
}

size_t SliceCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace sextant::serve
