// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Curves: values over time (GPU and NIC metrics, counters, memory in use) as buckets with least, greatest and
// mean value, summed up in one pass over the samples; the samples themselves are not kept. At most
// kMostBuckets of 32 bytes. After load() const methods are thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "serve/tile_bytes.h"

namespace sextant::serve {

struct CurveBucket {
  int64_t index;  // start >> the curve's level
  double least, greatest, sum;
  uint64_t samples;
};

class Curve {
 public:
  std::string group, name, unit;    // any bytes
  std::optional<uint64_t> process;  // whose it is
  uint64_t samples = 0;
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;

  /// Samples come in any order.
  void add(int64_t ns, double value);
  /// Fills `buckets` and forgets what was needed for it.
  void finish();
  int level() const { return level_; }
  /// The buckets of a tile, merged where it is coarser, one for each of its own where it is finer.
  std::string tile(TilePlace place) const;

 private:
  static constexpr size_t kMostBuckets = 1 << 13;  // of one curve
  void coarsen();

  int level_ = 0;
  std::map<int64_t, CurveBucket> open_;
  std::vector<CurveBucket> buckets_;
};

/// All curves of a report, those of a group behind each other.
Result<std::vector<Curve>> load_curves(const query::Source& source);

}  // namespace sextant::serve
