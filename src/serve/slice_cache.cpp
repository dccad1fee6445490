// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/slice_cache.h"

namespace sextant::serve {

std::shared_ptr<const Slice> SliceCache::find(const Key& key, const query::Window& span) {
  const std::lock_guard lock(mutex_);
  const auto at = by_key_.find(key);
  if (at == by_key_.end() || !entries_[at->second].slice->covers(span)) return nullptr;
  return entries_[at->second].slice;
}

bool SliceCache::holds(const Key& key) const {
  const std::lock_guard lock(mutex_);
  return by_key_.contains(key);
}

void SliceCache::add(const Key& key, std::shared_ptr<const Slice> slice) {
  const std::lock_guard lock(mutex_);
  if (const auto at = by_key_.find(key); at != by_key_.end()) drop(at->second);
  bytes_ += slice->bytes();
  while (bytes_ > most_bytes_ && !entries_.empty()) drop(random_() % entries_.size());
  by_key_[key] = entries_.size();
  entries_.push_back({key, std::move(slice)});
}

/// The last entry takes its place.
void SliceCache::drop(size_t entry) {
  bytes_ -= entries_[entry].slice->bytes();
  by_key_.erase(entries_[entry].key);
  if (entry + 1 < entries_.size()) {
    entries_[entry] = std::move(entries_.back());
    by_key_[entries_[entry].key] = entry;
  }
  entries_.pop_back();
}

void SliceCache::forget(const void* layer) {
  const std::lock_guard lock(mutex_);
  for (size_t i = entries_.size(); i-- > 0;)
    if (entries_[i].key.first == layer) drop(i);
}

size_t SliceCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace sextant::serve
