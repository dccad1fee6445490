// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Work by all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace sextant::stats {

/// Threads that a report may use.
inline size_t all_workers() {
  return std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 16);
}

/// Calls work(i) for every i below `count`, each once, by several threads in any order; returns when all are
/// done.
template <typename Work>
void for_each_parallel(size_t count, Work work) {
  std::atomic<size_t> next{0};
  const auto take = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  for (size_t w = 1; w < std::min(all_workers(), count); ++w) helpers.emplace_back(take);
  take();
}

}  // namespace sextant::stats
