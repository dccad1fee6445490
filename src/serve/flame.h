// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a flame graph draws: weights by path of names, the outermost first. Three ways to get them: nested
// events by their own time, call stacks of samples by how often they were taken, work on devices by its time
// below the NVTX ranges in which it was launched.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/result.h"
#include "serve/timeline.h"

namespace sextant::serve {

struct Flame {
  static constexpr size_t kMostPaths = 20'000, kMostDepth = 128;

  std::map<std::vector<uint32_t>, int64_t> weights;  // by names (Names)
  bool complete = true;                              // false: more than kMostPaths
  bool samples = false;                              // counted, not nanoseconds

  void add(const std::vector<uint32_t>& path, int64_t weight);
};

Result<Flame> flame_of_events(const Timeline& timeline, const Track& track, const query::Window& span);
/// Of all tracks of samples in `tracks`.
Result<Flame> flame_of_samples(const Timeline& timeline, const std::vector<size_t>& tracks,
                               const query::Window& span);
/// Of all tracks of work in `tracks`. kUnsupported: too much for memory.
Result<Flame> flame_of_devices(const Timeline& timeline, const std::vector<size_t>& tracks,
                               const query::Window& span);

/// A track and all those below it.
std::vector<size_t> tracks_below(const Timeline& timeline, size_t track);

}  // namespace sextant::serve
